/* What the records of a speed test (nas-speed's limit, speed and slow) come to: which part limits, in one sentence, and
 * what to do about it. Made from records alone, so that the screen, the plain table and a saved test say the same. */
#pragma once

#include "helpers/lib/record.h"

/* A sentence in the reader's language; gettext, or what gives it back as it is. */
typedef const char *(*verdict_say)(const char *english);

struct verdict {
        const char *limit; /* network, faster, port, slow-disk, sync, cache, disks, processor, samba; unknown: nothing to compare with;
                            * "": nothing was measured */
        char *text;        /* one sentence, "" where there is nothing to say */
        char *advice;      /* what to do; NULL: nothing */
        char *disk;        /* names the disk that is slower than its siblings; NULL: none */
        char *change;      /* what is slower than in an earlier test; NULL: nothing */
};

void verdict_make(const struct records *rs, verdict_say say, struct verdict *ret);
void verdict_free(struct verdict *v);
#define _cleanup_verdict_ _cleanup_(verdict_free)

/* The least rate of what= in bytes per second: of several disks the slowest counts, an array waits for it. 0: none. */
uint64_t verdict_rate(const struct records *rs, const char *what);
/* Whether any record of what= (NULL: any at all) has this note. */
bool verdict_has_note(const struct records *rs, const char *what, const char *note);
/* What SMB gets of the port at best, bytes per second; 0: not known. */
uint64_t verdict_limit(const struct records *rs);

/* apt, asked and told without a question: apt-get(8), apt-cache(8), dpkg(1). Nothing in here writes before apt_update,
 * but for a throw-away folder in /run/nas-setup. */
#pragma once

#include "helpers/lib/util.h"

enum mirror {
        MIRROR_ANSWERS,
        MIRROR_SILENT,  /* none of the addresses in sources.list answers */
        MIRROR_NONE,    /* sources.list names none */
        MIRROR_UNKNOWN, /* it does not answer, and this computer has no way to the internet yet */
};
const char *mirror_word(enum mirror m); /* yes, silent, none, unknown */
/* Takes up to 20 s. *ret_where is one of the addresses, or "". */
enum mirror apt_mirror(char **ret_where);

struct apt_plan {
        char **installs;   /* with what they need */
        char **lacks;      /* asked for, and no list knows them */
        uint64_t download; /* bytes; 0 where all is here already */
        uint64_t size;     /* bytes on the disk afterwards, about */
        char *refused;     /* apt's words where it can't; else NULL */
};
#define _cleanup_apt_plan_ _cleanup_(apt_plan_free)
void apt_plan_free(struct apt_plan *p);
/* What apt would do, by the lists that are here; fresh: by such as are fetched for this question alone, where /run has
 * the room. -errno: apt can't be asked. */
int apt_would(char *const *packages, bool fresh, struct apt_plan *ret);

/* The program that works with apt or dpkg right now, NULL: none. */
char *apt_holder(void) _must_check_;
/* Waits until nobody else works with apt or dpkg and says so every second. 0 or the status of a printed error. */
int apt_wait(void);
bool dpkg_is_cut_off(void); /* an earlier run of dpkg did not come to its end */

/* Each 0, -EIO with *ret_raw, or -errno. Waiting for the lock is part of it. */
int dpkg_go_on(char **ret_raw);
int apt_update(char **ret_raw);
/* Nothing is removed for it, files that somebody changed are kept, nothing is asked. */
int apt_install(char *const *packages, char **ret_raw);

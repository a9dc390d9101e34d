/* What the superblocks on an array's members say, and whether they are enough to start it. Metadata 1.x; linux/raid/md_p.h.
 * Only read for arrays that do not run: of others
 * sysfs tells all. */
#pragma once

#include <limits.h>

#include "helpers/lib/md.h"

#define PLACE_NONE UINT_MAX

struct super {
        char *name;          /* of the member, "sda1"; NULL where it could not be read */
        uint64_t events;     /* how often the set was changed */
        int level;
        unsigned layout;
        unsigned devices;    /* places */
        unsigned place;      /* PLACE_NONE for a spare, and for one that is a member no more */
        bool is_filling;     /* it does not have all its data yet */
        bool is_clean;       /* nothing was being written when this was */
        bool is_reshaping;
        bool needs_backup;   /* its reshape writes over what it still needs, and keeps that in a file */
        bool has_ppl;        /* partial parity log: it starts by itself */
};

struct supers {
        struct super *v;
        size_t n;
};

/* Those of all members that are here; the ones that cannot be read, or are damaged, are left out. */
void supers_read(char *const *members, struct supers *ret);
void supers_free(struct supers *s);
#define _cleanup_supers_ _cleanup_(supers_free)

enum start {
        START_WHOLE,    /* all members are here */
        START_DEGRADED, /* enough are, and nothing was being written */
        START_FORCE,    /* enough are, but it was cut off while it was written to with one missing: the kernel refuses it, as what
                         * was being written then cannot be told from its parity */
        START_NO,
};
/* What these can do. *ret_lacks: how many more must come at least, for START_NO. No members: START_NO. */
enum start start_of(const struct supers *s, unsigned *ret_lacks);
const char *start_name(enum start start);

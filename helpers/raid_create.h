/* Making an array run: by what is on its members already, or from nothing. */
#pragma once

#include "helpers/lib/md.h"
#include "helpers/raid_member.h"

/* What mdadm must be told of a level. What people are told of it, and how large it is, is the wizard's (capacity.h). */
struct level {
        const char *name;
        unsigned min;        /* places */
        bool has_chunk;      /* data are striped */
        bool has_redundancy; /* so a bitmap tells what to bring back into step after a power cut, and spares have a use */
        const char *layout;  /* NULL where mdadm's own is right */
};

struct wanted {
        char *uuid, *name;
        const struct level *level;
        uint64_t chunk, offset; /* bytes */
        bool bitmap;
        unsigned spares;        /* of the members, the last so many */
        char **guids;           /* of the members' partitions, in order */
};

const struct level *level_find(const char *name);
char *level_names(void) _must_check_; /* "raid0, raid1 …" */

/* Sees to it that the array runs with all its members. It is made only where no member carries it and mdadm.conf does not say
 * that it was made once (raid_conf.h): else its superblocks were lost, and what is in it is not. (Where this computer's system
 * was installed anew since, nothing tells that.) Fills in *ret, which md_free_all frees; an enum
 * helper_status, its error already told. */
int array_run(const struct wanted *w, struct mds *ret);
/* What must be so of an array that runs; else an enum helper_status, its error already told. */
int array_check(const struct wanted *w, const struct md *md);

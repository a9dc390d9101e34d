/* What could become of an array that runs, by what md can do and a power cut cannot destroy. */
#pragma once

#include "helpers/raid_place.h"

struct growth {
        const char *as;      /* grow copy mirror level5 level6 spare size */
        const char *level;   /* afterwards */
        unsigned devices;    /* places afterwards */
        unsigned add;        /* new disks that it takes at least */
        uint64_t size;       /* bytes of the array afterwards */
        uint64_t more;       /* bytes that each further disk gives; 0: takes none */
        uint64_t needs;      /* bytes of a new partition, at least; 0: takes none */
        unsigned sector;     /* the largest logical sector that a new disk may have; 0 unknown */
        const char *refused; /* why not, a word; NULL: it can be done now */
};

#define GROWTHS_MAX 4

/* Into v, which has room for GROWTHS_MAX; how many. None of an array that does not run, or is no array of md's levels. */
size_t growths(const struct md *md, const struct places *p, struct growth *v);
/* The bytes that a new member must have at least, and the largest logical sector that it may have. */
uint64_t growth_needs(const struct md *md, const struct places *p);
unsigned growth_sector(const struct md *md);
/* In a sentence why a growth is refused. */
const char *growth_why(const char *refused);

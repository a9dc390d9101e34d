/* Who fills which place of an array, and which disk that is, as sysfs and udev's database show it: no disk is woken. Where
 * the array does not run, its members' superblocks are read. */
#pragma once

#include "helpers/lib/md.h"
#include "helpers/raid_super.h"

struct place {
        char *name;          /* "sda1"; NULL for one that is missing */
        char *disk;          /* "sda" */
        char *guid;          /* of the partition, lower case; NULL where it is none or not known */
        char *serial, *model;
        unsigned number;     /* from 0; PLACE_NONE for spares and for those that were thrown out */
        const char *state;   /* active filling spare faulty missing replaced */
        uint64_t size;       /* bytes of the partition */
        uint64_t offset;     /* bytes to its data; 0 unknown */
        unsigned sector;     /* logical sector of its disk */
};

struct places {
        struct place *v;     /* by place, then the others */
        size_t n;
};

void places_read(const struct md *md, struct places *ret);
void places_free(struct places *p);
#define _cleanup_places_ _cleanup_(places_free)

/* The member whose partition has that GUID, or that kernel name; NULL where there is none. */
const struct place *place_find(const struct places *p, const char *guid_or_name);

/* The identity of a partition by its kernel name, for those that are no members too; free with places_free's rules. */
void place_identify(const char *name, struct place *ret);

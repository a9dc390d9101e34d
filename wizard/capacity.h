/* What the RAID levels give on given disks. Pure arithmetic; nothing here looks at a device. */
#pragma once

#include "helpers/lib/util.h"

struct level {
        const char *name;   /* raid5: as mdadm and the answers say it */
        const char *words;  /* N_(): "Parity" */
        const char *term;   /* "RAID 5" */
        const char *reads, *writes; /* N_(): "fast" … */
        unsigned number;    /* 5 */
        unsigned least;     /* offered from that many members on */
        unsigned fewest;    /* and taken with so few where the answers say so */
        bool chunked;       /* has a chunk size */
        bool bitmap;        /* gets a write-intent bitmap */
};

extern const struct level levels[]; /* in the order of the Protection screen; ended by {0} */
const struct level *level_find(const char *name); /* NULL where there is none */

/* How many members may fail at any time without loss; n members without spares. */
unsigned level_survives(const struct level *l, unsigned n);
bool level_has_parity(const struct level *l);
/* Advised for n disks of any kind: 1 and 2 RAID 1, 3 RAID 5, from 4 RAID 6; where one of them is on USB, so that it may
 * leave any moment and parity would often be built anew, RAID 1, from 4 RAID 10. Never RAID 0; NULL for no disk. */
const struct level *level_advised(unsigned n, bool any_usb);

/* Bytes of a member partition: from 1 MiB to disk − min(2 GiB, 1 %), in whole MiB, so that another maker's disk of the
 * same name still fits later. */
void member_range(uint64_t disk_size, uint64_t *ret_start, uint64_t *ret_end);

struct capacity {
        uint64_t offset;   /* of the data in each member, bytes */
        uint64_t used;     /* of each member */
        uint64_t array;    /* size of the array */
        uint64_t wasted;   /* of all members together: what the larger ones have too much */
};

#define CHUNK_DEFAULT (64 * KIB)

/* The sizes (bytes) of the disks, not of their partitions; the last spares of them stand by. -EINVAL: too few, or a
 * chunk that is no power of two from 4 KiB to 8 MiB. Metadata 1.2; the rule was compared with what mdadm 4.2 and 4.4 made
 * on 101 combinations. */
int capacity_of(const struct level *l, uint64_t chunk, const uint64_t *disks, unsigned n, unsigned spares,
                struct capacity *ret);

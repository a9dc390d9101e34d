/* Sets: file systems, arrays, volume groups and pools that lie on several disks, put together from what each member's
 * superblock says. Nothing is opened here; a hostile or cloned superblock makes a set unknown, never whole. */
#pragma once

#include "helpers/disk_layer.h"
#include "helpers/disk_probe.h"

/* One thing that was looked into: a disk or a running layer (the other is NULL). */
struct looked {
        const struct disk *disk;
        const struct layer *layer;
        const struct contents *contents; /* NULL: not known (yet), or it cannot be read */
        bool is_looking;                 /* it will be known: till then no set is told to lack a member */
};

/* "content" records of one of them: of a disk with disk=, of a layer with the set that it is made of. */
void contents_records(const struct looked *l, struct records *out);

/* "set" records of all sets that have a member among these. layers (may be NULL) tell which set runs. Beside a disk that
 * cannot be read no set is broken: what it lacks may be there. */
void sets_records(const struct looked *v, size_t n, const struct layers *layers, struct records *out);

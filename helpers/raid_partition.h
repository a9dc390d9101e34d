/* The partitions of this computer by the GUIDs in their tables, each held open: a disk's kernel name is not given away
 * while somebody has one of its partitions open, and its table cannot be read anew, so that the node keeps meaning the
 * same place. Read from the disks: udev keeps one link only where two partitions have the same GUID. */
#pragma once

#include "helpers/lib/util.h"

struct partition {
        char *node; /* "/dev/sda1" */
        char *guid; /* as libblkid prints it */
        int fd;     /* read only, not exclusive */
};

struct partitions {
        struct partition *v;
        size_t n;
};

/* Those that can be opened and have a GUID. -errno where sysfs cannot be read. */
int partitions_list(struct partitions *ret);
/* The one with that GUID. -ENOENT, or -ENOTUNIQ where there are more. */
int partitions_find(struct partitions *all, const char *guid, struct partition **ret);
void partitions_free(struct partitions *p);
#define _cleanup_partitions_ _cleanup_(partitions_free)

/* What the table of its disk says now; NULL where it says nothing. */
char *partition_guid(int fd) _must_check_;

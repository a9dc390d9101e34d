/* The disks below a mounted file system: which they are, and what is known of them without reading. */
#pragma once

#include "helpers/lib/util.h"

struct speed_disk {
        char *name, *serial; /* "sda"; NULL where it has no serial number */
        uint64_t size;       /* bytes */
        bool rotates;
        bool forgets;        /* takes discards: blocks that were never written, or given back, are read without the disk */
};

struct speed_disks {
        struct speed_disk *v;
        size_t n;
};

/* The device that is mounted there, as the kernel names it ("md127"), and the file system's type. -ENOTDIR: nothing is. */
int speed_device_of(const char *mount, char **ret, char **ret_type);
/* The whole disks below it, through partitions, arrays, LVM volumes and encryption; sorted by name. Another device of the
 * device-mapper (several ways to one disk, whatever somebody made) is taken for a disk itself: what it does below is not
 * known. */
void speed_disks_below(const char *device, struct speed_disks *ret);
void speed_disks_free(struct speed_disks *d);
/* The arrays below it, or it ("md127"). */
char **speed_arrays_below(const char *device) _must_check_;

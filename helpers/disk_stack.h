/* Follows a mount, a file or a block device down through every layer (partition, md, LVM, dm-crypt, loop, btrfs with
 * several devices, overlay) to whole disks. Reads /proc and /sys only. */
#pragma once

#include <libmount.h>

#include "helpers/lib/util.h"

/* The better comes first; of several things below, the worst counts. */
enum outcome {
        STACK_NO_DISK,    /* memory, network */
        STACK_RESOLVED,   /* to whole disks, perhaps none that may be chosen */
        STACK_UNRESOLVED, /* something that cannot be followed */
};

/* What was found on the way down. Begin with {.mounts = …}; the table stays the caller's. */
struct trail {
        struct libmnt_table *mounts;
        char **on;    /* names directly below: sda1, md127, a mount point; "" elements never */
        char **disks; /* names of whole block devices with nothing below */
};
void trail_free(struct trail *t);
#define _cleanup_trail_ _cleanup_(trail_free)

/* What this mount is on. */
enum outcome follow_mount(struct trail *t, struct libmnt_fs *fs);
/* What this block device (its name in /sys/class/block, whole or partition) is on. */
enum outcome follow_block(struct trail *t, const char *name);
/* What something on this block device is on. */
enum outcome follow_device(struct trail *t, const char *name);
/* The block device that a path of /dev or a tag of fstab (UUID=…, LABEL=…) leads to, by its kernel name; NULL where it
 * leads to none. */
char *source_name(const char *source) _must_check_;
/* What a file that is a swap space or a loop's is on. */
enum outcome follow_file(struct trail *t, const char *path);

/* mountinfo of this process; mnt_unref_table ends it. */
int mounts_read(struct libmnt_table **ret);
void mounts_freep(struct libmnt_table **tb);
void mounts_iter_freep(struct libmnt_iter **it);
#define _cleanup_mounts_ _cleanup_(mounts_freep)
#define _cleanup_iter_ _cleanup_(mounts_iter_freep)

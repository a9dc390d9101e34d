/* Who keeps a file system or a block device busy. Reads /proc only; asks no file server that hangs. */
#pragma once

#include <sys/types.h>

#include "helpers/lib/util.h"

/* The programs that have a file of the file system fs open, run from it or stand in it, or that have the block device
 * node open (0: neither of that kind): "bash (1234), smbd (77)", at most eight; "" where none can be told. */
char *busy_programs(dev_t fs, dev_t node) _must_check_;

/* The programs that have a disk (its kernel name) or one of its partitions open for writing, as busy_programs tells them.
 * The kernel gives such a disk to others all the same, even exclusively: a virtual machine runs from it, or it is being
 * copied to. */
char *busy_writers(const char *disk) _must_check_;

/* The device number of the file system that a mount point shows (btrfs: not the one in mountinfo); 0 where unknown. */
dev_t busy_fs(const char *mountpoint);

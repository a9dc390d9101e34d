/* What a file system leaves of the device it is made on, by the types that nas-fs makes. */
#pragma once

#include "helpers/lib/util.h"

/* What df offers on a new file system of that type on a device of so many bytes, in bytes; 0 for a type that is not known
 * and for a device below fs_least. ext4: df's size, of which all but a few MB is free; follows mke2fs 1.47 with the
 * values of Debian's mke2fs.conf (inode_ratio 16384, from 4 TiB 32768, from 16 TiB 65536; 256-byte inodes) and met it to
 * the byte. XFS (without rmapbt) and btrfs (-m dup -d single): what df calls available, within 0.5 %, for XFS and btrfs
 * keep their own records out of what they call used. Measurements: tests/unit/usable.c, tests/box/long/fs-sizes.sh. */
uint64_t fs_usable(const char *type, uint64_t device_bytes);
/* The smallest device that nas-fs makes one on, in bytes: mkfs.xfs takes no less than 300 MiB, mkfs.btrfs 109 MiB; ext4
 * could do with less, which no array has. 0 for a type that is not known. */
uint64_t fs_least(const char *type);

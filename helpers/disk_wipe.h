/* Erasing what makes a disk's contents known. */
#pragma once

#include "helpers/disk_probe.h"

/* Zeros in: superblocks of arrays, volume groups and pools (of ZFS the whole label), 4 KiB around every other signature, second
 * and third superblock of btrfs, first and last MiB of every partition found and of the stretch start … end (the coming
 * partition; 0, 0 for none), then last and first MiB of the disk. Signatures before what they tell of, so that after a cut
 * a file system is either as it was or no more there; contents before tables, so that these still tell where the rest is;
 * each magic before what stands around it; everything durable in that order. */
int wipe(int fd, uint64_t size, const struct contents *c, uint64_t start, uint64_t end);

/* Whether the first and last MiB of start … end are zero on the disk: 0, -EIO where not, -errno. */
int ends_are_zero(int fd, uint64_t start, uint64_t end);

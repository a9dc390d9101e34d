/* Erasing what makes a disk's contents known. */
#pragma once

#include "helpers/disk_probe.h"

/* Zeros in: superblocks of arrays, volume groups and pools (of ZFS the whole label), first and last MiB of every partition
 * found and of the stretch start … end (the coming partition; 0, 0 for none), 4 KiB around every signature, second and
 * third superblock of btrfs, then last and first MiB of the disk. Contents before tables, so that after a power cut the
 * tables still tell where the rest is; everything durable in that order. */
int wipe(int fd, uint64_t size, const struct contents *c, uint64_t start, uint64_t end);

/* Whether the sector of each of these tokens' magic is zero, as wipe leaves it; what lies outside from … to does not count. */
bool signatures_are_zero(int fd, uint64_t from, uint64_t to, char *const *tokens);
/* Whether the first and last MiB of start … end are zero on the disk: 0, -EIO where not, -errno. */
int ends_are_zero(int fd, uint64_t start, uint64_t end);

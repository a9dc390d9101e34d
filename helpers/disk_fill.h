/* How large a file system is and how much of it is taken, from its own structures; it is not mounted and nothing is
 * written. What cannot be known in a few reads stays unknown (0). Any number on the disk may be a lie: each is bounded
 * by the region before it is used, and no loop or buffer is as long as the disk says.
 *
 * ext2/3/4   superblock: Linux, fs/ext4/ext4.h. What it takes for itself is nobody's files
 * XFS        superblock: Linux, fs/xfs/libxfs/xfs_format.h (struct xfs_dsb); right after a clean unmount
 * btrfs      superblock: Linux, include/uapi/linux/btrfs_tree.h; with several devices only the size of this one
 * NTFS       boot sector, record 6 of the MFT ($Bitmap): Linux, fs/ntfs3/ntfs.h. At most 16 MiB of the bitmap are
 *            read; of a larger one evenly spread pieces, so within a few per cent, and then the records in use are added
 *            (record 0, $BITMAP): each new file is another number, also where its clusters lie between the pieces
 * FAT16/32   Microsoft, FAT: General Overview of On-Disk Format 1.03: FSINFO; FAT16 by counting
 * exFAT      Microsoft, exFAT file system specification 1.00: allocation bitmap, else PercentInUse
 * HFS+       volume header: Apple, TN1150
 * ISO 9660   primary volume descriptor: ECMA-119, 8.4 */
#pragma once

#include "helpers/disk_region.h"

/* type is libblkid's name. Both are untouched where nothing is known; *ret_used = UINT64_MAX: only the size is. */
void fill_look(const struct region *r, const char *type, uint64_t *ret_size, uint64_t *ret_used);

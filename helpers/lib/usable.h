/* What a file system leaves of the device it is made on. */
#pragma once

#include "helpers/lib/util.h"

/* The size that statfs (df) will show, in bytes, of a new file system of that type on a device of so many bytes; 0
 * for a type that is not known. Follows mke2fs 1.47 with the values of Debian's mke2fs.conf (inode_ratio 16384, from
 * 4 TiB 32768, from 16 TiB 65536; 256-byte inodes), which it met to the byte in the measurements of
 * tests/unit/usable.c. */
uint64_t fs_usable(const char *type, uint64_t device_bytes);

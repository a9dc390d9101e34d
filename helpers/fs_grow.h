/* A file system takes the room that its array got. */
#pragma once

#include "helpers/lib/md.h"

/* uuid: of the file system, which must be that one; NULL: whichever is there. */

/* It fills the array; an enum helper_status, told. In use all the while, but for an ext4 whose growing was cut off: that is
 * unmounted, finished and mounted again, as growing it further while it is mounted crashes the kernel (6.1). *ret_mount: where it
 * is mounted. */
int fs_grow(const struct md *md, const char *uuid, char **ret_mount);
/* It is sound, and was repaired as far as nothing is lost by it; not while it is mounted. An enum helper_status, told. */
int fs_check(const struct md *md, const char *uuid);

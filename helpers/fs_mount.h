/* Mounting a file system for good, over a folder that nobody can write to while it is not there. */
#pragma once

#include "helpers/fs_format.h"

/* A folder in /srv, not deeper: what lies below may belong to people, who could put a link there. No blanks, at most 200
 * bytes. */
bool is_mount_point(const char *path);
/* Something is mounted there, or it is an empty folder. */
bool is_mount_folder(const char *mount);
/* In fstab and mounted; an enum helper_status, told. array is the UUID of the array that the file system must be on, and
 * nowhere else. */
int fs_mount(const char *array, const char *uuid, const struct fs_type *type, const char *mount);
/* Writes to it and reads back from the disks; an enum helper_status, told. */
int fs_try(const char *mount);

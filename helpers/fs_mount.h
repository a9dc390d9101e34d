/* Mounting a file system for good, over a folder that nobody can write to while it is not there. */
#pragma once

#include "helpers/fs_type.h"

/* A folder in /srv, not deeper: what lies below may belong to people, who could put a link there. No blanks, at most 200
 * bytes. */
bool is_mount_point(const char *path);
/* Something is mounted there, or it is an empty folder. */
bool is_mount_folder(const char *mount);

struct fs_wanted {
        const char *array; /* UUID of the array that it must be on, and nowhere else */
        const char *uuid, *mount;
        const struct fs_type *type;
        bool is_kept; /* somebody else made it: any label, and never one that is damaged */
};

/* Mounted, tried by writing and reading back, and then in fstab: what could not be tried gets no line there. An enum
 * helper_status, told; where it is not success, what it mounted it has unmounted again. */
int fs_mount(const struct fs_wanted *w);

/* Is the wanted file system mounted there, and is its folder one that guests can write to. */
#pragma once

#include "helpers/lib/util.h"

/* Whether path is the whole of a file system, not a bind mount of one of its folders, mounted for writing, with this
 * UUID. -ENOTDIR: nothing is mounted there; -ESTALE: another file system, or one whose UUID cannot be told; -EROFS.
 * Reads /proc/self/mountinfo and the superblock (below --root the links in /dev/disk/by-uuid). */
int share_mount_check(const char *path, const char *uuid);
/* Owner and group, mode and share_folder_acl. Does only what is missing. */
int share_mount_own(const char *path, unsigned uid, unsigned gid, unsigned mode);
/* The folder for backups in path, of mode 0700 and this user's. -EEXIST: something is there that is neither empty nor theirs. */
int share_mount_backups(const char *path, const char *user);
/* A default ACL that lets the group write what others, root too, put into the open folder. One that somebody made stays;
 * file systems without ACLs are served without. */
int share_folder_acl(int fd);
/* Whether a share may be there at all: absolute, of A-Za-z0-9._- and '/', in no folder of the system. */
bool share_mount_may_be(const char *path);
/* The unit that systemd has for it: "/srv/my-nas" → "srv-my\x2dnas.mount". */
char *share_mount_unit(const char *path) _must_check_;

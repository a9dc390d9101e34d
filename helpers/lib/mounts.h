/* What is mounted, by libmount's reading of /proc/self/mountinfo. Linked by the helpers that need it, not part of
 * libnas.a. */
#pragma once

#include "helpers/lib/util.h"

struct mounted {
        char *devno;  /* "9:127", also where a folder of it is mounted only; "0:…" for btrfs, which has no device of its own */
        char *source; /* "/dev/md127" */
        char *root;   /* the folder of it that is mounted: "/" for the whole */
        char *target, *type;
        bool is_readonly; /* this mount, or all of it */
};

/* What is mounted on that folder, the topmost; false where nothing is. Free with mounted_free. */
bool mounted_on(const char *target, struct mounted *ret);
void mounted_free(struct mounted *m);
#define _cleanup_mounted_ _cleanup_(mounted_free)

/* Whether that is the file system on the block device node, btrfs too. */
bool is_mounted_from(const struct mounted *m, const char *node);
/* Where the block device node is mounted, for the first time; NULL where it is not. devno ("9:127") is the node's, given
 * so that a recorded tree can be looked at. */
char *mount_of(const char *node, const char *devno) _must_check_;
/* "9:127" of a block device; NULL where it is none. */
char *devno_of(const char *node) _must_check_;

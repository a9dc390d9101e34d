/* /etc/fstab: what it says of a file system, and one line more. */
#pragma once

#include "helpers/lib/util.h"

struct fstab_line {
        char *uuid;  /* lower case; "" where the line names its device in another way */
        char *spec;  /* as it stands there */
        char *mount; /* its folder, \040 decoded */
        char *type;
        char *path;  /* in the parsed file; private */
        char *unfit; /* an option with which it cannot be shared, such as noauto; NULL where there is none */
};

struct fstab {
        char *text;
        struct fstab_line *v;
        size_t n;
};

/* -EBADMSG with *ret_why where it cannot be understood; a missing file is an empty one. */
int fstab_read(struct fstab *ret, char **ret_why);
void fstab_free(struct fstab *f);
#define _cleanup_fstab_ _cleanup_(fstab_free)

/* Looks only; an enum helper_status (its error told): refuses where the file cannot be understood, or mounts
 * something else there, or this file system elsewhere or with an option that does not fit. node (may be NULL) is the
 * device it is on, for lines that name it in another way. *ret_has_line: a line for it, there, stands already. */
int fstab_check(const char *uuid, const char *node, const char *mount, bool *ret_has_line);

struct fstab_new {
        const char *uuid, *type, *mount, *options;
        unsigned passno;
};
/* That line, once; every other byte stays. A line for a file system that is not there stays too: it may be unplugged. */
int fstab_add(const struct fstab_new *l);

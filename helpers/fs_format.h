/* Making a file system, and telling a finished one from one that a power cut left half made. */
#pragma once

#include "helpers/fs_probe.h"
#include "helpers/lib/md.h"

/* The label until everything is written. Its replacement by the wanted one is the last thing done, and durable: so
 * "our UUID and the wanted label" is complete, whatever else happened. 16 bytes are the most that ext4 takes. */
#define LABEL_UNFINISHED "nas-unfinished"

struct fs_type {
        const char *name;
        const char *program;  /* that makes it */
        size_t label_max;     /* bytes */
        unsigned fstab_pass;
        /* An enum helper_status, told; the file system then carries LABEL_UNFINISHED. */
        int (*make)(const struct md *md, const char *uuid);
        int (*finish)(const struct md *md, const char *uuid, const char *label);
};

const struct fs_type *fs_type_find(const char *name);
char *fs_type_names(void) _must_check_;

/* That file system is on the array; an enum helper_status, told. */
int fs_format(const struct md *md, const struct fs_type *type, const char *uuid, const char *label);

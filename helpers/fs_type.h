/* The kinds of file systems that can be made and mounted, and what differs between them. */
#pragma once

#include "helpers/fs_array.h"

/* The label until everything is written. Its replacement by the wanted one is the last thing done, and durable: so
 * "our UUID and the wanted label" is complete, whatever else happened. 12 bytes are the most that XFS takes. */
#define LABEL_UNFINISHED "nas-unready"

struct fs_type {
        const char *name;
        char *const *programs; /* that make it */
        size_t label_max;      /* bytes */
        uint64_t least_striped; /* bytes, on an array with stripes; 0: fs_least is all it needs */
        unsigned fstab_pass;   /* fstab(5): XFS and btrfs have nothing that a check at boot could do */
        const char *option;    /* of its own beside the common ones; NULL for none */
        const char *untouched; /* the option with which a mount for reading leaves its journal alone */
        /* Each an enum helper_status, told. make writes it all, with LABEL_UNFINISHED, over whatever is there, and never
         * asks; check compares what lies on the device with what was wanted; label gives it its last label. */
        int (*make)(const struct array *a, const char *uuid);
        int (*check)(const struct array *a, const char *uuid);
        int (*label)(const struct array *a, const char *label);
        /* Of one that somebody made: whether it says of itself that it is damaged; NULL where only the kernel can tell. */
        int (*sound)(const struct array *a);
        /* How large it says it is, in bytes; *ret_step: less than that it may leave unused at the end of its device. */
        int (*size)(const struct array *a, const char *mount, uint64_t *ret, uint64_t *ret_step);
        int (*grow)(const struct array *a, const char *mount); /* to the end of its device, while mounted there */
        /* The same where grow was cut off, and it is not mounted; NULL where grow just goes on. */
        int (*finish)(const struct array *a);
        /* Not mounted: looked through, and repaired as far as nothing is lost by it. */
        int (*heal)(const struct array *a);
};

extern const struct fs_type fs_ext4, fs_xfs, fs_btrfs; /* in files of their own */

const struct fs_type *fs_type_find(const char *name);
char *fs_type_names(void) _must_check_;
/* What it is mounted with, as it stands in fstab: no program of it gets rights, no device in it works, a computer
 * without its disks starts all the same; 90 s are more than the 30 s that md waits for a disk that is missing. */
char *fs_type_options(const struct fs_type *type) _must_check_;

/* For the three: runs a program whose exit status tells what it found; it is not taken for a change. -errno where it could not be
 * run; in a dry run it is printed, and *ret_status 0. */
int fs_look(char *const *argv, int *ret_status, char **ret_raw);
/* Not sound, and only a person can decide what to do; told. */
int fs_refuse_damaged(const struct array *a, const char *command);
/* The rest of the line that begins with key, blanks cut; "" where there is none. */
char *line_value(const char *text, const char *key) _must_check_;

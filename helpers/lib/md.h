/* The md arrays of this computer as sysfs and udev's database show them: no device is opened and no disk wakes, so it
 * works on a recorded tree too. Attributes: Documentation/admin-guide/md.rst of the kernel. */
#pragma once

#include "helpers/lib/util.h"

struct md {
        char *kernel;         /* "md127" */
        char *devno;          /* "9:127" */
        char *path;           /* "/dev/md/public" where udev made that link, else "/dev/md127" */
        char *name;           /* of the superblock, without the home host; NULL where it is not known */
        char *host;           /* that home host; NULL where there is none, or "any" */
        char *uuid;           /* lower case with dashes; NULL where it is not known */
        char *level;          /* "raid5" …; NULL for an inactive one whose members tell nothing */
        char *array_state;    /* the kernel's word */
        char *sync_action;    /* the kernel's word, "idle" where there is none */
        char **members;       /* "sda1" …, in the order of their places, spares last; those that failed are left out */
        char **spares;        /* of them: without the array's data, standing by or being filled */
        char **faulty;        /* thrown out by the kernel, and not yet taken away */
        unsigned devices;     /* places */
        unsigned degraded;    /* places that are empty or not yet filled */
        unsigned missing;     /* places that nothing here fills */
        uint64_t size, chunk; /* bytes; chunk is 0 for raid1 */
        uint64_t done, total; /* bytes of the running synchronisation; total is 0 without one */
        uint64_t speed;       /* bytes per second of it */
        bool is_delayed;      /* it waits for another array on the same disks */
        bool is_pending;      /* it begins with the first write */
        bool is_reshaping;    /* its shape is being changed, or that was cut off and goes on when it is written to */
        bool is_external;     /* its metadata are another's than md's (imsm, ddf) */
};

struct mds {
        struct md *v;
        size_t n;
};

/* Every array, inactive ones included, in the order of their kernel names. -errno where sysfs cannot be read. */
int md_list(struct mds *ret);
void md_free_all(struct mds *mds);
#define _cleanup_mds_ _cleanup_(md_free_all)
const struct md *md_find(const struct mds *mds, const char *uuid);

/* Reads and writes go through: clean, active, and the states between, also before the first write. */
bool is_md_usable(const struct md *md);
/* What it does just now: idle, resync, recover, reshape, check, pending or delayed. */
const char *md_sync(const struct md *md);
/* Disks' worth of data in a stripe; 1 for raid1 and whatever is not known. */
unsigned md_data_disks(const struct md *md);

/* Whether the sum of a superblock of version 1.x is right; room: how many bytes there are to read. */
bool md_is_sound(const void *superblock, size_t room);

/* A property of a block device ("9:127") in udev's database; NULL where there is none. */
char *udev_property(const char *devno, const char *key) _must_check_;
char *udev_serial(const char *devno) _must_check_; /* the number on the disk's label, by the same; NULL where it has none */
/* 8-4-4-4-12 in lower case of any spelling with 32 digits, such as mdadm's with colons; NULL for anything else. */
char *uuid_plain(const char *spelling) _must_check_;

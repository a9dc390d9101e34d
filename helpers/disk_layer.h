/* What runs on the disks: every array, mapped volume, loop file, mount and swap space, in the order in which they can be
 * taken down, each with the disks below it. From /sys, /proc and udev's database: nothing is opened, no disk wakes. */
#pragma once

#include "helpers/disk_device.h"

struct layer {
        const char *type;  /* md lvm crypt dm loop mount swap */
        char *name;        /* md127; vg0-photos (dm's name); loop0; a mount point; a swap device or file */
        char *kernel;      /* md127, dm-0, loop0; NULL for a mount or swap */
        char *path;        /* the node to look into, without --root: /dev/md127, /dev/dm-0; NULL for a mount or swap */
        char *uuid;        /* md's (lower case with dashes), or dm's such as LVM-… or CRYPT-…; NULL where it has none */
        char *set;         /* UUID of the set that it is made of (set_… in disk_set.h): md's, or the volume group's; or NULL */
        char **on;         /* kernel names directly below: sda1, md127, dm-0 */
        char **disks;      /* names of all disks below; also ones that are no choice, such as a memory disk */
        uint64_t size;     /* bytes; 0 for a mount or swap */
        bool is_suspended; /* a read would wait for ever */
        bool is_closed;    /* nothing to look into: an array that does not run, a part of another volume */
        bool is_unresolved; /* something below could not be followed: disks may lack some */
        bool is_system;    /* a mount of a folder that the system runs from: /, /boot, /usr … */
        bool is_absent;    /* such a folder, named by fstab and not mounted just now; no record tells it */
        bool is_elsewhere; /* a mount that only another mount namespace has (disk_elsewhere.h); no record tells it */
        bool is_kept;      /* a mount or swap that fstab names, one elsewhere, or a mount where programs may rely on it (/home, /srv …) */
};

struct layers {
        struct layer *v; /* what lies on top comes first */
        size_t n;
        bool has_root; /* something is mounted on /, though perhaps on no disk */
};
void layers_free(struct layers *ls);
#define _cleanup_layers_ _cleanup_(layers_free)

/* -errno where /proc/self/mountinfo cannot be read. */
int layers_look(struct layers *ret);

/* How release and after= name it: md's UUID, dm's UUID, mount:PATH, swap:DEVICE; else its kernel name. */
char *layer_id(const struct layer *l) _must_check_;
/* Forgets the layers with these ids, as if they had been taken down. */
void layers_drop(struct layers *ls, char *const *ids);
/* Whether upper lies directly on lower: its on names it, or a partition of it. */
bool layer_is_on(const struct layer *upper, const struct layer *lower);

/* Disks below it are ways to one and the same, which is to be chosen as a whole. */
bool is_multipath(const struct layer *l);

/* "layer" records of all that lie on any disk. */
void layers_records(const struct layers *ls, struct records *out);

/* Opens what is inside, for contents_look; a worker should do it. -EBUSY for a suspended one, -ENXIO where there is
 * nothing to look into (a mount, swap, an idle array; below --root: no image in the place of its node). */
int layer_open(const struct layer *l, int *ret_fd, uint64_t *ret_size);

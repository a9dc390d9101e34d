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
        dev_t devno;       /* of a block device, or of what a mount is on */
        bool is_suspended; /* a read would wait for ever */
        bool is_idle;      /* nothing can be read: an array without its disks, a loop without a file */
        bool is_unresolved; /* something below could not be followed: disks may lack some */
        bool is_system;    /* a mount of /, /boot, /usr …, or what one of them lies on */
        bool is_ours;      /* a mount or swap that this system's fstab names, or what one lies on */
};

struct layers {
        struct layer *v; /* what lies on top comes first */
        size_t n;
};
void layers_free(struct layers *ls);
#define _cleanup_layers_ _cleanup_(layers_free)

/* -errno where /proc/self/mountinfo cannot be read. */
int layers_look(struct layers *ret);

/* How release and after= name it: md's UUID, dm's UUID, mount:PATH, swap:DEVICE; else its kernel name. */
char *layer_id(const struct layer *l) _must_check_;
/* Forgets the layers with these ids, as if they had been taken down. */
void layers_drop(struct layers *ls, char *const *ids);
/* The layers that lie directly on l (its kernel name is in their on); NULL-terminated, to be freed; l's life. */
const struct layer **layers_above(const struct layers *ls, const struct layer *l) _must_check_;

/* "layer" records of all that lie on any disk. */
void layers_records(const struct layers *ls, struct records *out);

/* Opens what is inside, for contents_look; a worker should do it. -EBUSY for a suspended one, -ENXIO where there is
 * nothing to look into (a mount, swap, an idle array; below --root: no image in the place of its node). */
int layer_open(const struct layer *l, int *ret_fd, uint64_t *ret_size);

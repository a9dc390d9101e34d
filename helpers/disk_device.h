/* The disks of this computer: names, identity, size, kind. From sysfs and udev's database; nothing is opened.
 *
 * What counts as a disk: a whole block device with a size that is not loop, ram, zram, md, dm, CD, floppy, raw flash,
 * network block device, an eMMC boot area, or hidden (the paths of a multipath NVMe).
 *
 * Without udevd (or below --root) everything comes from sysfs, and below --root also from a recorded
 * /run/udev/data. Sizes in sysfs are units of 512 bytes, whatever the sectors are (D12: eight times too much). */
#pragma once

#include <sys/types.h>

#include "helpers/lib/record.h"

struct disk {
        char *name, *path;        /* sda, /dev/sda (without --root) */
        char *sysfs;              /* its folder in sysfs, with --root */
        char *id, *bypath;        /* names in /dev/disk/by-id and by-path, without the folder, or NULL */
        char **links;             /* every by-id and by-path name */
        char *serial, *wwn, *model, *bus; /* NULL where unknown; as the disk says them, so not to be trusted */
        const char *kind;         /* disk ssd nvme usb sd virtual */
        uint64_t size;            /* bytes */
        unsigned sector, physical; /* bytes */
        unsigned rpm;             /* 0: unknown or no spindle */
        uint64_t diskseq;         /* differs for each plugging in; 0: unknown */
        dev_t devno;
        bool readonly;
        /* filled in by use_take (disk_use.h) */
        const char *protection;   /* system mounted swap array unresolved small readonly; NULL: may be chosen */
        char **protectedby;       /* mount points, array names */
        char **usedby;            /* running arrays and mapped volumes on it */
        bool letgo;               /* mounted or swap, and nothing that this system relies on */
};

struct disks {
        struct disk **v;
        size_t n;
};
void disks_free(struct disks *ds);
#define _cleanup_disks_ _cleanup_(disks_free)

/* Every disk, ordered by name as a person would (sda … sdz, sdaa). */
int disks_look(struct disks *ret);

/* The disk that is meant by a by-id, by-path or WWN name (with or without its folder) or a serial number; by the kernel's
 * name only where a disk has no other, because those change from boot to boot. Otherwise the refusal is printed and its
 * status returned: no-disk, or ambiguous with the places that tell them apart. */
int disk_named(const struct disks *ds, const char *name, const struct disk **ret);

/* sda + 1 → sda1, nvme0n1 + 1 → nvme0n1p1, as the kernel names partitions. */
char *partition_name(const char *disk, unsigned number) _must_check_;

/* A file of sysfs below dir: its first line, or NULL. */
char *sysfs_line(const char *dir, const char *file) _must_check_;
uint64_t sysfs_number(const char *dir, const char *file); /* 0 where it is not there */
char **list_folder(const char *dir) _must_check_;         /* names in it without dot files, sorted; empty without it */

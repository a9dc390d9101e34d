/* What a member's superblock tells of its set: array, volume group, pool. Read from one region of a disk; every number is
 * checked against the region before it is used.
 *
 * md      Linux, include/uapi/linux/raid/md_p.h: version 0.90 and 1.x, found where libblkid found its magic
 * imsm    mdadm, super-intel.c (struct imsm_super)
 * ddf     SNIA, Common RAID Disk Data Format 2.0: its GUID only
 * lvm     LVM2, lib/format_text/layout.h: label, physical volume header, metadata area; its text as vgcfgbackup(8) has it
 * btrfs   Linux, include/uapi/linux/btrfs_tree.h: superblock
 * zfs     OpenZFS, ZFS On-Disk Specification (2006), 1.3: label's list of name-value pairs in XDR */
#pragma once

#include "helpers/disk_region.h"

enum member_role {
        ROLE_ACTIVE, /* has a place */
        ROLE_SPARE,
        ROLE_OUT,    /* its own superblock, or a newer one, says that it is no member any more */
};

struct member {
        const char *type;   /* md lvm btrfs zfs imsm ddf */
        char *set;          /* UUID of the set, as libblkid or LVM spell it; NULL where only another member knows it */
        char *self;         /* its own UUID in the set; two with the same are copies of each other */
        char *name;         /* of the set, without the home host; or NULL */
        char *level;        /* raid5 …; NULL where there is none or more than one */
        char **all;         /* the UUIDs of all members, where the superblock lists them */
        enum member_role role;
        unsigned place;     /* of an active one, from 0; where places have numbers */
        unsigned devices;   /* places; 0 unknown */
        unsigned spareable; /* how many of them may be missing, at worst */
        unsigned copies;    /* of raid10: neighbours that hold the same; else 0 */
        bool is_mixed;      /* parts of it can do without a member, others perhaps not */
        bool is_filling;    /* it does not hold all its data yet */
        bool is_reshaping;  /* it changes its form, and may not be touched */
        bool is_unsound;    /* a checksum is wrong: believe nothing */
        uint64_t events;    /* counts up with each change of the set */
        uint64_t margin;    /* events that it may be behind and still be current: what one power cut leaves */
        uint64_t size;      /* bytes of the set, 0 unknown */
};
void member_free(struct member *m);

/* type, uuid, label, sub: as libblkid found them; magic: where, in the region. NULL for what is no member of a set. */
struct member *member_look(const struct region *r, const char *type, const char *uuid, const char *label, const char *sub,
                           uint64_t magic) _must_check_;

/* The formats: fill in *m and return whether that could be done. */
bool md_member_look(const struct region *r, uint64_t magic, struct member *m);
bool imsm_member_look(const struct region *r, uint64_t magic, struct member *m);
bool lvm_member_look(const struct region *r, uint64_t magic, struct member *m);
bool btrfs_member_look(const struct region *r, struct member *m);
bool zfs_member_look(const struct region *r, uint64_t magic, struct member *m);

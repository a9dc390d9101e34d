/* Who uses a disk: mounts, swap, running arrays and mapped volumes, followed through every layer (partition, md, LVM,
 * dm-crypt, loop, btrfs with several devices, overlay) down to whole disks. Reads /proc and /sys only. */
#pragma once

#include "helpers/disk_device.h"

/* Sets protection, protectedby and usedby of each. A root file system that cannot be followed to its disk protects
 * all that are left ("unresolved"): the system is on one of them. -errno where /proc/self/mountinfo cannot be read. */
int use_look(struct disks *ds);

/* Whether a ZFS file system is mounted, which names a pool and no device: each member of a pool is taken to be in use. */
bool is_zfs_mounted(void);

/* Why it may not be chosen, as a sentence for the person: "sda is protected: it is mounted (/mnt)". */
char *protection_text(const struct disk *d) _must_check_;

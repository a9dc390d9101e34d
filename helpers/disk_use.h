/* Who uses a disk, and whether it may be chosen: what runs on it (disk_layer.h) turned into protection. */
#pragma once

#include "helpers/disk_layer.h"

/* Sets protection, protectedby, usedby and letgo of each from the layers. A system folder (/, /boot, /usr …) that
 * cannot be followed to its disk protects all that are left ("unresolved"): the system is on one of them. May be called
 * again with fewer layers (layers_drop). */
void use_take(struct disks *ds, const struct layers *ls);

/* Something runs on it or holds it: what it holds may change any moment. */
bool is_disk_used(const struct disk *d);

/* Whether a ZFS file system is mounted, which names a pool and no device: each member of a pool is taken to be in
 * use. True where it cannot be known. */
bool is_zfs_mounted(void);

/* Why it may not be chosen, as a sentence for the person: "sda is protected: it is mounted (/mnt)". */
char *protection_text(const struct disk *d) _must_check_;

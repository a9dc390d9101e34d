/* Opening the very disk that was looked at, keeping others off while it is written, and making the kernel and udev see
 * what was written. Below --root a disk is an image file: same checks, no kernel to tell. */
#pragma once

#include "helpers/disk_device.h"
#include "helpers/disk_gpt.h"

/* Opens d (flags: O_RDONLY, or O_RDWR | O_EXCL) and makes sure that device number, size and diskseq are still those
 * that were looked at: -ESTALE where another disk has taken its place, -EBUSY where somebody uses it. */
int disk_open(const struct disk *d, int flags, int *ret_fd);

/* The lock that udevd respects (systemd.io/BLOCK_DEVICE_LOCKING), on the whole disk: no rules run on half a table.
 * Waits 15 s. To be released by closing fd, before anything waits for udev: events queue behind it. An fd of its own that
 * is open for reading only, and closed last: udevd reads a table again when one for writing is closed without the lock. */
int disk_lock(int fd);

/* Makes the kernel read the partition table again; waits up to 15 s for those who have old partitions open. Success
 * for image files. */
int kernel_reread(int fd);

/* Whether libparted can be used from now on; to be asked before anything is written. */
bool parted_load(void);

/* Lets libparted, which shares no code with gpt_write, read the table. -EBADMSG where it does not find exactly the wanted
 * partition or has any objection, which is put into ret_raw (free it, also on failure); -ELIBACC where it is not installed.
 * Opens the disk and its partitions for writing, so: while disk_lock keeps udevd off. */
int parted_confirm(const struct disk *d, const struct gpt_want *w, char **ret_raw);

/* Whether the kernel sees any partition on it. */
bool has_partitions(const struct disk *d);
/* Whether the kernel's partition 1 lies from w->start to w->end and is the only one. */
bool has_partition(const struct disk *d, const struct gpt_want *w);
/* Waits up to 15 s until that is so and its node is there; with udevd, until /dev/disk/by-partuuid leads to it. -ETIMEDOUT. */
int wait_partition(const struct disk *d, const struct gpt_want *w);

/* The verb release: an array, mapped volume, loop file, mount or swap space on the chosen disks runs no more, so that
 * they can be written. Nothing on the disks is changed, and what lies on top must have been released before.
 *
 * Arrays are stopped by mdadm, dm devices of every kind (LVM, LUKS …) removed by their UUID through dmsetup: neither
 * writes to what lies below, so udev sees no event on it and nothing is put together again by that alone. File systems
 * are unmounted plainly, never lazily or by force. */
#pragma once

#include "helpers/disk_layer.h"
#include "helpers/lib/helper.h"

extern const struct param release_params[];
int run_release(const struct record *args);

/* The kernel names of the disks of a list as disks= has it. Refuses for the verb, and returns its status then. */
int release_disks(const struct disks *ds, const char *list, char ***ret);

/* A disk below l that is none of the chosen ones (kernel names); its own name where not all below is known; NULL for none. */
const char *release_other_disk(const struct layer *l, char *const *chosen);

/* For partition: takes down arrays and mapped volumes on this disk (its kernel name) whose ids are among agreed and that
 * came back since they were released, such as by udev; top first, each only where nothing else lies on it and it lies on
 * no other disk than the chosen ones. Says nothing where one stays. Whether any was there. */
bool release_returned(char *const *agreed, const char *disk, char *const *chosen);

/* The disks below a mounted file system, and how fast each of them reads at its beginning and its end. Never writes. */
#pragma once

#include "helpers/speed_measure.h"

/* The device that is mounted there, as the kernel names it ("md127"). -ENOTDIR: nothing is. */
int speed_device_of(const char *mount, char **ret);
/* Names of the whole disks below it, through partitions, arrays and volumes; sorted. */
char **speed_disks_below(const char *device) _must_check_;
/* Whether an array below it, or it, syncs right now: all figures are lower then. */
bool speed_is_syncing(const char *device);
bool speed_is_rotating(const char *disk);
/* Reads for ms at the first or the last tracks. */
int speed_disk(const char *disk, bool inner, uint64_t ms, struct rate *ret);

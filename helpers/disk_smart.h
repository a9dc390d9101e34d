/* How a disk says it is, by its SMART data (smartctl, where it is installed). */
#pragma once

#include "helpers/disk_device.h"

/* Sets ret[i] to good, worn, failing or unknown for each disk. unknown: virtual, asleep, without SMART, below --root, or no
 * smartctl. All disks are asked at once, for at most 10 s. */
void smart_look(const struct disks *ds, const char **ret);

/* How a disk says it is, by its SMART data (smartctl 7 and its JSON, where it is installed). */
#pragma once

#include "helpers/disk_device.h"

struct smart {
        const char *state; /* good worn failing unknown */
        uint64_t bad;      /* sectors that went bad: replaced, waiting, or lost */
};

/* One for each disk. unknown: virtual, asleep, without SMART, below --root, or no smartctl. All are asked at once, for
 * 10 s at most. */
void smart_look(const struct disks *ds, struct smart *ret);

/* What one output of smartctl -j -i -H -A means:
 *   failing  the disk says so itself, an attribute that foretells failure is past its threshold, or NVMe warns of spare
 *            blocks, reliability or having become read-only (critical_warning bits 0, 2, 3; NVMe base spec, log 02h)
 *   worn     it works, but sectors went bad (ATA attributes 5, 197, 198, the only ones whose raw value is a plain count
 *            with every maker; SCSI grown defects; NVMe media errors) or an SSD has used up its rated life
 *   unknown  no verdict in it, or no JSON */
void smart_parse(const char *json, struct smart *ret);

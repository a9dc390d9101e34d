/* How a disk says it is, by its SMART data (smartctl 7 and its JSON, where it is installed). */
#pragma once

#include "helpers/disk_device.h"

struct smart {
        const char *state;    /* good worn failing unknown */
        const char *why;      /* a word, see below; NULL for good, and where none is known */
        bool has_figure;
        uint64_t figure;      /* the one number that belongs to why */
        unsigned temperature; /* °C; 0: unknown */
        uint64_t hours;       /* powered on; 0: unknown */
};

/* Asks smartctl, for 10 s at most. Unless is_awake, a turning disk that sleeps is left asleep. A USB bridge that smartctl
 * does not know is asked once more as "-d sat", which nearly all understand. unknown, with why:
 *   asleep      it sleeps
 *   no-smart    virtual, a card, below --root, or it gave no verdict
 *   no-program  there is no smartctl */
void smart_look(const struct disk *d, bool is_awake, struct smart *ret);

/* What one output of smartctl -j -i -H -A -l selftest means; the first that fits:
 *   failing  prefail        an attribute that foretells failure is past its threshold now; figure: its number. Where that
 *                           is one of the three counts below, its word and count instead
 *            status         the disk says so itself (its own verdict; NVMe critical_warning bits 0, 2, 3: spare blocks,
 *                           reliability, read-only; NVMe base specification, log 02h)
 *            self-test      the newest of its self-tests that came to an end found a fault
 *   worn     pending        sectors that cannot be read just now (ATA attribute 197)
 *            uncorrectable  sectors that could not be read when it checked itself (198)
 *            reallocated    sectors that it replaced (5)
 *            media          reads that failed for good (NVMe media_errors)
 *            defects        defects that came up in use (SCSI's grown list)
 *            wear           percent of its rated life that an SSD has used up, from 100 on
 *   good, or unknown: see smart_look
 * Of ATA's raw values only these three are plain counts with every maker, in their low 32 bits. */
void smart_parse(const char *json, struct smart *ret);

/* Whether smartctl wants to be told how to speak to this USB bridge. */
bool is_unknown_bridge(const char *json);

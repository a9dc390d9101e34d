/* One test from end to end: the disks, the file system on them, the share in it. */
#pragma once

#include "helpers/lib/record.h"
#include "helpers/speed_measure.h"

struct speed_test {
        const char *mount, *share, *address; /* share: "" for none */
        const char *device, *type;           /* "md127", "ext4" */
        uint64_t total_ms;
        bool is_full;                        /* several rounds */
        struct records records, saved;       /* what was told, and earlier tests */
        void (*tell)(void *ctx, struct record *r); /* with this test; owns r */
        /* private */
        const char *sync_note;
        uint64_t disks_rate;                 /* of all disks' outer zones, bytes per second */
        struct rate write_rate;
};

/* Tells speed and slow records as they come. speed_cancelled tells whether it was stopped; nothing is left then either. */
void speed_run(struct speed_test *t);

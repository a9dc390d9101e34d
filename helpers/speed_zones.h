/* How fast each disk reads at its outer, middle and inner tracks, how long it takes to find a block anywhere, and what all
 * give together. Never writes, so it is safe below a running array. */
#pragma once

#include "helpers/speed_disk.h"
#include "helpers/speed_measure.h"

enum zone { ZONE_OUTER, ZONE_MIDDLE, ZONE_INNER, ZONE_SEEK, ZONE_TOGETHER, ZONES };

struct zones {
        const struct speed_disk *disk;
        int fd;                   /* -1: it could not be opened, error says why */
        int error;
        struct rate rate[ZONES];  /* what does not rotate has no middle and inner one */
        bool is_beside;           /* so many disks that it was read beside others */
        bool is_slow;             /* below 0.7 of the median of the others */
        uint64_t median;          /* that one, bytes per second */
};

/* The word of the records: "disk-outer" … */
const char *zone_word(enum zone z);
/* For all of d within ms, in so many rounds, one after the other as far as the time allows that, and at the end all at once. A
 * slow one is measured a second time before it is called that. ret has d->n elements; free with zones_free. */
void zones_measure(const struct speed_disks *d, uint64_t ms, unsigned rounds, struct zones **ret);
void zones_free(struct zones *z, size_t n);
/* Bytes per second of it; 0 where it is not to be believed (nothing was ever written there) or was not measured. */
uint64_t zone_rate(const struct zones *z, enum zone zone);
bool zone_is_empty(const struct zones *z, enum zone zone);
/* Whether the disk of number i among n rates is below 0.7 of the others' median even at the upper end of its interval (error
 * in per cent). */
bool is_rate_slow(const uint64_t *rates, size_t n, size_t i, unsigned error, uint64_t *ret_median);

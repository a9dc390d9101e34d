/* How fast a file or a disk is read or written in a row: blocks of 1 MiB, a few at a time, for a slice of time. */
#pragma once

#include <signal.h>

#include "helpers/lib/util.h"

#define SPEED_BLOCK MIB
#define SPEED_DEPTH 4 /* one at a time leaves a disk idle between two; eight are hardly faster than four */

/* What to do. */
struct slice {
        int fd;           /* opened with O_DIRECT where that is possible */
        bool writes;      /* random data, else reads */
        uint64_t start;   /* first byte */
        uint64_t length;  /* at most so many bytes; a multiple of SPEED_BLOCK */
        uint64_t ms;      /* at most so long */
        const char *what; /* for the progress records */
};

/* What came of it. */
struct rate {
        uint64_t bytes, us;
};

/* Bytes per second; 0 for nothing. */
uint64_t rate_of(const struct rate *r);
/* Success with whatever was done before the time, the length or the disk's end was reached, the last bytes on the disk
 * included. -ENOSPC, -EIO …: what the first block that failed said; -EINTR: speed_cancelled. */
int speed_measure(const struct slice *s, struct rate *ret);

extern volatile sig_atomic_t speed_cancelled; /* set by the handler of SIGTERM and SIGINT alone */
/* The run begins, which should take total_ms and must not take most_ms. */
void speed_begin(uint64_t total_ms, uint64_t most_ms);
uint64_t speed_left_ms(void); /* of most_ms */
/* Tells how far the whole run is, in milliseconds. */
void speed_progress(const char *what);

/* How fast files and disks are read or written: blocks of one size, so many at a time, for a slice of time; several at
 * once where wanted. What came of several slices adds up, and says how far it may be off. */
#pragma once

#include <signal.h>

#include "helpers/lib/util.h"

#define SPEED_BLOCK MIB
#define SPEED_DEPTH 4 /* one at a time leaves an array idle between two; eight are hardly faster than four */
#define SPEED_SEEK 4096

/* What came of it. Batches are stretches of a slice with as many blocks each. */
#define RATE_BATCHES 64
struct rate {
        uint64_t bytes, us, blocks;
        uint64_t zero;    /* bytes of blocks that read as nothing but zeros */
        unsigned depth;
        double batch[RATE_BATCHES]; /* bytes per second of each */
        size_t n;
};

/* What to do. */
struct slice {
        int fd;             /* opened with O_DIRECT where that is possible */
        bool writes;        /* random data, else reads */
        bool seeks;         /* each block anywhere in it, else in a row */
        uint64_t block;     /* bytes, at most SPEED_BLOCK */
        unsigned depth;     /* blocks at a time */
        uint64_t start;     /* first byte */
        uint64_t length;    /* at most so many bytes; a multiple of block */
        uint64_t ms;        /* at most so long */
        const char *what;   /* for the progress records */
        struct rate *rate;  /* is added to */
        int error;          /* of it: 0, or what the first block that failed said */
};

/* Bytes per second; 0 for nothing. */
uint64_t rate_of(const struct rate *r);
/* Half the width of the 95 % interval of its mean, in per cent of it, by Student's t over the batches; 100 where there
 * are fewer than 3, which say nothing. */
unsigned rate_error(const struct rate *r);
/* The last third's batches to the first third's, in per cent; 100 where there are too few. */
unsigned rate_kept(const struct rate *r);
/* All slices at once, until the time, the length or the end of each is reached, the last bytes that were written being on the
 * disk. Every slice has its error; -EINTR: speed_cancelled, -EAGAIN: no thread could be made. */
int speed_measure(struct slice *s, size_t n);

extern volatile sig_atomic_t speed_cancelled; /* set by the handler of SIGTERM and SIGINT alone */
/* The run begins, which should take total_ms and must not take most_ms. */
void speed_begin(uint64_t total_ms, uint64_t most_ms);
uint64_t speed_left_ms(void); /* of most_ms */
extern bool speed_shows; /* progress is shown on a terminal at standard error, too */
/* Tells how far the whole run is, in milliseconds. */
void speed_progress(const char *what);
uint64_t speed_now_us(void);
void speed_fill(void *p, size_t n); /* random bytes as fast as memory; n is a multiple of 8 */

/* How fast the file system is written and read, in a file without a name, so that nothing is left whatever happens and nobody
 * sees it on the share. */
#pragma once

#include "helpers/speed_measure.h"

struct speed_file {
        int fd;
        bool cached;       /* O_DIRECT is not possible there: the figures are the cache's too */
        uint64_t size;     /* bytes that it may have */
        uint64_t written;  /* bytes that can be read back */
        uint64_t read;
        struct rate write_rate, read_rate;
};

/* At most a file of size bytes; the last tenth of the file system is never touched. -ENOSPC: there is not enough room. */
int speed_file_open(const char *mount, uint64_t size, struct speed_file *ret);
/* Each goes on behind what the one before wrote or read; to write_rate and read_rate is added. */
int speed_file_write(struct speed_file *f, uint64_t ms);
int speed_file_read(struct speed_file *f, uint64_t ms);
void speed_file_close(struct speed_file *f);

/* How many bytes a test may take there: what is free but for a tenth of the whole, at most size; 0 below 16 MiB. */
uint64_t speed_room(const char *mount, uint64_t size);
/* A file without a name there, of that much room; flags: O_DIRECT or none. A descriptor, or -errno. */
int speed_file_nameless(const char *mount, int flags, uint64_t size);

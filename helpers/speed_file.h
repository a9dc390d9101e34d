/* How fast the file system is written and read: a file without a name, so that nothing is left whatever happens. */
#pragma once

#include "helpers/speed_measure.h"

struct speed_file {
        int fd;
        bool cached;       /* O_DIRECT is not possible there: the figures are the cache's too */
        uint64_t written;  /* bytes that can be read back */
};

/* At most a file of size bytes; the last tenth of the file system is never touched. -ENOSPC: there is not enough room. */
int speed_file_open(const char *mount, uint64_t size, struct speed_file *ret);
int speed_file_write(struct speed_file *f, uint64_t ms, struct rate *ret);
int speed_file_read(struct speed_file *f, uint64_t ms, struct rate *ret);
void speed_file_close(struct speed_file *f);

/* How many bytes a test may take there: what is free but for a tenth of the whole, at most size; 0 below 16 MiB. */
uint64_t speed_room(const char *mount, uint64_t size);

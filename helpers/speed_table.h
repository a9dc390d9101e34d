/* The table known from iozone: files of 32 MB to 1 GB written and read in records of 64 KB, the way programs do it: through
 * the memory. Where a file fits into memory, what is read comes from there, and is marked. */
#pragma once

#include "helpers/lib/util.h"

struct table_row {
        uint64_t size, write, read; /* bytes; bytes per second, writing until it is on the disks */
        bool cached;                /* memory is large enough for it: reading is a test of the memory */
};

#define TABLE_ROWS 6
#define TABLE_RECORD (64 * KIB)

uint64_t table_size(size_t row); /* of its file, bytes */
/* How long all rows take at these rates (bytes per second, 0: not known), in seconds. */
unsigned table_seconds(uint64_t write, uint64_t read);
/* One row. -ENOSPC: the file would take of the last tenth; -EINTR: cancelled. */
int table_measure(const char *mount, size_t row, struct table_row *ret);

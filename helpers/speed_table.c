#include "helpers/speed_table.h"

#include <errno.h>
#include <unistd.h>

#include "helpers/speed_file.h"

#define USUAL_RATE (UINT64_C(100) * 1000000)

uint64_t table_size(size_t row)
{
        return (32 * MIB) << row;
}

static uint64_t memory(void)
{
        return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

unsigned table_seconds(uint64_t write, uint64_t read)
{
        uint64_t all = 0, ms = 0;

        for (size_t i = 0; i < TABLE_ROWS; i++)
                all += table_size(i);
        ms = all / ((write ?: USUAL_RATE) / 1000 + 1) + all / ((read ?: USUAL_RATE) / 1000 + 1);
        return (unsigned)(ms / 1000 + 1);
}

static int pass(int fd, uint64_t size, bool writes, uint64_t *ret)
{
        struct rate rate = {0};
        struct slice s = {.fd = fd, .writes = writes, .block = TABLE_RECORD, .depth = 1, .length = size,
                          .ms = UINT64_C(3600) * 1000, .what = writes ? "table-write" : "table-read", .rate = &rate};
        int r = speed_measure(&s, 1);

        if (r == 0)
                r = s.error;
        if (r == 0 && rate.bytes < size)
                r = -EIO;
        if (r == 0)
                *ret = rate_of(&rate);
        return r;
}

int table_measure(const char *mount, size_t row, struct table_row *ret)
{
        struct table_row t = {.size = table_size(row), .cached = table_size(row) < memory()};

        if (speed_room(mount, t.size) < t.size)
                return -ENOSPC;
        _cleanup_close_ int fd = speed_file_nameless(mount, 0, t.size);
        if (fd < 0)
                return fd;
        int r = pass(fd, t.size, true, &t.write);
        if (r == 0)
                r = pass(fd, t.size, false, &t.read);
        if (r == 0)
                *ret = t;
        return r;
}

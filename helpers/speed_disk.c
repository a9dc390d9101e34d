#include "helpers/speed_disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <unistd.h>

#include "helpers/lib/helper.h"
#include "helpers/lib/mounts.h"

#define BLOCK_CLASS "/sys/class/block"
#define SPAN (4 * GIB) /* more than any slice gets through */
#define DEPTH_MAX 8    /* partition, array, volume, … */

static char *block_path(const char *device, const char *file)
{
        _cleanup_free_ char *path = xasprintf(BLOCK_CLASS "/%s%s%s", device, *file ? "/" : "", file);

        return helper_path(path);
}

int speed_device_of(const char *mount, char **ret)
{
        _cleanup_mounted_ struct mounted m = {0};

        if (!mounted_on(mount, &m) || !m.source)
                return -ENOTDIR;
        char *real = realpath(m.source, NULL); /* /dev/md/public, /dev/mapper/… are links */
        *ret = xstrdup(basename(real ? real : m.source));
        free(real);
        return 0;
}

static char *disk_of(const char *device)
{
        _cleanup_free_ char *mark = block_path(device, "partition"), *path = block_path(device, "");
        char real[PATH_MAX];

        if (access(mark, F_OK) < 0 || !realpath(path, real))
                return xstrdup(device);
        return xstrdup(basename(dirname(real)));
}

static void collect(const char *device, unsigned depth, char ***disks)
{
        _cleanup_free_ char *path = block_path(device, "slaves");
        DIR *d = opendir(path);
        size_t below = 0;

        for (struct dirent *e; d && depth < DEPTH_MAX && (e = readdir(d));)
                if (e->d_name[0] != '.') {
                        collect(e->d_name, depth + 1, disks);
                        below++;
                }
        if (d)
                closedir(d);
        if (below > 0)
                return;
        _cleanup_free_ char *disk = disk_of(device);
        if (streq(disk, device) || depth >= DEPTH_MAX) {
                if (!strv_has(*disks, disk))
                        strv_add(disks, disk);
        } else {
                collect(disk, depth + 1, disks); /* a partition of an array */
        }
}

static int by_name(const void *a, const void *b)
{
        return strverscmp(*(char *const *)a, *(char *const *)b);
}

char **speed_disks_below(const char *device)
{
        char **disks = NULL;

        collect(device, 0, &disks);
        qsort(disks, strv_len(disks), sizeof *disks, by_name);
        return disks;
}

static bool is_busy(const char *device, unsigned depth)
{
        _cleanup_free_ char *disk = disk_of(device), *path = block_path(disk, "slaves"),
                            *file = block_path(disk, "md/sync_action"), *action = NULL;
        bool busy = read_line(file, &action) == 0 && !streq(action, "idle") && !streq(action, "frozen");
        DIR *d = opendir(path);

        for (struct dirent *e; d && !busy && depth < DEPTH_MAX && (e = readdir(d));)
                busy = e->d_name[0] != '.' && is_busy(e->d_name, depth + 1);
        if (d)
                closedir(d);
        return busy;
}

bool speed_is_syncing(const char *device)
{
        return is_busy(device, 0);
}

bool speed_is_rotating(const char *disk)
{
        _cleanup_free_ char *file = block_path(disk, "queue/rotational");
        uint64_t n;

        return read_u64(file, &n) < 0 || n == 1;
}

int speed_disk(const char *disk, bool inner, uint64_t ms, struct rate *ret)
{
        _cleanup_free_ char *name = path_join("/dev", disk), *path = helper_path(name),
                            *file = block_path(disk, "size");
        uint64_t sectors; /* of 512 bytes, always */
        int r = read_u64(file, &sectors);

        if (r < 0)
                return r;
        uint64_t size = sectors * 512 / SPEED_BLOCK * SPEED_BLOCK;
        uint64_t span = MIN2(size / 8, SPAN) / SPEED_BLOCK * SPEED_BLOCK;
        _cleanup_close_ int fd = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC);
        if (fd < 0)
                return -errno;
        struct slice s = {.fd = fd,
                          .start = inner ? size - span : 0,
                          .length = span,
                          .ms = ms,
                          .what = inner ? "disk-inner" : "disk-outer"};
        return speed_measure(&s, ret);
}

#include "helpers/speed_disk.h"

#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <unistd.h>

#include "helpers/lib/helper.h"
#include "helpers/lib/md.h"
#include "helpers/lib/mounts.h"

#define DEPTH_MAX 8 /* partition, array, volume, … */

static char *block_path(const char *device, const char *file)
{
        _cleanup_free_ char *path = xasprintf("/sys/class/block/%s%s%s", device, *file ? "/" : "", file);

        return helper_path(path);
}

static char *block_line(const char *device, const char *file)
{
        _cleanup_free_ char *path = block_path(device, file);
        char *line = NULL;

        return read_line(path, &line) < 0 ? NULL : line;
}

static uint64_t block_number(const char *device, const char *file, uint64_t otherwise)
{
        _cleanup_free_ char *path = block_path(device, file);
        uint64_t n;

        return read_u64(path, &n) < 0 ? otherwise : n;
}

int speed_device_of(const char *mount, char **ret, char **ret_type)
{
        _cleanup_mounted_ struct mounted m = {0};

        if (!mounted_on(mount, &m) || !m.source)
                return -ENOTDIR;
        char *real = realpath(m.source, NULL); /* /dev/md/public, /dev/mapper/… are links */
        *ret = xstrdup(basename(real ? real : m.source));
        *ret_type = xstrdup(m.type ? m.type : "");
        free(real);
        return 0;
}

/* --- what lies on what --- */

static char *disk_of(const char *device)
{
        _cleanup_free_ char *mark = block_path(device, "partition"), *path = block_path(device, "");
        char real[PATH_MAX];

        if (access(mark, F_OK) < 0 || !realpath(path, real))
                return xstrdup(device);
        return xstrdup(basename(dirname(real)));
}

static char **slaves_of(const char *device)
{
        _cleanup_free_ char *path = block_path(device, "slaves");
        DIR *d = opendir(path);
        char **names = NULL;

        for (struct dirent *e; d && (e = readdir(d));)
                if (e->d_name[0] != '.')
                        strv_add(&names, e->d_name);
        if (d)
                closedir(d);
        return names;
}

static bool is_transparent(const char *device)
{
        static const char *const kinds[] = {"LVM-", "CRYPT-", "part"};
        _cleanup_free_ char *uuid = block_line(device, "dm/uuid");

        if (!has_prefix(device, "dm-"))
                return true;
        for (size_t i = 0; uuid && i < ELEMENTSOF(kinds); i++)
                if (has_prefix(uuid, kinds[i]))
                        return true;
        return false;
}

static void collect(const char *device, unsigned depth, char ***disks, char ***arrays)
{
        _cleanup_free_ char *disk = disk_of(device), *level = block_line(disk, "md/level");
        _cleanup_strv_ char **below = is_transparent(disk) && depth < DEPTH_MAX ? slaves_of(disk) : NULL;

        if (level && !strv_has(*arrays, disk))
                strv_add(arrays, disk);
        if (!below && !strv_has(*disks, disk))
                strv_add(disks, disk);
        STRV_FOREACH(b, below)
        collect(*b, depth + 1, disks, arrays);
}

static int by_name(const void *a, const void *b)
{
        return strverscmp(*(char *const *)a, *(char *const *)b);
}

static char *serial_below(const char *device, unsigned depth)
{
        _cleanup_free_ char *devno = block_line(device, "dev");
        _cleanup_strv_ char **below = slaves_of(device);
        char *serial = devno ? udev_serial(devno) : NULL;

        if (serial || strv_len(below) != 1 || depth >= DEPTH_MAX)
                return serial;
        _cleanup_free_ char *disk = disk_of(below[0]);
        return serial_below(disk, depth + 1);
}

void speed_disks_below(const char *device, struct speed_disks *ret)
{
        _cleanup_strv_ char **names = NULL, **arrays = NULL;

        collect(device, 0, &names, &arrays);
        qsort(names, strv_len(names), sizeof *names, by_name);
        *ret = (struct speed_disks){xmalloc((strv_len(names) + 1) * sizeof *ret->v), strv_len(names)};
        for (size_t i = 0; i < ret->n; i++)
                ret->v[i] = (struct speed_disk){
                    .name = xstrdup(names[i]),
                    .serial = serial_below(names[i], 0),
                    .size = block_number(names[i], "size", 0) * 512, /* of 512 bytes, always */
                    .rotates = block_number(names[i], "queue/rotational", 1) == 1,
                    .forgets = block_number(names[i], "queue/discard_max_bytes", 0) > 0,
                };
}

void speed_disks_free(struct speed_disks *d)
{
        for (size_t i = 0; i < d->n; i++) {
                free(d->v[i].name);
                free(d->v[i].serial);
        }
        free(d->v);
        *d = (struct speed_disks){0};
}

char **speed_arrays_below(const char *device)
{
        _cleanup_strv_ char **disks = NULL;
        char **arrays = NULL;

        collect(device, 0, &disks, &arrays);
        return arrays;
}

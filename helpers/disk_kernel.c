#include "helpers/disk_kernel.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <parted/parted.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "helpers/lib/helper.h"
#include "helpers/lib/log.h"

#define PATIENCE_MS 15000 /* a probing udevd is done in one second; slow USB disks take a few */
#define TICK_US 20000
#ifndef BLKGETDISKSEQ
#define BLKGETDISKSEQ _IOR(0x12, 128, uint64_t) /* Linux 5.15 */
#endif

/* --- opening and locking --- */

static int check_same(const struct disk *d, int fd)
{
        struct stat st;
        uint64_t size = 0, seq = 0;

        if (fstat(fd, &st) < 0)
                return -errno;
        if (helper_has_root() && S_ISREG(st.st_mode))
                return (uint64_t)st.st_size == d->size ? 0 : -ESTALE;
        if (!S_ISBLK(st.st_mode) || st.st_rdev != d->devno)
                return -ESTALE;
        if (ioctl(fd, BLKGETSIZE64, &size) < 0)
                return -errno;
        if (size != d->size || (d->diskseq && ioctl(fd, BLKGETDISKSEQ, &seq) == 0 && seq != d->diskseq))
                return -ESTALE;
        return 0;
}

int disk_open(const struct disk *d, int flags, int *ret_fd)
{
        _cleanup_free_ char *path = helper_path(d->path);
        uint64_t until = now_ms() + (flags & O_EXCL ? PATIENCE_MS / 3 : 0);
        _cleanup_close_ int fd = -1;

        /* EBUSY may be a passer-by, such as mdadm's look at a new disk */
        while ((fd = open(path, flags | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW)) < 0) {
                if (errno != EBUSY || now_ms() >= until)
                        return -errno;
                usleep(TICK_US);
        }
        int r = check_same(d, fd);
        if (r == 0)
                *ret_fd = TAKE_FD(fd);
        return r;
}

int disk_lock(int fd)
{
        uint64_t until = now_ms() + PATIENCE_MS;

        while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
                if (errno != EWOULDBLOCK || now_ms() >= until)
                        return -errno;
                usleep(TICK_US);
        }
        return 0;
}

int kernel_reread(int fd)
{
        uint64_t until = now_ms() + PATIENCE_MS;
        struct stat st;

        if (fstat(fd, &st) == 0 && !S_ISBLK(st.st_mode))
                return 0;
        while (ioctl(fd, BLKRRPART) < 0) {
                if (errno == EINVAL) /* a device that cannot have partitions */
                        return 0;
                if (errno != EBUSY || now_ms() >= until)
                        return -errno;
                usleep(TICK_US);
        }
        return 0;
}

/* --- libparted --- */

/* Loaded where it is needed: Debian's starts a shell and dmidecode before main, and list and watch would wait for them. */
static struct {
#define PARTED(X)                                                                                                             \
        X(exception_set_handler) X(device_get) X(device_destroy) X(disk_new) X(disk_destroy) X(disk_next_partition)          \
        X(partition_get_flag)
#define X(name) __typeof__(ped_##name) *name;
        PARTED(X)
#undef X
} parted;

bool parted_load(void)
{
        void *library = dlopen("libparted.so.2", RTLD_NOW);
        bool is_whole = library;

#define X(name) is_whole = is_whole && (parted.name = (__typeof__(parted.name))dlsym(library, "ped_" #name));
        PARTED(X)
#undef X
        if (!is_whole)
                log_line("%s", dlerror());
        return is_whole;
}

static struct buf objections;

/* Any question of libparted's means that the table is not what we wrote: never let it repair (FIX writes at once, even
 * without a commit), never guess. */
static PedExceptionOption object(PedException *e)
{
        if (e->type == PED_EXCEPTION_INFORMATION)
                return PED_EXCEPTION_UNHANDLED;
        buf_printf(&objections, "%s%s", objections.len ? "; " : "", e->message);
        log_line("libparted: %s", e->message);
        if (e->options & PED_EXCEPTION_IGNORE)
                return PED_EXCEPTION_IGNORE;
        return e->options & PED_EXCEPTION_CANCEL ? PED_EXCEPTION_CANCEL : PED_EXCEPTION_UNHANDLED;
}

static bool is_as_wanted(PedDisk *disk, const struct gpt_want *w)
{
        unsigned n = 0;
        bool right = false;

        for (PedPartition *p = NULL; (p = parted.disk_next_partition(disk, p));) {
                if (p->num < 0) /* free room and the table itself */
                        continue;
                n++;
                right = p->num == 1 && (uint64_t)p->geom.start == w->start / w->sector &&
                        (uint64_t)p->geom.end + 1 == w->end / w->sector &&
                        parted.partition_get_flag(p, PED_PARTITION_RAID);
        }
        return n == 1 && right && streq(disk->type->name, "gpt");
}

static void device_destroyp(PedDevice **d)
{
        if (*d)
                parted.device_destroy(*d);
}

static void disk_destroyp(PedDisk **d)
{
        if (*d)
                parted.disk_destroy(*d);
}

int parted_confirm(const struct disk *d, const struct gpt_want *w, char **ret_raw)
{
        _cleanup_free_ char *path = helper_path(d->path);

        if (!parted_load())
                return -ELIBACC;
        parted.exception_set_handler(object);
        _cleanup_(device_destroyp) PedDevice *dev = parted.device_get(path);
        if (!dev)
                return -EIO;
        if (dev->type == PED_DEVICE_FILE && w->sector != (unsigned)dev->sector_size)
                return 0; /* an image of a 4Kn disk: libparted takes files for 512-byte disks */
        _cleanup_(disk_destroyp) PedDisk *disk = parted.disk_new(dev);
        bool right = disk && is_as_wanted(disk, w) && objections.len == 0;
        *ret_raw = TAKE_PTR(objections.buf);
        objections = (struct buf){0};
        return right ? 0 : -EBADMSG;
}

/* --- the partition's node --- */

static size_t count_partitions(const struct disk *d)
{
        _cleanup_strv_ char **names = list_folder(d->sysfs);
        size_t n = 0;

        STRV_FOREACH(name, names) {
                _cleanup_free_ char *dir = path_join(d->sysfs, *name);
                n += sysfs_number(dir, "partition") > 0;
        }
        return n;
}

bool has_partitions(const struct disk *d)
{
        return count_partitions(d) > 0;
}

bool has_partition(const struct disk *d, const struct gpt_want *w)
{
        _cleanup_free_ char *name = partition_name(d->name, 1), *dir = path_join(d->sysfs, name);

        return count_partitions(d) == 1 && sysfs_number(dir, "start") * 512 == w->start &&
               sysfs_number(dir, "size") * 512 == w->end - w->start;
}

static bool has_udevd(void)
{
        return access("/run/udev/control", F_OK) == 0;
}

static bool has_node(const struct disk *d, const struct gpt_want *w)
{
        _cleanup_free_ char *name = partition_name(d->path, 1);
        _cleanup_free_ char *link = xasprintf("/dev/disk/by-partuuid/%s", w->part_guid);
        char real[PATH_MAX];
        struct stat st;

        if (stat(name, &st) < 0 || !S_ISBLK(st.st_mode))
                return false;
        return !has_udevd() || (realpath(link, real) && streq(real, name));
}

static int wait_once(const struct disk *d, const struct gpt_want *w, uint64_t until)
{
        while (!has_node(d, w) || !has_partition(d, w)) {
                if (now_ms() >= until)
                        return -ETIMEDOUT;
                usleep(TICK_US);
        }
        return 0;
}

int wait_partition(const struct disk *d, const struct gpt_want *w)
{
        uint64_t until = now_ms() + PATIENCE_MS;
        _cleanup_free_ char *said = NULL;
        int r = wait_once(d, w, until);

        if (r < 0 || !has_udevd())
                return r;
        /* if udevd saw only now that the disk was written, it reads the table once more, and the node goes and comes back */
        helper_ask(STRV("udevadm", "settle", "--timeout=10"), &said);
        return wait_once(d, w, MAX2(until, now_ms() + PATIENCE_MS / 3));
}

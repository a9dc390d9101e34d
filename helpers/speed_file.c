#include "helpers/speed_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "helpers/lib/trial.h"

#define ROOM_MIN (16 * MIB)

uint64_t speed_room(const char *mount, uint64_t size)
{
        struct statvfs s;

        if (statvfs(mount, &s) < 0)
                return 0;
        uint64_t unit = s.f_frsize, whole = s.f_blocks * unit, left = s.f_bavail * unit;
        uint64_t room = left > whole / 10 ? left - whole / 10 : 0;
        room = MIN2(room, size) / SPEED_BLOCK * SPEED_BLOCK;
        return room < ROOM_MIN ? 0 : room;
}

/* Some file systems have no files without a name: then one with a name, for a moment. */
static int open_nameless(const char *mount, int flags)
{
        int fd = open(mount, O_TMPFILE | O_RDWR | O_CLOEXEC | flags, 0600);

        if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT))
                return fd < 0 ? -errno : fd;
        _cleanup_free_ char *name = trial_name(), *path = path_join(mount, name);
        fd = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | flags, 0600);
        if (fd < 0)
                return -errno;
        unlink(path);
        return fd;
}

int speed_file_nameless(const char *mount, int flags, uint64_t size)
{
        _cleanup_close_ int fd = open_nameless(mount, flags);

        if (fd < 0)
                return fd;
        /* Room for all of it first, so that writing never has to stop for want of it. */
        if (fallocate(fd, 0, 0, (off_t)size) < 0 && errno != EOPNOTSUPP)
                return -errno;
        return TAKE_FD(fd);
}

int speed_file_open(const char *mount, uint64_t size, struct speed_file *ret)
{
        uint64_t room = speed_room(mount, size);
        bool cached = false;

        if (room == 0)
                return -ENOSPC;
        int fd = speed_file_nameless(mount, O_DIRECT, room);
        if (fd == -EINVAL) {
                cached = true;
                fd = speed_file_nameless(mount, 0, room);
        }
        if (fd < 0)
                return fd;
        *ret = (struct speed_file){.fd = fd, .cached = cached, .size = room};
        return 0;
}

static int measure(struct slice *s)
{
        int r = speed_measure(s, 1);

        return r < 0 ? r : s->error;
}

int speed_file_write(struct speed_file *f, uint64_t ms)
{
        uint64_t before = f->write_rate.bytes;
        struct slice s = {.fd = f->fd, .writes = true, .block = SPEED_BLOCK, .depth = SPEED_DEPTH, .start = f->written,
                          .length = f->size - f->written, .ms = ms, .what = "array-write", .rate = &f->write_rate};

        if (s.length < SPEED_BLOCK)
                return f->written > 0 ? 0 : -ENOSPC;
        int r = measure(&s);
        if (r == -EINVAL && !f->cached) {
                /* Opened, but its blocks are larger than ours are aligned. */
                f->cached = true;
                fcntl(f->fd, F_SETFL, fcntl(f->fd, F_GETFL) & ~O_DIRECT);
                r = measure(&s);
        }
        f->written += (f->write_rate.bytes - before) / SPEED_BLOCK * SPEED_BLOCK;
        return r;
}

int speed_file_read(struct speed_file *f, uint64_t ms)
{
        uint64_t before = f->read_rate.bytes;
        struct slice s = {.fd = f->fd, .block = SPEED_BLOCK, .depth = SPEED_DEPTH, .start = f->read,
                          .length = f->written - f->read, .ms = ms, .what = "array-read", .rate = &f->read_rate};

        if (s.length < SPEED_BLOCK)
                return f->read > 0 ? 0 : -ENOSPC;
        if (f->cached)
                posix_fadvise(f->fd, 0, 0, POSIX_FADV_DONTNEED);
        int r = measure(&s);
        f->read += (f->read_rate.bytes - before) / SPEED_BLOCK * SPEED_BLOCK;
        return r;
}

void speed_file_close(struct speed_file *f)
{
        if (f->fd >= 0)
                close(f->fd);
        f->fd = -1;
}

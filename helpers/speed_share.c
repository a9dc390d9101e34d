#include "helpers/speed_share.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "helpers/lib/run.h"

#define PREFIX ".nas-setup-speed-"
#define GUEST "nas-setup-guest%x" /* nobody: the share's guest */
#define TELL_MS 200

void speed_share_sweep(const char *mount)
{
        DIR *d = opendir(mount);

        for (struct dirent *e; d && (e = readdir(d));)
                if (has_prefix(e->d_name, PREFIX))
                        unlinkat(dirfd(d), e->d_name, 0);
        if (d)
                closedir(d);
}

static uint64_t now_us(void)
{
        struct timespec t;

        clock_gettime(CLOCK_MONOTONIC, &t);
        return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

/* Runs it with progress, until its end, ms or a signal. -ETIMEDOUT after ms. */
static int client(struct speed_share *s, const char *commands, uint64_t ms, const char *what, char **ret_raw)
{
        _cleanup_free_ char *service = xasprintf("//%s/%s", s->address, s->share);
        _cleanup_(run_free) struct run r = {
            .argv = STRV("smbclient", "-U", GUEST, "-t", "15", "-c", (char *)commands, "--", service),
            .deadline_ms = ms,
            .keep_fd = s->source,
        };
        uint64_t told = 0;

        run_begin(&r);
        while (run_poll(&r, 1, TELL_MS) > 0) {
                if (speed_cancelled)
                        run_stop(&r);
                if (what && now_ms() - told >= TELL_MS) {
                        told = now_ms();
                        speed_progress(what);
                }
        }
        if (speed_cancelled)
                return -EINTR;
        if (r.status == 0)
                return 0;
        if (ret_raw)
                *ret_raw = xasprintf("%s%s", r.out.buf ? r.out.buf : "", r.err.buf ? r.err.buf : "");
        return r.status < 0 ? r.status : -EIO;
}

static int make_source(uint64_t size)
{
        int fd = memfd_create("nas-setup-speed", 0);
        _cleanup_free_ char *block = xmalloc(SPEED_BLOCK);

        for (uint64_t done = 0; fd >= 0 && done < size; done += SPEED_BLOCK) {
                random_bytes(block, SPEED_BLOCK);
                if (write(fd, block, SPEED_BLOCK) != (ssize_t)SPEED_BLOCK) {
                        close(fd);
                        return -ENOMEM;
                }
        }
        return fd < 0 ? -errno : fd;
}

int speed_share_open(struct speed_share *s, char **ret_raw)
{
        _cleanup_free_ char *id = uuid_new();

        s->source = 0;
        if (!has_program("smbclient"))
                return -ENOENT;
        speed_share_sweep(s->mount);
        s->name = xasprintf(PREFIX "%s", id);
        uint64_t begin = now_us();
        int r = client(s, "pwd", 5000, NULL, ret_raw);
        if (r < 0)
                return r;
        s->login_us = now_us() - begin;
        r = make_source(s->size);
        if (r < 0)
                return r;
        s->source = r;
        return 0;
}

static char *path_of(const struct speed_share *s)
{
        return path_join(s->mount, s->name);
}

static int finish(const struct speed_share *s, uint64_t begin, uint64_t bytes, struct rate *ret)
{
        uint64_t us = now_us() - begin;

        if (bytes == 0 || us <= s->login_us)
                return -EIO;
        *ret = (struct rate){bytes, us - s->login_us};
        return 0;
}

int speed_share_write(struct speed_share *s, uint64_t ms, struct rate *ret)
{
        _cleanup_free_ char *put = xasprintf("put /proc/self/fd/%d %s", s->source, s->name),
                            *path = path_of(s);
        struct stat st;
        uint64_t begin = now_us();

        lseek(s->source, 0, SEEK_SET);
        int r = client(s, put, ms, "share-write", NULL);
        if (r < 0 && r != -ETIMEDOUT)
                return r;
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
        if (fd < 0 || fsync(fd) < 0 || fstat(fd, &st) < 0)
                return -errno;
        return finish(s, begin, (uint64_t)st.st_size, ret);
}

int speed_share_read(struct speed_share *s, uint64_t ms, struct rate *ret)
{
        _cleanup_free_ char *get = xasprintf("get %s /dev/null", s->name), *path = path_of(s);
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
        struct stat st;

        if (fd < 0 || fstat(fd, &st) < 0)
                return -errno;
        posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED); /* it was synced, so all of it goes */
        uint64_t begin = now_us();
        int r = client(s, get, ms, "share-read", NULL);
        return r < 0 ? r : finish(s, begin, (uint64_t)st.st_size, ret);
}

void speed_share_close(struct speed_share *s)
{
        if (s->source > 0)
                close(s->source);
        if (s->name) {
                _cleanup_free_ char *path = path_of(s);
                unlink(path);
        }
        free(s->name);
        s->name = NULL;
        s->source = 0;
}

#include "helpers/speed_share.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "helpers/lib/run.h"
#include "helpers/lib/trial.h"

#define GUEST "nas-setup-guest%x" /* nobody: the share's guest */
#define TELL_MS 200
#define LOOK_MS 10
#define LOGIN_MS 4000

static uint64_t now_us(void)
{
        struct timespec t;

        clock_gettime(CLOCK_MONOTONIC, &t);
        return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

/* How a file grew: from when its first bytes were seen, so that smbclient's start and log-in are not in it.
 */
struct growth {
        const char *path, *what;
        uint64_t first_us, last_us, first, last;
};

static void look(struct growth *g)
{
        struct stat st;
        uint64_t size = stat(g->path, &st) == 0 ? (uint64_t)st.st_size : 0;

        if (size == 0 || size == g->last)
                return;
        g->last = size;
        g->last_us = now_us();
        if (g->first == 0) {
                g->first = size;
                g->first_us = g->last_us;
        }
}

/* Runs it with progress, until its end, ms or a signal. -ETIMEDOUT after ms. */
static int client(struct speed_share *s, const char *commands, uint64_t ms, struct growth *g, char **ret_raw)
{
        _cleanup_free_ char *service = xasprintf("//%s/%s", s->address, s->share);
        _cleanup_(run_free) struct run r = {
            .argv = STRV("smbclient", "-U", GUEST, "-t", "15", "-c", (char *)commands, "--", service),
            .deadline_ms = ms,
            .keep_fd = s->memory,
        };
        uint64_t told = 0;

        if (r.deadline_ms == 0)
                return -ETIMEDOUT;
        run_begin(&r);
        while (run_poll(&r, 1, LOOK_MS) > 0) {
                if (speed_cancelled)
                        run_stop(&r);
                if (g)
                        look(g);
                if (g && now_ms() - told >= TELL_MS) {
                        told = now_ms();
                        speed_progress(g->what);
                }
        }
        if (g)
                look(g);
        if (speed_cancelled)
                return -EINTR;
        if (r.status == 0)
                return 0;
        if (ret_raw)
                *ret_raw = xasprintf("%s%s", r.out.buf ? r.out.buf : "", r.err.buf ? r.err.buf : "");
        return r.status < 0 ? r.status : -EIO;
}

static int make_source(uint64_t size, const char *head)
{
        int fd = memfd_create("nas-setup-speed", 0);
        _cleanup_free_ char *block = xmalloc(SPEED_BLOCK);

        for (uint64_t done = 0; fd >= 0 && done < size; done += SPEED_BLOCK) {
                random_bytes(block, SPEED_BLOCK);
                if (done == 0)
                        memcpy(block, head, strlen(head));
                if (write(fd, block, SPEED_BLOCK) != (ssize_t)SPEED_BLOCK) {
                        close(fd);
                        return -ENOMEM;
                }
        }
        return fd < 0 ? -errno : fd;
}

int speed_share_open(struct speed_share *s, char **ret_raw)
{
        _cleanup_free_ char *head = NULL;

        s->memory = 0;
        if (!has_program("smbclient"))
                return -ENOPKG;
        s->name = trial_name();
        head = trial_head(s->name);
        uint64_t begin = now_ms();
        int r = client(s, "pwd", LOGIN_MS, NULL, ret_raw);
        s->login_ms = now_ms() - begin;
        if (r < 0)
                return r;
        r = make_source(s->size, head);
        if (r < 0)
                return r;
        s->memory = r;
        return 0;
}

static char *path_of(const struct speed_share *s)
{
        return path_join(s->mount, s->name);
}

/* Too short a transfer to see it grow is no figure. */
static int finish(const struct growth *g, uint64_t more_us, struct rate *ret)
{
        if (g->last <= g->first)
                return -ETIMEDOUT;
        *ret = (struct rate){g->last - g->first, g->last_us - g->first_us + more_us};
        return 0;
}

int speed_share_write(struct speed_share *s, uint64_t ms, struct rate *ret)
{
        _cleanup_free_ char *put = xasprintf("put /proc/self/fd/%d %s", s->memory, s->name),
                            *path = path_of(s);
        struct growth g = {.path = path, .what = "share-write"};
        int r = client(s, put, ms + 2 * s->login_ms, &g, NULL);

        if (r < 0 && r != -ETIMEDOUT)
                return r;
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
        uint64_t begin = now_us();
        if (fd < 0 || fsync(fd) < 0)
                return r < 0 ? r : -errno;
        return finish(&g, now_us() - begin, ret);
}

int speed_share_read(struct speed_share *s, uint64_t ms, struct rate *ret)
{
        _cleanup_free_ char *get = xasprintf("get %s /proc/self/fd/%d", s->name, s->memory),
                            *path = path_of(s);
        _cleanup_free_ char *memory = xasprintf("/proc/self/fd/%d", s->memory);
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
        struct growth g = {.path = memory, .what = "share-read"};

        if (fd < 0 || ftruncate(s->memory, 0) < 0)
                return -errno;
        posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED); /* it was synced, so all of it goes */
        int r = client(s, get, ms + 2 * s->login_ms, &g, NULL);
        return r < 0 && r != -ETIMEDOUT ? r : finish(&g, 0, ret);
}

void speed_share_close(struct speed_share *s)
{
        if (s->memory > 0)
                close(s->memory);
        if (s->name) {
                _cleanup_free_ char *path = path_of(s);
                unlink(path);
        }
        free(s->name);
        s->name = NULL;
        s->memory = 0;
}

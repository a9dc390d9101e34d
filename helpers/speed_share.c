#include "helpers/speed_share.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "helpers/lib/run.h"
#include "helpers/lib/trial.h"
#include "helpers/speed_load.h"

#define GUEST "nas-setup-guest%x" /* nobody: the share's guest */
#define TELL_MS 200
#define LOOK_MS 5
#define LOGIN_MS 4000
#define BATCHES 8

/* How a file grew: from when its first bytes were seen, so that smbclient's start and log-in are not in it. The name of
 * the file on the share goes as soon as the client has it open. */
struct growth {
        const char *path;  /* that name */
        int fd;            /* what grows; -1: what path is, once it is there */
        const char *what;
        uint64_t first_us, last_us, first, last;
        struct load load;  /* when it began */
        uint64_t at[BATCHES * 8], us[BATCHES * 8];
        size_t n;
};

static void note(struct growth *g)
{
        size_t most = ELEMENTSOF(g->at);

        if (g->n == most) { /* every second one is enough from now on */
                for (size_t i = 0; i < most / 2; i++) {
                        g->at[i] = g->at[2 * i];
                        g->us[i] = g->us[2 * i];
                }
                g->n = most / 2;
        }
        g->at[g->n] = g->last;
        g->us[g->n++] = g->last_us;
}

static void look(struct growth *g)
{
        struct stat st;

        if (g->fd < 0)
                g->fd = open(g->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
        uint64_t size = g->fd >= 0 && fstat(g->fd, &st) == 0 ? (uint64_t)st.st_size : 0;
        if (size == 0 || size == g->last)
                return;
        g->last = size;
        g->last_us = speed_now_us();
        note(g);
        if (g->first > 0)
                return;
        unlink(g->path);
        g->first = size;
        g->first_us = g->last_us;
        load_look(&g->load);
}

/* Time counts from the first bytes on, however long the log-in takes. */
static void watch(struct run *r, struct growth *g, uint64_t ms)
{
        uint64_t told = 0;

        while (run_poll(r, 1, LOOK_MS) > 0) {
                look(g);
                if (speed_cancelled || (g->first > 0 && speed_now_us() - g->first_us > ms * 1000))
                        run_stop(r);
                if (now_ms() - told >= TELL_MS) {
                        told = now_ms();
                        speed_progress(g->what);
                }
        }
        look(g);
}

static int error_of(const struct run *r)
{
        const char *said = r->out.buf ? r->out.buf : "", *errors = r->err.buf ? r->err.buf : "";
        static const char *const closed[] = {"NT_STATUS_ACCESS_DENIED", "NT_STATUS_LOGON_FAILURE"};

        for (size_t i = 0; i < ELEMENTSOF(closed); i++)
                if (strstr(said, closed[i]) || strstr(errors, closed[i]))
                        return -EACCES;
        return r->status < 0 ? r->status : -EIO;
}

/* Success also where it was stopped in mid-transfer, after ms. */
static int client(struct speed_share *s, const char *commands, uint64_t ms, struct growth *g)
{
        _cleanup_free_ char *service = xasprintf("//%s/%s", s->address, s->share);
        _cleanup_(run_free) struct run r = {
            .argv = STRV("smbclient", "-U", GUEST, "-t", "15", "-c", (char *)commands, "--", service),
            .deadline_ms = MIN2(ms + LOGIN_MS, speed_left_ms()),
            .keep_fd = s->memory,
            .dies_with_us = true,
        };

        if (r.deadline_ms == 0)
                return -ETIMEDOUT;
        run_begin(&r);
        watch(&r, g, ms);
        if (g->first > 0)
                load_since(&g->load, &s->cpu, &s->core);
        if (speed_cancelled)
                return -EINTR;
        return r.status == 0 || g->last > g->first ? 0 : error_of(&r);
}

static int make_source(uint64_t size, const char *head)
{
        int fd = memfd_create("nas-setup-speed", 0);
        _cleanup_free_ char *block = xmalloc(SPEED_BLOCK);

        for (uint64_t done = 0; fd >= 0 && done < size; done += SPEED_BLOCK) {
                speed_fill(block, SPEED_BLOCK);
                if (done == 0)
                        memcpy(block, head, strlen(head));
                if (write(fd, block, SPEED_BLOCK) != (ssize_t)SPEED_BLOCK) {
                        close(fd);
                        return -ENOMEM;
                }
        }
        return fd < 0 ? -errno : fd;
}

int speed_share_open(struct speed_share *s)
{
        _cleanup_free_ char *head = NULL;

        s->memory = 0;
        if (!has_program("smbclient"))
                return -ENOPKG;
        s->name = trial_name();
        head = trial_head(s->name);
        int r = make_source(s->size, head);
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
        *ret = (struct rate){.bytes = g->last - g->first, .us = g->last_us - g->first_us + more_us, .depth = 1};
        size_t each = MAX2((g->n - 1) / BATCHES, (size_t)1);
        for (size_t i = each; i < g->n && ret->n < RATE_BATCHES; i += each)
                ret->batch[ret->n++] = (double)(g->at[i] - g->at[i - each]) * 1e6 / (double)(g->us[i] - g->us[i - each]);
        return 0;
}

int speed_share_write(struct speed_share *s, uint64_t ms, struct rate *ret)
{
        _cleanup_free_ char *put = xasprintf("put /proc/self/fd/%d %s", s->memory, s->name),
                            *path = path_of(s);
        struct growth g = {.path = path, .fd = -1, .what = "share-write"};
        int r = client(s, put, ms, &g);
        _cleanup_close_ int fd = g.fd;

        if (r < 0)
                return r;
        uint64_t begin = speed_now_us();
        if (fd < 0 || fsync(fd) < 0)
                return -errno;
        return finish(&g, speed_now_us() - begin, ret);
}

/* What a later trial knows it by, should the name be left; and everybody whom the share lets in may read it. */
static int give_name(const struct speed_share *s, int file, const char *path)
{
        _cleanup_free_ char *head = trial_head(s->name), *from = xasprintf("/proc/self/fd/%d", file);
        _cleanup_free_ void *block = NULL;

        if (posix_memalign(&block, 4096, 4096) != 0)
                return -ENOMEM;
        speed_fill(block, 4096);
        memcpy(block, head, strlen(head));
        if (pwrite(file, block, 4096, 0) != 4096 || ftruncate(file, (off_t)s->size) < 0 || fchmod(file, 0644) < 0 ||
            linkat(AT_FDCWD, from, AT_FDCWD, path, AT_SYMLINK_FOLLOW) < 0)
                return -errno;
        return 0;
}

int speed_share_read(struct speed_share *s, int file, uint64_t ms, struct rate *ret)
{
        _cleanup_free_ char *get = xasprintf("get %s /proc/self/fd/%d", s->name, s->memory),
                            *path = path_of(s);
        struct growth g = {.path = path, .fd = s->memory, .what = "share-read"};

        if (ftruncate(s->memory, 0) < 0)
                return -errno;
        int r = give_name(s, file, path);
        if (r < 0)
                return r;
        r = client(s, get, ms, &g);
        unlink(path);
        return r < 0 ? r : finish(&g, 0, ret);
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

#include "helpers/disk_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <libudev.h>
#include <poll.h>
#include <unistd.h>

#include "helpers/disk_list.h"

#define APART_MS 250  /* between two blocks */
#define GATHER_MS 40  /* news come in swarms */
#define PERIOD_MS 1000 /* where nobody tells of changes */
#define EVENTS_SIZE (16 * 1024 * 1024) /* of the socket: a shelf of disks that comes at once */

struct watch {
        struct looks *looks;
        struct udev *udev;
        struct udev_monitor *monitor; /* NULL where no udevd runs */
        int lists[2];     /* of mounts, of swaps */
        bool is_dirty;    /* the machine may have changed */
        uint64_t news_at; /* 0: none that were not told */
        uint64_t told_at; /* 0: only names were told yet */
        uint64_t look_at; /* next time to look without being told; 0: never */
        char *told;       /* the last block */
};

static void watch_free(struct watch *w)
{
        looks_free(w->looks);
        udev_monitor_unref(w->monitor);
        udev_unref(w->udev);
        for (size_t i = 0; i < ELEMENTSOF(w->lists); i++)
                closep(&w->lists[i]);
        free(w->told);
}

/* --- hearing of changes --- */

static void begin_monitor(struct watch *w)
{
        if (helper_has_root() || access("/run/udev/control", F_OK) < 0)
                return;
        w->udev = udev_new();
        w->monitor = w->udev ? udev_monitor_new_from_netlink(w->udev, "udev") : NULL;
        if (!w->monitor)
                return;
        udev_monitor_set_receive_buffer_size(w->monitor, EVENTS_SIZE);
        if (udev_monitor_filter_add_match_subsystem_devtype(w->monitor, "block", NULL) >= 0 &&
            udev_monitor_enable_receiving(w->monitor) >= 0)
                return;
        udev_monitor_unref(w->monitor);
        w->monitor = NULL;
}

static void begin_hearing(struct watch *w)
{
        static const char *const lists[] = {"/proc/self/mountinfo", "/proc/swaps"};

        for (size_t i = 0; i < ELEMENTSOF(lists); i++)
                w->lists[i] = helper_has_root() ? -1 : open(lists[i], O_RDONLY | O_CLOEXEC);
        begin_monitor(w);
}

static void note_news(struct watch *w)
{
        if (w->news_at == 0)
                w->news_at = now_ms();
}

static void note_change(struct watch *w)
{
        w->is_dirty = true;
        note_news(w);
}

/* Whoever had it open for writing has closed it, or its partitions are others: what was read of it may be old. */
static void take_event(struct watch *w, struct udev_device *d)
{
        struct udev_device *parent = udev_device_get_parent_with_subsystem_devtype(d, "block", "disk");
        const char *name = udev_device_get_sysname(d);

        if (name)
                looks_changed(w->looks, name);
        if (parent && udev_device_get_sysname(parent))
                looks_changed(w->looks, udev_device_get_sysname(parent));
        note_change(w);
}

static void take_events(struct watch *w)
{
        struct udev_device *d;

        while ((d = udev_monitor_receive_device(w->monitor))) {
                take_event(w, d);
                udev_device_unref(d);
        }
        note_change(w); /* also where some were lost */
}

/* --- telling --- */

static char *block_text(const struct watch *w)
{
        _cleanup_records_ struct records rs = {0};
        struct buf b = {0};

        list_records(w->looks, &rs);
        RECORDS_FOREACH(r, &rs)
        {
                _cleanup_free_ char *line = record_text(r);
                buf_printf(&b, "%s\n", line);
        }
        buf_puts(&b, "listed\n");
        return b.buf;
}

/* -errno where nobody listens any more. */
static int tell(struct watch *w)
{
        _cleanup_free_ char *text = block_text(w);

        w->news_at = 0;
        if (streq_null(text, w->told))
                return 0;
        free(w->told);
        w->told = TAKE_PTR(text);
        w->told_at = now_ms();
        if (fputs(w->told, stdout) < 0 || fflush(stdout) < 0)
                return -EPIPE;
        return 0;
}

static int tell_names(struct watch *w)
{
        int r = looks_update(w->looks, false);

        if (r == 0)
                r = tell(w);
        w->told_at = 0;
        return r == 0 ? looks_update(w->looks, true) : r;
}

static int tell_news(struct watch *w)
{
        if (w->is_dirty) {
                int r = looks_update(w->looks, true);
                if (r < 0)
                        return r;
        }
        w->is_dirty = false;
        return tell(w);
}

/* --- waiting --- */

static void earliest(uint64_t *at, uint64_t other)
{
        if (other && (*at == 0 || other < *at))
                *at = other;
}

static uint64_t tell_at(const struct watch *w)
{
        if (w->news_at == 0)
                return 0;
        return MAX2(w->news_at + GATHER_MS, w->told_at ? w->told_at + APART_MS : 0);
}

static int wait_ms(const struct watch *w)
{
        uint64_t at = tell_at(w), now = now_ms();

        earliest(&at, looks_due(w->looks));
        earliest(&at, w->look_at);
        return at == 0 ? -1 : at > now ? (int)(at - now) : 0;
}

/* False where nobody listens any more. */
static bool wait_for_news(struct watch *w)
{
        struct pollfd fds[] = {
                {.fd = STDOUT_FILENO}, /* POLLERR: the other end was closed */
                {.fd = looks_fd(w->looks), .events = POLLIN},
                {.fd = w->monitor ? udev_monitor_get_fd(w->monitor) : -1, .events = POLLIN},
                {.fd = w->lists[0], .events = POLLPRI},
                {.fd = w->lists[1], .events = POLLPRI},
        };

        if (poll(fds, ELEMENTSOF(fds), wait_ms(w)) < 0)
                return errno == EINTR;
        if (fds[0].revents & (POLLERR | POLLHUP))
                return false;
        if (fds[2].revents)
                take_events(w);
        if (fds[3].revents || fds[4].revents)
                note_change(w);
        if (looks_take(w->looks))
                note_news(w);
        if (w->look_at && now_ms() >= w->look_at) {
                w->look_at = now_ms() + PERIOD_MS;
                note_change(w);
        }
        return true;
}

static bool is_time_to_tell(const struct watch *w)
{
        uint64_t at = tell_at(w);

        return at && now_ms() >= at;
}

static int watch(const void *ctx _unused_)
{
        _cleanup_(watch_free) struct watch w = {.looks = looks_new()};

        begin_hearing(&w); /* before the first look, so that nothing comes between */
        int r = tell_names(&w);
        if (!w.monitor)
                w.look_at = now_ms() + PERIOD_MS;
        while (r == 0 && wait_for_news(&w))
                if (is_time_to_tell(&w))
                        r = tell_news(&w);
        return r == 0 || r == -EPIPE ? HELPER_DONE : say_no_look(r);
}

int run_watch(const struct record *args _unused_)
{
        return look_apart(watch, NULL);
}

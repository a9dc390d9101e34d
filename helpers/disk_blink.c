#include "helpers/disk_blink.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "helpers/disk_kernel.h"
#include "helpers/disk_list.h"

const struct param blink_params[] = {
        {"disk", true, "by-id or by-path name, WWN or serial number"},
        {"seconds", false, "for how long, 1 to 600; left out: 10"},
        {0},
};

#define SECONDS 10
#define SECONDS_MAX 600
#define HALF_MS 500
#define READ (UINT64_C(128) * KIB) /* a multiple of every sector */
#define GAP_MS 10                  /* 50 reads light a lamp for half a second: 6 MiB */
#define PLACES 13                  /* over the disk, jumped through by STRIDE */
#define STRIDE 5

struct blink {
        const char *name;
        unsigned seconds;
        uint64_t until;
        struct looks *looks;
        const struct disk *d;
};

/* False where nobody wants it any more, or the time is up. */
static bool nap(const struct blink *b, uint64_t ms)
{
        struct pollfd out = {.fd = STDOUT_FILENO};
        uint64_t now = now_ms();

        if (now >= b->until)
                return false;
        int n = poll(&out, 1, (int)MIN2(ms, b->until - now));
        return n == 0 || (n < 0 && errno == EINTR);
}

/* --- the lamp of its place in an enclosure --- */

static bool is_in_enclosure(const struct disk *d)
{
        _cleanup_free_ char *dir = path_join(d->sysfs, "device");
        _cleanup_strv_ char **names = list_folder(dir);

        STRV_FOREACH(n, names)
                if (has_prefix(*n, "enclosure_device:"))
                        return true;
        return false;
}

static int set_lamp(const struct disk *d, const char *what)
{
        _cleanup_free_ char *word = xasprintf("%s=%s", what, d->path);

        return helper_exec(STRV((char *)"ledctl", word), NULL);
}

static bool blink_place(const struct blink *b)
{
        if (!is_in_enclosure(b->d) || (!helper_is_dry_run() && !has_program("ledctl")) || set_lamp(b->d, "locate") < 0)
                return false;
        while (!helper_is_dry_run() && nap(b, HALF_MS))
                ;
        set_lamp(b->d, "locate_off");
        return true;
}

/* --- the lamp of activity --- */

static uint64_t place(const struct disk *d, unsigned i)
{
        uint64_t last = d->size - MIN2(READ, d->size);

        return last / PLACES * (i * STRIDE % PLACES) & ~(READ - 1);
}

static int flash(const struct blink *b, int fd, void *p, unsigned *at)
{
        uint64_t until = now_ms() + HALF_MS;

        do {
                /* below --root and with a small one the cache would answer */
                if (helper_has_root())
                        posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
                if (pread(fd, p, READ, (off_t)place(b->d, (*at)++)) < 0)
                        return -errno;
        } while (now_ms() < until && nap(b, GAP_MS));
        return 0;
}

static int blink_reads(const struct blink *b)
{
        _cleanup_close_ int fd = -1;
        _cleanup_free_ void *p = NULL;
        unsigned at = 0;
        int r = disk_open(b->d, O_RDONLY | (helper_has_root() ? 0 : O_DIRECT), &fd);

        if (r == 0 && posix_memalign(&p, 4096, READ) != 0)
                r = -ENOMEM;
        while (r == 0 && nap(b, 0)) {
                r = flash(b, fd, p, &at);
                if (!nap(b, HALF_MS))
                        break;
        }
        return r;
}

/* --- which, and whether --- */

static const struct look *find_look(const struct blink *b)
{
        for (size_t i = 0; i < looks_disks(b->looks)->n; i++)
                if (looks_disks(b->looks)->v[i] == b->d)
                        return looks_of_disk(b->looks, i);
        return NULL;
}

static int check(const struct blink *b)
{
        const struct look *l = find_look(b);

        looks_wait(b->looks);
        const char *why = look_broken(l);
        if (why || (l->has_smart && streq(l->smart.state, "failing")))
                return helper_refuse("failing", b->d->name,
                                     "%s %s, so its lamp is not made to blink: each reading may harm it. Look for its "
                                     "serial number%s%s",
                                     b->d->name, why ? "does not answer or cannot be read" : "is failing",
                                     b->d->serial ? ", " : "", b->d->serial ? b->d->serial : "");
        return l->error == -ENOMEDIUM ? helper_refuse("no-disk", b->name, "there is no card in %s", b->d->name) : 0;
}

static int blink(const void *ctx)
{
        struct blink b = *(const struct blink *)ctx;
        _cleanup_looks_ struct looks *ls = b.looks = looks_new();
        int r = looks_update(ls, false);

        if (r < 0)
                return say_no_look(r);
        r = disk_named(looks_disks(ls), b.name, &b.d);
        if (r)
                return r;
        looks_begin(ls, b.d);
        r = check(&b);
        if (r)
                return r;
        b.until = now_ms() + b.seconds * UINT64_C(1000);
        if (!blink_place(&b))
                r = blink_reads(&b);
        if (r < 0)
                return helper_fail("unreadable", b.d->name, NULL,
                                   "%s cannot be read (%s): the disk or its cable may be failing", b.d->name,
                                   strerror(-r));
        return helper_result(NULL);
}

int run_blink(const struct record *args)
{
        const char *seconds = record_str(args, "seconds");
        struct blink b = {.name = record_str(args, "disk"), .seconds = SECONDS};

        if (*seconds && (parse_uint(seconds, SECONDS_MAX, &b.seconds) < 0 || b.seconds == 0))
                return helper_usage("seconds", "seconds= takes a number from 1 to %d", SECONDS_MAX);
        return look_apart(blink, &b);
}

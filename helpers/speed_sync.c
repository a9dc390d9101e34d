#include "helpers/speed_sync.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"

#define LOCK_FILE "/run/nas-setup/speed.lock"  /* held by the test that has slowed */
#define STATE_FILE "/run/nas-setup/speed.sync" /* what to put back: neither outlives a restart, nor does what they are about */
#define SLOW "1000"                            /* KiB/s; the kernel's own least: below sync_speed_min it slows nothing */
#define LOCK_WAIT_MS 1000                      /* a guard of the test before may just be looking */

static int held = -1;

static char *attribute(const char *array, const char *name)
{
        _cleanup_free_ char *path = xasprintf("/sys/block/%s/md/%s", array, name), *full = helper_path(path);
        char *value = NULL;

        return read_line(full, &value) < 0 ? NULL : value;
}

static bool set_speed(const char *array, const char *value)
{
        _cleanup_free_ char *path = xasprintf("/sys/block/%s/md/sync_speed_max", array), *full = helper_path(path);
        _cleanup_close_ int fd = open(full, O_WRONLY | O_CLOEXEC);

        return fd >= 0 && write(fd, value, strlen(value)) == (ssize_t)strlen(value);
}

static bool is_syncing(const char *array)
{
        _cleanup_free_ char *action = attribute(array, "sync_action");

        return action && !streq(action, "idle") && !streq(action, "frozen");
}

/* "200000 (system)" is set back by the word, "5000 (local)" by the number. */
static char *speed_now(const char *array)
{
        _cleanup_free_ char *line = attribute(array, "sync_speed_max");

        return !line ? NULL : strstr(line, "(system)") ? xstrdup("system") : xstrndup(line, strcspn(line, " "));
}

/* --- putting back --- */

/* Only what is still as the test made it: since then somebody may have said otherwise. */
static void put_back(const struct record *r)
{
        const char *name = record_str(r, "name");
        _cleanup_free_ char *now = NULL;

        if (!streq(r->word, "sync") || strchr(name, '/') || *name == '.' || *name == '\0')
                return;
        now = speed_now(name);
        if (now && streq(now, SLOW))
                set_speed(name, record_str(r, "was"));
}

static void put_back_all(void)
{
        _cleanup_free_ char *path = helper_path(STATE_FILE);
        _cleanup_records_ struct records all = {0};
        struct record_error error;

        if (records_read(path, &all, &error) == 0)
                RECORDS_FOREACH(r, &all)
        put_back(r);
        unlink(path);
}

void sync_put_back(void)
{
        if (held < 0)
                return;
        put_back_all();
        closep(&held);
        held = -1;
}

void sync_recover(bool wait)
{
        _cleanup_free_ char *lock = helper_path(LOCK_FILE), *state = helper_path(STATE_FILE);

        if (!wait && access(state, F_OK) < 0)
                return;
        _cleanup_close_ int fd = open(lock, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
        if (fd >= 0 && flock(fd, LOCK_EX | (wait ? 0 : LOCK_NB)) == 0)
                put_back_all();
}

/* --- slowing --- */

static bool start_guard(const char *mount)
{
        _cleanup_free_ char *where = xasprintf("mount=%s", mount);
        char self[PATH_MAX];
        ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
        _cleanup_close_ int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

        if (n <= 0 || null < 0)
                return false;
        self[n] = '\0';
        return run_detached(STRV(self, "recover", "stay=yes", where), -1, null) == 0;
}

static bool take_lock(void)
{
        _cleanup_free_ char *lock = helper_path(LOCK_FILE);
        uint64_t until = now_ms() + LOCK_WAIT_MS;
        int r;

        while ((r = lock_take(lock, &held)) == -EWOULDBLOCK && now_ms() < until)
                usleep(10000);
        return r == 0;
}

/* What is to be put back is on file before anything is changed. */
static bool prepare(char *const *syncing, const char *mount)
{
        _cleanup_free_ char *path = helper_path(STATE_FILE);
        _cleanup_buf_ struct buf b = {0};

        if (!take_lock())
                return false;
        put_back_all();
        STRV_FOREACH(a, syncing) {
                _cleanup_record_ struct record *r = record_new("sync");
                _cleanup_free_ char *was = speed_now(*a), *line = NULL;
                record_set(r, "name", *a);
                record_set(r, "was", was);
                line = record_text(r);
                buf_printf(&b, "%s\n", line);
        }
        return (!b.buf || file_replace(path, b.buf, 0600) == 0) && start_guard(mount);
}

enum sync_state sync_slow(char *const *arrays, const char *mount)
{
        _cleanup_strv_ char **syncing = NULL;
        enum sync_state state = SYNC_SLOWED;

        STRV_FOREACH(a, arrays)
        if (is_syncing(*a))
                strv_add(&syncing, *a);
        if (!prepare(syncing, mount)) {
                sync_put_back();
                return syncing ? SYNC_RUNNING : SYNC_IDLE;
        }
        if (!syncing)
                return SYNC_IDLE;
        STRV_FOREACH(a, syncing) {
                _cleanup_free_ char *now = set_speed(*a, SLOW) ? speed_now(*a) : NULL;
                if (!now || !streq(now, SLOW))
                        state = SYNC_RUNNING;
        }
        return state;
}

/* The kernel's thread of that name is there as long as any has tables to fill. */
bool is_lazy_init(void)
{
        _cleanup_free_ char *proc = helper_path("/proc");
        DIR *d = opendir(proc);
        bool found = false;

        for (struct dirent *e; d && !found && (e = readdir(d));) {
                _cleanup_free_ char *path = xasprintf("%s/%s/comm", proc, e->d_name), *comm = NULL;
                found = isdigit((unsigned char)e->d_name[0]) && read_line(path, &comm) == 0 && streq(comm, "ext4lazyinit");
        }
        if (d)
                closedir(d);
        return found;
}

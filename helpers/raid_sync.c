#include "helpers/raid_sync.h"

#include <errno.h>

#include "helpers/lib/helper.h"

#define FAST "1000000" /* KiB/s: more than a disk gives */

static char *path_of(const struct md *md, const char *name)
{
        _cleanup_free_ char *path = xasprintf("/sys/block/%s/md/%s", md->kernel, name);

        return helper_path(path);
}

static bool reads(const struct md *md, const char *name, const char *value)
{
        _cleanup_free_ char *path = path_of(md, name), *is = NULL;

        return read_line(path, &is) == 0 && streq(is, value);
}

static int put(const struct md *md, const char *name, const char *value)
{
        _cleanup_free_ char *path = path_of(md, name), *what = xasprintf("%s > %s", value, path);

        if (helper_would(what))
                return 0;
        _cleanup_fclose_ FILE *f = fopen(path, "we");
        if (!f)
                return -errno;
        return fprintf(f, "%s\n", value) < 0 || fflush(f) != 0 ? -errno : 0;
}

int sync_repair(const struct md *md)
{
        if (reads(md, "sync_action", "repair"))
                return 0;
        if (!md->level || strv_has(STRV("raid0", "linear"), md->level))
                return helper_refuse("level", md->path, "%s has nothing to compare", md->path);
        if (md->degraded > 0)
                return helper_refuse("degraded", md->path, "a disk of %s is missing: replace it first", md->path);
        if (!strv_has(STRV("idle", "check"), md_sync(md)))
                return helper_refuse("syncing", md->path, "%s is just synchronising: wait until that is over", md->path);
        int r = streq(md_sync(md), "check") ? put(md, "sync_action", "idle") : 0;
        if (r == 0)
                r = put(md, "sync_action", "repair");
        return r < 0 ? helper_fail("repair-failed", md->path, NULL, "the repair of %s did not begin: %s", md->path, strerror(-r)) : 0;
}

/* sync_min is where one that was stopped would go on. */
bool sync_is_repaired(const struct md *md)
{
        return streq(md_sync(md), "idle") && reads(md, "last_sync_action", "repair") && reads(md, "sync_min", "0");
}

int sync_pace(const struct md *md, bool fast)
{
        static const char *const names[] = {"sync_speed_max", "sync_speed_min"};

        for (size_t i = 0; i < ELEMENTSOF(names); i++) {
                _cleanup_free_ char *path = path_of(md, names[i]), *is = NULL;
                bool as_wanted = read_line(path, &is) == 0 && (fast ? has_prefix(is, FAST " (local") : strstr(is, "(system)") != NULL);
                int r = as_wanted ? 0 : put(md, names[i], fast ? FAST : "system");
                if (r < 0)
                        return helper_fail("pace-failed", md->path, NULL, "the speed of %s could not be set: %s", md->path,
                                           strerror(-r));
        }
        return 0;
}

int sync_wake(const struct md *md)
{
        _cleanup_free_ char *node = xasprintf("/dev/%s", md->kernel), *raw = NULL;

        if (!streq(md->array_state, "read-auto") || streq(md_sync(md), "idle"))
                return 0;
        if (helper_exec(STRV("mdadm", "--readwrite", node), &raw) < 0)
                return helper_fail("not-running", md->path, raw, "the array %s cannot be made writable", md->path);
        return 0;
}

char *boot_id(void)
{
        _cleanup_free_ char *path = helper_path("/proc/sys/kernel/random/boot_id");
        char *id = NULL;

        return read_line(path, &id) < 0 ? xstrdup("") : id;
}

#include "helpers/raid_grow.h"

#include <errno.h>

#include "helpers/lib/helper.h"
#include "helpers/raid_conf.h"
#include "helpers/raid_join.h"
#include "helpers/raid_sync.h"
#include "helpers/raid_task.h"

/* --- what is, and what of it is wanted --- */

static int look(const char *uuid, struct mds *mds, const struct md **ret)
{
        md_free_all(mds);
        int r = md_list(mds);

        if (r < 0)
                return helper_fail("no-sysfs", "/sys/block", NULL, "/sys/block: %s", strerror(-r));
        const struct md *md = md_find(mds, uuid);
        if (!md || streq(md->array_state, "inactive"))
                return helper_refuse("no-array", uuid, "the array %s does not run: are all its disks connected?", uuid);
        *ret = md;
        return 0;
}

static bool has_shape(const struct md *md, const struct grow *w)
{
        return (!w->level || streq_null(md->level, w->level)) && (!w->devices || md->devices == w->devices);
}

/* Every disk of add= is in it. */
static bool has_members(const struct md *md, const struct grow *w)
{
        STRV_FOREACH(guid, w->add) {
                _cleanup_free_ char *node = join_node(*guid);
                if (!node || !strv_has(md->members, node + strlen("/dev/")))
                        return false;
        }
        return true;
}

/* Half of a mirror's way to RAID 5: two places, as a RAID 5 of two. */
static bool is_as(const struct growth *g, const struct md *md, const struct grow *w)
{
        unsigned devices = w->devices ? w->devices : md->devices;

        if (w->is_max)
                return streq(g->as, "size");
        if (streq(g->as, "size") || (w->level && !streq(g->level, w->level)) || (!w->level && !streq(g->level, md->level)))
                return false;
        return devices == md->devices ? streq(g->as, "spare") : !streq(g->as, "spare") && devices >= g->devices;
}

/* *ret_same: nothing is left to do. */
static int find_growth(const struct md *md, const struct places *p, const struct grow *w, struct growth *ret, bool *ret_same)
{
        struct growth v[GROWTHS_MAX];
        size_t n = growths(md, p, v), i = 0;

        while (i < n && !is_as(&v[i], md, w))
                i++;
        if (i == n)
                return helper_refuse("level", md->path, "a %s of %u cannot become a %s of %u; nothing was changed",
                                     md->level ? md->level : "array", md->devices, w->level ? w->level : md->level,
                                     w->devices ? w->devices : md->devices);
        *ret_same = v[i].refused && streq(v[i].refused, "same");
        if (v[i].refused && !*ret_same)
                return helper_refuse(v[i].refused, md->path, "%s cannot be changed so: %s; nothing was changed", md->path,
                                     growth_why(v[i].refused));
        *ret = v[i];
        return 0;
}

/* --- doing it --- */

static int fail(const struct md *md, const char *raw)
{
        return helper_fail("grow-failed", md->path, raw,
                           "the shape of %s could not be changed; nothing in it was lost, and the details are in the log", md->path);
}

static int mdadm_grow(const struct md *md, const char *what)
{
        _cleanup_free_ char *node = xasprintf("/dev/%s", md->kernel), *raw = NULL;

        return join_mdadm(STRV("mdadm", "--grow", node, (char *)what), &raw) < 0 ? fail(md, raw) : 0;
}

static int set_level(const struct md *md, const char *level)
{
        _cleanup_free_ char *what = xasprintf("--level=%s", level);

        return level && !streq(md->level, level) ? mdadm_grow(md, what) : 0;
}

static int set_devices(const struct md *md, unsigned devices)
{
        _cleanup_free_ char *what = xasprintf("--raid-devices=%u", devices);

        return devices && md->devices != devices ? mdadm_grow(md, what) : 0;
}

/* A reshape of parity needs room in the stripe cache for two of its steps. */
static int set_cache(const char *uuid)
{
        _cleanup_mds_ struct mds mds = {0};
        const struct md *md = NULL;
        int r = look(uuid, &mds, &md);

        if (r || !strv_has(STRV("raid4", "raid5", "raid6"), md->level) || helper_is_dry_run())
                return r;
        r = cache_ensure(md);
        return r < 0 ? helper_fail("cache-failed", md->path, NULL, "the stripe cache of %s could not be set: %s", md->path,
                                   strerror(-r))
                     : 0;
}

static int note(const struct grow *w)
{
        _cleanup_record_ struct record *task = record_new("task");

        record_set(task, "array", w->uuid);
        record_set(task, "what", w->is_max ? "size" : "grow");
        int r = task_save(task);
        return r < 0 ? helper_fail("write-failed", "tasks", NULL, "what was asked for could not be kept: %s", strerror(-r)) : 0;
}

/* More than copies and spares: its files get more room. */
static bool gets_larger(const struct md *md, const struct grow *w)
{
        const char *level = w->level ? w->level : md->level;

        return w->is_max || (!has_shape(md, w) && !streq(level, "raid1"));
}

/* Each step leaves an array that runs, whole, and from which the next can be taken. The note before the first: so that the
 * file system grows also where nobody ever asks again. */
static int change(const struct md *md, const struct grow *w)
{
        int r = gets_larger(md, w) ? note(w) : 0;

        if (r == 0 && w->is_max)
                return mdadm_grow(md, "--size=max");
        if (r == 0)
                r = set_level(md, w->level);
        if (r == 0)
                r = set_cache(w->uuid);
        if (r == 0)
                r = join(md, w->add);
        return r ? r : set_devices(md, w->devices);
}

static int check_free(const struct grow *w, const struct md *md, const struct places *p)
{
        size_t have = 0, given = 0;

        for (size_t i = 0; i < p->n; i++)
                have += streq(p->v[i].state, "spare");
        STRV_FOREACH(guid, w->add)
                given += !place_find(p, *guid);
        unsigned devices = w->devices ? w->devices : md->devices;
        if (w->is_max || devices <= md->devices || md->devices + have + given >= devices)
                return 0;
        return helper_refuse("no-member", md->path, "%u places need %u new disks, and add= has %zu; nothing was changed", devices,
                             devices - md->devices, have + given);
}

static int check_done(const struct grow *w)
{
        _cleanup_mds_ struct mds mds = {0};
        _cleanup_record_ struct record *more = record_new("result");
        const struct md *md = NULL;
        int r = helper_is_dry_run() ? 0 : look(w->uuid, &mds, &md);

        if (r || !md)
                return r ? r : helper_result(NULL);
        if (!has_shape(md, w) || !has_members(md, w))
                return helper_fail("grow-failed", md->path, NULL, "%s did not take its new shape; nothing in it was lost", md->path);
        record_set(more, "path", md->path);
        record_set_u64(more, "size", md->size);
        record_set(more, "sync", md_sync(md));
        return helper_result(more);
}

int array_grow(const struct grow *w)
{
        _cleanup_mds_ struct mds mds = {0};
        _cleanup_places_ struct places p = {0};
        const struct md *md = NULL;
        struct growth g = {0};
        bool is_same = false;
        int r = look(w->uuid, &mds, &md);

        if (r)
                return r;
        if (!w->is_max && has_shape(md, w) && has_members(md, w)) {
                r = sync_wake(md); /* in the middle of it: it goes on with the first write, and this is one */
                return r ? r : check_done(w);
        }
        places_read(md, &p);
        r = find_growth(md, &p, w, &g, &is_same);
        if (r || is_same)
                return r ? r : check_done(w);
        r = join_check(md, w->add, g.needs, g.sector);
        if (r == 0)
                r = check_free(w, md, &p);
        if (r == 0)
                r = change(md, w);
        return r ? r : check_done(w);
}

#include "helpers/raid_create.h"

#include <errno.h>
#include <unistd.h>

#include "helpers/lib/helper.h"
#include "helpers/raid_conf.h"
#include "helpers/raid_partition.h"
#include "helpers/raid_run.h"

static const struct level levels[] = {
        {.name = "raid0", .min = 2, .has_chunk = true},
        {.name = "raid1", .min = 1, .has_redundancy = true},
        {.name = "raid5", .min = 3, .has_chunk = true, .has_redundancy = true},
        {.name = "raid6", .min = 4, .has_chunk = true, .has_redundancy = true},
        {.name = "raid10", .min = 2, .has_chunk = true, .has_redundancy = true, .layout = "n2"},
};

const struct level *level_find(const char *name)
{
        for (size_t i = 0; i < ELEMENTSOF(levels); i++)
                if (streq(levels[i].name, name))
                        return &levels[i];
        return NULL;
}

char *level_names(void)
{
        _cleanup_strv_ char **names = NULL;

        for (size_t i = 0; i < ELEMENTSOF(levels); i++)
                strv_add(&names, levels[i].name);
        return strv_join(names, ", ");
}

static unsigned places(const struct wanted *w)
{
        return (unsigned)strv_len(w->guids) - w->spares;
}

/* --- what stands in the way --- */

static int cannot_find(const struct wanted *w, const char *guid, int r)
{
        if (r == -ENOTUNIQ)
                return helper_refuse("ambiguous", guid,
                                     "two partitions have the identity %s; one of the two disks is a copy of the "
                                     "other: unplug the one that is not meant, and try again",
                                     guid);
        return helper_refuse("no-member", guid,
                             "a disk of the array %s is not there (its partition %s is missing): look at its cables "
                             "and power, and try again",
                             w->name, guid);
}

/* Only partitions with nothing on them, or with this very array's superblock, are written to. */
static int check_members(const struct wanted *w, const struct members *m)
{
        for (size_t i = 0; i < m->n; i++) {
                const struct member *v = &m->v[i];
                if (v->uuid && !uuid_equal(v->uuid, w->uuid))
                        return helper_refuse("not-blank", v->node,
                                             "%s belongs to another array (%s); nothing was changed", v->node,
                                             v->uuid);
                if (!v->is_blank && !v->uuid)
                        return helper_refuse("not-blank", v->node, "there is something on %s (%s); nothing was changed",
                                             v->node, v->found ? v->found : "not zeros");
        }
        return 0;
}

/* Before it is made: nothing lies beside our own fresh superblocks. */
static int check_beside(const struct members *m)
{
        for (size_t i = 0; i < m->n; i++)
                if (m->v[i].found)
                        return helper_refuse("not-blank", m->v[i].node,
                                             "there is something else on %s (%s); nothing was changed", m->v[i].node,
                                             m->v[i].found);
        return 0;
}

static size_t count_ours(const struct members *m, uint64_t *ret_events)
{
        size_t n = 0;

        *ret_events = 0;
        for (size_t i = 0; i < m->n; i++)
                if (m->v[i].uuid) {
                        n++;
                        *ret_events = MAX2(*ret_events, m->v[i].events);
                }
        return n;
}

static char *without_superblock(const struct members *m)
{
        _cleanup_strv_ char **nodes = NULL;

        for (size_t i = 0; i < m->n; i++)
                if (!m->v[i].uuid)
                        strv_add(&nodes, m->v[i].node);
        return strv_join(nodes, ", ");
}

/* --- making it --- */

static char **create_argv(const struct wanted *w, char *const *nodes)
{
        char **argv = strv_copy(STRV("mdadm", "--create"));

        strv_take(&argv, xasprintf("/dev/md/%s", w->name));
        /* --run: it asks nothing. The home host "any" keeps the name right after the computer is renamed. */
        strv_add(&argv, "--run");
        strv_add(&argv, "--metadata=1.2");
        strv_add(&argv, "--homehost=any");
        strv_take(&argv, xasprintf("--name=%s", w->name));
        strv_take(&argv, xasprintf("--uuid=%s", w->uuid));
        /* raid5 without it is built as if a disk had failed, and does not start again after a power cut in its first
         * sync; a mirror of one disk is refused without it. It counts only before --raid-devices. */
        if (streq(w->level->name, "raid5") || places(w) == 1)
                strv_add(&argv, "--force");
        strv_take(&argv, xasprintf("--level=%s", w->level->name));
        strv_take(&argv, xasprintf("--raid-devices=%u", places(w)));
        if (w->spares)
                strv_take(&argv, xasprintf("--spare-devices=%u", w->spares));
        if (w->level->has_chunk)
                strv_take(&argv, xasprintf("--chunk=%llu", (unsigned long long)(w->chunk / KIB)));
        if (w->level->layout)
                strv_take(&argv, xasprintf("--layout=%s", w->level->layout));
        if (w->level->has_redundancy)
                strv_add(&argv, w->bitmap ? "--bitmap=internal" : "--bitmap=none");
        strv_take(&argv, xasprintf("--data-offset=%llu", (unsigned long long)(w->offset / KIB)));
        STRV_FOREACH(node, nodes)
                strv_add(&argv, *node);
        return argv;
}

/* Whoever was killed may have left a mdadm behind that is just finishing. */
static int clear_patiently(const struct wanted *w, const struct members *m, const char **ret_node)
{
        for (unsigned i = 1;; i++) {
                int r = array_stop_partial(w->uuid);
                if (r == 0)
                        r = members_clear(m, w->offset, ret_node);
                if (r != -EBUSY || i == ARRAY_TRIES || is_array_running(w->uuid))
                        return r;
                array_nap(i);
        }
}

/* An enum helper_status, told, or -ESTALE: they changed since they were looked at. */
static int clear(const struct wanted *w, const struct members *m)
{
        const char *node = "a disk";
        int r = clear_patiently(w, m, &node);

        if (r == 0 || is_array_running(w->uuid))
                return 0;
        if (r == -ENOSPC)
                return helper_refuse("too-small", node, "%s is too small for an array", node);
        if (r == -EBUSY)
                return helper_refuse("in-use", node, "%s is in use by something else; nothing was changed", node);
        if (r == -ESTALE)
                return r;
        return helper_fail("write-failed", node, NULL, "writing to %s failed: %s; the disk may be defective", node,
                           strerror(-r));
}

/* mdadm names the disk that it could not write to. */
static int fail_create(const struct wanted *w, char *const *nodes, const char *raw)
{
        STRV_FOREACH(node, nodes)
                if (raw && strstr(raw, *node))
                        return helper_fail("create-failed", *node, raw,
                                           "the array %s could not be made on %s; the disk may be defective", w->name,
                                           *node);
        return helper_fail("create-failed", w->name, raw, "the array %s could not be made; the details are in the log",
                           w->name);
}

static int create(const struct wanted *w, const struct members *m)
{
        _cleanup_strv_ char **nodes = members_nodes(m), **argv = create_argv(w, nodes);
        _cleanup_free_ char *raw = NULL;
        int r = check_beside(m);

        if (r == 0)
                r = clear(w, m);
        if (r || is_array_running(w->uuid))
                return r;
        return array_run_mdadm(w->uuid, argv, &raw) < 0 ? fail_create(w, nodes, raw) : 0;
}

static int assemble(const struct wanted *w, const struct members *m)
{
        _cleanup_strv_ char **nodes = members_nodes(m), **argv = strv_copy(STRV("mdadm", "--assemble"));
        _cleanup_free_ char *raw = NULL;

        strv_take(&argv, xasprintf("/dev/md/%s", w->name));
        strv_take(&argv, xasprintf("--uuid=%s", w->uuid));
        STRV_FOREACH(node, nodes)
                strv_add(&argv, *node);
        if (array_run_mdadm(w->uuid, argv, &raw) < 0)
                return helper_fail("assemble-failed", w->name, raw,
                                   "the array %s is on these disks but does not start; nothing on them was erased, and "
                                   "the details are in the log",
                                   w->name);
        return 0;
}

/* It was made and ran: so files may be in it, whatever has become of its superblocks since. */
static bool was_made(const struct wanted *w)
{
        _cleanup_free_ char *conf = conf_text();

        return is_conf_ours(conf, w->uuid);
}

/* None of them carries the array and none ever did, or mdadm was stopped before anything could be stored in it: make it.
 * Otherwise it may hold data, and is only ever started. */
static int make(const struct wanted *w, const struct members *m)
{
        uint64_t events;
        size_t ours = count_ours(m, &events);
        _cleanup_free_ char *blank = without_superblock(m);
        bool may_be_fresh = ours > 0 && events == EVENTS_FRESH;
        int unused = may_be_fresh ? members_unused(m, w->offset) : 0;

        if (unused < 0)
                return helper_refuse("unreadable", w->name, "what is on the disks could not be read: %s", strerror(-unused));
        if ((ours == 0 && !was_made(w)) || unused)
                return create(w, m);
        if (ours < m->n)
                return helper_refuse("half-there", w->name,
                                     "the array %s was made already, but nothing of it is on %s: has a disk been "
                                     "exchanged or erased? Nothing was changed",
                                     w->name, blank);
        return assemble(w, m);
}

/* The partitions of the plan that are no members now; by name, or else by GUID. */
static char *absent(const struct wanted *w, const struct md *md)
{
        _cleanup_partitions_ struct partitions all = {0};
        _cleanup_strv_ char **names = NULL;

        partitions_list(&all);
        STRV_FOREACH(guid, w->guids) {
                struct partition *p = NULL;
                if (partitions_find(&all, *guid, &p) < 0)
                        strv_add(&names, *guid);
                else if (!strv_has(md->members, p->node + strlen("/dev/")))
                        strv_add(&names, p->node);
        }
        return strv_join(names, ", ");
}

static int fail_degraded(const struct wanted *w, const struct md *md)
{
        _cleanup_free_ char *names = absent(w, md);

        return helper_fail("degraded", *names ? names : w->name, NULL,
                           "%u of the %u disks of the array %s do not take part (%s): look at their cables and power, "
                           "restart the computer and try again",
                           md->missing, md->devices, w->name, names);
}

int array_check(const struct wanted *w, const struct md *md)
{
        if (!is_md_usable(md))
                return helper_fail("not-running", w->name, NULL, "the array %s does not run (%s)", w->name,
                                   md->array_state);
        if (!md->level || !streq(md->level, w->level->name) || md->devices != places(w))
                return helper_refuse("other-array", w->name,
                                     "the array %s is there already, but as %s of %u disks; nothing was changed",
                                     w->name, md->level ? md->level : "unknown", md->devices);
        if (md->missing > 0)
                return fail_degraded(w, md);
        return 0;
}

static int look(const struct wanted *w, struct mds *ret, bool *ret_runs)
{
        int r = md_list(ret);

        if (r < 0)
                return helper_fail("no-sysfs", "/sys/block", NULL, "/sys/block: %s", strerror(-r));
        const struct md *md = md_find(ret, w->uuid);
        *ret_runs = md && is_md_usable(md);
        return 0;
}

static int make_once(const struct wanted *w)
{
        _cleanup_members_ struct members m = {0};
        _cleanup_free_ char *raw = NULL;
        const char *guid = NULL, *node = NULL;
        int r = members_find(w->guids, &m, &guid);

        if (r < 0)
                return cannot_find(w, guid, r);
        r = members_examine(&m, &node, &raw);
        if (r < 0)
                return helper_refuse("unreadable", node, "what is on %s could not be read (%s); the disk may be defective", node,
                                     raw);
        r = check_members(w, &m);
        return r ? r : make(w, &m);
}

/* What somebody writes while it is looked at, such as a mdadm that outlived whoever started it, is looked at again. */
static int make_from_members(const struct wanted *w)
{
        for (unsigned i = 1; i <= ARRAY_TRIES && !is_array_running(w->uuid); i++) {
                int r = make_once(w);
                if (r != -ESTALE)
                        return r;
                array_nap(i);
        }
        if (is_array_running(w->uuid))
                return 0;
        return helper_refuse("changed-contents", w->name,
                             "what is on the disks of %s changes all the time; nothing was changed, try again", w->name);
}

int array_run(const struct wanted *w, struct mds *ret)
{
        _cleanup_mds_ struct mds mds = {0};
        bool runs = false;
        int r = look(w, &mds, &runs);

        if (r == 0 && !runs) {
                if (helper_has_root())
                        return helper_refuse("no-devices", w->name, "under --root an array is neither made nor started");
                r = make_from_members(w);
                if (r == 0 && helper_is_dry_run())
                        return 0;
                md_free_all(&mds);
                if (r == 0)
                        r = look(w, &mds, &runs);
        }
        if (r)
                return r;
        if (!runs)
                return helper_fail("not-running", w->name, NULL, "the array %s was made but does not run", w->name);
        *ret = mds;
        mds = (struct mds){0};
        return 0;
}

#include "helpers/raid_replace.h"

#include <errno.h>
#include <unistd.h>

#include "helpers/lib/helper.h"
#include "helpers/raid_join.h"
#include "helpers/raid_member.h"
#include "helpers/raid_run.h"
#include "helpers/raid_sync.h"

static int look(const char *uuid, struct mds *mds, const struct md **ret)
{
        md_free_all(mds);
        int r = md_list(mds);

        if (r < 0)
                return helper_fail("no-sysfs", "/sys/block", NULL, "/sys/block: %s", strerror(-r));
        const struct md *md = md_find(mds, uuid);
        if (!md || !is_md_usable(md))
                return helper_refuse("no-array", uuid, "the array %s does not run: are all its disks connected?", uuid);
        *ret = md;
        return 0;
}

static int manage(const struct md *md, const char *const *words, const char *code, const char *text)
{
        _cleanup_free_ char *node = xasprintf("/dev/%s", md->kernel), *raw = NULL;
        _cleanup_strv_ char **argv = strv_copy(STRV("mdadm", "--manage", node));

        for (; *words; words++)
                strv_add(&argv, *words);
        return join_mdadm(argv, &raw) < 0 ? helper_fail(code, md->path, raw, "%s; the details are in the log", text) : 0;
}
#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* --- taking out --- */

/* Nothing on it says any more that it is of this array, so that it never comes back by itself. A disk that failed may not let
 * itself be written to: then the kernel still knows it for an old one by its events. */
static void clear(const struct md *md, const char *guid)
{
        _cleanup_members_ struct members m = {0};
        _cleanup_free_ char *raw = NULL;
        const char *which = NULL, *node = NULL;

        if (!is_uuid(guid) || helper_is_dry_run() || members_find(STRV((char *)guid), &m, &which) < 0 ||
            members_examine(&m, &node, &raw) < 0 || !m.v[0].uuid || !uuid_equal(m.v[0].uuid, md->uuid) ||
            strv_has(md->members, m.v[0].node + strlen("/dev/")))
                return;
        _cleanup_free_ char *path = xstrdup(m.v[0].node), *said = NULL;
        members_free(&m); /* mdadm wants it for itself */
        helper_exec(STRV("mdadm", "--zero-superblock", path), &said);
}

static int take_out(const struct md *md, const struct place *v)
{
        _cleanup_free_ char *node = xasprintf("/dev/%s", v->name);
        const char *what = access(node, F_OK) == 0 ? node : "detached";
        int r = manage(md, WORDS("--remove", what), "remove-failed", "the disk could not be taken out of the array");

        if (r == 0 && v->guid)
                clear(md, v->guid);
        return r;
}

static int remove_detached(const struct md *md)
{
        return md->faulty ? manage(md, WORDS("--remove", "detached"), "remove-failed", "what is gone could not be taken out") : 0;
}

int array_remove(const char *uuid, const char *member)
{
        _cleanup_mds_ struct mds mds = {0};
        _cleanup_places_ struct places p = {0};
        const struct md *md = NULL;
        int r = look(uuid, &mds, &md);

        if (r)
                return r;
        if (streq(member, "detached"))
                return remove_detached(md);
        places_read(md, &p);
        const struct place *v = place_find(&p, member);
        if (!v) {
                clear(md, member);
                return 0;
        }
        if (streq(v->state, "faulty") || (streq(v->state, "spare") && md->degraded == 0))
                return take_out(md, v);
        return helper_refuse("in-use", v->name,
                             "%s holds data of %s: only what failed and spares can be taken out; replace it instead", v->name,
                             md->path);
}

/* --- replacing --- */

/* Which one goes: NULL for a place that nothing fills. *ret_copied: it is still read. */
static int choose_old(const struct md *md, const struct places *p, const char *old, const struct place **ret, bool *ret_copied)
{
        const struct place *v = old ? place_find(p, old) : NULL, *faulty = NULL, *missing = NULL;

        for (size_t i = 0; i < p->n; i++) {
                if (streq(p->v[i].state, "faulty"))
                        faulty = &p->v[i];
                if (streq(p->v[i].state, "missing"))
                        missing = &p->v[i];
        }
        if (!v)
                v = faulty;
        if (!v && !missing)
                return helper_refuse("no-place", md->path, "no disk of %s failed or is missing: say which one to replace", md->path);
        if (v && strv_has(STRV("spare", "filling"), v->state))
                return helper_refuse("no-place", v->name, "%s holds no data of %s: take it out instead", v->name, md->path);
        *ret = v;
        *ret_copied = v && strv_has(STRV("active", "replaced"), v->state);
        return 0;
}

static int check_moment(const struct md *md, bool is_copied)
{
        if (!is_copied)
                return 0; /* what is missing is filled as soon as that can be */
        if (md->degraded > 0)
                return helper_refuse("degraded", md->path, "another disk of %s is missing: replace that first", md->path);
        if (md->is_reshaping)
                return helper_refuse("reshaping", md->path, "the shape of %s is just being changed: wait until that is over", md->path);
        if (!streq(md_sync(md), "idle"))
                return helper_refuse("syncing", md->path, "%s is just synchronising: wait until that is over", md->path);
        return 0;
}

static int begin_copy(const struct md *md, const char *old, const char *guid)
{
        _cleanup_free_ char *new = join_node(guid), *from = xasprintf("/dev/%s", old);

        if (!new)
                return helper_fail("no-member", guid, NULL, "the new disk is gone");
        return manage(md, WORDS("--replace", from, "--with", new), "replace-failed", "the copy to the new disk did not begin");
}

static int keep(const char *uuid, const struct place *old, const char *new, bool is_copied)
{
        _cleanup_record_ struct record *task = record_new("task");

        record_set(task, "array", uuid);
        record_set(task, "what", "replace");
        record_set(task, "old", old ? old->guid : NULL);
        record_set(task, "new", new);
        record_set(task, "copied", is_copied ? "yes" : NULL);
        int r = task_save(task);
        return r < 0 ? helper_fail("write-failed", "tasks", NULL, "what was asked for could not be kept: %s", strerror(-r)) : 0;
}

/* The kernel gives a spare its place a moment after it was added. */
static int check_begun(const char *uuid, const char *new)
{
        for (unsigned i = 1; !helper_is_dry_run(); i++) {
                _cleanup_mds_ struct mds mds = {0};
                _cleanup_places_ struct places p = {0};
                const struct md *md = NULL;
                int r = look(uuid, &mds, &md);
                if (r)
                        return r;
                places_read(md, &p);
                const struct place *v = place_find(&p, new);
                if (v && strv_has(STRV("filling", "active"), v->state))
                        return 0;
                if (v && md->is_reshaping)
                        return 0; /* after that */
                if (i == 2 * ARRAY_TRIES)
                        return helper_fail("replace-failed", md->path, NULL, "the new disk does not take its place in %s", md->path);
                array_nap(i);
        }
        return 0;
}

static int begin(const struct md *md, const struct places *p, const char *old, const char *new)
{
        const struct place *from = NULL;
        bool is_copied = false;
        int r = choose_old(md, p, old, &from, &is_copied);

        if (r == 0 && streq_null(md->level, "raid0"))
                r = helper_refuse("level", md->path, "a disk of a RAID 0 cannot be replaced");
        if (r == 0)
                r = check_moment(md, is_copied);
        if (r == 0)
                r = join_check(md, STRV((char *)new), growth_needs(md, p), growth_sector(md));
        if (r == 0)
                r = keep(md->uuid, from, new, is_copied);
        if (r == 0)
                r = join(md, STRV((char *)new));
        if (r == 0 && is_copied)
                r = begin_copy(md, from->name, new);
        return r ? r : check_begun(md->uuid, new);
}

int array_replace(const char *uuid, const char *old, const char *new)
{
        _cleanup_mds_ struct mds mds = {0};
        _cleanup_places_ struct places p = {0};
        _cleanup_records_ struct records tasks = {0};
        const struct md *md = NULL;
        bool done = false;
        int r = look(uuid, &mds, &md);

        if (r)
                return r;
        places_read(md, &p);
        tasks_read(&tasks);
        const struct record *task = task_of(&tasks, md->uuid);
        const struct place *in = place_find(&p, new);
        if (task && record_is(task, "what", "replace") && record_is(task, "new", new))
                return replace_go_on(task, md, &p, &done);
        if (in && !streq(in->state, "spare") && (!old || !place_find(&p, old)))
                return 0; /* that was done, and all that came after it */
        if (task)
                return helper_refuse("busy", md->path, "%s is just being changed otherwise: wait until that is over", md->path);
        return begin(md, &p, old, new);
}

/* --- what comes after --- */

static int go_on_copy(const struct record *task, const struct md *md, const struct places *p)
{
        const struct place *old = place_find(p, record_str(task, "old")), *new = place_find(p, record_str(task, "new"));
        int r = new ? 0 : join(md, STRV((char *)record_str(task, "new")));

        if (r || (new && !streq(new->state, "spare")))
                return r ? r : sync_wake(md);
        return old && streq(old->state, "active") ? begin_copy(md, old->name, record_str(task, "new")) : 0;
}

static int save(const struct record *task, const char *key, const char *value)
{
        _cleanup_record_ struct record *now = record_copy(task);

        record_set(now, key, value);
        int r = task_save(now);
        return r < 0 ? helper_fail("write-failed", "tasks", NULL, "what was asked for could not be kept: %s", strerror(-r)) : 0;
}

/* A copy that a power cut interrupted may have left zeros for parity on the new disk (seen on 6.1 and 6.12), and nothing tells
 * whether one did. */
static int go_on_repair(const struct record *task, const struct md *md, bool *ret_repaired)
{
        _cleanup_free_ char *boot = boot_id();

        *ret_repaired = record_is(task, "repair", boot) && sync_is_repaired(md);
        if (*ret_repaired)
                return save(task, "repaired", "yes");
        if (!streq(md_sync(md), "idle") || md->degraded > 0)
                return sync_wake(md); /* later */
        int r = sync_repair(md);
        return r ? r : save(task, "repair", boot);
}

static int finish(const struct record *task, const struct md *md, const struct places *p)
{
        const struct place *old = place_find(p, record_str(task, "old"));
        int r = old && streq(old->state, "faulty") ? take_out(md, old) : 0;

        if (r == 0 && !old && *record_str(task, "old"))
                clear(md, record_str(task, "old"));
        if (r == 0 && task_remove(md->uuid) < 0)
                r = helper_fail("write-failed", "tasks", NULL, "what was done could not be noted");
        return r;
}

int replace_go_on(const struct record *task, const struct md *md, const struct places *p, bool *ret_done)
{
        const char *step = task_step(task, md, p);
        bool repaired = false;
        int r = 0;

        *ret_done = false;
        if (step && strv_has(STRV("copy", "rebuild"), step))
                return go_on_copy(task, md, p);
        if (step && streq(step, "repair")) {
                r = go_on_repair(task, md, &repaired);
                if (r || !repaired)
                        return r;
        }
        r = finish(task, md, p);
        *ret_done = r == 0;
        return r;
}

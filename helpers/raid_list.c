#include "helpers/raid_list.h"

#include <errno.h>

#include "helpers/lib/helper.h"
#include "helpers/lib/mounts.h"
#include "helpers/raid_conf.h"
#include "helpers/raid_growth.h"
#include "helpers/raid_task.h"

struct known {
        char *conf; /* mdadm.conf */
        struct records tasks, disks;
};

static void known_done(struct known *k)
{
        free(k->conf);
        records_free(&k->tasks);
        records_free(&k->disks);
}

static char *mounted_at(const struct md *md)
{
        _cleanup_free_ char *node = xasprintf("/dev/%s", md->kernel);

        return mount_of(node, md->devno);
}

static const char *state_of(const struct md *md)
{
        if (is_md_usable(md))
                return "active";
        return streq(md->array_state, "readonly") ? "readonly" : "inactive";
}

static uint64_t position_of(const struct md *md)
{
        _cleanup_free_ char *path = xasprintf("/sys/block/%s/md/reshape_position", md->kernel), *full = helper_path(path);
        uint64_t sectors = 0;

        return read_u64(full, &sectors) < 0 ? 0 : sectors * 512;
}

static void set_sync(const struct md *md, struct record *r)
{
        record_set(r, "auto", streq(md->array_state, "read-auto") ? "yes" : NULL);
        record_set(r, "sync", md_sync(md));
        if (md->total) {
                record_set_u64(r, "done", md->done);
                record_set_u64(r, "total", md->total);
                record_set_u64(r, "speed", md->speed);
        }
        if (md->is_reshaping) {
                record_set(r, "reshape", "yes");
                record_set_u64(r, "position", position_of(md));
        }
}

static void set_start(const struct md *md, struct record *r)
{
        _cleanup_supers_ struct supers s = {0};
        unsigned lacks = 0;

        if (!streq(state_of(md), "inactive"))
                return;
        supers_read(md->members, &s);
        if (s.n == 0)
                return; /* metadata that only mdadm reads */
        enum start start = start_of(&s, &lacks);
        record_set(r, "start", start_name(start));
        if (start == START_NO)
                record_set_u64(r, "lacks", lacks);
}

static void print_array(const struct md *md, const char *conf)
{
        _cleanup_record_ struct record *r = record_new("array");
        _cleanup_free_ char *mounted = mounted_at(md);

        record_set(r, "name", md->name);
        record_set(r, "host", md->host);
        record_set(r, "uuid", md->uuid);
        record_set(r, "path", md->path);
        record_set(r, "level", md->level);
        record_set_u64(r, "devices", md->devices);
        record_set_u64(r, "size", md->size);
        if (md->chunk)
                record_set_u64(r, "chunk", md->chunk);
        record_set(r, "state", state_of(md));
        set_sync(md, r);
        record_set_u64(r, "degraded", md->degraded);
        if (md->missing)
                record_set_u64(r, "missing", md->missing);
        record_set_list(r, "members", md->members);
        if (md->spares)
                record_set_list(r, "spares", md->spares);
        if (md->faulty)
                record_set_list(r, "faulty", md->faulty);
        record_set(r, "mounted", mounted);
        record_set(r, "ours", md->uuid && is_conf_ours(conf, md->uuid) ? "yes" : NULL);
        set_start(md, r);
        record_print(r, stdout);
}

static void print_member(const struct md *md, const struct place *v, const struct records *disks)
{
        _cleanup_record_ struct record *r = record_new("member");
        const struct record *was = v->name ? NULL : disk_of_place(disks, md->uuid, v->number);

        record_set(r, "array", md->uuid);
        if (v->number != PLACE_NONE)
                record_set_u64(r, "place", v->number);
        record_set(r, "state", v->state);
        record_set(r, "name", v->name);
        record_set(r, "disk", v->disk);
        record_set(r, "partition", was ? record_get(was, "partition") : v->guid);
        if (v->size)
                record_set_u64(r, "size", v->size);
        record_set(r, "serial", was ? record_get(was, "serial") : v->serial);
        record_set(r, "model", was ? record_get(was, "model") : v->model);
        record_print(r, stdout);
}

static void print_growth(const struct md *md, const struct growth *g)
{
        _cleanup_record_ struct record *r = record_new("growth");

        record_set(r, "array", md->uuid);
        record_set(r, "as", g->as);
        record_set(r, "level", g->level);
        record_set_u64(r, "devices", g->devices);
        record_set_u64(r, "add", g->add);
        record_set_u64(r, "size", g->size);
        if (g->more)
                record_set_u64(r, "more", g->more);
        if (g->needs)
                record_set_u64(r, "needs", g->needs);
        if (g->sector)
                record_set_u64(r, "sector", g->sector);
        record_set(r, "refused", g->refused);
        record_print(r, stdout);
}

static void print_task(const struct md *md, const struct places *p, const struct record *task)
{
        _cleanup_record_ struct record *r = record_new("task");

        record_set(r, "array", md->uuid);
        record_set(r, "what", record_get(task, "what"));
        record_set(r, "step", task_step(task, md, p));
        record_set(r, "old", record_get(task, "old"));
        record_set(r, "new", record_get(task, "new"));
        record_print(r, stdout);
}

static void print_all(const struct md *md, const struct known *k)
{
        _cleanup_places_ struct places p = {0};
        struct growth v[GROWTHS_MAX];
        const struct record *task = task_of(&k->tasks, md->uuid);

        places_read(md, &p);
        print_array(md, k->conf);
        for (size_t i = 0; i < p.n; i++)
                print_member(md, &p.v[i], &k->disks);
        for (size_t i = 0, n = growths(md, &p, v); i < n; i++)
                print_growth(md, &v[i]);
        if (task)
                print_task(md, &p, task);
}

int raid_list(void)
{
        _cleanup_(known_done) struct known k = {.conf = conf_text()};
        _cleanup_mds_ struct mds mds = {0};
        int r = md_list(&mds);

        if (r < 0)
                return helper_fail("no-sysfs", "/sys/block", NULL, "/sys/block: %s", strerror(-r));
        tasks_read(&k.tasks);
        disks_read(&k.disks);
        for (size_t i = 0; i < mds.n; i++)
                print_all(&mds.v[i], &k);
        return helper_result(NULL);
}

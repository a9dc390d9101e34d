#include "helpers/raid_task.h"

#include "helpers/lib/helper.h"

#define TASKS "/var/lib/nas-setup/tasks"
#define DISKS "/var/lib/nas-setup/disks"

/* --- files of records --- */

/* One that cannot be understood is as good as none: nothing is lost by it. */
static void read_records(const char *path, struct records *ret)
{
        _cleanup_free_ char *full = helper_path(path);
        struct record_error e;

        if (records_read(full, ret, &e) < 0)
                *ret = (struct records){0};
}

static int write_records(const char *path, const struct records *rs)
{
        _cleanup_buf_ struct buf text = {0};

        RECORDS_FOREACH(r, rs) {
                _cleanup_free_ char *line = record_text(r);
                buf_printf(&text, "%s\n", line);
        }
        return text.len ? helper_write(path, text.buf, 0644) : helper_remove(path);
}

void tasks_read(struct records *ret)
{
        read_records(TASKS, ret);
}

const struct record *task_of(const struct records *tasks, const char *uuid)
{
        return uuid ? records_find(tasks, "task", "array", uuid) : NULL;
}

/* All but that array's, and then task where it is not NULL. */
static int replace_task(const char *uuid, const struct record *task)
{
        _cleanup_records_ struct records before = {0}, after = {0};

        tasks_read(&before);
        RECORDS_FOREACH(r, &before)
                if (!record_is(r, "array", uuid))
                        records_add(&after, record_copy(r));
        if (task)
                records_add(&after, record_copy(task));
        return write_records(TASKS, &after);
}

int task_save(const struct record *task)
{
        return replace_task(record_str(task, "array"), task);
}

int task_remove(const char *uuid)
{
        return replace_task(uuid, NULL);
}

/* --- what is next --- */

static bool is_in(const struct place *v, const char *state)
{
        return v && streq(v->state, state);
}

static const char *replace_step(const struct record *task, const struct md *md, const struct places *p)
{
        const struct place *old = place_find(p, record_str(task, "old")), *new = place_find(p, record_str(task, "new"));
        bool is_copied = record_is(task, "copied", "yes");

        if (!is_in(new, "active"))
                return is_copied ? "copy" : "rebuild";
        if (is_copied && md->level && streq(md->level, "raid5") && !record_is(task, "repaired", "yes"))
                return "repair";
        return old || *record_str(task, "old") ? "remove" : NULL;
}

const char *task_step(const struct record *task, const struct md *md, const struct places *p)
{
        const char *what = record_str(task, "what");

        if (streq(what, "replace"))
                return replace_step(task, md, p);
        if (md->is_reshaping || strv_has(STRV("reshape", "recover", "resync", "pending", "delayed"), md_sync(md)))
                return "reshape";
        return "fill";
}

/* --- which disks it had --- */

void disks_read(struct records *ret)
{
        read_records(DISKS, ret);
}

const struct record *disk_of_place(const struct records *disks, const char *uuid, unsigned place)
{
        RECORDS_FOREACH(r, disks)
                if (uuid && record_is(r, "array", uuid) && record_u64(r, "place") == place)
                        return r;
        return NULL;
}

static void remember(const struct md *md, const struct records *before, struct records *after)
{
        _cleanup_places_ struct places p = {0};

        places_read(md, &p);
        for (size_t i = 0; i < p.n; i++) {
                const struct place *v = &p.v[i];
                const struct record *was = disk_of_place(before, md->uuid, v->number);
                if (v->number == PLACE_NONE)
                        continue;
                struct record *r = v->name ? record_new("disk") : was ? record_copy(was) : NULL;
                if (!r)
                        continue;
                record_set(r, "array", md->uuid);
                record_set_u64(r, "place", v->number);
                if (v->name) {
                        record_set(r, "partition", v->guid);
                        record_set(r, "serial", v->serial);
                        record_set(r, "model", v->model);
                }
                records_add(after, r);
        }
}

int disks_remember(const struct mds *mds)
{
        _cleanup_records_ struct records before = {0}, after = {0};

        disks_read(&before);
        for (size_t i = 0; i < mds->n; i++)
                if (mds->v[i].uuid && !streq(mds->v[i].array_state, "inactive"))
                        remember(&mds->v[i], &before, &after);
        RECORDS_FOREACH(r, &before)
                if (!md_find(mds, record_str(r, "array")) ||
                    streq(md_find(mds, record_str(r, "array"))->array_state, "inactive"))
                        records_add(&after, record_copy(r));
        return write_records(DISKS, &after);
}

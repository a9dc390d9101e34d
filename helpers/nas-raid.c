/* nas-raid: md arrays. */
#include <errno.h>
#include <time.h>

#include "helpers/lib/helper.h"
#include "helpers/lib/md.h"
#include "helpers/lib/mounts.h"
#include "helpers/lib/sharename.h"
#include "helpers/raid_adopt.h"
#include "helpers/raid_conf.h"
#include "helpers/raid_create.h"
#include "helpers/raid_run.h"

/* --- list --- */

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
        record_set(r, "sync", md_sync(md));
        if (md->total) {
                record_set_u64(r, "done", md->done);
                record_set_u64(r, "total", md->total);
                record_set_u64(r, "speed", md->speed);
        }
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
        record_print(r, stdout);
}

static int verb_list(const struct record *args _unused_)
{
        _cleanup_mds_ struct mds mds = {0};
        _cleanup_free_ char *conf = conf_text();
        int r = md_list(&mds);

        if (r < 0)
                return helper_fail("no-sysfs", "/sys/block", NULL, "/sys/block: %s", strerror(-r));
        for (size_t i = 0; i < mds.n; i++)
                print_array(&mds.v[i], conf);
        return helper_result(NULL);
}

/* --- watch --- */

static int lost_member(const struct md *md)
{
        _cleanup_free_ char *faulty = strv_join(md->faulty, ", ");

        return helper_fail("degraded", *faulty ? faulty : md->name, NULL,
                           "%u of the %u disks of the array %s dropped out%s%s: look at their cables and power; what is "
                           "stored is %s",
                           md->missing, md->devices, md->path, *faulty ? ": " : "", faulty,
                           is_md_usable(md) ? "still there" : "not to be reached");
}

static int verb_watch(const struct record *args)
{
        const char *uuid = record_str(args, "uuid");

        for (;;) {
                _cleanup_mds_ struct mds mds = {0};
                int r = md_list(&mds);
                const struct md *md = r < 0 ? NULL : md_find(&mds, uuid);
                if (!md)
                        return helper_fail("no-array", uuid, NULL, "there is no array %s", uuid);
                if (md->missing > 0)
                        return lost_member(md);
                if (streq(md_sync(md), "idle"))
                        return helper_result(NULL);
                helper_progress(md->done, md->total, md_sync(md)); /* 0 of 0 while it is delayed or pending */
                nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
        }
}

/* --- create --- */

static void wanted_done(struct wanted *w)
{
        free(w->uuid);
        free(w->name);
        strv_free(w->guids);
}

static int parse_sizes(const struct record *args, struct wanted *w)
{
        const char *chunk = record_get(args, "chunk");

        if (w->level->has_chunk != (chunk != NULL))
                return helper_usage("chunk", "%s takes %s", w->level->name, chunk ? "no chunk=" : "a chunk= (bytes)");
        if (chunk && (parse_size(chunk, &w->chunk) < 0 || w->chunk < 4 * KIB || w->chunk > 64 * MIB ||
                      (w->chunk & (w->chunk - 1))))
                return helper_usage("chunk", "chunk=%s is not a power of two from 4KiB to 64MiB", chunk);
        if (parse_size(record_str(args, "offset"), &w->offset) < 0 || w->offset < MIB || w->offset > GIB ||
            w->offset % MIB)
                return helper_usage("offset", "offset=%s is not a whole number of MiB from 1MiB to 1GiB",
                                    record_str(args, "offset"));
        return 0;
}

static int parse_members(const struct record *args, struct wanted *w)
{
        w->guids = record_get_list(args, "members");
        STRV_FOREACH(guid, w->guids) {
                if (!is_uuid(*guid))
                        return helper_usage("members", "'%s' in members= is not the GUID of a partition", *guid);
                for (char *const *other = w->guids; other < guid; other++)
                        if (uuid_equal(*other, *guid))
                                return helper_usage("members", "'%s' stands twice in members=", *guid);
        }
        const char *spares = record_get(args, "spares");
        if (spares && parse_uint(spares, 64, &w->spares) < 0)
                return helper_usage("spares", "spares=%s is not a number of members", spares);
        if (w->spares && !w->level->has_redundancy)
                return helper_usage("spares", "%s has no spares", w->level->name);
        if (strv_len(w->guids) < w->level->min + w->spares)
                return helper_usage("members", "%s needs %u members, and the spares beside them", w->level->name,
                                    w->level->min);
        return 0;
}

static int parse_identity(const struct record *args, char **ret_uuid, char **ret_name)
{
        const char *name = record_str(args, "name");
        char *uuid = uuid_plain(record_str(args, "uuid"));

        if (!uuid)
                return helper_usage("uuid", "uuid=%s is not a UUID", record_str(args, "uuid"));
        *ret_uuid = uuid;
        *ret_name = xstrdup(name);
        if (!sharename_is_slug(name))
                return helper_usage("name",
                                    "name=%s is not 1 to 12 of a-z, 0-9 and '-', with no '-' at an end, and not one "
                                    "that mdadm takes for a number",
                                    name);
        return 0;
}

static int parse_wanted(const struct record *args, struct wanted *w)
{
        const char *level = record_str(args, "level"), *bitmap = record_get(args, "bitmap");
        _cleanup_free_ char *names = level_names();

        int r = parse_identity(args, &w->uuid, &w->name);
        if (r)
                return r;
        w->level = level_find(level);
        if (!w->level)
                return helper_usage("level", "level=%s is none of %s", level, names);
        if (bitmap && !streq(bitmap, "none") && !streq(bitmap, "internal"))
                return helper_usage("bitmap", "bitmap=%s is neither internal nor none", bitmap);
        w->bitmap = bitmap && streq(bitmap, "internal");
        if (w->bitmap && !w->level->has_redundancy)
                return helper_usage("bitmap", "%s has no bitmap", level);
        r = parse_sizes(args, w);
        return r ? r : parse_members(args, w);
}

/* What follows once it runs: md is NULL in a dry run where it does not. */
static int keep(const struct md *md, const char *name, const char *uuid)
{
        _cleanup_record_ struct record *more = record_new("result");
        bool stale = false;
        int r = conf_ensure(name, uuid, &stale);

        if (r)
                return r;
        if (md && md->level && strv_has(STRV("raid4", "raid5", "raid6"), md->level) && (r = cache_ensure(md)) < 0)
                return helper_fail("cache-failed", name, NULL, "the stripe cache of %s could not be set: %s", name,
                                   strerror(-r));
        record_set(more, "path", md ? md->path : NULL);
        if (md)
                record_set_u64(more, "size", md->size);
        record_set(more, "note", stale ? "initramfs-stale" : NULL);
        return helper_result(more);
}

static int check_program(void)
{
        if (helper_has_root() || has_program("mdadm"))
                return 0;
        return helper_refuse("no-program", "mdadm", "the program mdadm is not installed: apt install mdadm");
}

static int create(const struct wanted *w)
{
        _cleanup_mds_ struct mds mds = {0};
        int r = conf_check(w->name, w->uuid);

        if (r == 0)
                r = array_check_name(w->name, w->uuid);
        if (r == 0)
                r = array_run(w, &mds);
        const struct md *md = r == 0 ? md_find(&mds, w->uuid) : NULL; /* none in a dry run */
        if (md)
                r = array_check(w, md);
        return r ? r : keep(md, w->name, w->uuid);
}

static int verb_create(const struct record *args)
{
        _cleanup_(wanted_done) struct wanted w = {0};
        int r = parse_wanted(args, &w);

        if (r == 0)
                r = check_program();
        return r ? r : create(&w);
}

/* --- adopt --- */

static int verb_adopt(const struct record *args)
{
        _cleanup_free_ char *uuid = NULL, *name = NULL;
        _cleanup_mds_ struct mds mds = {0};
        int r = parse_identity(args, &uuid, &name);

        if (r == 0)
                r = check_program();
        if (r == 0)
                r = conf_check(name, uuid);
        if (r == 0)
                r = array_adopt(uuid, name, &mds);
        return r ? r : keep(md_find(&mds, uuid), name, uuid);
}

static const struct verb verbs[] = {
        {.name = "list", .help = "every array, also those that do not run", .run = verb_list},
        {.name = "watch",
         .help = "the progress of a synchronisation, every second until its end",
         .params = (const struct param[]){{"uuid", true, "of the array"}, {0}},
         .run = verb_watch},
        {.name = "create",
         .help = "the array runs, and comes back under its name after a restart",
         .params =
                 (const struct param[]){{"uuid", true, "of the array, new"},
                                        {"name", true, "1 to 12 of a-z, 0-9 and '-'"},
                                        {"level", true, "raid0, raid1, raid5, raid6 or raid10"},
                                        {"chunk", false, "bytes; not for raid1"},
                                        {"members", true, "GUIDs of the partitions, in order"},
                                        {"offset", true, "where the data begin on each member, bytes"},
                                        {"bitmap", false, "internal or none"},
                                        {"spares", false, "how many of the members, the last ones, are spares"},
                                        {0}},
         .writes = true,
         .run = verb_create},
        {.name = "adopt",
         .help = "the array, made by whomever, runs whole, and comes back under this name after a restart",
         .params = (const struct param[]){{"uuid", true, "of the array"}, {"name", true, "1 to 12 of a-z, 0-9 and '-'"}, {0}},
         .writes = true,
         .run = verb_adopt},
        {0},
};

int main(int argc, char **argv)
{
        static const struct helper helper = {.name = "nas-raid", .help = "arrays of disks", .verbs = verbs};

        return helper_main(&helper, argc, argv);
}

/* nas-raid: md arrays. */
#include <errno.h>
#include <time.h>

#include "helpers/lib/helper.h"
#include "helpers/lib/md.h"
#include "helpers/lib/sharename.h"
#include "helpers/raid_adopt.h"
#include "helpers/raid_conf.h"
#include "helpers/raid_create.h"
#include "helpers/raid_grow.h"
#include "helpers/raid_list.h"
#include "helpers/raid_monitor.h"
#include "helpers/raid_replace.h"
#include "helpers/raid_run.h"
#include "helpers/raid_settle.h"
#include "helpers/raid_start.h"
#include "helpers/raid_sync.h"

/* --- list --- */

static int verb_list(const struct record *args _unused_)
{
        return raid_list();
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

/* --- what is done to one that is there --- */

static int parse_uuid(const struct record *args, char **ret)
{
        char *uuid = uuid_plain(record_str(args, "uuid"));

        if (!uuid)
                return helper_usage("uuid", "uuid=%s is not a UUID", record_str(args, "uuid"));
        *ret = uuid;
        return 0;
}

static int check_word(const struct record *args, const char *key, char *const *words)
{
        _cleanup_free_ char *all = strv_join(words, " or ");

        if (!record_get(args, key) || strv_has(words, record_str(args, key)))
                return 0;
        return helper_usage(key, "%s= can only be %s", key, all);
}

static int find(const struct record *args, struct mds *mds, const struct md **ret)
{
        _cleanup_free_ char *uuid = NULL;
        int r = parse_uuid(args, &uuid);

        if (r)
                return r;
        r = md_list(mds);
        if (r < 0)
                return helper_fail("no-sysfs", "/sys/block", NULL, "/sys/block: %s", strerror(-r));
        const struct md *md = md_find(mds, uuid);
        if (!md || !is_md_usable(md))
                return helper_refuse("no-array", uuid, "the array %s does not run: are all its disks connected?", uuid);
        *ret = md;
        return 0;
}

static int verb_start(const struct record *args)
{
        _cleanup_free_ char *uuid = NULL;
        int r = parse_uuid(args, &uuid);

        if (r == 0)
                r = check_word(args, "force", STRV("yes"));
        if (r == 0)
                r = check_program();
        return r ? r : array_start(uuid, record_is(args, "force", "yes"));
}

static int check_guid(const char *key, const char *guid)
{
        return is_uuid(guid) ? 0 : helper_usage(key, "'%s' in %s= is not the GUID of a partition", guid, key);
}

static int parse_grow(const struct record *args, struct grow *w)
{
        const char *devices = record_get(args, "devices");
        int r = check_word(args, "size", STRV("max"));

        w->level = record_get(args, "level");
        w->is_max = record_is(args, "size", "max");
        if (r == 0 && w->level && !level_find(w->level))
                r = helper_usage("level", "level=%s is no level", w->level);
        if (r == 0 && devices && (parse_uint(devices, 64, &w->devices) < 0 || w->devices == 0))
                r = helper_usage("devices", "devices=%s is not a number of disks from 1 to 64", devices);
        STRV_FOREACH(guid, w->add)
                r = r ? r : check_guid("add", *guid);
        if (r == 0 && w->is_max && (w->level || devices || w->add))
                r = helper_usage("size", "size=max stands alone");
        if (r == 0 && !w->is_max && !w->level && !devices && !w->add)
                r = helper_usage("devices", "say what it shall become: level=, devices=, add= or size=max");
        return r;
}

static int verb_grow(const struct record *args)
{
        _cleanup_free_ char *uuid = NULL;
        _cleanup_strv_ char **add = record_get_list(args, "add");
        struct grow w = {.add = add};
        int r = parse_uuid(args, &uuid);

        if (r == 0)
                r = parse_grow(args, &w);
        if (r == 0)
                r = check_program();
        w.uuid = uuid;
        return r ? r : array_grow(&w);
}

static int verb_replace(const struct record *args)
{
        _cleanup_free_ char *uuid = NULL;
        int r = parse_uuid(args, &uuid);

        if (r == 0)
                r = check_guid("new", record_str(args, "new"));
        if (r == 0)
                r = check_program();
        if (r == 0)
                r = array_replace(uuid, record_get(args, "old"), record_str(args, "new"));
        return r ? r : helper_result(NULL);
}

static int verb_remove(const struct record *args)
{
        _cleanup_free_ char *uuid = NULL;
        int r = parse_uuid(args, &uuid);

        if (r == 0)
                r = check_program();
        if (r == 0)
                r = array_remove(uuid, record_str(args, "member"));
        return r ? r : helper_result(NULL);
}

static int verb_repair(const struct record *args)
{
        _cleanup_mds_ struct mds mds = {0};
        const struct md *md = NULL;
        int r = find(args, &mds, &md);

        if (r == 0)
                r = sync_repair(md);
        return r ? r : helper_result(NULL);
}

static int verb_pace(const struct record *args)
{
        _cleanup_mds_ struct mds mds = {0};
        const struct md *md = NULL;
        int r = check_word(args, "rate", STRV("fast", "leave"));

        if (r == 0)
                r = find(args, &mds, &md);
        if (r == 0)
                r = sync_pace(md, record_is(args, "rate", "fast"));
        return r ? r : helper_result(NULL);
}

/* --- what goes on by itself --- */

static int verb_settle(const struct record *args)
{
        const char *wait = record_get(args, "wait");
        _cleanup_free_ char *uuid = NULL;
        unsigned seconds = 0;
        int r = record_get(args, "uuid") ? parse_uuid(args, &uuid) : 0;

        if (r == 0 && wait && parse_uint(wait, 600, &seconds) < 0)
                r = helper_usage("wait", "wait=%s is not a number of seconds up to 600", wait);
        if (r == 0)
                r = raid_settle(uuid, seconds);
        return r ? r : helper_result(NULL);
}

static int verb_monitor(const struct record *args)
{
        const char *mail = record_get(args, "mail");

        if (mail && (!*mail || strpbrk(mail, " \t\n#\"'\\") || strlen(mail) > 200))
                return helper_usage("mail", "mail=%s is no address", mail);
        int r = check_program();
        return r ? r : raid_monitor(mail);
}

static int verb_event(const struct record *args)
{
        int r = raid_event(record_str(args, "name"), record_str(args, "array"), record_get(args, "member"));

        return r ? r : helper_result(NULL);
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
        {.name = "start",
         .help = "an array that does not start by itself runs, with the disks that are here",
         .params = (const struct param[]){{"uuid", true, "of the array"},
                                          {"force", false, "yes: also where it was cut off while it was written to with a disk missing"},
                                          {0}},
         .writes = true,
         .run = verb_start},
        {.name = "grow",
         .help = "it gets that shape, in use all the while",
         .params = (const struct param[]){{"uuid", true, "of the array"},
                                          {"level", false, "raid5 for a mirror of two"},
                                          {"devices", false, "places that it shall have"},
                                          {"add", false, "GUIDs of new partitions"},
                                          {"size", false, "max: all that its members have"},
                                          {0}},
         .writes = true,
         .run = verb_grow},
        {.name = "replace",
         .help = "a new disk takes the place of one",
         .params = (const struct param[]){{"uuid", true, "of the array"},
                                          {"old", false, "GUID of its partition; left out: of what failed or is missing"},
                                          {"new", true, "GUID of the new partition"},
                                          {0}},
         .writes = true,
         .run = verb_replace},
        {.name = "remove",
         .help = "what failed, or a spare, is taken out",
         .params = (const struct param[]){{"uuid", true, "of the array"},
                                          {"member", true, "GUID of its partition, its kernel name, or detached"},
                                          {0}},
         .writes = true,
         .run = verb_remove},
        {.name = "repair",
         .help = "all copies and parity are compared and made right",
         .params = (const struct param[]){{"uuid", true, "of the array"}, {0}},
         .writes = true,
         .run = verb_repair},
        {.name = "pace",
         .help = "how much of the disks synchronising takes, until the next start",
         .params = (const struct param[]){{"uuid", true, "of the array"}, {"rate", true, "fast or leave"}, {0}},
         .writes = true,
         .run = verb_pace},
        {.name = "settle",
         .help = "what is next of all that was asked for, and the state on the login screen",
         .params = (const struct param[]){{"uuid", false, "of one array"}, {"wait", false, "seconds for arrays to come up"}, {0}},
         .run = verb_settle},
        {.name = "monitor",
         .help = "what happens to arrays is told",
         .params = (const struct param[]){{"mail", false, "whom to mail"}, {0}},
         .writes = true,
         .run = verb_monitor},
        {.name = "event",
         .help = "what mdadm's monitor tells (called by nas-watch)",
         .params = (const struct param[]){{"name", true, "of the event"}, {"array", true, "its device"}, {"member", false, "its device"}, {0}},
         .run = verb_event},
        {0},
};

int main(int argc, char **argv)
{
        static const struct helper helper = {.name = "nas-raid", .help = "arrays of disks", .verbs = verbs};

        return helper_main(&helper, argc, argv);
}

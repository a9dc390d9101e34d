#include "helpers/disk_change.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "helpers/disk_busy.h"
#include "helpers/disk_consent.h"
#include "helpers/disk_kernel.h"
#include "helpers/disk_probe.h"
#include "helpers/disk_release.h"
#include "helpers/disk_use.h"
#include "helpers/disk_wipe.h"
#include "helpers/lib/log.h"

const struct param partition_params[] = {
        {"disk", true, "by-id or by-path name, WWN or serial number"},
        {"serial", false, "its serial number, as list says it"},
        {"size", true, "its size in bytes"},
        {"found", false, "what may be lost, as list says it; left out: nothing"},
        {"guid", true, "GUID of the disk's new table"},
        {"part", true, "GUID of the new partition"},
        {"name", true, "name of the new partition, at most 36 letters"},
        {"start", true, "first byte, a multiple of 1 MiB"},
        {"end", true, "byte after the last, a multiple of 1 MiB"},
        {"after", false, "what runs on it and is released before: UUIDs of arrays and mapped volumes, mount:PATH, swap:DEVICE"},
        {"disks", false, "all chosen disks, where what is in after= lies on several"},
        {0},
};

const struct param wipe_params[] = {
        {"disk", true, "by-id or by-path name, WWN or serial number"},
        {"serial", false, "its serial number, as list says it"},
        {"size", true, "its size in bytes"},
        {"found", false, "what may be lost, as list says it; left out: nothing"},
        {0},
};

#define TRIES 5 /* of opening a disk on which something released comes back */

struct change {
        const struct record *args;
        struct disks disks;
        struct layers layers;
        const struct disk *d;
        struct gpt_want want; /* of partition */
        bool wants_table;
        char **known;         /* tokens of found= */
        char **after;         /* layers that were released before, and may be again … */
        char **chosen;        /* … as long as they lie on no other disks than these */
        enum gpt_state state;
        struct contents contents;
};

static void change_free(struct change *c)
{
        disks_free(&c->disks);
        layers_free(&c->layers);
        strv_free(c->known);
        strv_free(c->after);
        strv_free(c->chosen);
        contents_free(&c->contents);
}
#define _cleanup_change_ _cleanup_(change_free)

/* --- which disk --- */

/* A dry run stands before the releases. */
static int look_at_all(struct change *c)
{
        int r = disks_look(&c->disks);

        if (r == 0)
                r = layers_look(&c->layers);
        if (r < 0)
                return helper_refuse("no-look", NULL, "the disks of this computer cannot be listed: %s", strerror(-r));
        if (helper_is_dry_run())
                layers_drop(&c->layers, c->after);
        use_take(&c->disks, &c->layers);
        return 0;
}

static int find_disk(struct change *c)
{
        int r = look_at_all(c);

        return r ? r : disk_named(&c->disks, record_str(c->args, "disk"), &c->d);
}

static int check_identity(const struct change *c)
{
        const char *serial = record_get(c->args, "serial"), *size = record_str(c->args, "size");
        uint64_t bytes;

        if (parse_u64(size, &bytes) < 0)
                return helper_usage("size", "size=%s is no number of bytes", size);
        if (bytes != c->d->size)
                return helper_refuse("other-disk", c->d->name,
                                     "%s has %llu bytes and not %s: it is not the disk that was chosen. Choose the "
                                     "disks again",
                                     c->d->name, (unsigned long long)c->d->size, size);
        if (serial && *serial && !streq_null(serial, c->d->serial))
                return helper_refuse("other-disk", c->d->name,
                                     "%s has the serial number '%s' and not '%s': it is not the disk that was chosen. "
                                     "Choose the disks again",
                                     c->d->name, c->d->serial ? c->d->serial : "", serial);
        return 0;
}

/* --- the wish --- */

static int take_place(struct change *c, const char *key, uint64_t *ret)
{
        const char *s = record_str(c->args, key);

        if (parse_u64(s, ret) < 0 || *ret % MIB != 0)
                return helper_usage(key, "%s=%s is no multiple of 1 MiB (%llu) in bytes", key, s,
                                    (unsigned long long)MIB);
        return 0;
}

static bool is_good_name(const char *s)
{
        if (!*s || strlen(s) > GPT_NAME_MAX)
                return false;
        for (; *s; s++)
                if (!isprint((unsigned char)*s))
                        return false;
        return true;
}

static int take_words(struct change *c)
{
        static const char *const keys[] = {"guid", "part"};

        for (size_t i = 0; i < ELEMENTSOF(keys); i++)
                if (!is_uuid(record_str(c->args, keys[i])))
                        return helper_usage(keys[i], "%s=%s is no GUID like %s", keys[i], record_str(c->args, keys[i]),
                                            GPT_TYPE_RAID);
        if (!is_good_name(record_str(c->args, "name")))
                return helper_usage("name", "name= takes 1 to %d letters, digits or signs of ASCII", GPT_NAME_MAX);
        c->want.disk_guid = record_str(c->args, "guid");
        c->want.part_guid = record_str(c->args, "part");
        c->want.name = record_str(c->args, "name");
        return 0;
}

static int take_wish(struct change *c)
{
        int r = take_words(c);

        if (r == 0)
                r = take_place(c, "start", &c->want.start);
        if (r == 0)
                r = take_place(c, "end", &c->want.end);
        if (r == 0 && c->want.start < MIB)
                return helper_usage("start", "start= must leave 1 MiB for the partition table");
        if (r == 0 && c->want.end <= c->want.start)
                return helper_usage("end", "end= must lie behind start=");
        c->wants_table = true;
        return r;
}

/* What of the wish depends on the disk. */
static int fit_wish(struct change *c)
{
        c->want.size = c->d->size;
        c->want.sector = c->d->sector;
        if (c->want.end > c->d->size - MIN2(gpt_tail_size(c->d->sector), c->d->size))
                return helper_usage("end", "end= must leave %llu bytes at the end of the disk of %llu bytes",
                                    (unsigned long long)gpt_tail_size(c->d->sector),
                                    (unsigned long long)c->d->size);
        return 0;
}

/* --- may it be written? --- */

static int say_unreadable(const struct change *c, int e)
{
        if (e == -ESTALE)
                return helper_refuse("other-disk", c->d->name,
                                     "another disk has just taken the place of %s; choose the disks again", c->d->name);
        return helper_refuse("unreadable", c->d->name,
                             "%s cannot be read (%s): the disk or its cable may be failing. Nothing was changed on it",
                             c->d->name, strerror(-e));
}

/* Bytes at both ends that are pieces of our own table, cut off. */
static void between_tables(const struct change *c, uint64_t *ret_head, uint64_t *ret_tail)
{
        bool is_torn = c->state == GPT_TORN;

        *ret_head = is_torn ? gpt_head_size(c->want.sector) : 0;
        *ret_tail = is_torn ? gpt_tail_size(c->want.sector) : 0;
}

static int look_at(struct change *c, int fd, contents_looker *look)
{
        uint64_t head, tail;
        int r = 0;

        c->state = GPT_OTHER;
        if (c->wants_table)
                r = gpt_look(fd, &c->want, &c->state);
        contents_free(&c->contents);
        if (r < 0 || c->state == GPT_WANTED) /* what is in the partition is none of our business */
                return r;
        between_tables(c, &head, &tail);
        look(fd, c->d->size, head, tail, &c->contents);
        return c->contents.error;
}

#define PASSING_MS 5000 /* smartctl opens for writing, too */
#define TICK_US 200000

/* A virtual machine, say. A dry run stands before the releases, after which what serves a layer (mdmon) has ended. */
static int check_writers(const struct change *c)
{
        if (helper_is_dry_run() && strv_len(c->after) > 0)
                return 0;
        _cleanup_free_ char *writers = helper_has_root() ? xstrdup("") : busy_writers(c->d->name);

        for (uint64_t until = now_ms() + PASSING_MS; *writers && now_ms() < until; usleep(TICK_US)) {
                free(writers);
                writers = busy_writers(c->d->name);
        }
        return *writers ? helper_refuse("in-use", writers, "%s is in use by %s, which can write to it. Nothing was changed on "
                                        "it; end that program and try again", c->d->name, writers)
                        : 0;
}

static int check_use(const struct change *c)
{
        _cleanup_free_ char *why = protection_text(c->d), *by = strv_join(c->d->usedby, ", ");

        if (c->d->protection)
                return helper_refuse("protected", c->d->name, "%s. Nothing was changed on it", why);
        if (has_content(&c->contents, "zfs_member") && is_zfs_mounted())
                return helper_refuse("protected", c->d->name, "%s belongs to a ZFS pool, and one is mounted. Nothing "
                                     "was changed on it", c->d->name);
        if (*by)
                return helper_refuse("in-use", by,
                                     "%s is in use by %s, which must be stopped first. Nothing was changed on it",
                                     c->d->name, by);
        return check_writers(c);
}

static bool is_in_group(const struct contents *c, const char *set)
{
        for (size_t i = 0; i < c->n; i++)
                if (c->v[i].member && streq(c->v[i].member->type, "lvm") && streq_null(c->v[i].member->set, set))
                        return true;
        return false;
}

/* A volume group without one of its disks does not start any more, wherever its volumes lie. */
static int check_groups(const struct change *c)
{
        for (size_t i = 0; i < c->layers.n; i++) {
                const struct layer *l = &c->layers.v[i];
                const char *other = l->set && is_in_group(&c->contents, l->set) ? release_other_disk(l, c->chosen) : NULL;
                if (other)
                        return helper_refuse("spans", other, "%s is part of a volume group that lies also on %s (%s), which "
                                             "was not chosen. Nothing was changed on it", c->d->name, other, l->name);
        }
        return 0;
}

static int check_found(const struct change *c, int fd)
{
        uint64_t head, tail;
        between_tables(c, &head, &tail);
        _cleanup_strv_ char **new = consent_lacks(&c->contents, c->known, fd, head, c->d->size - tail);

        if (strv_len(new) == 0)
                return 0;
        _cleanup_free_ char *list = list_join(new);
        return helper_refuse("changed-contents", list,
                             "%s carries something that was not agreed to be lost: %s. Nothing was changed on it; look "
                             "at the disks again",
                             c->d->name, list);
}

/* Zeros where a signature could stand; what lies between is not looked for. Cut off before the kernel was told, its old
 * partitions are still there. */
static bool is_wiped(const struct change *c)
{
        uint64_t end = c->d->size - MIN2(MIB, c->d->size);

        for (size_t i = 0; i < c->contents.n_nameless; i++)
                if (c->contents.nameless[i].at < MIB || c->contents.nameless[i].at >= end)
                        return false;
        return c->contents.n == 0 && (helper_has_root() || !has_partitions(c->d));
}

static int check(struct change *c, int fd)
{
        int e = look_at(c, fd, contents_look);

        if (e < 0)
                return say_unreadable(c, e);
        if (c->state == GPT_WANTED)
                return 0;
        int r = check_use(c);
        if (r == 0)
                r = check_groups(c);
        if (r == 0 && !c->wants_table && is_wiped(c))
                return 0; /* remains between need no consent: they stay */
        return r ? r : check_found(c, fd);
}

/* --- doing it --- */

static int say_failed(const struct change *c, const char *what, const char *raw, int e)
{
        return helper_fail("disk-error", c->d->name, raw,
                           "%s could not be %s (%s): the disk or its cable may be failing. Try it again or leave "
                           "the disk out",
                           c->d->name, what, strerror(-e));
}

/* From the disk, not from memory. Nothing was written where it has no signature, and nothing hangs on what is there. */
static int read_back(struct change *c, int fd)
{
        if (posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) != 0)
                log_line("%s: memory of it could not be dropped", c->d->name);
        return look_at(c, fd, contents_look_signatures);
}

static int wipe_and_check(struct change *c, int fd)
{
        int e = wipe(fd, c->d->size, &c->contents, c->want.start, c->want.end);

        if (e == 0)
                e = read_back(c, fd);
        if (e == 0 && c->contents.n > 0) { /* what a first signature hid from sight */
                e = wipe(fd, c->d->size, &c->contents, c->want.start, c->want.end);
                if (e == 0)
                        e = read_back(c, fd);
        }
        if (e < 0)
                return say_failed(c, "emptied", NULL, e);
        if (c->contents.n > 0) {
                _cleanup_strv_ char **left = contents_tokens(&c->contents, false);
                _cleanup_free_ char *list = list_join(left);
                return helper_fail("not-empty", c->d->name, list, "%s is still not empty after it was wiped",
                                   c->d->name);
        }
        return 0;
}

static int write_table(struct change *c, int fd)
{
        int e = gpt_write(fd, &c->want);

        if (e == 0)
                e = read_back(c, fd);
        if (e == 0 && c->state != GPT_WANTED)
                e = -EIO;
        if (e == 0)
                e = ends_are_zero(fd, c->want.start, c->want.end);
        return e < 0 ? say_failed(c, "partitioned", NULL, e) : 0;
}

/* What comes back between look and opening is one of those that were released, or somebody else's. */
static int open_for_writing(struct change *c, int *ret_fd)
{
        int e = disk_open(c->d, O_RDWR | O_EXCL, ret_fd);

        for (unsigned i = 0; e == -EBUSY && i < TRIES && release_returned(c->after, c->d->name, c->chosen); i++)
                e = disk_open(c->d, O_RDWR | O_EXCL, ret_fd);
        return e;
}

/* Opens for writing, keeps udev off, and looks once more at what was looked at before. The lock is closed last. */
static int begin_writing(struct change *c, int *ret_lock, int *ret_fd)
{
        _cleanup_close_ int lock = -1, fd = -1;
        int e = open_for_writing(c, &fd);

        if (e == 0)
                e = disk_open(c->d, O_RDONLY, &lock);
        if (e == 0)
                e = disk_lock(lock);
        if (e == -EBUSY || e == -EWOULDBLOCK)
                return helper_refuse("in-use", c->d->name,
                                     "%s is in use by another program. Nothing was changed on it; stop that program or "
                                     "restart the computer",
                                     c->d->name);
        if (e < 0)
                return say_unreadable(c, e);
        int r = check(c, fd);
        if (r != 0)
                return r;
        *ret_lock = TAKE_FD(lock);
        *ret_fd = TAKE_FD(fd);
        return 0;
}

static char *wipe_text(const struct change *c)
{
        _cleanup_strv_ char **tokens = contents_tokens(&c->contents, false);
        _cleanup_free_ char *list = list_join(tokens);

        return xasprintf("wipe %s: %s", c->d->name, *list ? list : "nothing on it");
}

static bool would_partition(const struct change *c)
{
        if (c->state == GPT_WANTED) {
                _cleanup_free_ char *telling = xasprintf("tell the kernel of the partition on %s", c->d->name);
                return helper_would(telling);
        }
        _cleanup_free_ char *wiping = wipe_text(c);
        _cleanup_free_ char *text = xasprintf("partition %s: %s from %llu to %llu", c->d->name, c->want.name,
                                              (unsigned long long)c->want.start, (unsigned long long)c->want.end);

        bool dry = helper_would(wiping);

        return helper_would(text) || dry;
}

/* The disk is closed again when this returns. */
static int write_under(struct change *c, int *ret_lock)
{
        _cleanup_close_ int fd = -1;
        int r = begin_writing(c, ret_lock, &fd);

        if (r == 0 && c->state != GPT_WANTED)
                r = wipe_and_check(c, fd);
        if (r == 0 && c->state != GPT_WANTED)
                r = write_table(c, fd);
        return r;
}

/* Both libparted and the kernel read it. */
static int confirm(const struct change *c, int lock)
{
        _cleanup_free_ char *raw = NULL;
        int e = parted_confirm(c->d, &c->want, &raw);

        if (e == 0)
                e = kernel_reread(lock);
        if (e < 0)
                return helper_fail("table-unsound", c->d->name, raw,
                                   "the partition on %s was written, but is not taken (%s); restart the computer and "
                                   "go on from there",
                                   c->d->name, strerror(-e));
        return 0;
}

static int put_table(struct change *c)
{
        _cleanup_close_ int lock = -1;
        int r = write_under(c, &lock);

        return r ? r : confirm(c, lock);
}

/* After the lock is gone, so that udevd may have it. */
static int wait_for_node(const struct change *c)
{
        if (!helper_has_root() && wait_partition(c->d, &c->want) < 0)
                return helper_fail("no-partition", c->d->name, NULL,
                                   "the partition on %s was written, but did not appear within 15 seconds; run this "
                                   "again",
                                   c->d->name);
        return 0;
}

static int say_done(const struct change *c)
{
        _cleanup_record_ struct record *more = record_new("more");
        _cleanup_free_ char *name = partition_name(c->d->name, 1);

        record_set(more, "on", name);
        return helper_result(c->wants_table ? more : NULL);
}

static bool is_done(const struct change *c)
{
        return c->state == GPT_WANTED && (helper_has_root() || has_partition(c->d, &c->want));
}

/* What was released and runs again, such as after a restart, is released once more. */
static int find_free_disk(struct change *c)
{
        int r = find_disk(c);

        if (r == 0)
                r = check_identity(c);
        if (r == 0)
                r = release_disks(&c->disks, record_str(c->args, "disks"), &c->chosen);
        if (r != 0)
                return r;
        strv_add(&c->chosen, c->d->name);
        if (helper_is_dry_run() || helper_has_root() || c->d->protection || !release_returned(c->after, c->d->name, c->chosen))
                return 0;
        disks_free(&c->disks);
        layers_free(&c->layers);
        r = find_disk(c);
        return r ? r : check_identity(c);
}

/* Everything up to the first write. */
static int prepare(struct change *c)
{
        _cleanup_close_ int fd = -1;
        c->known = list_split(record_str(c->args, "found"));
        c->after = list_split(record_str(c->args, "after"));
        int r = find_free_disk(c);

        if (r == 0 && c->wants_table)
                r = fit_wish(c);
        if (r != 0)
                return r;
        int e = disk_open(c->d, O_RDONLY, &fd);
        return e < 0 ? say_unreadable(c, e) : check(c, fd);
}

int run_partition(const struct record *args)
{
        _cleanup_change_ struct change c = {.args = args};
        int r = take_wish(&c);

        if (r == 0)
                r = prepare(&c);
        if (r != 0)
                return r;
        if (is_done(&c))
                return say_done(&c);
        if (would_partition(&c))
                return say_done(&c);
        if (!parted_load())
                return helper_refuse("no-program", "libparted", "the library libparted is not installed: apt install parted");
        r = put_table(&c);
        if (r == 0)
                r = wait_for_node(&c);
        return r ? r : say_done(&c);
}

/* --- wipe --- */

static int wipe_all(struct change *c)
{
        _cleanup_close_ int lock = -1, fd = -1; /* closed from the last to the first */
        int r = begin_writing(c, &lock, &fd);

        if (r == 0)
                r = wipe_and_check(c, fd);
        if (r != 0)
                return r;
        int e = kernel_reread(fd);
        return e < 0 ? helper_fail("kernel-busy", c->d->name, NULL,
                                   "%s was emptied, but its old partitions are still in use; restart the computer",
                                   c->d->name)
                     : 0;
}

int run_wipe(const struct record *args)
{
        _cleanup_change_ struct change c = {.args = args};
        int r = prepare(&c);

        if (r != 0)
                return r;
        if (is_wiped(&c))
                return say_done(&c);
        _cleanup_free_ char *text = wipe_text(&c);
        if (helper_would(text))
                return say_done(&c);
        r = wipe_all(&c);
        return r ? r : say_done(&c);
}

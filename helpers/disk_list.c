#include "helpers/disk_list.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "helpers/disk_kernel.h"
#include "helpers/disk_probe.h"
#include "helpers/disk_smart.h"
#include "helpers/disk_use.h"

#define DEADLINE_MS 12000 /* a sleeping disk takes up to 10 s to spin up */

const struct param probe_params[] = {
        {"path", true, "image file or block device to look into"},
        {0},
};

/* --- looking at all disks at once --- */

/* One disk's look. Its thread may hang in the kernel for minutes on a dying disk, so it owns what it needs and is left
 * behind at the deadline; only one that was joined may be read. */
struct look {
        pthread_t thread;
        const struct disk *disk;
        bool running, ended;
        int error;
        struct contents contents;
};

static void *look_at(void *p)
{
        struct look *l = p;
        _cleanup_close_ int fd = -1;

        l->error = disk_open(l->disk, O_RDONLY, &fd);
        if (l->error == 0)
                contents_look(fd, l->disk->size, 0, 0, &l->contents);
        return NULL;
}

static struct look *begin_look(const struct disk *d)
{
        struct look *l = xmalloc(sizeof *l);

        l->disk = d;
        l->running = pthread_create(&l->thread, NULL, look_at, l) == 0;
        if (!l->running) {
                look_at(l);
                l->ended = true;
        }
        return l;
}

static void end_look(struct look *l, uint64_t until)
{
        struct timespec t = {.tv_sec = (time_t)(until / 1000), .tv_nsec = (long)(until % 1000) * 1000000};

        if (l->running)
                l->ended = pthread_clockjoin_np(l->thread, NULL, CLOCK_MONOTONIC, &t) == 0;
}

/* --- records --- */

static const char *find_state(const struct look *l, const struct smart *smart)
{
        if (!l->ended || l->error == -EIO || l->contents.error < 0)
                return "failing";
        return l->error < 0 ? "unknown" : smart->state;
}

static const char *find_holds(const struct disk *d, const struct look *l)
{
        if (streq_null(d->protection, "system"))
                return "system";
        return l->ended && l->error == 0 ? contents_holds(&l->contents) : "unknown";
}

static void set_protection(struct record *r, const struct disk *d, const struct look *l, bool zfs)
{
        const char *p = d->protection;

        if (!p && zfs && l->ended && has_content(&l->contents, "zfs_member"))
                p = "mounted";
        record_set(r, "protected", p);
        if (d->protectedby)
                record_set_list(r, "protectedby", d->protectedby);
        if (d->usedby)
                record_set_list(r, "usedby", d->usedby);
}

static void set_identity(struct record *r, const struct disk *d)
{
        record_set(r, "name", d->name);
        record_set(r, "path", d->path);
        record_set(r, "id", d->id);
        record_set(r, "bypath", d->bypath);
        record_set(r, "serial", d->serial);
        record_set(r, "wwn", d->wwn);
        record_set(r, "model", d->model);
        record_set_u64(r, "size", d->size);
        record_set_u64(r, "sector", d->sector);
        record_set_u64(r, "physical", d->physical);
        record_set(r, "kind", d->kind);
        record_set(r, "bus", d->bus);
        if (d->rpm)
                record_set_u64(r, "rpm", d->rpm);
        if (d->diskseq)
                record_set_u64(r, "diskseq", d->diskseq);
}

static void set_found(struct record *r, const struct look *l)
{
        _cleanup_strv_ char **tokens = NULL;

        if (l->ended && l->error == 0)
                tokens = contents_tokens(&l->contents);
        else
                strv_add(&tokens, "unknown@0");
        record_set_list(r, "found", tokens);
}

static void print_disk(const struct disk *d, const struct look *l, const struct smart *smart, bool zfs)
{
        _cleanup_record_ struct record *r = record_new("disk");

        set_identity(r, d);
        record_set(r, "state", find_state(l, smart));
        if (smart->bad)
                record_set_u64(r, "bad", smart->bad);
        record_set(r, "holds", find_holds(d, l));
        set_found(r, l);
        set_protection(r, d, l, zfs);
        record_print(r, stdout);
}

/* FAT has three signatures; they are one content. */
static bool is_told(const struct contents *c, size_t i)
{
        for (size_t k = 0; k < i; k++)
                if (c->v[k].part == c->v[i].part && streq(c->v[k].type, c->v[i].type) &&
                    streq_null(c->v[k].uuid, c->v[i].uuid))
                        return true;
        return false;
}

static bool has_only_tables(const struct contents *c)
{
        for (size_t i = 0; i < c->n; i++)
                if (!c->v[i].is_table)
                        return false;
        return true;
}

static uint64_t region_size(const struct contents *c, unsigned part, uint64_t whole)
{
        for (size_t i = 0; i < c->n_parts; i++)
                if (part && c->parts[i].number == part)
                        return c->parts[i].size;
        return whole;
}

static void print_content(const char *name, uint64_t size, const struct contents *c, const struct finding *f)
{
        _cleanup_record_ struct record *r = record_new("content");
        _cleanup_free_ char *on = f->part ? partition_name(name, f->part) : xstrdup(name);

        record_set(r, "disk", name);
        record_set(r, "on", on);
        record_set(r, "type", f->type);
        record_set(r, "label", f->label);
        record_set(r, "uuid", f->uuid);
        record_set_u64(r, "size", f->size ? f->size : region_size(c, f->part, size));
        if (f->size)
                record_set_u64(r, "used", f->used);
        if (has_windows(c) && streq(f->type, "ntfs"))
                record_set(r, "system", "windows");
        record_print(r, stdout);
}

static void print_contents(const char *name, uint64_t size, const struct contents *c)
{
        bool tables = has_only_tables(c);

        for (size_t i = 0; i < c->n; i++)
                if (c->v[i].is_table == tables && !is_told(c, i))
                        print_content(name, size, c, &c->v[i]);
}

/* --- the verbs --- */

/* A slot without a card says so only when it is opened; it is no disk then. */
static bool is_empty_slot(const struct look *l)
{
        return l->ended && l->error == -ENOMEDIUM;
}

static void print_look(const struct disk *d, struct look *l, const struct smart *smart, bool zfs)
{
        if (is_empty_slot(l))
                return;
        print_disk(d, l, smart, zfs);
        if (l->ended && l->error == 0)
                print_contents(d->name, d->size, &l->contents);
}

static void free_look(struct look *l)
{
        if (!l->ended) /* still its thread's */
                return;
        contents_free(&l->contents);
        free(l);
}

/* Returns whether all came back. */
static bool list_all(const struct disks *ds)
{
        _cleanup_free_ struct look **looks = xreallocarray(NULL, ds->n + 1, sizeof *looks);
        _cleanup_free_ struct smart *smart = xreallocarray(NULL, ds->n + 1, sizeof *smart);
        uint64_t until = now_ms() + DEADLINE_MS;
        bool zfs = is_zfs_mounted(), all = true;

        for (size_t i = 0; i < ds->n; i++)
                looks[i] = begin_look(ds->v[i]);
        smart_look(ds, smart);
        for (size_t i = 0; i < ds->n; i++) {
                end_look(looks[i], until);
                print_look(ds->v[i], looks[i], &smart[i], zfs);
                all &= looks[i]->ended;
                free_look(looks[i]);
        }
        return all;
}

int run_list(const struct record *args _unused_)
{
        struct disks ds = {0};
        int r = disks_look(&ds);

        if (r == 0)
                r = use_look(&ds);
        if (r < 0) {
                disks_free(&ds);
                return helper_fail("no-look", NULL, NULL, "the disks of this computer cannot be listed: %s",
                                   strerror(-r));
        }
        if (list_all(&ds))
                disks_free(&ds); /* otherwise a thread still reads them */
        return helper_result(NULL);
}

static int open_image(const char *path, int *ret_fd, uint64_t *ret_size)
{
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        off_t end = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);

        if (end < 0)
                return -errno;
        *ret_size = (uint64_t)end;
        *ret_fd = TAKE_FD(fd);
        return 0;
}

int run_probe(const struct record *args)
{
        const char *path = record_str(args, "path");
        _cleanup_free_ char *full = helper_path(path);
        _cleanup_record_ struct record *r = record_new("probe");
        _cleanup_contents_ struct contents c = {0};
        _cleanup_close_ int fd = -1;
        uint64_t size = 0;
        int e = open_image(full, &fd, &size);

        if (e == 0) {
                contents_look(fd, size, 0, 0, &c);
                e = c.error;
        }
        if (e < 0)
                return helper_fail("unreadable", path, NULL, "%s cannot be read: %s", path, strerror(-e));
        _cleanup_strv_ char **tokens = contents_tokens(&c);
        record_set_u64(r, "size", size);
        record_set(r, "holds", contents_holds(&c));
        record_set_list(r, "found", tokens);
        record_print(r, stdout);
        print_contents("image", size, &c);
        return helper_result(NULL);
}

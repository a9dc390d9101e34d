#include "helpers/disk_list.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "helpers/disk_set.h"
#include "helpers/disk_use.h"

const struct param list_params[] = {
        {"look", false, "names: what can be told without opening a disk; all (the default): everything"},
        {0},
};

const struct param probe_params[] = {
        {"path", true, "image file or block device to look into"},
        {0},
};

/* --- a disk's record --- */

static bool is_read(const struct look *l)
{
        return l->is_known && !l->is_silent && l->error == 0 && l->contents.error == 0;
}

static void set_health(struct record *r, const struct look *l)
{
        const char *broken = look_broken(l);

        record_set(r, "state", broken ? "failing" : l->has_smart ? l->smart.state : "looking");
        record_set(r, "why", broken ? broken : l->smart.why);
        if (!broken && l->smart.has_figure)
                record_set_u64(r, "figure", l->smart.figure);
        if (l->smart.temperature)
                record_set_u64(r, "temperature", l->smart.temperature);
        if (l->smart.hours)
                record_set_u64(r, "hours", l->smart.hours);
}

static void set_contents(struct record *r, const struct disk *d, const struct look *l)
{
        bool is_looking = !l->is_known && !l->is_silent;
        _cleanup_strv_ char **tokens = NULL;

        record_set(r, "holds", streq_null(d->protection, "system") ? "system"
                               : is_looking                        ? "looking"
                               : is_read(l)                        ? contents_holds(&l->contents)
                                                                   : "unknown");
        if (is_looking)
                return;
        if (is_read(l))
                tokens = contents_tokens(&l->contents, !is_disk_used(d));
        else
                strv_add(&tokens, "unknown@0");
        record_set_list(r, "found", tokens);
}

static void set_use(struct record *r, const struct disk *d, const struct look *l)
{
        const char *p = d->protection;

        if (!p && is_read(l) && has_content(&l->contents, "zfs_member") && is_zfs_mounted())
                p = "mounted";
        record_set(r, "protected", p);
        if (d->protectedby)
                record_set_list(r, "protectedby", d->protectedby);
        record_set(r, "letgo", d->letgo ? "yes" : NULL);
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

/* --- all of it --- */

/* A slot without a card says so only when it is opened; it is no disk then. */
static bool is_empty_slot(const struct look *l)
{
        return l->is_known && l->error == -ENOMEDIUM;
}

static struct record *disk_record(const struct disk *d, const struct look *l)
{
        struct record *r = record_new("disk");

        set_identity(r, d);
        set_health(r, l);
        set_contents(r, d, l);
        set_use(r, d, l);
        return r;
}

static struct looked looked_at(const struct disk *d, const struct layer *layer, const struct look *l)
{
        bool is_looking = !l->is_known && !l->is_silent && (!layer || can_look(layer));

        return (struct looked){d, layer, is_read(l) ? &l->contents : NULL, is_looking};
}

void list_records(const struct looks *ls, struct records *out)
{
        const struct disks *ds = looks_disks(ls);
        const struct layers *layers = looks_layers(ls);
        _cleanup_free_ struct looked *v = xreallocarray(NULL, ds->n + layers->n + 1, sizeof *v);
        size_t n = 0;

        for (size_t i = 0; i < ds->n; i++) {
                const struct look *l = looks_of_disk(ls, i);
                if (is_empty_slot(l))
                        continue;
                records_add(out, disk_record(ds->v[i], l));
                v[n++] = looked_at(ds->v[i], NULL, l);
        }
        for (size_t i = 0; i < layers->n; i++)
                v[n++] = looked_at(NULL, &layers->v[i], looks_of_layer(ls, i));
        for (size_t i = 0; i < n; i++)
                contents_records(&v[i], out);
        sets_records(v, n, layers, out);
        layers_records(layers, out);
}

/* --- the verbs --- */

int say_no_look(int e)
{
        return helper_fail("no-look", NULL, NULL, "the disks of this computer cannot be listed: %s", strerror(-e));
}

static int list(const void *is_all)
{
        _cleanup_records_ struct records out = {0};
        _cleanup_looks_ struct looks *ls = looks_new();
        int r = looks_update(ls, *(const bool *)is_all);

        if (r < 0)
                return say_no_look(r);
        looks_wait(ls);
        list_records(ls, &out);
        RECORDS_FOREACH(one, &out)
        record_print(one, stdout);
        return helper_result(NULL);
}

int look_apart(int (*work)(const void *ctx), const void *ctx)
{
        int r = run_apart(work, ctx);

        return r < 0 ? helper_fail("no-look", NULL, NULL, "looking at the disks broke off; please try it again") : r;
}

int run_list(const struct record *args)
{
        const char *look = record_str(args, "look");
        bool is_all = streq(look, "") || streq(look, "all");

        if (!is_all && !streq(look, "names"))
                return helper_usage("look", "look=%s is not known; it can be: names, all", look);
        return look_apart(list, &is_all);
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
        _cleanup_records_ struct records out = {0};
        _cleanup_close_ int fd = -1;
        uint64_t size = 0;
        int e = open_image(full, &fd, &size);

        if (e == 0) {
                contents_look(fd, size, 0, 0, &c);
                e = c.error;
        }
        if (e < 0)
                return helper_fail("unreadable", path, NULL, "%s cannot be read: %s", path, strerror(-e));
        _cleanup_strv_ char **tokens = contents_tokens(&c, true);
        record_set_u64(r, "size", size);
        record_set(r, "holds", contents_holds(&c));
        record_set_list(r, "found", tokens);
        record_print(r, stdout);
        const struct disk image = {.name = (char[]){"image"}, .size = size};
        contents_records(&(struct looked){.disk = &image, .contents = &c}, &out);
        sets_records(&(struct looked){.disk = &image, .contents = &c}, 1, NULL, &out);
        RECORDS_FOREACH(one, &out)
        record_print(one, stdout);
        return helper_result(NULL);
}

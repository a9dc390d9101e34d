#include "helpers/disk_release.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "helpers/disk_busy.h"
#include "helpers/disk_use.h"
#include "helpers/lib/log.h"

#define PATIENCE_MS 10000 /* for passers-by such as a probing udevd */
#define TICK_US 200000
#define ROUNDS 8          /* an array may run in several pieces, or come back */

const struct param release_params[] = {
        {"what", true, "md, dm, loop, mount or swap"},
        {"uuid", false, "its UUID, as list says it; left out where it has none"},
        {"name", true, "its name, mount point or device, as list says it"},
        {"disks", true, "all disks that it may lie on: by-id or by-path names, WWNs or serial numbers"},
        {0},
};

/* 0 for a mount. */
static dev_t node_of(const struct layer *l)
{
        struct stat st;
        const char *path = l->path ? l->path : l->name;

        return stat(path, &st) == 0 && S_ISBLK(st.st_mode) ? st.st_rdev : 0;
}

/* --- taking one down: 0, -EBUSY where somebody uses it, -errno --- */

static int stop_md(const struct layer *l, char **ret_raw)
{
        _cleanup_close_ int fd = -1;
        int r = helper_exec(STRV("mdadm", "--stop", l->path), ret_raw);

        if (r == -EIO && (fd = open(l->path, O_RDONLY | O_EXCL | O_CLOEXEC)) < 0 && errno == EBUSY)
                return -EBUSY;
        return r;
}

static int remove_dm(const struct layer *l, char **ret_raw)
{
        dev_t devno = node_of(l);
        _cleanup_free_ char *ma = xasprintf("%u", major(devno)), *mi = xasprintf("%u", minor(devno));
        int r = l->uuid ? helper_exec(STRV("dmsetup", "remove", "--retry", "--uuid", l->uuid), ret_raw)
                        : helper_exec(STRV("dmsetup", "remove", "--retry", "--major", ma, "--minor", mi), ret_raw);

        return r == -EIO && *ret_raw && strstr(*ret_raw, strerror(EBUSY)) ? -EBUSY : r;
}

/* Where somebody has it open, LOOP_CLR_FD succeeds and it goes with the last one: looking again tells. */
static int clear_loop(const struct layer *l, char **ret_raw _unused_)
{
        _cleanup_close_ int fd = open(l->path, O_RDONLY | O_CLOEXEC);

        return fd < 0 || ioctl(fd, LOOP_CLR_FD) < 0 ? -errno : 0;
}

static int unmount(const struct layer *l, char **ret_raw _unused_)
{
        return umount2(l->name, UMOUNT_NOFOLLOW) < 0 ? -errno : 0;
}

static int stop_swap(const struct layer *l, char **ret_raw _unused_)
{
        return swapoff(l->name) < 0 ? -errno : 0;
}

static const struct kind {
        const char *what, *types; /* of disk_layer.h, each between blanks */
        const char *program;      /* that it takes; NULL for none */
        int (*take_down)(const struct layer *l, char **ret_raw);
} kinds[] = {
        {"md", " md ", "mdadm", stop_md},
        {"dm", " lvm crypt dm ", "dmsetup", remove_dm},
        {"loop", " loop ", NULL, clear_loop},
        {"mount", " mount ", NULL, unmount},
        {"swap", " swap ", NULL, stop_swap},
};

static const struct kind *find_kind(const char *what)
{
        for (size_t i = 0; i < ELEMENTSOF(kinds); i++)
                if (streq(kinds[i].what, what))
                        return &kinds[i];
        return NULL;
}

static bool is_of_kind(const struct layer *l, const struct kind *k)
{
        _cleanup_free_ char *type = xasprintf(" %s ", l->type);

        return strstr(k->types, type) != NULL;
}

static const struct kind *kind_of(const struct layer *l)
{
        for (size_t i = 0; i < ELEMENTSOF(kinds); i++)
                if (is_of_kind(l, &kinds[i]))
                        return &kinds[i];
        return NULL;
}

/* Waits for passers-by. */
static int take_down(const struct kind *k, const struct layer *l, char **ret_raw)
{
        uint64_t until = now_ms() + PATIENCE_MS;
        int r;

        while ((r = k->take_down(l, ret_raw)) == -EBUSY && now_ms() < until) {
                freep(ret_raw);
                *ret_raw = NULL;
                usleep(TICK_US);
        }
        log_line("%s %s taken down → %d", k->what, l->name, r);
        return r;
}

/* --- the verb --- */

struct release {
        const struct record *args;
        const struct kind *kind;
        struct disks disks;
        struct layers layers;
        char **chosen; /* kernel names */
};

static void release_free(struct release *c)
{
        disks_free(&c->disks);
        layers_free(&c->layers);
        strv_free(c->chosen);
}

static int look(struct release *c)
{
        int r = disks_look(&c->disks);

        if (r == 0)
                r = layers_look(&c->layers);
        if (r < 0)
                return helper_refuse("no-look", NULL, "the disks of this computer cannot be listed: %s", strerror(-r));
        use_take(&c->disks, &c->layers);
        return 0;
}

static int look_again(struct release *c)
{
        layers_free(&c->layers);
        disks_free(&c->disks);
        c->layers = (struct layers){0};
        c->disks = (struct disks){0};
        return look(c);
}

int release_disks(const struct disks *ds, const char *list, char ***ret)
{
        _cleanup_strv_ char **keys = list_split(list), **names = NULL;

        STRV_FOREACH(key, keys) {
                const struct disk *d;
                int r = disk_named(ds, *key, &d);
                if (r)
                        return r;
                strv_add(&names, d->name);
        }
        *ret = TAKE_PTR(names);
        return 0;
}

static bool is_on_chosen(const struct release *c, const struct layer *l)
{
        STRV_FOREACH(d, l->disks)
                if (strv_has(c->chosen, *d))
                        return true;
        return l->is_unresolved;
}

/* Names go from one to another with each restart: a swap space or mount of that name elsewhere is not the one. */
static bool is_meant(const struct release *c, const struct layer *l)
{
        const char *uuid = record_str(c->args, "uuid"), *name = record_str(c->args, "name");

        if (!is_of_kind(l, c->kind))
                return false;
        if (*uuid)
                return l->uuid && streq(l->uuid, uuid);
        return !l->uuid && streq(l->name, name) && is_on_chosen(c, l);
}

static const struct layer *find_layer(const struct release *c)
{
        for (size_t i = 0; i < c->layers.n; i++)
                if (is_meant(c, &c->layers.v[i]))
                        return &c->layers.v[i];
        return NULL;
}

static bool is_kept(const struct layer *l)
{
        return l->is_system || l->is_absent || l->is_kept || is_multipath(l);
}

/* On a disk of the system, needed by it, or below something that is: no release of that stands in the plan. */
static bool is_system(const struct release *c, const struct layer *l)
{
        static const char *const never[] = {"system", "unresolved"};

        for (size_t i = 0; i < c->disks.n; i++) {
                const struct disk *d = c->disks.v[i];
                for (size_t k = 0; k < ELEMENTSOF(never); k++)
                        if (streq_null(d->protection, never[k]) && strv_has(l->disks, d->name))
                                return true;
        }
        for (size_t i = 0; i < c->layers.n; i++)
                if (is_kept(&c->layers.v[i]) && layer_is_on(&c->layers.v[i], l))
                        return true;
        return is_kept(l);
}

const char *release_other_disk(const struct layer *l, char *const *chosen)
{
        if (l->is_unresolved || !l->disks)
                return l->name;
        STRV_FOREACH(d, l->disks)
                if (!strv_has(chosen, *d))
                        return *d;
        return NULL;
}

static char *names_above(const struct layers *ls, const struct layer *l)
{
        _cleanup_strv_ char **names = NULL;

        for (size_t i = 0; i < ls->n; i++)
                if (layer_is_on(&ls->v[i], l))
                        strv_add(&names, ls->v[i].name);
        return strv_join(names, ", ");
}

static int check(const struct release *c, const struct layer *l)
{
        _cleanup_free_ char *above = names_above(&c->layers, l);

        /* a dry run stands before the releases of what is on top */
        if (is_system(c, l))
                return helper_refuse("system", l->name, "%s belongs to the system of this computer and stays as it is",
                                     l->name);
        const char *other = release_other_disk(l, c->chosen);
        /* of several on one mount point the last goes first, which is not known here */
        for (size_t i = 0; i < c->layers.n && !other && streq(l->type, "mount"); i++)
                if (streq(c->layers.v[i].type, "mount") && streq(c->layers.v[i].name, l->name))
                        other = release_other_disk(&c->layers.v[i], c->chosen);
        if (other)
                return helper_refuse("spans", other, "%s lies also on %s, which was not chosen, and its files would be lost "
                                     "there too. Choose all of its disks or none of them", l->name, other);
        if (*above && !helper_is_dry_run())
                return helper_refuse("in-use", above, "%s is in use by %s, which must be released first", l->name, above);
        return 0;
}

/* Mounts in its folders, which no program shows. */
static char *mounts_in(const struct release *c, const struct layer *l)
{
        _cleanup_strv_ char **names = NULL;

        for (size_t i = 0; i < c->layers.n && streq(l->type, "mount"); i++) {
                const struct layer *m = &c->layers.v[i];
                const char *rest = streq(m->type, "mount") ? skip_prefix(m->name, l->name) : NULL;
                if (rest && *rest == '/')
                        strv_add(&names, m->name);
        }
        return strv_join(names, ", ");
}

static int say_busy(const struct release *c, const struct layer *l, const char *raw)
{
        bool is_mount = streq(l->type, "mount");
        _cleanup_free_ char *inside = mounts_in(c, l),
                            *who = *inside ? xstrdup(inside)
                                           : busy_programs(is_mount ? busy_fs(l->name) : 0, is_mount ? 0 : node_of(l));

        if (*who)
                return helper_fail("in-use", who, raw, "%s is in use by %s; end what uses it and try again", l->name, who);
        return helper_fail("in-use", l->name, raw, "%s is in use, and it cannot be told by what; restart the computer and "
                           "try again", l->name);
}

static int say_failed(const struct release *c, const struct layer *l, const char *raw, int e)
{
        if (e == -EBUSY)
                return say_busy(c, l, raw);
        if (e == -ENOMEM)
                return helper_fail("no-memory", l->name, raw, "the memory is too small for what lies in the swap space %s; "
                                   "end some programs and try again", l->name);
        return helper_fail("not-released", l->name, raw, "%s could not be stopped (%s); restart the computer and try "
                           "again", l->name, strerror(-e));
}

/* Whether it may be done, and can be. */
static int check_all(const struct release *c, const struct layer *l)
{
        int r = check(c, l);

        if (r != 0 || helper_is_dry_run())
                return r;
        if (helper_has_root())
                return helper_refuse("not-released", l->name, "%s of a recorded computer cannot be stopped", l->name);
        if (c->kind->program && !has_program(c->kind->program))
                return helper_refuse("no-program", c->kind->program, "%s is needed and missing", c->kind->program);
        return 0;
}

/* Looking again counts, not what a program says: one that only waited too long for udev has done it all the same. */
static int release(struct release *c)
{
        _cleanup_free_ char *raw = NULL, *text = xasprintf("release %s %s", c->kind->what, record_str(c->args, "name"));
        const struct layer *l;
        int e = 0, r = 0;

        for (unsigned i = 0; r == 0 && (l = find_layer(c)); i++) {
                if (e < 0 || i == ROUNDS)
                        return say_failed(c, l, raw, e ? e : -EBUSY);
                r = check_all(c, l);
                if (r != 0)
                        return r;
                if (helper_would(text))
                        break;
                freep(&raw);
                raw = NULL;
                e = take_down(c->kind, l, &raw);
                r = look_again(c);
        }
        return r ? r : helper_result(NULL);
}

int run_release(const struct record *args)
{
        _cleanup_(release_free) struct release c = {.args = args, .kind = find_kind(record_str(args, "what"))};

        if (!c.kind)
                return helper_usage("what", "what=%s is none of md, dm, loop, mount, swap", record_str(args, "what"));
        int r = look(&c);
        if (r == 0)
                r = release_disks(&c.disks, record_str(args, "disks"), &c.chosen);
        return r ? r : release(&c);
}

/* --- for partition --- */

static const struct layer *find_returned(const struct layers *ls, char *const *agreed, const char *disk,
                                         char *const *chosen)
{
        for (size_t i = 0; i < ls->n; i++) {
                const struct layer *l = &ls->v[i];
                _cleanup_free_ char *id = layer_id(l), *above = names_above(ls, l);
                const struct kind *k = kind_of(l);
                if (k && k->program && strv_has(agreed, id) && strv_has(l->disks, disk) && !*above &&
                    !release_other_disk(l, chosen))
                        return l;
        }
        return NULL;
}

bool release_returned(char *const *agreed, const char *disk, char *const *chosen)
{
        bool any = false;

        for (unsigned i = 0; agreed && i < ROUNDS; i++) {
                _cleanup_layers_ struct layers ls = {0};
                _cleanup_free_ char *raw = NULL;
                const struct layer *l = layers_look(&ls) == 0 ? find_returned(&ls, agreed, disk, chosen) : NULL;
                if (!l)
                        return any;
                log_line("%s has come back", l->name);
                any = true;
                if (take_down(kind_of(l), l, &raw) < 0)
                        return any;
        }
        return any;
}

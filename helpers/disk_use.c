#include "helpers/disk_use.h"

#include "helpers/disk_stack.h"

#define BY_MAX 8 /* names listed in protectedby */
#define SMALLEST GIB

/* --- protections --- */

/* The strongest comes first. */
static const char *const protections[] = {"system", "array", "mounted", "swap", "unresolved", "readonly", "small"};

static size_t strength(const char *protection)
{
        size_t i = 0;

        while (i < ELEMENTSOF(protections) && !streq_null(protections[i], protection))
                i++;
        return i;
}

static void protect(struct disk *d, const char *protection, const char *by)
{
        size_t old = strength(d->protection), new = strength(protection);

        if (new > old)
                return;
        if (new < old) {
                strv_free(d->protectedby);
                d->protectedby = NULL;
                d->protection = protection;
        }
        if (by && strv_len(d->protectedby) < BY_MAX && !strv_has(d->protectedby, by))
                strv_add(&d->protectedby, by);
}

static bool is_below_of(const struct layer *l, const struct disk *d)
{
        return strv_has(l->disks, d->name);
}

static bool is_use(const struct layer *l)
{
        return streq(l->type, "mount") || streq(l->type, "swap");
}

/* The arrays that lie between l and its disks. */
static void arrays_below(const struct layers *ls, const struct layer *l, char ***ret, unsigned depth)
{
        for (size_t i = 0; i < ls->n && depth < 16; i++) {
                const struct layer *lower = &ls->v[i];
                if (lower == l || !layer_is_on(l, lower))
                        continue;
                if (streq(lower->type, "md") && !strv_has(*ret, lower->name))
                        strv_add(ret, lower->name);
                arrays_below(ls, lower, ret, depth + 1);
        }
}

static void protect_below(struct disks *ds, const struct layers *ls, const struct layer *l)
{
        _cleanup_strv_ char **arrays = NULL;

        arrays_below(ls, l, &arrays, 0);
        const char *why = l->is_system ? "system" : streq(l->type, "swap") ? "swap" : arrays ? "array" : "mounted";
        for (size_t i = 0; i < ds->n; i++) {
                if (!is_below_of(l, ds->v[i]))
                        continue;
                STRV_FOREACH(a, arrays)
                        protect(ds->v[i], why, *a);
                protect(ds->v[i], why, l->name);
        }
}

/* A way to a disk is not the disk. */
static void protect_ways(struct disks *ds, const struct layer *map)
{
        for (size_t i = 0; i < ds->n; i++)
                if (is_below_of(map, ds->v[i]))
                        protect(ds->v[i], "array", map->name);
}

static void protect_rest(struct disks *ds, const char *by)
{
        for (size_t i = 0; i < ds->n; i++)
                protect(ds->v[i], "unresolved", by);
}

/* --- one disk --- */

static void take_usedby(struct disk *d, const struct layers *ls)
{
        for (size_t i = ls->n; i > 0; i--) {
                const struct layer *l = &ls->v[i - 1];
                if (!is_use(l) && is_below_of(l, d) && !strv_has(d->usedby, l->name))
                        strv_add(&d->usedby, l->name);
        }
}

/* Whether every mount and swap space on it can be taken down without the system missing anything, and it may be chosen
 * then. */
static bool can_let_go(const struct disk *d, const struct layers *ls)
{
        if ((!streq_null(d->protection, "mounted") && !streq_null(d->protection, "swap")) || d->readonly || d->size < SMALLEST)
                return false;
        for (size_t i = 0; i < ls->n; i++) {
                const struct layer *l = &ls->v[i];
                if (is_below_of(l, d) && (l->is_system || l->is_kept || l->is_unresolved || is_multipath(l) || streq(l->type, "loop")))
                        return false;
        }
        return true;
}

static void forget_use(struct disk *d)
{
        strv_free(d->protectedby);
        strv_free(d->usedby);
        d->protectedby = d->usedby = NULL;
        d->protection = NULL;
        d->letgo = false;
}

void use_take(struct disks *ds, const struct layers *ls)
{
        for (size_t i = 0; i < ds->n; i++)
                forget_use(ds->v[i]);
        for (size_t i = 0; i < ls->n; i++) {
                const struct layer *l = &ls->v[i];
                if (is_multipath(l))
                        protect_ways(ds, l);
                if (!is_use(l))
                        continue;
                protect_below(ds, ls, l);
                if (l->is_system && l->is_unresolved)
                        protect_rest(ds, l->name);
        }
        if (!ls->has_root)
                protect_rest(ds, "/");
        for (size_t i = 0; i < ds->n; i++) {
                struct disk *d = ds->v[i];
                take_usedby(d, ls);
                if (d->readonly)
                        protect(d, "readonly", NULL);
                if (d->size < SMALLEST)
                        protect(d, "small", NULL);
                d->letgo = can_let_go(d, ls);
        }
}

bool is_disk_used(const struct disk *d)
{
        return d->protection || d->usedby;
}

bool is_zfs_mounted(void)
{
        _cleanup_mounts_ struct libmnt_table *mounts = NULL;
        _cleanup_iter_ struct libmnt_iter *it = mnt_new_iter(MNT_ITER_FORWARD);
        struct libmnt_fs *fs;

        if (mounts_read(&mounts) < 0)
                return true;
        while (mnt_table_next_fs(mounts, it, &fs) == 0)
                if (streq_null(mnt_fs_get_fstype(fs), "zfs"))
                        return true;
        return false;
}

char *protection_text(const struct disk *d)
{
        static const struct {
                const char *protection, *text;
        } texts[] = {
                {"system", "this computer runs from it"},
                {"array", "it belongs to an array that is in use"},
                {"mounted", "it is mounted"},
                {"swap", "this computer uses it as swap space"},
                {"unresolved", "it could not be found out which disk this computer runs from, and it may be this one"},
                {"readonly", "it is write-protected"},
                {"small", "it is smaller than 1 GiB"},
        };
        _cleanup_free_ char *by = strv_join(d->protectedby, ", ");

        for (size_t i = 0; d->protection && i < ELEMENTSOF(texts); i++)
                if (streq(d->protection, texts[i].protection))
                        return xasprintf("%s is protected: %s%s%s%s", d->name, texts[i].text, *by ? " (" : "", by,
                                         *by ? ")" : "");
        return xstrdup("");
}

#include "helpers/disk_use.h"

#include <errno.h>
#include <libmount.h>
#include <limits.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"

#define DEPTH_MAX 16 /* layers; more is a loop */
#define BY_MAX 8     /* names listed in protectedby */

enum outcome {
        RESOLVED,   /* to disks, perhaps none of ours */
        NO_DISK,    /* memory, network */
        UNRESOLVED, /* something that we cannot follow */
};

/* One mount or swap, followed down. */
struct trail {
        struct libmnt_table *mounts;
        char **disks; /* names of whole block devices */
        char **via;   /* arrays that were passed */
};

static void mnt_unref_iterp(struct libmnt_iter **it)
{
        mnt_free_iter(*it);
}

static void mnt_unref_tablep(struct libmnt_table **tb)
{
        mnt_unref_table(*tb);
}

static void trail_free(struct trail *t)
{
        strv_free(t->disks);
        strv_free(t->via);
}

/* Where a path leads, with --root; NULL where it leads nowhere. */
static char *real_folder(const char *path)
{
        _cleanup_free_ char *full = helper_path(path);

        return realpath(full, NULL);
}

static const char *last_part(const char *path)
{
        const char *slash = strrchr(path, '/');

        return slash ? slash + 1 : path;
}

static bool exists_in(const char *dir, const char *file)
{
        _cleanup_free_ char *path = path_join(dir, file);

        return access(path, F_OK) == 0;
}

static enum outcome follow_path(struct trail *t, const char *path, const struct libmnt_fs *but, unsigned depth);
static enum outcome follow_name(struct trail *t, const char *name, unsigned depth);

/* dir: the folder of a block device in sysfs, whole or partition. */
static enum outcome follow_folder(struct trail *t, char *dir, unsigned depth)
{
        if (exists_in(dir, "partition"))
                *strrchr(dir, '/') = '\0';
        const char *name = last_part(dir);
        if (has_prefix(name, "loop")) {
                _cleanup_free_ char *file = sysfs_line(dir, "loop/backing_file");
                return file ? follow_path(t, file, NULL, depth + 1) : UNRESOLVED;
        }
        if (has_prefix(name, "ram") || has_prefix(name, "zram"))
                return NO_DISK;
        _cleanup_free_ char *folder = path_join(dir, "slaves");
        _cleanup_strv_ char **slaves = list_folder(folder);
        enum outcome worst = RESOLVED;
        if (!slaves && !strv_has(t->disks, name))
                strv_add(&t->disks, name);
        if (has_prefix(name, "md") && !strv_has(t->via, name))
                strv_add(&t->via, name);
        STRV_FOREACH(s, slaves)
                worst = MAX2(worst, follow_name(t, *s, depth + 1));
        return worst;
}

static enum outcome follow_name(struct trail *t, const char *name, unsigned depth)
{
        _cleanup_free_ char *path = xasprintf("/sys/class/block/%s", name);
        _cleanup_free_ char *dir = depth < DEPTH_MAX ? real_folder(path) : NULL;

        return dir ? follow_folder(t, dir, depth) : UNRESOLVED;
}

static enum outcome follow_devno(struct trail *t, dev_t devno, unsigned depth)
{
        _cleanup_free_ char *path = xasprintf("/sys/dev/block/%u:%u", major(devno), minor(devno));
        _cleanup_free_ char *dir = depth < DEPTH_MAX ? real_folder(path) : NULL;

        return dir ? follow_folder(t, dir, depth) : UNRESOLVED;
}

/* /dev/mapper/vg-root → dm-0 */
static char *kernel_name(const char *source)
{
        _cleanup_free_ char *real = real_folder(source);

        return xstrdup(last_part(real ? real : source));
}

/* btrfs has a device number of its own; its members are listed by file system UUID. */
static enum outcome follow_btrfs(struct trail *t, const char *source, unsigned depth)
{
        _cleanup_free_ char *name = kernel_name(source), *top = helper_path("/sys/fs/btrfs");
        _cleanup_strv_ char **uuids = list_folder(top);

        STRV_FOREACH(u, uuids) {
                _cleanup_free_ char *sub = xasprintf("%s/%s/devices", top, *u);
                _cleanup_strv_ char **members = list_folder(sub);
                enum outcome worst = RESOLVED;
                if (!strv_has(members, name))
                        continue;
                STRV_FOREACH(m, members)
                        worst = MAX2(worst, follow_name(t, *m, depth + 1));
                return worst;
        }
        return follow_name(t, name, depth + 1);
}

/* lowerdir=a:b, upperdir=c: the file systems that those folders are on. */
static enum outcome follow_overlay(struct trail *t, struct libmnt_fs *fs, unsigned depth)
{
        static const char *const keys[] = {"upperdir", "lowerdir"};
        const char *options = mnt_fs_get_fs_options(fs);
        enum outcome worst = options ? NO_DISK : UNRESOLVED;

        for (size_t i = 0; options && i < ELEMENTSOF(keys); i++) {
                char *value;
                size_t n;
                if (mnt_optstr_get_option(options, keys[i], &value, &n) != 0)
                        continue;
                _cleanup_free_ char *dirs = xstrndup(value, n);
                for (char *rest = dirs, *dir; (dir = strsep(&rest, ":"));) {
                        enum outcome o = *dir ? follow_path(t, dir, fs, depth + 1) : NO_DISK;
                        worst = o == UNRESOLVED || worst == UNRESOLVED ? UNRESOLVED
                                : o == RESOLVED                          ? RESOLVED
                                                                         : worst;
                }
        }
        return worst;
}

static bool is_without_disk(const char *type)
{
        static const char *const types[] = {"tmpfs", "ramfs",    "rootfs",   "devtmpfs", "nfs",   "nfs4",
                                            "cifs",  "smb3",     "9p",       "virtiofs", "hostfs", "ceph",
                                            "proc",  "sysfs",    "devpts",   "cgroup",   "cgroup2"};

        for (size_t i = 0; i < ELEMENTSOF(types); i++)
                if (streq(type, types[i]))
                        return true;
        return false;
}

static enum outcome follow_mount(struct trail *t, struct libmnt_fs *fs, unsigned depth)
{
        const char *type = mnt_fs_get_fstype(fs), *source = mnt_fs_get_source(fs);
        dev_t devno = mnt_fs_get_devno(fs);

        if (depth >= DEPTH_MAX || !type)
                return UNRESOLVED;
        if (major(devno) != 0)
                return follow_devno(t, devno, depth);
        if (streq(type, "overlay"))
                return follow_overlay(t, fs, depth);
        if (streq(type, "btrfs") && source)
                return follow_btrfs(t, source, depth);
        if (is_without_disk(type))
                return NO_DISK;
        if (!source || !has_prefix(source, "/dev/"))
                return UNRESOLVED;
        _cleanup_free_ char *name = kernel_name(source);
        return follow_name(t, name, depth);
}

static bool is_below(const char *path, const char *folder)
{
        size_t n = strlen(folder);

        return streq(folder, "/") || (has_prefix(path, folder) && (path[n] == '/' || path[n] == '\0'));
}

/* The mount that path lies on: the last of those with the longest mount point. */
static enum outcome follow_path(struct trail *t, const char *path, const struct libmnt_fs *but, unsigned depth)
{
        _cleanup_(mnt_unref_iterp) struct libmnt_iter *it = mnt_new_iter(MNT_ITER_FORWARD);
        struct libmnt_fs *fs, *best = NULL;
        size_t longest = 0;

        while (mnt_table_next_fs(t->mounts, it, &fs) == 0) {
                const char *target = mnt_fs_get_target(fs);
                if (fs == but || !target || !is_below(path, target) || strlen(target) < longest)
                        continue;
                best = fs;
                longest = strlen(target);
        }
        return best ? follow_mount(t, best, depth + 1) : UNRESOLVED;
}

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

static void protect_trail(struct disks *ds, const struct trail *t, const char *protection, const char *by)
{
        for (size_t i = 0; i < ds->n; i++) {
                if (!strv_has(t->disks, ds->v[i]->name))
                        continue;
                STRV_FOREACH(v, t->via)
                        protect(ds->v[i], protection, *v);
                protect(ds->v[i], protection, by);
        }
}

static void protect_rest(struct disks *ds, const char *by)
{
        for (size_t i = 0; i < ds->n; i++)
                protect(ds->v[i], "unresolved", by);
}

static bool is_system_mount(const char *target)
{
        static const char *const targets[] = {"/", "/boot", "/boot/efi", "/efi", "/usr", "/var"};

        for (size_t i = 0; i < ELEMENTSOF(targets); i++)
                if (streq(target, targets[i]))
                        return true;
        return false;
}

static bool look_mount(struct disks *ds, struct libmnt_table *mounts, struct libmnt_fs *fs)
{
        _cleanup_(trail_free) struct trail t = {.mounts = mounts};
        const char *target = mnt_fs_get_target(fs);
        enum outcome o = target ? follow_mount(&t, fs, 0) : NO_DISK;

        if (!target)
                return false;
        bool is_system = is_system_mount(target);
        protect_trail(ds, &t, is_system ? "system" : t.via ? "array" : "mounted", target);
        if (is_system && o == UNRESOLVED)
                protect_rest(ds, target);
        return streq(target, "/");
}

static int read_mounts(struct libmnt_table **ret)
{
        _cleanup_free_ char *path = helper_path("/proc/self/mountinfo");

        errno = 0;
        *ret = mnt_new_table_from_file(path);
        return *ret ? 0 : errno ? -errno : -EIO;
}

static int look_mounts(struct disks *ds)
{
        _cleanup_(mnt_unref_tablep) struct libmnt_table *mounts = NULL;
        _cleanup_(mnt_unref_iterp) struct libmnt_iter *it = mnt_new_iter(MNT_ITER_FORWARD);
        struct libmnt_fs *fs;
        bool has_root = false;
        int r = read_mounts(&mounts);

        while (r == 0 && mnt_table_next_fs(mounts, it, &fs) == 0)
                has_root |= look_mount(ds, mounts, fs);
        if (r == 0 && !has_root)
                protect_rest(ds, "/");
        return r;
}

/* /proc/swaps (swapon(8)): a head line, then path, type, …; swap files are covered by the mount they are on. */
static int look_swaps(struct disks *ds)
{
        _cleanup_free_ char *path = helper_path("/proc/swaps"), *text = NULL;
        int r = file_text(path, &text);

        for (char *rest = text, *line; r == 0 && (line = strsep(&rest, "\n"));) {
                _cleanup_(trail_free) struct trail t = {0};
                line[strcspn(line, " \t")] = '\0';
                if (!has_prefix(line, "/dev/"))
                        continue;
                _cleanup_free_ char *name = kernel_name(line);
                follow_name(&t, name, 0);
                protect_trail(ds, &t, "swap", line);
        }
        return r;
}

bool is_zfs_mounted(void)
{
        _cleanup_(mnt_unref_tablep) struct libmnt_table *mounts = NULL;
        _cleanup_(mnt_unref_iterp) struct libmnt_iter *it = mnt_new_iter(MNT_ITER_FORWARD);
        struct libmnt_fs *fs;

        if (read_mounts(&mounts) < 0)
                return false;
        while (mnt_table_next_fs(mounts, it, &fs) == 0)
                if (streq_null(mnt_fs_get_fstype(fs), "zfs"))
                        return true;
        return false;
}

/* --- holders --- */

static void take_holders(struct disk *d, const char *dir, unsigned depth)
{
        _cleanup_free_ char *folder = path_join(dir, "holders");
        _cleanup_strv_ char **names = list_folder(folder);

        STRV_FOREACH(n, names) {
                _cleanup_free_ char *path = xasprintf("/sys/class/block/%s", *n), *real = real_folder(path);
                _cleanup_free_ char *mapped = real ? sysfs_line(real, "dm/name") : NULL;
                const char *name = mapped ? mapped : *n;
                if (strv_has(d->usedby, name) || depth >= DEPTH_MAX)
                        continue;
                strv_add(&d->usedby, name);
                if (real)
                        take_holders(d, real, depth + 1);
        }
}

static void look_holders(struct disk *d)
{
        _cleanup_strv_ char **names = list_folder(d->sysfs);

        take_holders(d, d->sysfs, 0);
        STRV_FOREACH(n, names) {
                _cleanup_free_ char *dir = path_join(d->sysfs, *n);
                if (exists_in(dir, "partition"))
                        take_holders(d, dir, 0);
        }
}

#define SMALLEST GIB

int use_look(struct disks *ds)
{
        int r = look_mounts(ds);

        if (r == 0)
                r = look_swaps(ds);
        for (size_t i = 0; i < ds->n && r == 0; i++) {
                struct disk *d = ds->v[i];
                look_holders(d);
                if (d->readonly)
                        protect(d, "readonly", NULL);
                if (d->size < SMALLEST)
                        protect(d, "small", NULL);
        }
        return r;
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

#include "helpers/disk_stack.h"

#include <ctype.h>
#include <errno.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "helpers/disk_device.h"
#include "helpers/lib/helper.h"

#define DEPTH_MAX 16 /* layers; more is a loop */

void trail_free(struct trail *t)
{
        strv_free(t->on);
        strv_free(t->disks);
}

void mounts_freep(struct libmnt_table **tb)
{
        mnt_unref_table(*tb);
}

void mounts_iter_freep(struct libmnt_iter **it)
{
        mnt_free_iter(*it);
}

int mounts_read(struct libmnt_table **ret)
{
        _cleanup_free_ char *path = helper_path("/proc/self/mountinfo");

        errno = 0;
        *ret = mnt_new_table_from_file(path);
        return *ret ? 0 : errno ? -errno : -EIO;
}

/* --- block devices --- */

/* Where a path leads, with --root; NULL where it leads nowhere. */
static char *real_path(const char *path)
{
        _cleanup_free_ char *full = helper_path(path);

        return realpath(full, NULL);
}

static const char *last_part(const char *path)
{
        const char *slash = strrchr(path, '/');

        return slash ? slash + 1 : path;
}

static void add_once(char ***v, const char *s)
{
        if (!strv_has(*v, s))
                strv_add(v, s);
}

/* At depth 0 things are directly below. */
static void note_on(struct trail *t, const char *name, unsigned depth)
{
        if (depth == 0)
                add_once(&t->on, name);
}

static enum outcome down_mount(struct trail *t, struct libmnt_fs *fs, unsigned depth);
static enum outcome down_path(struct trail *t, const char *path, const struct libmnt_fs *but, unsigned depth);
static enum outcome down_block(struct trail *t, const char *name, unsigned depth);
static enum outcome down_to(struct trail *t, const char *name, unsigned depth);

static enum outcome down_slaves(struct trail *t, const char *dir, unsigned depth)
{
        _cleanup_free_ char *folder = path_join(dir, "slaves");
        _cleanup_strv_ char **slaves = list_folder(folder);
        enum outcome worst = STACK_RESOLVED;

        if (!slaves)
                add_once(&t->disks, last_part(dir));
        STRV_FOREACH(s, slaves) {
                note_on(t, *s, depth);
                enum outcome o = down_block(t, *s, depth + 1);
                worst = MAX2(worst, o);
        }
        return worst;
}

/* Of a loop: a file, or a block device, which /dev does not lie on. */
static enum outcome down_backing(struct trail *t, const char *file, unsigned depth)
{
        _cleanup_free_ char *name = source_name(file);

        return name ? down_to(t, name, depth) : down_path(t, file, NULL, depth);
}

/* dir: the folder of a block device in sysfs, whole or partition. */
static enum outcome down_folder(struct trail *t, char *dir, unsigned depth)
{
        _cleanup_free_ char *partition = path_join(dir, "partition");

        if (access(partition, F_OK) == 0)
                *strrchr(dir, '/') = '\0';
        const char *name = last_part(dir);
        if (has_prefix(name, "loop")) {
                _cleanup_free_ char *file = sysfs_line(dir, "loop/backing_file");
                return file ? down_backing(t, file, depth) : STACK_UNRESOLVED;
        }
        if (has_prefix(name, "ram") || has_prefix(name, "zram"))
                return STACK_NO_DISK;
        return down_slaves(t, dir, depth);
}

static enum outcome down_block(struct trail *t, const char *name, unsigned depth)
{
        _cleanup_free_ char *path = xasprintf("/sys/class/block/%s", name);
        _cleanup_free_ char *dir = depth < DEPTH_MAX ? real_path(path) : NULL;

        return dir ? down_folder(t, dir, depth) : STACK_UNRESOLVED;
}

/* From something that is on the device name. */
static enum outcome down_to(struct trail *t, const char *name, unsigned depth)
{
        note_on(t, name, depth);
        return down_block(t, name, depth + 1);
}

static enum outcome down_devno(struct trail *t, dev_t devno, unsigned depth)
{
        _cleanup_free_ char *path = xasprintf("/sys/dev/block/%u:%u", major(devno), minor(devno));
        _cleanup_free_ char *dir = real_path(path);

        if (!dir)
                return STACK_UNRESOLVED;
        note_on(t, last_part(dir), depth);
        return down_folder(t, dir, depth + 1);
}

/* fstab(5): UUID=, LABEL=, PARTUUID=, PARTLABEL= and their links by udev, which writes odd bytes as \xHH. */
static char *tag_path(const char *source)
{
        static const struct {
                const char *tag, *folder;
        } tags[] = {{"UUID=", "by-uuid"}, {"LABEL=", "by-label"}, {"PARTUUID=", "by-partuuid"}, {"PARTLABEL=", "by-partlabel"},
                    {"ID=", "by-id"}};
        struct buf b = {0};

        for (size_t i = 0; i < ELEMENTSOF(tags); i++) {
                const char *value = skip_prefix(source, tags[i].tag);
                if (!value)
                        continue;
                buf_printf(&b, "/dev/disk/%s/", tags[i].folder);
                for (value += *value == '"'; *value && *value != '"'; value++)
                        if (isalnum((unsigned char)*value) || strchr("#+-.:=@_", *value) || *value & 0x80)
                                buf_add(&b, value, 1);
                        else
                                buf_printf(&b, "\\x%02x", (unsigned char)*value);
                return b.buf;
        }
        return xstrdup(source);
}

char *source_name(const char *source)
{
        _cleanup_free_ char *path = tag_path(source), *real = NULL;

        if (!has_prefix(path, "/dev/"))
                return NULL;
        real = real_path(path); /* /dev/mapper/vg-root → dm-0 */
        const char *name = last_part(real ? real : path);
        _cleanup_free_ char *sysfs = xasprintf("/sys/class/block/%s", name), *dir = real_path(sysfs);
        return dir ? xstrdup(name) : NULL;
}

/* --- file systems --- */

/* btrfs has a device number of its own; its members are listed by file system UUID. */
static enum outcome down_btrfs(struct trail *t, const char *name, unsigned depth)
{
        _cleanup_free_ char *top = helper_path("/sys/fs/btrfs");
        _cleanup_strv_ char **uuids = list_folder(top);

        STRV_FOREACH(u, uuids) {
                _cleanup_free_ char *sub = xasprintf("%s/%s/devices", top, *u);
                _cleanup_strv_ char **members = list_folder(sub);
                enum outcome worst = STACK_RESOLVED;
                if (!strv_has(members, name))
                        continue;
                STRV_FOREACH(m, members) {
                        enum outcome o = down_to(t, *m, depth);
                        worst = MAX2(worst, o);
                }
                return worst;
        }
        return down_to(t, name, depth);
}

static enum outcome down_folders(struct trail *t, const char *dirs, const struct libmnt_fs *but, unsigned depth)
{
        _cleanup_free_ char *copy = xstrdup(dirs);
        enum outcome worst = STACK_NO_DISK;

        for (char *rest = copy, *dir; (dir = strsep(&rest, ":"));) {
                enum outcome o = *dir ? down_path(t, dir, but, depth) : STACK_NO_DISK;
                worst = MAX2(worst, o);
        }
        return worst;
}

/* lowerdir=a:b, upperdir=c; since Linux 6.5 also lowerdir+=a,lowerdir+=b: the file systems that those folders are on. */
static enum outcome down_overlay(struct trail *t, struct libmnt_fs *fs, unsigned depth)
{
        static const char *const keys[] = {"upperdir", "lowerdir", "lowerdir+", "datadir+"};
        _cleanup_free_ char *options = xstrdup(mnt_fs_get_fs_options(fs));
        enum outcome worst = options ? STACK_NO_DISK : STACK_UNRESOLVED;
        char *rest = options, *name, *value;
        size_t name_len, value_len;

        while (rest && mnt_optstr_next_option(&rest, &name, &name_len, &value, &value_len) == 0) {
                _cleanup_free_ char *key = xstrndup(name, name_len), *dirs = value ? xstrndup(value, value_len) : NULL;
                for (size_t i = 0; dirs && i < ELEMENTSOF(keys); i++)
                        if (streq(key, keys[i])) {
                                enum outcome o = down_folders(t, dirs, fs, depth);
                                worst = MAX2(worst, o);
                        }
        }
        return worst;
}

/* autofs: what it mounts when it is asked for is a mount of its own then. */
static bool is_without_disk(const char *type)
{
        static const char *const types[] = {"tmpfs", "ramfs", "rootfs", "devtmpfs", "nfs", "nfs4", "cifs", "smb3", "9p",
                                            "virtiofs", "hostfs", "ceph", "proc", "sysfs", "devpts", "cgroup", "cgroup2", "autofs"};

        for (size_t i = 0; i < ELEMENTSOF(types); i++)
                if (streq(type, types[i]))
                        return true;
        return false;
}

/* "/dev/sda1", or bcachefs's "/dev/sda:/dev/sdb". */
static enum outcome down_source(struct trail *t, const char *type, const char *source, unsigned depth)
{
        _cleanup_free_ char *copy = xstrdup(source);
        enum outcome worst = STACK_NO_DISK;

        for (char *rest = copy, *one; (one = strsep(&rest, streq(type, "bcachefs") ? ":" : ""));) {
                _cleanup_free_ char *name = source_name(one);
                enum outcome o = !name                   ? STACK_UNRESOLVED
                                 : streq(type, "btrfs") ? down_btrfs(t, name, depth)
                                                         : down_to(t, name, depth);
                worst = MAX2(worst, o);
        }
        return worst;
}

static enum outcome down_mount(struct trail *t, struct libmnt_fs *fs, unsigned depth)
{
        const char *type = mnt_fs_get_fstype(fs), *source = mnt_fs_get_source(fs);
        dev_t devno = mnt_fs_get_devno(fs);

        if (depth >= DEPTH_MAX || !type)
                return STACK_UNRESOLVED;
        if (major(devno) != 0)
                return down_devno(t, devno, depth);
        if (streq(type, "overlay"))
                return down_overlay(t, fs, depth);
        if (is_without_disk(type))
                return STACK_NO_DISK;
        return source ? down_source(t, type, source, depth) : STACK_UNRESOLVED;
}

static bool is_below(const char *path, const char *folder)
{
        size_t n = strlen(folder);

        return streq(folder, "/") || (has_prefix(path, folder) && (path[n] == '/' || path[n] == '\0'));
}

/* The last of those with the longest mount point. */
static struct libmnt_fs *mount_of_path(struct libmnt_table *mounts, const char *path, const struct libmnt_fs *but)
{
        _cleanup_iter_ struct libmnt_iter *it = mnt_new_iter(MNT_ITER_FORWARD);
        struct libmnt_fs *fs, *best = NULL;
        size_t longest = 0;

        while (mnt_table_next_fs(mounts, it, &fs) == 0) {
                const char *target = mnt_fs_get_target(fs);
                if (fs == but || !target || !is_below(path, target) || strlen(target) < longest)
                        continue;
                best = fs;
                longest = strlen(target);
        }
        return best;
}

static enum outcome down_path(struct trail *t, const char *path, const struct libmnt_fs *but, unsigned depth)
{
        struct libmnt_fs *fs = mount_of_path(t->mounts, path, but);

        if (!fs)
                return STACK_UNRESOLVED;
        note_on(t, mnt_fs_get_target(fs), depth);
        return down_mount(t, fs, depth + 1);
}

enum outcome follow_mount(struct trail *t, struct libmnt_fs *fs)
{
        return down_mount(t, fs, 0);
}

enum outcome follow_block(struct trail *t, const char *name)
{
        return down_block(t, name, 0);
}

enum outcome follow_device(struct trail *t, const char *name)
{
        return down_to(t, name, 0);
}

enum outcome follow_file(struct trail *t, const char *path)
{
        return down_path(t, path, NULL, 0);
}

#include "helpers/disk_layer.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "helpers/disk_elsewhere.h"
#include "helpers/disk_region.h"
#include "helpers/disk_stack.h"
#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"
#include "helpers/lib/md.h"

#define HEIGHT_MAX 64 /* more is a loop */

static void layer_done(struct layer *l)
{
        free(l->name);
        free(l->kernel);
        free(l->path);
        free(l->uuid);
        free(l->set);
        strv_free(l->on);
        strv_free(l->disks);
}

void layers_free(struct layers *ls)
{
        for (size_t i = 0; i < ls->n; i++)
                layer_done(&ls->v[i]);
        free(ls->v);
        *ls = (struct layers){0};
}

static void take_trail(struct layer *l, struct trail *t, enum outcome o)
{
        l->on = TAKE_PTR(t->on);
        l->disks = TAKE_PTR(t->disks);
        l->is_unresolved = o == STACK_UNRESOLVED;
}

/* Those on no disk are of no interest, as long as that is certain. */
static void add_layer(struct layers *ls, struct layer *l)
{
        if (l->disks || (l->is_unresolved && (l->is_system || l->kernel))) {
                ls->v = xreallocarray(ls->v, ls->n + 1, sizeof *ls->v);
                ls->v[ls->n++] = *l;
        } else {
                layer_done(l);
        }
}

/* --- block devices --- */

/* "LVM-", 32 letters of the volume group, 32 of the volume. */
static char *volume_group(const char *dm_uuid)
{
        const char *p = skip_prefix(dm_uuid, "LVM-");

        return p && strlen(p) >= 64 ? lvm_uuid_text(p) : NULL;
}

static void read_dm(struct layer *l, const char *dir)
{
        l->name = sysfs_line(dir, "dm/name");
        l->uuid = sysfs_line(dir, "dm/uuid");
        l->is_suspended = sysfs_number(dir, "dm/suspended") > 0;
        const char *uuid = l->uuid ? l->uuid : "";
        l->type = has_prefix(uuid, "LVM-") ? "lvm" : has_prefix(uuid, "CRYPT-") ? "crypt" : "dm";
        l->set = volume_group(uuid);
        /* an "LVM-" name of more than two UUIDs is LVM's own, such as a pool's or a snapshot's inner part */
        l->is_closed = l->set && strlen(uuid) > strlen("LVM-") + 64;
}

static void read_md(struct layer *l, const struct mds *mds)
{
        l->type = "md";
        l->is_closed = true;
        for (size_t i = 0; i < mds->n; i++) {
                if (!streq(mds->v[i].kernel, l->kernel))
                        continue;
                l->uuid = xstrdup(mds->v[i].uuid);
                l->set = xstrdup(mds->v[i].uuid);
                l->is_closed = !is_md_usable(&mds->v[i]) && !streq(mds->v[i].array_state, "readonly");
        }
}

/* A whole block device that lies on others. */
static void take_block(struct layers *ls, const char *name, struct libmnt_table *mounts, const struct mds *mds)
{
        _cleanup_free_ char *path = xasprintf("/sys/class/block/%s", name), *dir = helper_path(path);
        _cleanup_trail_ struct trail t = {.mounts = mounts};
        struct layer l = {.kernel = xstrdup(name), .path = xasprintf("/dev/%s", name)};

        l.size = sysfs_number(dir, "size") * 512;
        if (has_prefix(name, "md"))
                read_md(&l, mds);
        else if (has_prefix(name, "dm-"))
                read_dm(&l, dir);
        else
                l.type = has_prefix(name, "loop") ? "loop" : "dm";
        if (!l.name)
                l.name = xstrdup(name);
        take_trail(&l, &t, follow_block(&t, name));
        add_layer(ls, &l);
}

/* md, dm, bcache and others show what they are made of; a loop shows its file; a disk shows neither. */
static bool is_over_others(const char *name)
{
        _cleanup_free_ char *path = xasprintf("/sys/class/block/%s", name), *dir = helper_path(path);
        _cleanup_free_ char *slaves = path_join(dir, "slaves"), *file = path_join(dir, "loop/backing_file"),
                            *partition = path_join(dir, "partition");
        _cleanup_strv_ char **below = list_folder(slaves);

        return access(partition, F_OK) != 0 && (below || access(file, F_OK) == 0);
}

static void take_blocks(struct layers *ls, struct libmnt_table *mounts)
{
        _cleanup_free_ char *folder = helper_path("/sys/class/block");
        _cleanup_strv_ char **names = list_folder(folder);
        _cleanup_mds_ struct mds mds = {0};

        (void)!md_list(&mds); /* without it the arrays have no names; what they are on is known all the same */
        STRV_FOREACH(name, names)
                if (is_over_others(*name))
                        take_block(ls, *name, mounts, &mds);
}

/* --- mounts and swap --- */

/* What this computer itself runs from; the media of live systems among it. */
static bool is_system_target(const char *target)
{
        static const char *const targets[] = {"/", "/boot", "/boot/efi", "/boot/firmware", "/efi", "/usr", "/var", "/etc",
                                              "/run/live/medium", "/lib/live/mount/medium", "/run/initramfs/live",
                                              "/run/archiso/bootmnt", "/cdrom", "/isodevice", "/run/live/persistence"};

        for (size_t i = 0; i < ELEMENTSOF(targets); i++)
                if (streq(target, targets[i]))
                        return true;
        return false;
}

static bool is_at(const char *path, const char *folder)
{
        const char *rest = skip_prefix(path, folder);

        return rest && (*rest == '\0' || *rest == '/');
}

/* System folders, hier(7): what is mounted there is relied upon, by whatever mounted it. */
static bool is_system_folder(const char *target)
{
        static const char *const folders[] = {"/bin", "/boot", "/dev", "/efi", "/etc", "/home", "/lib", "/lib64", "/opt", "/proc",
                                              "/root", "/sbin", "/snap", "/srv", "/sys", "/tmp", "/usr", "/var", "/cdrom"};

        if (is_at(target, "/run"))
                return !is_at(target, "/run/media");
        for (size_t i = 0; i < ELEMENTSOF(folders); i++)
                if (is_at(target, folders[i]))
                        return true;
        return streq(target, "/");
}

static bool is_in_fstab(struct libmnt_table *fstab, const struct layer *l)
{
        _cleanup_iter_ struct libmnt_iter *it = mnt_new_iter(MNT_ITER_FORWARD);
        struct libmnt_fs *fs;

        while (fstab && mnt_table_next_fs(fstab, it, &fs) == 0) {
                const char *source = mnt_fs_get_source(fs);
                if (streq_null(mnt_fs_get_target(fs), l->name) || streq_null(source, l->name))
                        return true;
                _cleanup_free_ char *name = source ? source_name(source) : NULL;
                if (name && strv_has(l->on, name))
                        return true;
        }
        return false;
}

static void take_mount(struct layers *ls, struct libmnt_table *mounts, struct libmnt_fs *fs, struct libmnt_table *fstab)
{
        const char *target = mnt_fs_get_target(fs);
        _cleanup_trail_ struct trail t = {.mounts = mounts};

        if (!target)
                return;
        struct layer l = {.type = "mount", .name = xstrdup(target), .is_system = is_system_target(target)};
        take_trail(&l, &t, follow_mount(&t, fs));
        ls->has_root |= streq(target, "/");
        l.is_kept = is_system_folder(target) || is_in_fstab(fstab, &l);
        add_layer(ls, &l);
}

static void take_mounts(struct layers *ls, struct libmnt_table *mounts, struct libmnt_table *fstab)
{
        _cleanup_iter_ struct libmnt_iter *it = mnt_new_iter(MNT_ITER_BACKWARD);
        struct libmnt_fs *fs;

        while (mnt_table_next_fs(mounts, it, &fs) == 0)
                take_mount(ls, mounts, fs, fstab);
}

/* Nobody here can take it down. */
static void take_elsewhere(void *ctx, struct libmnt_table *theirs, struct libmnt_fs *fs, const char *program)
{
        const char *target = mnt_fs_get_target(fs);
        _cleanup_trail_ struct trail t = {.mounts = theirs};
        struct layer l = {.type = "mount", .name = xasprintf("%s (%s)", target ? target : "?", program), .is_kept = true, .is_elsewhere = true};

        take_trail(&l, &t, follow_mount(&t, fs));
        add_layer(ctx, &l);
}

/* /proc/swaps (proc(5)): a head line, then path, type, …; blanks in a path are \040, "(deleted)" may follow it. */
static void take_swap(struct layers *ls, char *line, struct libmnt_table *mounts, struct libmnt_table *fstab)
{
        _cleanup_trail_ struct trail t = {.mounts = mounts};

        line[strcspn(line, " \t")] = '\0';
        if (*line != '/')
                return;
        struct layer l = {.type = "swap", .name = mnt_unmangle(line)};
        _cleanup_free_ char *block = source_name(l.name);
        take_trail(&l, &t, block ? follow_device(&t, block) : follow_file(&t, l.name));
        l.is_kept = is_in_fstab(fstab, &l);
        add_layer(ls, &l);
}

static int take_swaps(struct layers *ls, struct libmnt_table *mounts, struct libmnt_table *fstab)
{
        _cleanup_free_ char *path = helper_path("/proc/swaps"), *text = NULL;
        int r = file_text(path, &text);

        for (char *rest = text, *line; r == 0 && (line = strsep(&rest, "\n"));)
                take_swap(ls, line, mounts, fstab);
        return r;
}

/* /boot/efi with noauto, /boot behind an automount: the disk is the system's all the same. */
static void take_absent(struct layers *ls, struct libmnt_table *mounts, struct libmnt_table *fstab)
{
        _cleanup_iter_ struct libmnt_iter *it = mnt_new_iter(MNT_ITER_FORWARD);
        struct libmnt_fs *fs;

        while (fstab && mnt_table_next_fs(fstab, it, &fs) == 0) {
                const char *target = mnt_fs_get_target(fs), *source = mnt_fs_get_source(fs);
                _cleanup_free_ char *name = source ? source_name(source) : NULL;
                _cleanup_trail_ struct trail t = {.mounts = mounts};
                if (!name || !target || !is_system_target(target))
                        continue;
                struct layer l = {.type = "mount", .name = xstrdup(target), .is_system = true, .is_kept = true, .is_absent = true};
                take_trail(&l, &t, follow_device(&t, name));
                add_layer(ls, &l);
        }
}

/* --- the order --- */

/* The kernel's partition of a device: sda1 of sda, md127p1 of md127. */
static bool is_part_of(const char *name, const char *whole)
{
        const char *rest = skip_prefix(name, whole);

        if (rest && isdigit((unsigned char)whole[strlen(whole) - 1]))
                rest = *rest == 'p' ? rest + 1 : NULL;
        return rest && *rest && strspn(rest, "0123456789") == strlen(rest);
}

/* What is mounted inside another mount has to go before it. */
static bool is_inside(const struct layer *upper, const struct layer *lower)
{
        return streq(upper->type, "mount") && streq(lower->type, "mount") && !streq(upper->name, lower->name) &&
               (streq(lower->name, "/") || is_at(upper->name, lower->name));
}

bool layer_is_on(const struct layer *upper, const struct layer *lower)
{
        const char *name = lower->kernel ? lower->kernel : lower->name;

        STRV_FOREACH(o, upper->on)
                if (streq(*o, name) || (lower->kernel && is_part_of(*o, name)))
                        return true;
        return false;
}

bool is_multipath(const struct layer *l)
{
        return l->uuid && has_prefix(l->uuid, "mpath-");
}

static bool raise_once(const struct layers *ls, unsigned *height)
{
        bool moved = false;

        for (size_t u = 0; u < ls->n; u++)
                for (size_t l = 0; l < ls->n; l++)
                        if (u != l && height[u] <= height[l] && height[l] < HEIGHT_MAX &&
                            (layer_is_on(&ls->v[u], &ls->v[l]) || is_inside(&ls->v[u], &ls->v[l]))) {
                                height[u] = height[l] + 1;
                                moved = true;
                        }
        return moved;
}

/* How many layers are below, the highest first; among equals as they came (later mounts first). */
static void sort_layers(struct layers *ls)
{
        _cleanup_free_ unsigned *height = xmalloc((ls->n + 1) * sizeof *height);
        struct layer *sorted = xmalloc((ls->n + 1) * sizeof *sorted);
        size_t n = 0;

        while (raise_once(ls, height))
                ;
        for (unsigned h = HEIGHT_MAX + 1; h-- > 0;)
                for (size_t i = 0; i < ls->n; i++)
                        if (height[i] == h)
                                sorted[n++] = ls->v[i];
        free(ls->v);
        ls->v = sorted;
}

/* A volume below others of its group (a mirror's leg, a pool's data) is a part of them and shows half a file system. */
static void close_inner(struct layers *ls)
{
        for (size_t l = 0; l < ls->n; l++)
                for (size_t u = 0; u < ls->n; u++)
                        if (u != l && streq(ls->v[l].type, "lvm") && streq_null(ls->v[u].set, ls->v[l].set) &&
                            layer_is_on(&ls->v[u], &ls->v[l]))
                                ls->v[l].is_closed = true;
}

static struct libmnt_table *read_fstab(void)
{
        _cleanup_free_ char *path = helper_path("/etc/fstab");

        return access(path, R_OK) == 0 ? mnt_new_table_from_file(path) : NULL;
}

int layers_look(struct layers *ret)
{
        _cleanup_mounts_ struct libmnt_table *mounts = NULL, *fstab = NULL;
        _cleanup_layers_ struct layers ls = {0};
        int r = mounts_read(&mounts);

        if (r < 0)
                return r;
        fstab = read_fstab();
        r = take_swaps(&ls, mounts, fstab);
        if (r < 0)
                return r;
        take_mounts(&ls, mounts, fstab);
        elsewhere_look(mounts, take_elsewhere, &ls);
        take_blocks(&ls, mounts);
        take_absent(&ls, mounts, fstab);
        sort_layers(&ls);
        close_inner(&ls);
        *ret = ls;
        ls = (struct layers){0};
        return 0;
}

/* --- using them --- */

char *layer_id(const struct layer *l)
{
        if (streq(l->type, "mount") || streq(l->type, "swap"))
                return xasprintf("%s:%s", l->type, l->name);
        return xstrdup(l->uuid && *l->uuid ? l->uuid : l->kernel);
}

void layers_drop(struct layers *ls, char *const *ids)
{
        size_t kept = 0;

        for (size_t i = 0; i < ls->n; i++) {
                _cleanup_free_ char *id = layer_id(&ls->v[i]);
                if (strv_has(ids, id))
                        layer_done(&ls->v[i]);
                else
                        ls->v[kept++] = ls->v[i];
        }
        ls->n = kept;
}

void layers_records(const struct layers *ls, struct records *out)
{
        for (size_t i = 0; i < ls->n; i++) {
                const struct layer *l = &ls->v[i];
                if (!l->disks || l->is_absent || l->is_elsewhere)
                        continue;
                struct record *r = record_new("layer");
                record_set(r, "name", l->name);
                record_set(r, "type", l->type);
                record_set(r, "uuid", l->uuid && *l->uuid ? l->uuid : NULL);
                record_set_list(r, "on", l->on);
                record_set_list(r, "disks", l->disks);
                records_add(out, r);
        }
}

int layer_open(const struct layer *l, int *ret_fd, uint64_t *ret_size)
{
        _cleanup_free_ char *path = l->path ? helper_path(l->path) : NULL;
        struct stat st;

        if (!path || l->is_closed || l->size == 0)
                return -ENXIO;
        if (l->is_suspended)
                return -EBUSY;
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        if (fd < 0)
                return errno == ENOENT ? -ENXIO : -errno;
        if (fstat(fd, &st) < 0)
                return -errno;
        if (helper_has_root() ? !S_ISREG(st.st_mode) : !S_ISBLK(st.st_mode))
                return -ENXIO;
        uint64_t size = (uint64_t)st.st_size;
        if (S_ISBLK(st.st_mode) && ioctl(fd, BLKGETSIZE64, &size) < 0)
                return -errno;
        *ret_size = size;
        *ret_fd = TAKE_FD(fd);
        return 0;
}

#include "helpers/fs_mount.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/fs.h>

#include "helpers/fs_fstab.h"
#include "helpers/fs_probe.h"
#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"
#include "helpers/lib/mounts.h"

#define CHECK_BYTES (256 * KIB)

bool is_mount_point(const char *path)
{
        const char *rest = skip_prefix(path, "/srv/");

        return rest && *rest && *rest != '.' && strlen(path) <= 200 &&
               strspn(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == strlen(rest);
}

/* --- the bare folder --- */

static bool is_empty(int fd)
{
        int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        DIR *d = copy < 0 ? NULL : fdopendir(copy);
        bool empty = d != NULL;

        if (!d && copy >= 0)
                close(copy);
        for (struct dirent *e; d && (e = readdir(d));)
                if (!streq(e->d_name, ".") && !streq(e->d_name, ".."))
                        empty = false;
        if (d)
                closedir(d);
        return empty;
}

bool is_mount_folder(const char *mount)
{
        _cleanup_mounted_ struct mounted m = {0};
        _cleanup_free_ char *full = helper_path(mount);
        _cleanup_close_ int fd = open(full, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

        if (mounted_on(mount, &m))
                return true;
        return fd < 0 ? errno == EACCES && helper_has_root() : is_empty(fd);
}

/* Not all file systems have the flag; where there is none, the mode does what it can. */
static void make_immutable(int fd)
{
        int flags;

        if (helper_has_root() || ioctl(fd, FS_IOC_GETFLAGS, &flags) < 0 || (flags & FS_IMMUTABLE_FL))
                return;
        flags |= FS_IMMUTABLE_FL;
        if (ioctl(fd, FS_IOC_SETFLAGS, &flags) == 0)
                helper_changed();
}

static int close_folder(int fd, const char *mount)
{
        struct stat st;
        bool as_root = geteuid() == 0;

        if (fstat(fd, &st) < 0)
                return helper_fail("folder", mount, NULL, "%s: %s", mount, strerror(errno));
        if (!is_empty(fd))
                return helper_refuse("not-empty", mount,
                                     "there are files in the folder %s; they would be hidden: move them elsewhere, or "
                                     "choose another name",
                                     mount);
        if ((st.st_mode & 07777) != 0 || (as_root && (st.st_uid || st.st_gid))) {
                if ((as_root && fchown(fd, 0, 0) < 0) || fchmod(fd, 0) < 0)
                        return helper_fail("folder", mount, NULL, "%s: %s", mount, strerror(errno));
                helper_changed();
        }
        make_immutable(fd);
        return 0;
}

/* Nobody but root can exchange what lies in it. */
static int check_srv(void)
{
        _cleanup_free_ char *full = helper_path("/srv");
        struct stat st;

        if (lstat(full, &st) < 0)
                return errno == ENOENT ? 0 : helper_fail("folder", "/srv", NULL, "/srv: %s", strerror(errno));
        if (S_ISDIR(st.st_mode) && (helper_has_root() || st.st_uid == 0) && !(st.st_mode & 022))
                return 0;
        return helper_refuse("folder", "/srv", "/srv is not a folder that belongs to root alone; nothing was changed");
}

static int prepare_folder(const char *mount)
{
        _cleanup_free_ char *full = helper_path(mount);
        int ok = check_srv();

        if (ok || helper_is_dry_run())
                return ok;
        if (access(full, F_OK) < 0) {
                int r = make_folders(full);
                if (r < 0)
                        return helper_fail("folder", mount, NULL, "%s: %s", mount, strerror(-r));
                helper_changed();
        }
        _cleanup_close_ int fd = open(full, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0 && errno == EACCES && helper_has_root())
                return 0; /* closed already, and we are not root */
        if (fd < 0)
                return helper_refuse("folder", mount, "%s is not a folder (%s)", mount, strerror(errno));
        return close_folder(fd, mount);
}

/* --- is it the one --- */

static int no_filesystem(const char *uuid)
{
        return helper_refuse("no-filesystem", uuid,
                             "the file system %s is not there: are all disks connected, and does the array run?", uuid);
}

static int check_type(const struct array *a, const struct fs_wanted *w)
{
        _cleanup_probe_ struct probe p = {0};
        const char *path = a->md->path;
        int r = probe_device(a->node, &p);

        if (r < 0)
                return array_fail(a, "unreadable", NULL, "what is on %s could not be read: %s", path, strerror(-r));
        if (!streq_null(p.type, w->type->name) || !p.uuid || !uuid_equal(p.uuid, w->uuid))
                return helper_refuse("no-filesystem", path, "there is no %s file system %s on %s", w->type->name, w->uuid,
                                     path);
        if (streq_null(p.label, LABEL_UNFINISHED))
                return helper_refuse("unfinished", path, "the file system on %s is not finished: run nas-fs format first",
                                     path);
        return w->is_kept && w->type->sound ? w->type->sound(a) : 0;
}

/* systemd and mount(8) go by the UUID in fstab: were it on two devices, either could be mounted. */
static int check_only(const struct array *a, const char *uuid)
{
        _cleanup_strv_ char **nodes = devices_of_uuid(uuid);

        STRV_FOREACH(n, nodes) {
                _cleanup_free_ char *devno = devno_of(*n);
                if (devno && !streq(devno, a->devno))
                        return helper_refuse("ambiguous", *n,
                                             "%s has the same identity (%s) as the file system on the array: it is a "
                                             "copy; unplug it and try again",
                                             *n, uuid);
        }
        return 0;
}

static int find(const struct fs_wanted *w, struct mds *mds, struct array *ret)
{
        int r = md_list(mds);
        const struct md *md = r < 0 ? NULL : md_find(mds, w->array);

        if (!md || !is_md_usable(md))
                return no_filesystem(w->uuid);
        r = array_hold(md, ret);
        if (r == 0)
                r = check_type(ret, w);
        return r ? r : check_only(ret, w->uuid);
}

/* --- mounting --- */

/* What mount(8) says does not tell damage from the rest: it has many words for it. One that a program just made is not
 * damaged, and of one that somebody made the type is known. */
static int fail_mount(const struct array *a, const struct fs_wanted *w, const char *raw, const char *so_far)
{
        if (w->is_kept)
                return array_fail(a, "needs-repair", raw,
                                  "Linux does not take the file system on %s: it is damaged, or made by a newer system; it "
                                  "was not repaired%s",
                                  a->md->path, so_far);
        return array_fail(a, "mount-failed", raw, "%s could not be mounted; the details are in the log", w->mount);
}

static int run_mount(const struct array *a, const struct fs_wanted *w, char *const *argv, const char *so_far)
{
        _cleanup_(run_free) struct run run = {.argv = argv, .deadline_ms = 120000};

        return helper_run(&run) < 0 ? fail_mount(a, w, run.err.buf ? run.err.buf : "", so_far) : 0;
}

#define NOTHING ", and nothing on it was changed"
#define PLAYED "; its journal was played back where it had not been shut down cleanly, else nothing on it was changed"

/* Mounted for reading, and unmounted again. */
static int look_at(const struct array *a, const struct fs_wanted *w, const char *options, const char *so_far)
{
        _cleanup_free_ char *raw = NULL;
        char *mount = (char *)w->mount;
        int r = run_mount(a, w, STRV("mount", "-t", (char *)w->type->name, "-o", (char *)options, a->node, mount), so_far);

        if (r == 0 && !helper_is_dry_run() && w->type->sound)
                r = w->type->sound(a); /* the journal that was played back may tell of damage */
        if (r == 0 && helper_exec(STRV("umount", mount), &raw) < 0)
                r = array_fail(a, "mount-failed", raw,
                               "%s could not be unmounted after a look at it: something uses it; try again", mount);
        return r;
}

/* ext4 notes what is wrong with it even where it was mounted for reading, but not on a device that cannot be written to. */
static int set_read_only(const struct array *a, int is)
{
        if (helper_is_dry_run() || ioctl(a->fd, BLKROSET, &is) == 0)
                return 0;
        return array_fail(a, "mount-failed", NULL, "%s could not be made %s: %s", a->md->path,
                          is ? "read-only" : "writable", strerror(errno));
}

/* What somebody else made is first looked at by the kernel without the right to write: as it lies there, so that one that
 * is damaged beside having been cut off stays what it is, then with its journal played back. */
static int look_twice(const struct array *a, const struct fs_wanted *w, const char *options)
{
        _cleanup_free_ char *untouched = xasprintf("%s,ro,%s", options, w->type->untouched),
                            *played = xasprintf("%s,ro", options);
        int r = set_read_only(a, true);

        if (r == 0)
                r = look_at(a, w, untouched, NOTHING);
        int again = set_read_only(a, false);
        if (r == 0)
                r = again;
        return r ? r : look_at(a, w, played, PLAYED);
}

/* By the line in fstab where somebody wrote one, else with what the line will say. A look that was cut off leaves the array
 * read-only. */
static int mount_it(const struct array *a, const struct fs_wanted *w, bool has_line)
{
        _cleanup_free_ char *options = fs_type_options(w->type);
        char *mount = (char *)w->mount, *type = (char *)w->type->name;
        int r = w->is_kept ? look_twice(a, w, options) : set_read_only(a, false);

        if (r)
                return r;
        return has_line ? run_mount(a, w, STRV("mount", mount), PLAYED)
                        : run_mount(a, w, STRV("mount", "-t", type, "-o", options, a->node, mount), PLAYED);
}

static int check_mounted(const struct array *a, const struct fs_wanted *w)
{
        _cleanup_mounted_ struct mounted m = {0};

        if (!mounted_on(w->mount, &m) || !is_mounted_from(&m, a->node))
                return array_fail(a, "mount-failed", NULL, "%s was mounted but is not to be found there", w->mount);
        if (!m.is_readonly)
                return 0;
        return array_fail(a, "readonly", NULL, "%s can only be read: the file system may be damaged", w->mount);
}

/* --- trying it --- */

static int write_and_read(int fd)
{
        _cleanup_free_ char *out = xmalloc(CHECK_BYTES), *in = xmalloc(CHECK_BYTES);

        random_bytes(out, CHECK_BYTES);
        errno = 0;
        if (pwrite(fd, out, CHECK_BYTES, 0) != (ssize_t)CHECK_BYTES || fsync(fd) < 0)
                return errno ? -errno : -ENOSPC;
        posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED); /* what is read below comes from the disks */
        if (pread(fd, in, CHECK_BYTES, 0) != (ssize_t)CHECK_BYTES)
                return errno ? -errno : -EIO;
        return memcmp(in, out, CHECK_BYTES) == 0 ? 0 : -EILSEQ;
}

/* A file without a name: nothing is left of it, however this ends. One that was kept may be full. */
static int try_it(const struct array *a, const struct fs_wanted *w)
{
        _cleanup_close_ int fd = open(w->mount, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
        int r = fd < 0 ? -errno : write_and_read(fd);

        if (r == -EILSEQ)
                return array_fail(a, "readback", NULL,
                                  "a test file on %s did not read back as it was written: a disk, cable or the memory is "
                                  "defective; do not store anything there",
                                  w->mount);
        if (r < 0 && !(w->is_kept && (r == -ENOSPC || r == -EDQUOT)))
                return array_fail(a, "write-failed", NULL, "a test file could not be written to %s: %s", w->mount,
                                  strerror(-r));
        return 0;
}

static int take_in_use(const struct array *a, const struct fs_wanted *w, bool has_line, bool is_mounted)
{
        int r = is_mounted ? 0 : mount_it(a, w, has_line);

        if (helper_is_dry_run())
                return r;
        if (r == 0)
                r = check_mounted(a, w);
        if (r == 0)
                r = try_it(a, w);
        _cleanup_mounted_ struct mounted m = {0};
        if (r && !is_mounted && mounted_on(w->mount, &m))
                helper_exec(STRV("umount", (char *)w->mount), NULL);
        return r;
}

/* --- all of it --- */

/* systemd makes its units from fstab; what is mounted already stays mounted. */
static int in_fstab(const struct fs_wanted *w)
{
        _cleanup_free_ char *options = fs_type_options(w->type), *raw = NULL;
        struct fstab_new line = {w->uuid, w->type->name, w->mount, options, w->type->fstab_pass};
        int r = fstab_add(&line);

        if (r == 0 && has_systemd() && helper_exec(STRV("systemctl", "daemon-reload"), &raw) < 0)
                r = helper_fail("systemd", NULL, raw, "systemd does not read /etc/fstab again");
        return r;
}

static int refuse_occupied(const char *mount)
{
        return helper_refuse("mount-taken", mount, "something else is mounted on %s; nothing was changed", mount);
}

/* One that was cut off while it looked. */
static int end_look(const char *mount)
{
        _cleanup_free_ char *raw = NULL;

        if (helper_exec(STRV("umount", (char *)mount), &raw) == 0)
                return 0;
        return helper_fail("mount-failed", mount, raw, "%s is mounted for reading only and in use; close what uses it and try again",
                           mount);
}

int fs_mount(const struct fs_wanted *w)
{
        _cleanup_mounted_ struct mounted m = {0};
        _cleanup_array_ struct array a = {0};
        _cleanup_mds_ struct mds mds = {0};
        bool has_line = false;
        int r = helper_has_root() ? 0 : find(w, &mds, &a);

        if (r == 0)
                r = fstab_check(w->uuid, a.node, w->mount, &has_line);
        if (r)
                return r;
        bool is_mounted = mounted_on(w->mount, &m);
        if (is_mounted && a.node && !is_mounted_from(&m, a.node))
                return refuse_occupied(w->mount);
        if (is_mounted && a.node && w->is_kept && m.is_readonly) {
                is_mounted = false;
                r = end_look(w->mount);
        }
        if (r == 0 && !is_mounted)
                r = prepare_folder(w->mount);
        if (r == 0 && !helper_has_root())
                r = take_in_use(&a, w, has_line, is_mounted);
        return r || has_line ? r : in_fstab(w);
}

#include "helpers/fs_mount.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/fs.h>

#include "helpers/fs_fstab.h"
#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"

#define CHECK_FILE ".nas-setup-check"
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

/* --- mounting --- */

static bool has_systemd(void)
{
        return access("/run/systemd/system", F_OK) == 0;
}

static int run_mount(const char *mount)
{
        _cleanup_free_ char *unit = NULL, *raw = NULL;
        _cleanup_(run_free) struct run run = {.argv = STRV("mount", (char *)mount), .deadline_ms = 120000};
        int r;

        if (has_systemd() && helper_ask(STRV("systemd-escape", "-p", "--suffix=mount", (char *)mount), &unit) == 0) {
                r = helper_exec(STRV("systemctl", "daemon-reload"), &raw);
                if (r < 0)
                        return helper_fail("systemd", NULL, raw, "systemd does not read /etc/fstab again");
                run.argv = STRV("systemctl", "start", strip(unit));
                r = helper_run(&run);
        } else
                r = helper_run(&run);
        if (r < 0)
                return helper_fail("mount-failed", mount, run.err.buf, "%s could not be mounted; the details are in the log",
                                   mount);
        return 0;
}

static int refuse_occupied(const char *mount)
{
        return helper_refuse("mount-taken", mount, "something else is mounted on %s; nothing was changed", mount);
}

static int check_type(const char *node, const char *uuid, const struct fs_type *type)
{
        _cleanup_probe_ struct probe p = {0};
        int r = probe_device(node, &p);

        if (r < 0)
                return helper_refuse("unreadable", node, "what is on %s could not be read: %s", node, strerror(-r));
        if (!streq_null(p.type, type->name) || !p.uuid || !uuid_equal(p.uuid, uuid))
                return helper_refuse("no-filesystem", node, "there is no %s file system %s on %s", type->name, uuid, node);
        if (streq_null(p.label, LABEL_UNFINISHED))
                return helper_refuse("unfinished", node, "the file system on %s is not finished: run nas-fs format first",
                                     node);
        return 0;
}

static int no_filesystem(const char *uuid)
{
        return helper_refuse("no-filesystem", uuid,
                             "the file system %s is not there: are all disks connected, and does the array run?", uuid);
}

/* systemd and mount(8) go by the UUID in fstab: were it on two devices, either could be mounted. */
static int check_only(const char *uuid, const struct md *md)
{
        _cleanup_strv_ char **nodes = devices_of_uuid(uuid);

        STRV_FOREACH(n, nodes) {
                _cleanup_free_ char *devno = devno_of(*n);
                if (devno && !streq(devno, md->devno))
                        return helper_refuse("ambiguous", *n,
                                             "%s has the same identity (%s) as the file system on the array: it is a "
                                             "copy; unplug it and try again",
                                             *n, uuid);
        }
        return 0;
}

/* Where the file system is: "9:127". */
static int find(const char *array, const char *uuid, const struct fs_type *type, char **ret_devno)
{
        _cleanup_mds_ struct mds mds = {0};
        int r = md_list(&mds);
        const struct md *md = r < 0 ? NULL : md_find(&mds, array);

        if (!md || !is_md_usable(md))
                return no_filesystem(uuid);
        _cleanup_free_ char *node = xasprintf("/dev/%s", md->kernel);
        r = check_type(node, uuid, type);
        if (r == 0)
                r = check_only(uuid, md);
        if (r == 0)
                *ret_devno = xstrdup(md->devno);
        return r;
}

static int check_mounted(const char *mount, const char *devno)
{
        _cleanup_mounted_ struct mounted m = {0};

        if (!mounted_on(mount, &m) || !streq(m.devno, devno))
                return helper_fail("mount-failed", mount, NULL, "%s was mounted but is not to be found there", mount);
        if (m.is_readonly)
                return helper_fail("readonly", mount, NULL, "%s can only be read: the file system may be damaged", mount);
        return 0;
}

int fs_mount(const char *array, const char *uuid, const struct fs_type *type, const char *mount)
{
        _cleanup_mounted_ struct mounted m = {0};
        _cleanup_free_ char *devno = NULL;
        int r = fstab_check(uuid, mount);

        if (r == 0 && !helper_has_root())
                r = find(array, uuid, type, &devno);
        if (r)
                return r;
        bool occupied = mounted_on(mount, &m);
        if (occupied && devno && !streq(m.devno, devno))
                return refuse_occupied(mount);
        if (!occupied)
                r = prepare_folder(mount);
        if (r == 0)
                r = fstab_ensure(uuid, type->name, mount, type->fstab_pass);
        if (r || helper_has_root())
                return r;
        if (!occupied)
                r = run_mount(mount);
        if (r || helper_is_dry_run())
                return r;
        return check_mounted(mount, devno);
}

/* --- trying it --- */

static int write_and_read(int fd)
{
        _cleanup_free_ char *out = xmalloc(CHECK_BYTES), *in = xmalloc(CHECK_BYTES);

        random_bytes(out, CHECK_BYTES);
        if (pwrite(fd, out, CHECK_BYTES, 0) != (ssize_t)CHECK_BYTES || fsync(fd) < 0)
                return errno ? -errno : -EIO;
        posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED); /* what is read below comes from the disks */
        if (pread(fd, in, CHECK_BYTES, 0) != (ssize_t)CHECK_BYTES)
                return errno ? -errno : -EIO;
        return memcmp(in, out, CHECK_BYTES) == 0 ? 0 : -EILSEQ;
}

int fs_try(const char *mount)
{
        _cleanup_close_ int dir = open(mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        int r = dir < 0 ? -errno : 0;

        errno = 0;
        if (r == 0) {
                unlinkat(dir, CHECK_FILE, 0); /* of a run that was cut off */
                errno = 0;
                _cleanup_close_ int fd =
                        openat(dir, CHECK_FILE, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
                r = fd < 0 ? -errno : write_and_read(fd);
                unlinkat(dir, CHECK_FILE, 0);
        }
        if (r == -EILSEQ)
                return helper_fail("readback", mount, NULL,
                                   "a test file on %s did not read back as it was written: a disk, cable or the memory is "
                                   "defective; do not store anything there",
                                   mount);
        if (r < 0)
                return helper_fail("write-failed", mount, NULL, "a test file could not be written to %s: %s", mount,
                                   strerror(-r));
        return 0;
}

#include "helpers/share_mount.h"

#include <ctype.h>
#include <dirent.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "helpers/lib/helper.h"
#include "helpers/lib/mounts.h"
#include "helpers/share_account.h"
#include "helpers/share_conf.h"

/* Giving one of these to the guests' account would open or break the computer. */
static const char *const system_folders[] = {"/bin",   "/boot",  "/dev",  "/etc",  "/home", "/lib",
                                             "/lib32", "/lib64", "/proc", "/root", "/run",  "/sbin",
                                             "/sys",   "/tmp",   "/usr",  "/var"};

bool share_mount_may_be(const char *path)
{
        size_t n = strlen(path);

        if (*path != '/' || n < 2 || n > 200 || path[n - 1] == '/' || strstr(path, "//") ||
            strstr(path, "/."))
                return false;
        for (const char *p = path; *p; p++)
                if (!isalnum((unsigned char)*p) && !strchr("._-/", *p))
                        return false;
        for (size_t i = 0; i < ELEMENTSOF(system_folders); i++) {
                const char *rest = skip_prefix(path, system_folders[i]);
                if (rest && (!*rest || *rest == '/'))
                        return false;
        }
        return true;
}

char *share_mount_unit(const char *path)
{
        struct buf b = {0};

        for (const char *p = path + 1; *p; p++)
                if (*p == '/')
                        buf_puts(&b, "-");
                else if (isalnum((unsigned char)*p) || *p == '_' || (*p == '.' && p > path + 1))
                        buf_add(&b, p, 1);
                else
                        buf_printf(&b, "\\x%02x", (unsigned char)*p);
        buf_puts(&b, ".mount");
        return b.buf;
}

/* --- mounted --- */

/* The superblock tells; a link made by udev may be old. */
static bool has_uuid(const char *source, const char *uuid)
{
        _cleanup_free_ char *out = NULL;

        if (!has_prefix(source, "/dev/"))
                return false;
        if (helper_has_root()) {
                _cleanup_free_ char *name = path_join("/dev/disk/by-uuid", uuid), *link = helper_path(name);
                char target[256], copy[256];
                ssize_t n = readlink(link, target, sizeof target - 1);
                if (n < 0)
                        return false;
                target[n] = '\0';
                snprintf(copy, sizeof copy, "%s", source);
                return streq(basename(target), basename(copy));
        }
        int r = helper_ask(STRV("blkid", "-p", "-o", "value", "-s", "UUID", "--", (char *)source), &out);
        return r == 0 && uuid_equal(strip(out), uuid);
}

int share_mount_check(const char *path, const char *uuid)
{
        _cleanup_mounted_ struct mounted m = {0};

        if (!mounted_on(path, &m))
                return -ENOTDIR;
        if (!streq(m.root, "/") || !has_uuid(m.source, uuid))
                return -ESTALE;
        return m.is_readonly ? -EROFS : 0;
}

/* --- owned --- */

/* The form of system.posix_acl_default: linux/posix_acl_xattr.h, little endian; the entries in the order of
 * linux/posix_acl.h: owner, group, mask, others. */
struct acl {
        uint32_t version;
        struct {
                uint16_t tag, perm;
                uint32_t id;
        } entry[4];
};

int share_folder_acl(int fd)
{
        static const uint16_t tags[][2] = {{0x01, 7}, {0x04, 7}, {0x10, 7}, {0x20, 5}};
        struct acl acl = {.version = htole32(2)}, now;

        for (size_t i = 0; i < ELEMENTSOF(tags); i++) {
                acl.entry[i].tag = htole16(tags[i][0]);
                acl.entry[i].perm = htole16(tags[i][1]);
                acl.entry[i].id = UINT32_MAX;
        }
        ssize_t n = fgetxattr(fd, "system.posix_acl_default", &now, sizeof now);
        if (n > 0 || (n < 0 && errno != ENODATA))
                return 0; /* one that somebody made stays */
        helper_changed();
        if (helper_is_dry_run())
                return 0;
        return fsetxattr(fd, "system.posix_acl_default", &acl, sizeof acl, 0) < 0 && errno != EOPNOTSUPP
                   ? -errno
                   : 0;
}

int share_mount_own(const char *path, unsigned uid, unsigned gid, unsigned mode)
{
        _cleanup_free_ char *full = helper_path(path);
        _cleanup_close_ int fd = open(full, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        struct stat st;

        if (fd < 0 || fstat(fd, &st) < 0)
                return -errno;
        bool is_owner = st.st_uid == uid && st.st_gid == gid, is_mode = (st.st_mode & 07777) == mode;
        if (!is_owner || !is_mode)
                helper_changed();
        if (!is_owner && !helper_is_dry_run() && fchown(fd, uid, gid) < 0)
                return -errno;
        if (!is_mode && !helper_is_dry_run() && fchmod(fd, mode) < 0)
                return -errno;
        int r = share_folder_acl(fd);
        if (r < 0 || helper_is_dry_run())
                return r;
        return fsync(fd) < 0 ? -errno : 0;
}

static bool is_empty(int fd)
{
        int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        DIR *d = copy < 0 ? NULL : fdopendir(copy);
        bool empty = d;

        for (struct dirent *e; empty && (e = readdir(d));)
                empty = streq(e->d_name, ".") || streq(e->d_name, "..");
        if (d)
                closedir(d);
        return empty;
}

int share_mount_backups(const char *path, const char *user)
{
        _cleanup_free_ char *folder = path_join(path, SHARE_BACKUP_FOLDER);
        _cleanup_account_ struct account a = {0};
        struct stat st;

        if (lstat(folder, &st) < 0 && errno == ENOENT) {
                if (helper_would("make the folder for backups"))
                        return 0;
                if (mkdir(folder, 0700) < 0)
                        return -errno;
        }
        _cleanup_close_ int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0 || fstat(fd, &st) < 0)
                return errno == ELOOP || errno == ENOTDIR ? -EEXIST : -errno;
        int r = helper_is_dry_run() ? 0 : account_find(user, &a);
        if (r < 0 || helper_is_dry_run() || (st.st_uid == a.uid && st.st_gid == a.gid && (st.st_mode & 07777) == 0700))
                return r;
        if (st.st_uid != a.uid && !is_empty(fd))
                return -EEXIST;
        helper_changed();
        if (fchown(fd, a.uid, a.gid) < 0 || fchmod(fd, 0700) < 0)
                return -errno;
        return fsync(fd) < 0 ? -errno : 0;
}

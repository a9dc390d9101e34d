#include "helpers/share_mount.h"

#include <ctype.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "helpers/lib/helper.h"
#include "helpers/lib/mounts.h"

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

int share_mount_own(const char *path, unsigned uid, unsigned gid)
{
        _cleanup_free_ char *full = helper_path(path);
        _cleanup_close_ int fd = open(full, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        struct stat st;

        if (fd < 0 || fstat(fd, &st) < 0)
                return -errno;
        bool is_owner = st.st_uid == uid && st.st_gid == gid, is_mode = (st.st_mode & 07777) == 02775;
        if (!is_owner || !is_mode)
                helper_changed();
        if (!is_owner && !helper_is_dry_run() && fchown(fd, uid, gid) < 0)
                return -errno;
        if (!is_mode && !helper_is_dry_run() && fchmod(fd, 02775) < 0)
                return -errno;
        int r = share_folder_acl(fd);
        if (r < 0 || helper_is_dry_run())
                return r;
        return fsync(fd) < 0 ? -errno : 0;
}

#include "helpers/disk_busy.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "helpers/disk_device.h"
#include "helpers/lib/file.h"

#define NAMED_MAX 8

struct wanted {
        dev_t fs, node;
};

/* A link such as /proc/PID/fd/3, followed to what it stands for; AT_STATX_DONT_SYNC asks no server on a network. */
static bool is_on(const char *link, const struct wanted *w)
{
        struct statx st;

        if (statx(AT_FDCWD, link, AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, STATX_TYPE, &st) < 0)
                return false;
        if (w->fs && makedev(st.stx_dev_major, st.stx_dev_minor) == w->fs)
                return true;
        return w->node && S_ISBLK(st.stx_mode) && makedev(st.stx_rdev_major, st.stx_rdev_minor) == w->node;
}

static bool is_user(const char *process, const struct wanted *w)
{
        static const char *const links[] = {"cwd", "root", "exe"};
        _cleanup_free_ char *folder = path_join(process, "fd");
        _cleanup_strv_ char **fds = list_folder(folder);

        for (size_t i = 0; i < ELEMENTSOF(links); i++) {
                _cleanup_free_ char *link = path_join(process, links[i]);
                if (is_on(link, w))
                        return true;
        }
        STRV_FOREACH(fd, fds) {
                _cleanup_free_ char *link = path_join(folder, *fd);
                if (is_on(link, w))
                        return true;
        }
        return false;
}

static char *program_name(const char *process, const char *pid)
{
        _cleanup_free_ char *name = sysfs_line(process, "comm");

        return xasprintf("%s (%s)", name ? name : "?", pid);
}

char *busy_programs(dev_t fs, dev_t node)
{
        const struct wanted w = {fs, node};
        _cleanup_strv_ char **processes = list_folder("/proc"), **named = NULL;
        _cleanup_free_ char *own = xasprintf("%d", getpid());

        STRV_FOREACH(p, processes) {
                _cleanup_free_ char *process = path_join("/proc", *p);
                if (!isdigit((unsigned char)**p) || streq(*p, own) || strv_len(named) == NAMED_MAX || !is_user(process, &w))
                        continue;
                strv_take(&named, program_name(process, *p));
        }
        return strv_join(named, ", ");
}

/* sdb, or sdb1. */
static bool is_of_disk(dev_t node, const char *disk)
{
        _cleanup_free_ char *link = xasprintf("/sys/dev/block/%u:%u", major(node), minor(node)), *real = realpath(link, NULL);
        _cleanup_free_ char *whole = xasprintf("/%s/", disk), *dir = real ? xasprintf("%s/", real) : xstrdup("");

        return strstr(dir, whole) != NULL;
}

/* What fdinfo says (proc(5)): "flags:" in octal digits, as of open(2). */
static bool can_write(const char *process, const char *fd)
{
        _cleanup_free_ char *path = xasprintf("%s/fdinfo/%s", process, fd), *text = NULL;
        const char *flags = file_text(path, &text) == 0 ? strstr(text, "flags:") : NULL;

        return flags && (strtoul(flags + strlen("flags:"), NULL, 8) & O_ACCMODE) != O_RDONLY;
}

static bool is_writer(const char *process, const char *disk)
{
        _cleanup_free_ char *folder = path_join(process, "fd");
        _cleanup_strv_ char **fds = list_folder(folder);

        STRV_FOREACH(fd, fds) {
                _cleanup_free_ char *link = path_join(folder, *fd);
                struct statx st;
                if (statx(AT_FDCWD, link, AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, STATX_TYPE, &st) == 0 && S_ISBLK(st.stx_mode) &&
                    can_write(process, *fd) && is_of_disk(makedev(st.stx_rdev_major, st.stx_rdev_minor), disk))
                        return true;
        }
        return false;
}

char *busy_writers(const char *disk)
{
        _cleanup_strv_ char **processes = list_folder("/proc"), **named = NULL;
        _cleanup_free_ char *own = xasprintf("%d", getpid());

        STRV_FOREACH(p, processes) {
                _cleanup_free_ char *process = path_join("/proc", *p);
                if (!isdigit((unsigned char)**p) || streq(*p, own) || strv_len(named) == NAMED_MAX || !is_writer(process, disk))
                        continue;
                strv_take(&named, program_name(process, *p));
        }
        return strv_join(named, ", ");
}

dev_t busy_fs(const char *mountpoint)
{
        struct statx st;

        if (statx(AT_FDCWD, mountpoint, AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT | AT_SYMLINK_NOFOLLOW, STATX_TYPE, &st) < 0)
                return 0;
        return makedev(st.stx_dev_major, st.stx_dev_minor);
}

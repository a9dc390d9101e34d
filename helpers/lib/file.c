#include "helpers/lib/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "helpers/lib/run.h"

static char *folder_of(const char *path)
{
        _cleanup_free_ char *copy = xstrdup(path);

        return xstrdup(dirname(copy));
}

static int sync_folder(const char *path)
{
        _cleanup_free_ char *folder = folder_of(path);
        _cleanup_close_ int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

        if (fd < 0 || fsync(fd) < 0)
                return -errno;
        return 0;
}

int make_folders(const char *path)
{
        _cleanup_free_ char *copy = xstrdup(path);

        for (char *p = copy + 1; *copy; p++) {
                if (*p && *p != '/')
                        continue;
                char was = *p;
                *p = '\0';
                if (mkdir(copy, 0755) == 0)
                        sync_folder(copy);
                else if (errno != EEXIST)
                        return -errno;
                if (!was)
                        break;
                *p = was;
        }
        return 0;
}

static int write_all(int fd, const char *text)
{
        for (size_t n = strlen(text); n > 0;) {
                ssize_t done = write(fd, text, n);
                if (done < 0 && errno == EINTR)
                        continue;
                if (done < 0)
                        return -errno;
                text += done;
                n -= (size_t)done;
        }
        return 0;
}

/* Mode and owner before the content, so that nothing secret is ever readable in the temporary file. */
static int fill(int fd, const char *text, const struct stat *old, mode_t mode)
{
        if (old && fchown(fd, old->st_uid, old->st_gid) < 0 && errno != EPERM)
                return -errno;
        if (fchmod(fd, old ? old->st_mode & 07777 : mode) < 0)
                return -errno;
        int r = write_all(fd, text);
        if (r < 0)
                return r;
        return fsync(fd) < 0 ? -errno : 0;
}

/* Hidden: other programs read whole folders ("source /etc/network/interfaces.d/" and a star). */
static char *temp_prefix(const char *target, const char *folder)
{
        const char *slash = strrchr(target, '/');

        return xasprintf("%s/.%s.nas-setup.", folder, slash ? slash + 1 : target);
}

/* What a killed run left of this file. */
static void sweep(const char *target)
{
        _cleanup_free_ char *folder = folder_of(target), *prefix = temp_prefix(target, folder);
        const char *name = strrchr(prefix, '/') + 1;
        DIR *dir = opendir(folder);

        if (!dir)
                return;
        for (struct dirent *d; (d = readdir(dir));)
                if (has_prefix(d->d_name, name) && strlen(d->d_name) == strlen(name) + 6)
                        unlinkat(dirfd(dir), d->d_name, 0);
        closedir(dir);
}

/* Whether somebody beside us and root can put a link there. */
static bool is_of_others(const char *folder)
{
        struct stat st;

        return stat(folder, &st) == 0 && ((st.st_mode & S_IWOTH) || (st.st_uid != 0 && st.st_uid != geteuid()));
}

/* The file that is to be replaced; NULL where there is none. */
static char *resolve(const char *path)
{
        _cleanup_free_ char *folder = folder_of(path);
        struct stat st;

        if (!is_of_others(folder))
                return realpath(path, NULL);
        return lstat(path, &st) == 0 && S_ISREG(st.st_mode) ? xstrdup(path) : NULL;
}

void file_sweep(const char *path)
{
        _cleanup_free_ char *real = resolve(path);

        sweep(real ? real : path);
}

int file_replace(const char *path, const char *text, mode_t mode)
{
        _cleanup_free_ char *real = resolve(path);
        struct stat st;
        bool exists = real && lstat(real, &st) == 0;
        const char *target = real ? real : path;
        _cleanup_free_ char *folder = folder_of(target), *prefix = temp_prefix(target, folder),
                            *temp = xasprintf("%sXXXXXX", prefix);
        int r = real ? 0 : make_folders(folder);

        if (r < 0)
                return r;
        if (exists && !S_ISREG(st.st_mode))
                return -EINVAL;
        _cleanup_close_ int fd = mkostemp(temp, O_CLOEXEC);
        if (fd < 0)
                return -errno;
        r = fill(fd, text, exists ? &st : NULL, mode);
        if (r == 0 && rename(temp, target) < 0)
                r = -errno;
        if (r < 0) {
                unlink(temp);
                return r;
        }
        sweep(target);
        return sync_folder(target);
}

int file_save(const char *path, const char *text, mode_t mode)
{
        struct stat st;

        if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode))
                return -ELOOP;
        return file_replace(path, text, mode);
}

int file_symlink(const char *path, const char *target)
{
        _cleanup_free_ char *folder = folder_of(path), *prefix = temp_prefix(path, folder),
                            *temp = xasprintf("%sXXXXXX", prefix);
        int r = make_folders(folder);

        if (r < 0)
                return r;
        sweep(path);
        _cleanup_close_ int fd = mkostemp(temp, O_CLOEXEC); /* a name that nobody else has */
        if (fd < 0 || unlink(temp) < 0 || symlink(target, temp) < 0)
                return -errno;
        if (rename(temp, path) < 0) {
                r = -errno;
                unlink(temp);
                return r;
        }
        return sync_folder(path);
}

int file_remove(const char *path)
{
        sweep(path);
        if (unlink(path) < 0)
                return errno == ENOENT ? 0 : -errno;
        return sync_folder(path);
}

int file_text(const char *path, char **ret)
{
        int r = read_text(path, MIB, ret);

        if (r != -ENOENT)
                return r;
        *ret = xstrdup("");
        return 0;
}

int text_diff(const char *path, const char *before, const char *after, char **ret)
{
        char name[] = "/tmp/nas-setup-diff.XXXXXX";
        _cleanup_free_ char *old_label = xasprintf("%s (now)", path), *new_label = xasprintf("%s (new)", path);
        _cleanup_(run_free) struct run diff = {
                .argv = STRV("diff", "-u", "--label", old_label, "--label", new_label, "--", name, "-"),
                .input = after,
                .deadline_ms = 10000,
        };

        if (streq(before, after)) {
                *ret = xstrdup("");
                return 0;
        }
        _cleanup_close_ int fd = mkostemp(name, O_CLOEXEC);
        if (fd < 0)
                return -errno;
        int r = write_all(fd, before);
        if (r == 0)
                r = run_one(&diff);
        unlink(name);
        if (r < 0 || diff.status > 1)
                return r < 0 ? r : -EIO;
        *ret = TAKE_PTR(diff.out.buf);
        return 0;
}

int read_fully(int fd, void *p, size_t n, uint64_t at)
{
        while (n > 0) {
                ssize_t k = pread(fd, p, n, (off_t)at);
                if (k < 0 && errno == EINTR)
                        continue;
                if (k <= 0)
                        return k < 0 ? -errno : -EIO;
                p = (char *)p + k;
                n -= (size_t)k;
                at += (uint64_t)k;
        }
        return 0;
}

int write_fully(int fd, const void *p, size_t n, uint64_t at)
{
        while (n > 0) {
                ssize_t k = pwrite(fd, p, n, (off_t)at);
                if (k < 0 && errno == EINTR)
                        continue;
                if (k <= 0)
                        return k < 0 ? -errno : -EIO;
                p = (const char *)p + k;
                n -= (size_t)k;
                at += (uint64_t)k;
        }
        return 0;
}

int lock_take(const char *path, int *ret_fd)
{
        _cleanup_free_ char *folder = folder_of(path);
        int r = make_folders(folder);

        if (r < 0)
                return r;
        _cleanup_close_ int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0)
                return -errno;
        *ret_fd = TAKE_FD(fd);
        return 0;
}

bool is_lock_of(int fd, const char *path)
{
        struct stat a, b;

        return fstat(fd, &a) == 0 && stat(path, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

#include "helpers/share_give.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "helpers/lib/helper.h"
#include "helpers/share_conf.h"
#include "helpers/share_mount.h"

#define DEPTH_MAX 400 /* a descriptor each; SMB's paths end long before */
#define TELL_MS 500

struct walk {
        unsigned uid, gid;
        uint64_t mount; /* its ID, or the device's number where the kernel tells none */
        uint64_t done, total, told;
        struct given n;
        char *where;
};

static int look(int fd, struct statx *st, uint64_t *ret_mount)
{
        if (statx(fd, "", AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS | STATX_MNT_ID, st) < 0)
                return -errno;
        *ret_mount = st->stx_mask & STATX_MNT_ID ? st->stx_mnt_id
                                                 : (uint64_t)st->stx_dev_major << 32 | st->stx_dev_minor;
        return 0;
}

static void tell(struct walk *w)
{
        w->done++;
        if (w->done % 64 || now_ms() < w->told + TELL_MS)
                return;
        w->told = now_ms();
        helper_progress(w->done, MAX2(w->total, w->done), "files");
}

/* fd may be one of O_PATH, which fchmod does not take. */
static int change(const struct walk *w, int fd, const struct statx *st, mode_t mode)
{
        _cleanup_free_ char *self = xasprintf("/proc/self/fd/%d", fd);
        bool is_owner = st->stx_uid == w->uid && st->stx_gid == w->gid;

        if (!is_owner && fchownat(fd, "", w->uid, w->gid, AT_EMPTY_PATH) < 0)
                return -errno;
        return S_ISLNK(st->stx_mode) || chmod(self, mode) == 0 ? 0 : -errno;
}

/* What nobody may change stays; anything else that goes wrong ends it. */
static int give(struct walk *w, int fd, const struct statx *st, mode_t mode)
{
        bool is_mode = S_ISLNK(st->stx_mode) || (st->stx_mode & 07777) == mode;

        if (st->stx_uid == w->uid && st->stx_gid == w->gid && is_mode)
                return 0;
        int r = change(w, fd, st, mode);
        if (r == 0) {
                w->n.given++;
                helper_changed();
        } else if (r == -EPERM || r == -EROFS || r == -EACCES)
                w->n.left++;
        return r;
}

static int give_folder(struct walk *w, int path_fd, const struct statx *st, unsigned depth);

static int give_entry(struct walk *w, int folder, const char *name, unsigned depth)
{
        _cleanup_close_ int fd = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
        struct statx st;
        uint64_t mount;
        int r = fd < 0 ? -errno : look(fd, &st, &mount);

        if (r == -ENOENT)
                return 0; /* somebody removed it meanwhile */
        if (r < 0 || mount != w->mount)
                return r;
        tell(w);
        if (S_ISDIR(st.stx_mode))
                return give_folder(w, fd, &st, depth + 1);
        if (!S_ISREG(st.stx_mode) && !S_ISLNK(st.stx_mode))
                return 0;
        r = give(w, fd, &st, (st.stx_mode & 0777) | 0660);
        return r == -EPERM || r == -EROFS || r == -EACCES ? 0 : r;
}

static int give_entries(struct walk *w, DIR *d, unsigned depth)
{
        int r = 0;

        for (struct dirent *e; r == 0 && (errno = 0, e = readdir(d));) {
                if (streq(e->d_name, ".") || streq(e->d_name, "..") || (depth == 0 && (streq(e->d_name, "lost+found") || streq(e->d_name, SHARE_BACKUP_FOLDER))))
                        continue;
                r = give_entry(w, dirfd(d), e->d_name, depth);
                if (r < 0 && !w->where)
                        w->where = xstrdup(e->d_name);
        }
        return r < 0 ? r : -errno;
}

/* The one at the top has its owner and mode from share_mount_own. */
static int give_folder(struct walk *w, int path_fd, const struct statx *st, unsigned depth)
{
        int fd = depth > DEPTH_MAX ? -1 : openat(path_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), r = 0;
        DIR *d = fd < 0 ? NULL : fdopendir(fd);

        if (depth > DEPTH_MAX)
                w->n.left++;
        if (!d)
                return depth > DEPTH_MAX ? 0 : -errno;
        if (depth > 0)
                r = give(w, fd, st, (st->stx_mode & 0777) | 02770);
        bool is_readonly = r == -EROFS;
        if (r == 0 && depth > 0)
                r = share_folder_acl(fd);
        if (r == -EPERM || r == -EACCES || is_readonly)
                r = 0;
        if (r == 0 && !is_readonly)
                r = give_entries(w, d, depth);
        closedir(d);
        return r;
}

int share_give(const char *path, unsigned uid, unsigned gid, struct given *ret, char **ret_where)
{
        _cleanup_free_ char *full = helper_path(path);
        _cleanup_close_ int fd = open(full, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        struct walk w = {.uid = uid, .gid = gid};
        struct statvfs v;
        struct statx st;
        int r = fd < 0 ? -errno : look(fd, &st, &w.mount);

        if (r == 0 && statvfs(full, &v) == 0 && v.f_files > v.f_ffree)
                w.total = v.f_files - v.f_ffree; /* btrfs does not count */
        if (r == 0)
                r = give_folder(&w, fd, &st, 0);
        if (r == 0) {
                helper_progress(w.done, w.done, "files");
                *ret = w.n;
        } else
                *ret_where = w.where ? TAKE_PTR(w.where) : xstrdup(path);
        free(w.where);
        return r;
}

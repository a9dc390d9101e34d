#include "helpers/share_summary.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"

#define ISSUE "/etc/issue.d/nas-setup.issue"
#define KEPT "/var/lib/nas-setup/on-share.txt"
#define MOST 8192 /* ours is much shorter */

/* RFC 3986, 2.1: what is neither letter nor digit goes by its bytes. */
static char *in_url(const char *s)
{
        struct buf b = {0};

        for (; *s; s++)
                if (isalnum((unsigned char)*s) || strchr("-._~", *s))
                        buf_add(&b, s, 1);
                else
                        buf_printf(&b, "%%%02X", (unsigned char)*s);
        return b.buf;
}

/* Lines end as Windows' older editors want them. */
char *summary_text(const struct summary *m)
{
        _cleanup_free_ char *url = in_url(m->share);
        struct buf b = {0};

        buf_printf(&b, "How to reach \"%s\"\r\n\r\n", m->share);
        buf_printf(&b, "Windows:  Explorer, in the line of the address:  \\\\%s\\%s\r\n", m->host, m->share);
        buf_printf(&b, "Mac:      Finder, Go, Connect to Server:  smb://%s/%s\r\n", m->host, url);
        buf_printf(&b, "Linux:    the file manager, in the line of the address:  smb://%s/%s\r\n\r\n", m->host, url);
        if (*m->address)
                buf_printf(&b, "By its address, where the name is not found:  \\\\%s\\%s   smb://%s/%s\r\n", m->address, m->share, m->address, url);
        if (m->is_locked)
                buf_printf(&b, "User name: %s, with the password that was chosen for it\r\n", m->login);
        else if (m->login)
                buf_printf(&b, "Where Windows refuses guests: user name %s\\%s, with the password that was chosen for it\r\n", m->host, m->login);
        return b.buf;
}

/* --- the login screen --- */

/* To agetty a '\' begins something of its own. */
static char *escaped(const char *s)
{
        struct buf b = {0};

        buf_puts(&b, "");
        for (; *s; s++) {
                if (*s == '\\')
                        buf_puts(&b, "\\");
                buf_add(&b, s, 1);
        }
        return b.buf;
}

int summary_greet(const struct summary *m)
{
        _cleanup_free_ char *url = in_url(m->share),
                            *plain = xasprintf("\\\\%s\\%s   smb://%s/%s   %s\n\n", m->host, m->share, m->host, url, m->address),
                            *text = escaped(plain);

        return helper_write(ISSUE, text, 0644);
}

int summary_greet_no_more(void)
{
        return helper_remove(ISSUE);
}

/* --- on the share --- */

/* What it says: NULL where there is none, or what could not be ours. O_NONBLOCK: a pipe of that name does not hold us up. */
static char *read_ours(int folder, bool *ret_is_there)
{
        _cleanup_close_ int fd = openat(folder, SUMMARY_ON_SHARE, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        _cleanup_free_ char *text = xmalloc(MOST + 1);
        struct stat st;

        *ret_is_there = fd >= 0 || errno != ENOENT;
        if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size > MOST ||
            read_fully(fd, text, (size_t)st.st_size, 0) < 0)
                return NULL;
        text[st.st_size] = '\0';
        return TAKE_PTR(text);
}

/* Whole or not at all, and never in the place of another. */
static int put(int folder, const char *text, unsigned uid, unsigned gid)
{
        _cleanup_close_ int fd = openat(folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0664);
        _cleanup_free_ char *self = xasprintf("/proc/self/fd/%d", fd);

        if (fd < 0)
                return -errno;
        int r = write_fully(fd, text, strlen(text), 0);
        if (r == 0 && (fchown(fd, uid, gid) < 0 || fchmod(fd, 0664) < 0 || fsync(fd) < 0 ||
                       linkat(AT_FDCWD, self, folder, SUMMARY_ON_SHARE, AT_SYMLINK_FOLLOW) < 0 || fsync(folder) < 0))
                r = -errno;
        return r;
}

/* What was kept is written before the file itself, and forgotten after it. */
static int change(int folder, const char *text, bool is_there, unsigned uid, unsigned gid)
{
        if (is_there && unlinkat(folder, SUMMARY_ON_SHARE, 0) < 0 && errno != ENOENT)
                return -errno;
        if (!text)
                return fsync(folder) < 0 ? -errno : helper_remove(KEPT);
        int r = helper_write(KEPT, text, 0644);
        return r == 0 ? put(folder, text, uid, gid) : r;
}

int summary_on_share(const char *path, const char *text, unsigned uid, unsigned gid, enum on_share *ret)
{
        _cleanup_close_ int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        _cleanup_free_ char *kept_file = helper_path(KEPT), *kept = NULL;
        bool is_there;

        if (folder < 0 || file_text(kept_file, &kept) < 0)
                return -errno;
        _cleanup_free_ char *now = read_ours(folder, &is_there);
        bool is_ours = now && ((*kept && streq(now, kept)) || (text && streq(now, text)));
        bool is_done = text ? is_ours && streq(now, text) : !*kept;
        *ret = !is_there || is_ours ? ON_SHARE_IS : ON_SHARE_OTHER;
        if (is_done || (is_there && !is_ours))
                return 0;
        if (helper_would(text ? "write \"" SUMMARY_ON_SHARE "\" on the share" : "remove \"" SUMMARY_ON_SHARE "\" from the share"))
                return 0;
        int r = change(folder, text, is_there, uid, gid);
        if (r == -EEXIST) /* somebody was faster */
                *ret = ON_SHARE_OTHER;
        return r == -EEXIST ? 0 : r;
}

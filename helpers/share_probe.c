#include "helpers/share_probe.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"

#define PREFIX ".nas-setup-test-"
#define FOLDER "/run/nas-setup/"
#define SIZE (64 * KIB)
/* Nobody has this account: "map to guest = Bad User" must let it in, as it does a Windows user's. */
#define GUEST "nas-setup-guest%x"

/* Also what a speed test left that was killed. */
static void sweep(const char *path)
{
        DIR *d = opendir(path);

        for (struct dirent *e; d && (e = readdir(d));)
                if (has_prefix(e->d_name, PREFIX) || has_prefix(e->d_name, ".nas-setup-speed-"))
                        unlinkat(dirfd(d), e->d_name, 0);
        if (d)
                closedir(d);
}

/* Hexadecimal digits, so that files can be compared as texts. */
static char *random_text(void)
{
        static const char digits[] = "0123456789abcdef";
        char *text = xmalloc(SIZE + 1);

        random_bytes(text, SIZE);
        for (size_t i = 0; i < SIZE; i++)
                text[i] = digits[text[i] & 15];
        return text;
}

static int client(const char *address, const char *share, const char *commands, char **ret_raw)
{
        _cleanup_free_ char *service = xasprintf("//%s/%s", address, share);
        _cleanup_(run_free) struct run r = {
            .argv = STRV("smbclient", "-U", GUEST, "-t", "15", "-c", (char *)commands, "--", service),
            .deadline_ms = 40000,
        };
        int e = run_one(&r);

        if (e == 0 && r.status == 0)
                return 0;
        buf_puts(&r.out, "");
        buf_puts(&r.err, "");
        *ret_raw = xasprintf("%s%s", r.out.buf, r.err.buf);
        return e < 0 ? e : -EIO;
}

static int arrived(const char *file, unsigned uid, char **ret_raw)
{
        struct stat st;

        if (stat(file, &st) < 0) {
                *ret_raw = xasprintf("%s: %s", file, strerror(errno));
                return -EBADMSG;
        }
        if (st.st_size != (off_t)SIZE || st.st_uid != uid) {
                *ret_raw =
                    xasprintf("%s: %lld bytes, owner %u", file, (long long)st.st_size, (unsigned)st.st_uid);
                return -EBADMSG;
        }
        return 0;
}

/* One file is looked at here, a second one is removed again, all in one session: smbclient takes longer to start than to
 * do this. */
static int round_trip(const char *address, const char *share, const char *file, unsigned uid,
                      const char *text, char **ret_raw)
{
        const char *name = strrchr(file, '/') + 1;
        _cleanup_free_ char *commands = xasprintf("put " FOLDER "probe-out %s; get %s " FOLDER "probe-in; "
                                                  "put " FOLDER "probe-out %s-2; rm %s-2",
                                                  name, name, name, name);
        _cleanup_free_ char *removed = xasprintf("%s-2", file), *back = NULL;
        int r = client(address, share, commands, ret_raw);

        if (r == 0)
                r = arrived(file, uid, ret_raw);
        if (r == 0)
                r = read_text(FOLDER "probe-in", MIB, &back);
        if (r == 0 && (!streq(back, text) || access(removed, F_OK) == 0))
                r = -EBADMSG;
        return r;
}

int share_probe(const char *address, const char *share, const char *path, unsigned uid, char **ret_raw)
{
        _cleanup_free_ char *text = random_text(), *id = uuid_new();
        _cleanup_free_ char *file = xasprintf("%s/" PREFIX "%s", path, id);

        sweep(path);
        unlink(FOLDER "probe-in"); /* of a run that was cut off */
        int r = file_replace(FOLDER "probe-out", text, 0600);
        if (r == 0)
                r = round_trip(address, share, file, uid, text, ret_raw);
        unlink(FOLDER "probe-out");
        unlink(FOLDER "probe-in");
        sweep(path);
        return r;
}

#include "helpers/share_probe.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"
#include "helpers/lib/trial.h"

#define OUT "/run/nas-setup/probe-out"
#define GONE "/run/nas-setup/probe-gone" /* for a file that is removed again */
#define IN "/run/nas-setup/probe-in"
#define SIZE (64 * KIB)
/* Nobody has this account: "map to guest = Bad User" must let it in, as it does a Windows user's. */
#define GUEST "nas-setup-guest%x"

/* Hexadecimal digits behind the line that a trial begins with, so that files can be compared as texts. */
static char *random_text(const char *name)
{
        static const char digits[] = "0123456789abcdef";
        _cleanup_free_ char *head = trial_head(name);
        char *text = xmalloc(SIZE + 1);

        random_bytes(text, SIZE);
        for (size_t i = 0; i < SIZE; i++)
                text[i] = digits[text[i] & 15];
        memcpy(text, head, strlen(head));
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
static int round_trip(const char *address, const char *share, const char *path, const char *name, unsigned uid, const char *text,
                      char **ret_raw)
{
        _cleanup_free_ char *gone = trial_name(), *head = trial_head(gone), *file = path_join(path, name), *removed = path_join(path, gone),
                            *back = NULL;
        _cleanup_free_ char *commands = xasprintf("put " OUT " %s; get %s " IN "; put " GONE " %s; rm %s", name, name, gone, gone);
        int r = file_replace(GONE, head, 0600);

        if (r == 0)
                r = client(address, share, commands, ret_raw);
        if (r == 0)
                r = arrived(file, uid, ret_raw);
        if (r == 0)
                r = read_text(IN, MIB, &back);
        if (r == 0 && (!streq(back, text) || access(removed, F_OK) == 0))
                r = -EBADMSG;
        return r;
}

static void forget(const char *path)
{
        trial_sweep(path);
        unlink(OUT);
        unlink(GONE);
        unlink(IN);
}

int share_probe(const char *address, const char *share, const char *path, unsigned uid, char **ret_raw)
{
        _cleanup_free_ char *name = trial_name(), *text = random_text(name);

        forget(path); /* what a run left that was cut off */
        int r = file_replace(OUT, text, 0600);
        if (r == 0)
                r = round_trip(address, share, path, name, uid, text, ret_raw);
        forget(path);
        return r;
}

#include "helpers/share_probe.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"
#include "helpers/lib/password.h"
#include "helpers/lib/trial.h"

#define OUT "/run/nas-setup/probe-out"
#define GONE "/run/nas-setup/probe-gone" /* for a file that is renamed and removed again */
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

/* The password comes by a pipe, for smbclient has no terminal here. */
static int client(const struct probe *p, const char *commands, char **ret_raw)
{
        _cleanup_free_ char *service = xasprintf("//%s/%s", p->address, p->share);
        _cleanup_password_ char *input = p->user ? xasprintf("%s\n", p->password) : NULL;
        char *who = p->user ? (char *)p->user : GUEST,
             *how = !p->user          ? "--client-protection=off"
                    : p->is_encrypted ? "--client-protection=encrypt"
                                      : "--client-protection=sign";
        _cleanup_(run_free) struct run r = {
            .argv = STRV("smbclient", "-U", who, how, "-t", "15", "-c", (char *)commands, "--", service),
            .input = input,
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

/* One file is looked at here, a second one is renamed and removed, all in one session: smbclient takes longer to start than
 * to do this. The second is empty, so that a cut leaves nothing under either name that the next trial would not know. */
static int round_trip(const struct probe *p, const char *name, const char *text, char **ret_raw)
{
        _cleanup_free_ char *old = trial_name(), *new = trial_name(), *file = path_join(p->path, name),
                            *old_file = path_join(p->path, old), *new_file = path_join(p->path, new), *back = NULL;
        _cleanup_free_ char *commands = xasprintf("put " OUT " %s; get %s " IN "; put " GONE " %s; rename %s %s; rm %s", name, name,
                                                  old, old, new, new);
        int r = file_replace(GONE, "", 0600);

        if (r == 0)
                r = client(p, commands, ret_raw);
        if (r == 0)
                r = arrived(file, p->uid, ret_raw);
        if (r == 0)
                r = read_text(IN, MIB, &back);
        if (r == 0 && (!streq(back, text) || access(old_file, F_OK) == 0 || access(new_file, F_OK) == 0))
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

int share_probe(const struct probe *p, char **ret_raw)
{
        _cleanup_free_ char *name = trial_name(), *text = random_text(name);

        forget(p->path); /* what a run left that was cut off */
        int r = file_replace(OUT, text, 0600);
        if (r == 0)
                r = round_trip(p, name, text, ret_raw);
        forget(p->path);
        return r;
}

int share_probe_locked(const char *address, const char *share, char **ret_raw)
{
        const struct probe guest = {.address = address, .share = share};
        _cleanup_free_ char *raw = NULL;
        int r = client(&guest, "ls", &raw);

        if (r == 0)
                return -EPERM;
        if (r == -EIO && strstr(raw, "ACCESS_DENIED"))
                return 0;
        *ret_raw = TAKE_PTR(raw);
        return r;
}

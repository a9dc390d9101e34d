#include "helpers/share_login.h"

#include <errno.h>
#include <unistd.h>

#include "helpers/lib/helper.h"
#include "helpers/lib/password.h"

/* pdbedit(8), -L: "name:uid:full name" lines. It makes the list where there is none, which a dry run must not. */
char **share_login_names(void)
{
        _cleanup_free_ char *out = NULL;
        char **names = NULL;

        if (helper_is_dry_run() && access("/var/lib/samba/private/passdb.tdb", F_OK) < 0)
                return NULL;
        if (helper_ask(STRV("pdbedit", "-L"), &out) < 0)
                return NULL;
        for (char *rest = out, *line; (line = strsep(&rest, "\n"));) {
                char *end = strchr(line, ':');
                if (end)
                        strv_take(&names, xstrndup(line, (size_t)(end - line)));
        }
        return names;
}

bool share_login_exists(const char *name)
{
        _cleanup_strv_ char **names = share_login_names();

        return strv_has(names, name);
}

int share_login_try(const char *address, const char *name, const char *password, char **ret_raw)
{
        _cleanup_free_ char *service = xasprintf("//%s/IPC$", address);
        _cleanup_password_ char *input = xasprintf("%s\n", password);
        _cleanup_(run_free) struct run r = {
            .argv = STRV("smbclient", "-U", (char *)name, "--client-protection=sign", "-t", "15", "-c", "quit", "--", service),
            .input = input,
            .deadline_ms = 40000,
        };
        int e = run_one(&r);

        if (e < 0 || r.status == 0)
                return e;
        buf_puts(&r.out, "");
        buf_puts(&r.err, "");
        *ret_raw = xasprintf("%s%s", r.out.buf, r.err.buf);
        return strstr(*ret_raw, "LOGON_FAILURE") || strstr(*ret_raw, "ACCOUNT_DISABLED") ||
                       strstr(*ret_raw, "PASSWORD_MUST_CHANGE") || strstr(*ret_raw, "PASSWORD_EXPIRED")
                   ? -EACCES
                   : -EIO;
}

int share_login_set(const char *name, const char *password, char **ret_raw)
{
        _cleanup_password_ char *input = xasprintf("%s\n%s\n", password, password);
        _cleanup_(run_free) struct run r = {
            .argv = STRV("smbpasswd", "-s", "-a", (char *)name),
            .input = input,
            .deadline_ms = 30000,
        };
        int e = helper_run(&r);

        if (e < 0) {
                *ret_raw = xasprintf("%s%s", r.out.buf, r.err.buf);
                return e;
        }
        return helper_exec(STRV("smbpasswd", "-e", (char *)name), ret_raw);
}

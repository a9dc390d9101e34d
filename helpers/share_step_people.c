#include <errno.h>

#include "helpers/lib/helper.h"
#include "helpers/lib/log.h"
#include "helpers/lib/password.h"
#include "helpers/share_login.h"
#include "helpers/share_mount.h"
#include "helpers/share_step.h"

/* Files that are there belong to the account that our section names: it goes on being that one. */
int share_step_choose_account(struct share_set *s)
{
        _cleanup_ini_ struct ini ini;
        bool exists;

        ini_read(s->before, &ini);
        const char *ours = share_conf_ours(&ini, s->want.path);
        int r = account_choose(ours ? ini_get(&ini, ours, "force user") : NULL, &s->account, &exists);
        if (r < 0)
                return helper_refuse(
                    "account", "nas",
                    "the names nas and nas1 to nas9 all belong to people or programs of this "
                    "computer, so there is none left for the files' owner");
        s->want.user = s->backups.user = s->account.name;
        return 0;
}

static int read_password(struct share_set *s)
{
        unsigned fd;

        if (!*s->password_fd || helper_is_dry_run())
                return 0;
        int r = parse_uint(s->password_fd, 1023, &fd);
        if (r == 0)
                r = password_read((int)fd, &s->password);
        if (r < 0)
                return helper_usage("password-fd", "no password could be read from descriptor %s: %s", s->password_fd,
                                    r == -ENODATA ? "nothing came" : strerror(-r));
        enum password_fault fault = password_check(s->password);
        return fault == PASSWORD_FINE ? 0 : helper_usage("password-fd", "%s", password_message(fault));
}

int share_step_choose_login(struct share_set *s)
{
        const char *name = s->want.login;

        if (!name)
                return 0;
        switch (account_login(name, s->account.name)) {
        case LOGIN_INVALID:
                return helper_usage("user", "user=%s: at most 20 letters a to z, digits and dashes, a letter first", name);
        case LOGIN_REFUSED:
                return helper_refuse("user-taken", name,
                                     "the name %s belongs to this computer itself; choose another user name", name);
        default:
                break;
        }
        if (s->backups.backup_size && streq(name, s->account.name))
                return helper_usage("user", "backups need a user other than %s, whom guests' files belong to", name);
        if (*s->password_fd || helper_has_root() || share_login_exists(name))
                return read_password(s);
        return helper_refuse("no-password", name, "%s has no password for the share yet; password-fd= gives one", name);
}

/* Who works on this computer may look into what everyone may, and not into what needs a password; the folder for backups, which
 * is another's, has to be reached all the same. */
static unsigned root_mode(const struct share_set *s)
{
        return !s->want.is_locked ? 02775 : s->backup_size ? 02771 : 02770;
}

int share_step_make_account(struct share_set *s)
{
        _cleanup_free_ char *raw = NULL;
        int r = account_make(&s->account, &raw);
        if (r < 0)
                return helper_fail("account", s->account.name, raw,
                                   "the account %s, which the share's files belong to, could not be made",
                                   s->account.name);
        r = share_mount_own(s->want.path, s->account.uid, s->account.gid, root_mode(s));
        if (r < 0)
                return helper_fail("owner", s->want.path, NULL, "%s could not be given to %s: %s",
                                   s->want.path, s->account.name, strerror(-r));
        return 0;
}

int share_step_make_login(struct share_set *s)
{
        _cleanup_free_ char *raw = NULL;

        if (!s->want.login)
                return 0;
        int r = account_login_make(s->want.login, s->account.name, &raw);
        if (r < 0)
                return helper_fail("account", s->want.login, raw, "the account %s, which comes in with a password, could not be made",
                                   s->want.login);
        return 0;
}

int share_step_make_backups(struct share_set *s)
{
        if (!s->backups.backup_size)
                return 0;
        int r = share_mount_backups(s->want.path, s->want.login);
        if (r < 0)
                return helper_fail("owner", s->backups.path, NULL, "%s could not be given to %s: %s", s->backups.path, s->want.login,
                                   r == -EEXIST ? "something of somebody else is there" : strerror(-r));
        return 0;
}

/* Files of an array that was taken over belong to whoever made them. */
int share_step_give(struct share_set *s)
{
        _cleanup_free_ char *where = NULL, *what = xasprintf("give all files in %s to %s", s->want.path, s->account.name);

        if (!s->gives || (helper_is_dry_run() && helper_would(what)))
                return 0;
        int r = share_give(s->want.path, s->account.uid, s->account.gid, &s->given, &where);
        if (r < 0)
                return helper_fail("give", where, NULL, "the files in %s could not all be given to %s (%s: %s)",
                                   s->want.path, s->account.name, where, strerror(-r));
        log_line("%s: %llu given, %llu left", what, (unsigned long long)s->given.given,
                 (unsigned long long)s->given.left);
        return 0;
}

/* The password of a person who has one already is theirs. */
int share_step_password(struct share_set *s)
{
        _cleanup_free_ char *raw = NULL, *raw_again = NULL;
        const char *name = s->want.login, *address = *s->address ? s->address : LOOPBACK;

        if (!s->password)
                return 0;
        bool exists = share_login_exists(name);
        int r = exists ? share_login_try(address, name, s->password, &raw) : -EACCES;
        if (r == -EACCES && exists && account_login(name, s->account.name) == LOGIN_PERSON)
                return helper_fail("user-taken", name, NULL,
                                   "%s has another password for this computer's shares already; type that one or choose "
                                   "another user name",
                                   name);
        if (r == -EACCES) {
                r = share_login_set(name, s->password, &raw_again);
                if (r == 0)
                        r = share_login_try(address, name, s->password, &raw_again);
        }
        if (r < 0)
                return helper_fail("password", name, raw_again ? raw_again : raw,
                                   "the password of %s could not be set so that it is taken", name);
        return 0;
}

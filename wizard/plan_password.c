#include "wizard/plan_password.h"

#include <errno.h>
#include <unistd.h>

#include "helpers/lib/helper.h"
#include "helpers/lib/password.h"
#include "wizard/i18n.h"
#include "wizard/journal.h"

/* Whether the share was set up already. */
static bool is_shared(void)
{
        _cleanup_records_ struct records journal = {0};
        bool is = false;

        journal_read(&journal);
        for (size_t i = 0; i < journal.n; i++)
                if (record_is(journal.v[i], "step", "share"))
                        is = streq(journal.v[i]->word, "done");
        return is;
}

static int nobody_there(const char *user, char **ret_why)
{
        *ret_why = xasprintf(_("%s needs a password: give it by --password-fd NUMBER. Nothing was changed."), user);
        return HELPER_REFUSED;
}

static int check(int r, const char *password, char **ret_why)
{
        enum password_fault fault = r == 0 ? password_check(password) : PASSWORD_FINE;

        if (r == 0 && fault == PASSWORD_FINE)
                return HELPER_DONE;
        *ret_why = r == -ENODATA ? xstrdup(_("No password came from the descriptor of --password-fd. Nothing was changed."))
                   : r < 0       ? xasprintf(_("The password can't be read: %s. Nothing was changed."), strerror(-r))
                                 : xstrdup(_(password_message(fault)));
        return HELPER_USAGE;
}

/* What is typed can be seen. */
static int ask(const char *user, char **ret, char **ret_why)
{
        _cleanup_fclose_ FILE *tty = fopen("/dev/tty", "we");

        if (!tty || !isatty(STDIN_FILENO))
                return nobody_there(user, ret_why);
        fprintf(tty, _("A password for %s, at least 8 characters (nothing: one is made): "), user);
        fflush(tty);
        int r = password_read(STDIN_FILENO, ret);
        return r == -ENODATA ? HELPER_DONE : check(r, *ret, ret_why);
}

/* Told to a person and to nobody else: standard output may be a file. */
static int make(const char *user, char **ret, char **ret_why)
{
        _cleanup_fclose_ FILE *tty = fopen("/dev/tty", "we");

        if (!tty)
                return nobody_there(user, ret_why);
        *ret = password_new();
        fprintf(tty, _("The password of %s: %s\nWrite it down: it is not shown again."), user, *ret);
        fputc('\n', tty);
        return HELPER_DONE;
}

int plan_password(const struct plan *p, int fd, bool is_resume, bool is_kept, char **ret, char **ret_why)
{
        _cleanup_password_ char *password = NULL;
        const struct record *share = plan_call(p, "nas-share", "set");
        int r = HELPER_DONE;

        if (!plan_wants_password(p) || (fd < 0 && is_kept && is_shared()))
                return HELPER_DONE;
        if (fd >= 0) {
                int got = password_read(fd, &password);
                r = check(got, password, ret_why);
        } else if (is_resume) {
                r = ask(record_str(share, "user"), &password, ret_why);
        }
        if (r == HELPER_DONE && !password)
                r = make(record_str(share, "user"), &password, ret_why);
        if (r == HELPER_DONE)
                *ret = TAKE_PTR(password);
        return r;
}

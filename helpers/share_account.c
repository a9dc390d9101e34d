#include "helpers/share_account.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>

#include "helpers/lib/helper.h"
#include "helpers/lib/sharename.h"

#define PERSON_MIN 1000 /* login.defs(5): UID_MIN, UID_MAX */
#define PERSON_MAX 60001
#define NAMES 10
#define LOGIN_COMMENT "comes in to the share with a password"

void account_free(struct account *a)
{
        free(a->name);
        a->name = NULL;
}

struct user {
        unsigned uid, gid;
        bool can_log_in, is_login; /* is_login: made by account_login_make */
};

/* The files and not getpwnam, so that --root works; a directory service has no say in a system user. */
static bool find_user(const char *name, struct user *ret)
{
        _cleanup_free_ char *file = helper_path("/etc/passwd");
        _cleanup_fclose_ FILE *f = fopen(file, "re");

        for (struct passwd *p; f && (p = fgetpwent(f));)
                if (streq(p->pw_name, name)) {
                        *ret = (struct user){p->pw_uid, p->pw_gid,
                                             !has_suffix(p->pw_shell, "/nologin") && !has_suffix(p->pw_shell, "/false"),
                                             streq(p->pw_gecos, LOGIN_COMMENT)};
                        return true;
                }
        return false;
}

/* name NULL: by its number. */
static bool has_group(const char *name, unsigned gid)
{
        _cleanup_free_ char *file = helper_path("/etc/group");
        _cleanup_fclose_ FILE *f = fopen(file, "re");

        for (struct group *g; f && (g = fgetgrent(f));)
                if (name ? streq(g->gr_name, name) : g->gr_gid == gid)
                        return true;
        return false;
}

enum state { FREE, TAKEN, OURS, NO_GROUP };

static enum state look_at(const char *name, struct account *a)
{
        struct user u;

        if (!find_user(name, &u))
                return has_group(name, 0) ? TAKEN : FREE;
        if (u.uid == 0 || u.uid >= PERSON_MIN || u.gid == 0 || u.gid >= PERSON_MIN || u.can_log_in || u.is_login)
                return TAKEN;
        *a = (struct account){xstrdup(name), u.uid, u.gid};
        return has_group(NULL, u.gid) ? OURS : NO_GROUP;
}

int account_choose(const char *prefer, struct account *ret, bool *ret_exists)
{
        _cleanup_free_ char *first_free = NULL;
        enum state state = prefer ? look_at(prefer, ret) : FREE;

        for (unsigned i = 0; i < NAMES && state != OURS && state != NO_GROUP; i++) {
                _cleanup_free_ char *name = i ? xasprintf("nas%u", i) : xstrdup("nas");
                state = look_at(name, ret);
                if (state == FREE && !first_free)
                        first_free = xstrdup(name);
        }
        *ret_exists = state == OURS;
        if (state == OURS || state == NO_GROUP)
                return 0;
        if (!first_free)
                return -EEXIST;
        *ret = (struct account){.name = TAKE_PTR(first_free)};
        return 0;
}

static int make_user(const char *name, const char *comment, char **ret_raw)
{
        char *n = (char *)name, *c = (char *)comment;

        if (has_program("useradd"))
                return helper_exec(STRV("useradd", "--system", "--user-group", "--no-create-home",
                                        "--home-dir", "/nonexistent", "--shell", "/usr/sbin/nologin",
                                        "--comment", c, n),
                                   ret_raw);
        return helper_exec(STRV("adduser", "--system", "--group", "--no-create-home", "--home",
                                "/nonexistent", "--shell", "/usr/sbin/nologin", "--gecos", c, n),
                           ret_raw);
}

int account_make(struct account *a, char **ret_raw)
{
        _cleanup_account_ struct account now = {0};
        _cleanup_free_ char *gid = xasprintf("%u", a->gid);
        int r = 0;

        switch (look_at(a->name, &now)) {
        case NO_GROUP: /* cut off between the two */
                r = helper_exec(STRV("groupadd", "--system", "--gid", gid, a->name), ret_raw);
                break;
        case FREE:
                r = make_user(a->name, "files of the public share", ret_raw);
                break;
        default:
                break;
        }
        if (r < 0 || helper_is_dry_run())
                return r;
        account_free(&now);
        if (look_at(a->name, &now) != OURS)
                return -ENOENT;
        a->uid = now.uid;
        a->gid = now.gid;
        return 0;
}

static bool is_login_name(const char *s)
{
        enum sharename_fault fault = sharename_check(SHARENAME_USER, s, NULL);

        return fault == SHARENAME_FINE || fault == SHARENAME_RESERVED;
}

enum login account_login(const char *name, const char *account)
{
        struct user u;

        if (!is_login_name(name))
                return LOGIN_INVALID;
        if (streq(name, account))
                return LOGIN_OURS;
        if (!find_user(name, &u))
                return has_group(name, 0) ? LOGIN_REFUSED : LOGIN_FREE;
        if (u.uid != 0 && u.is_login)
                return LOGIN_OURS;
        return u.uid >= PERSON_MIN && u.uid < PERSON_MAX && u.can_log_in ? LOGIN_PERSON : LOGIN_REFUSED;
}

int account_find(const char *name, struct account *ret)
{
        struct user u;

        if (!find_user(name, &u))
                return -ENOENT;
        *ret = (struct account){xstrdup(name), u.uid, u.gid};
        return 0;
}

int account_login_make(const char *name, const char *account, char **ret_raw)
{
        if (account_login(name, account) != LOGIN_FREE)
                return 0;
        int r = make_user(name, LOGIN_COMMENT, ret_raw);
        if (r < 0 || helper_is_dry_run())
                return r;
        return account_login(name, account) == LOGIN_OURS ? 0 : -ENOENT;
}

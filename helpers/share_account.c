#include "helpers/share_account.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>

#include "helpers/lib/helper.h"

#define PERSON_MIN 1000 /* login.defs(5): UID_MIN */
#define NAMES 10

void account_free(struct account *a)
{
        free(a->name);
        a->name = NULL;
}

/* The files and not getpwnam, so that --root works; a directory service has no say in a system user. */
static bool find_user(const char *name, unsigned *ret_uid, unsigned *ret_gid, bool *ret_can_log_in)
{
        _cleanup_free_ char *file = helper_path("/etc/passwd");
        _cleanup_fclose_ FILE *f = fopen(file, "re");

        for (struct passwd *p; f && (p = fgetpwent(f));)
                if (streq(p->pw_name, name)) {
                        *ret_uid = p->pw_uid;
                        *ret_gid = p->pw_gid;
                        *ret_can_log_in =
                            !has_suffix(p->pw_shell, "/nologin") && !has_suffix(p->pw_shell, "/false");
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
        unsigned uid = 0, gid = 0;
        bool can_log_in = false;

        if (!find_user(name, &uid, &gid, &can_log_in))
                return has_group(name, 0) ? TAKEN : FREE;
        if (uid == 0 || uid >= PERSON_MIN || gid == 0 || gid >= PERSON_MIN || can_log_in)
                return TAKEN;
        *a = (struct account){xstrdup(name), uid, gid};
        return has_group(NULL, gid) ? OURS : NO_GROUP;
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

static int make_user(const char *name, char **ret_raw)
{
        char *n = (char *)name;

        if (has_program("useradd"))
                return helper_exec(STRV("useradd", "--system", "--user-group", "--no-create-home",
                                        "--home-dir", "/nonexistent", "--shell", "/usr/sbin/nologin",
                                        "--comment", "files of the public share", n),
                                   ret_raw);
        return helper_exec(STRV("adduser", "--system", "--group", "--no-create-home", "--home",
                                "/nonexistent", "--shell", "/usr/sbin/nologin", "--gecos",
                                "files of the public share", n),
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
                r = make_user(a->name, ret_raw);
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

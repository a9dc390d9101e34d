#include "helpers/share_set.h"

#include <sys/stat.h>

#include "helpers/lib/helper.h"
#include "helpers/lib/password.h"
#include "helpers/share_allow.h"
#include "helpers/share_announce.h"
#include "helpers/share_args.h"
#include "helpers/share_firewall.h"
#include "helpers/share_login.h"
#include "helpers/share_need.h"
#include "helpers/share_step.h"

#define BACKUPS "Time Machine" /* as Macs and people call it */

static void set_free(struct share_set *s)
{
        account_free(&s->account);
        password_free(&s->password);
        free(s->backup_path);
        free(s->before);
        free(s->after);
}

/* What follows the file smb.conf needs a running Samba, and says of it only what a dry run cannot. */
static const struct {
        int (*run)(struct share_set *s);
        bool on_system, wet; /* not below --root; not in a dry run */
} steps[] = {
    {share_step_read, false, false},         {share_step_choose_account, false, false}, {share_step_choose_login, false, false},
    {share_step_make, false, false},         {share_step_make_account, true, false},    {share_step_make_login, true, false},
    {share_step_make_backups, true, false},  {share_step_give, true, false},            {share_step_write, false, false},
    {share_step_wait, false, false},         {share_step_serve, true, false},           {share_step_password, true, true},
    {share_step_prove, true, true},          {share_step_tell, false, false},          {share_step_announce, true, false},
    {share_step_open, true, false},
};

static int run_steps(struct share_set *s)
{
        int r = 0;

        for (size_t i = 0; i < ELEMENTSOF(steps) && r == 0; i++)
                if (!(steps[i].on_system && helper_has_root()) && !(steps[i].wet && helper_is_dry_run()))
                        r = steps[i].run(s);
        return r;
}

static bool has_printers(void)
{
        _cleanup_free_ char *file = helper_path("/etc/cups/printers.conf");
        struct stat st;

        return stat(file, &st) == 0 && st.st_size > 0;
}

/* Those that we made have no home folder. */
static bool has_homes(void)
{
        _cleanup_strv_ char **names = helper_has_root() ? NULL : share_login_names();

        STRV_FOREACH(n, names)
        if (account_login(*n, "nas") != LOGIN_OURS)
                return true;
        return false;
}

static void describe_backups(struct share_set *s)
{
        if (!s->backup_size)
                return;
        s->backup_path = path_join(s->want.path, SHARE_BACKUP_FOLDER);
        s->backups = s->want;
        s->backups.name = BACKUPS;
        s->backups.path = s->backup_path;
        s->backups.comment = "";
        s->backups.is_locked = true;
        s->backups.backup_size = s->backup_size;
}

static void tell_announced(struct record *more)
{
        _cleanup_strv_ char **is = NULL, **missing = NULL;
        const struct announcer *a;

        for (size_t i = 0; (a = share_announcer(i)); i++)
                if (!share_announcer_is_there(a))
                        strv_add(&missing, a->package);
                else if (share_announcer_is_running(a))
                        strv_add(&is, a->what);
        if (is)
                record_set_list(more, "announced", is);
        if (missing)
                record_set_list(more, "missing", missing);
}

static void tell_off(const struct share_set *s, struct record *more)
{
        _cleanup_ini_ struct ini before, after;

        ini_read(s->before, &before);
        ini_read(s->after, &after);
        _cleanup_strv_ char **off = share_conf_off(&before, &after);
        if (off)
                record_set_list(more, "off", off);
}

int share_set(const struct record *args)
{
        _cleanup_(set_free) struct share_set s = {.address = record_str(args, "address"),
                                            .password_fd = record_str(args, "password-fd"),
                                            .announces = streq(record_str(args, "announce"), "yes"),
                                            .opens = streq(record_str(args, "firewall"), "open"),
                                            .greets = streq(record_str(args, "greet"), "yes"),
                                            .tells = streq(record_str(args, "summary"), "yes"),
                                            .gives = streq(record_str(args, "files"), "give")};
        _cleanup_strv_ char **subnets = *record_str(args, "allow") ? record_get_list(args, "allow") : NULL;
        _cleanup_strv_ char **allow = subnets ? share_allow(subnets) : NULL;
        _cleanup_record_ struct record *more = record_new("more");
        int r = share_check_args(args, subnets);

        if (r == 0 && *record_str(args, "timemachine"))
                parse_u64(record_str(args, "timemachine"), &s.backup_size);
        if (r == 0)
                r = share_need_programs();
        if (r == 0 && (s.backup_size || streq(record_str(args, "macs"), "yes")))
                r = share_need_modules();
        if (r == 0)
                r = share_need_mount(record_str(args, "path"), record_str(args, "uuid"));
        if (r != 0)
                return r;
        s.want = (struct share_wanted){.name = record_str(args, "name"),
                                       .path = record_str(args, "path"),
                                       .uuid = record_str(args, "uuid"),
                                       .comment = record_str(args, "comment"),
                                       .workgroup = record_get(args, "workgroup"),
                                       .netbios = record_get(args, "netbios"),
                                       .allow = allow,
                                       .login = record_get(args, "user"),
                                       .is_locked = streq(record_str(args, "access"), "user"),
                                       .prints = has_printers(),
                                       .has_homes = has_homes()};
        s.want.mount = s.want.path;
        s.want.for_macs = s.backup_size || streq(record_str(args, "macs"), "yes");
        describe_backups(&s);
        r = run_steps(&s);
        if (r != 0)
                return r;
        record_set(more, "user", s.account.name);
        record_set(more, "login", s.want.login);
        tell_off(&s, more);
        if (s.announces)
                tell_announced(more);
        if (s.opens)
                record_set(more, "firewall", firewall_word(firewall_look()));
        if (s.tells)
                record_set(more, "summary", s.told == ON_SHARE_IS ? "yes" : "other");
        if (s.gives) {
                record_set_u64(more, "given", s.given.given);
                record_set_u64(more, "left", s.given.left);
        }
        return helper_result(more);
}

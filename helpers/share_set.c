#include "helpers/share_set.h"

#include <errno.h>
#include <glob.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"
#include "helpers/lib/log.h"
#include "helpers/lib/password.h"
#include "helpers/share_account.h"
#include "helpers/share_allow.h"
#include "helpers/share_announce.h"
#include "helpers/share_args.h"
#include "helpers/share_conf.h"
#include "helpers/share_copy.h"
#include "helpers/share_firewall.h"
#include "helpers/share_give.h"
#include "helpers/share_greet.h"
#include "helpers/share_login.h"
#include "helpers/share_mount.h"
#include "helpers/share_old.h"
#include "helpers/share_probe.h"
#include "helpers/share_smbd.h"

#define LOOPBACK "127.0.0.1"
#define BACKUPS "Time Machine" /* as Macs and people call it */

/* --- what must be there --- */

static int check_programs(void)
{
        static const struct {
                const char *program, *package;
        } needed[] = {{"smbd", "samba"}, {"testparm", "samba"}, {"smbclient", "smbclient"}};

        for (size_t i = 0; i < ELEMENTSOF(needed) && !helper_has_root(); i++)
                if (!has_program(needed[i].program))
                        return helper_refuse("no-program", needed[i].program,
                                             "the program %s is missing; install it with: apt install %s",
                                             needed[i].program, needed[i].package);
        if (smbd_is_masked())
                return helper_refuse(
                    "masked", "smbd.service",
                    "somebody switched Samba off for good on this computer; this allows it again: "
                    "systemctl unmask smbd");
        return 0;
}

/* Where Samba lacks a module it lets nobody in. */
static int check_modules(void)
{
        glob_t found;

        if (helper_has_root())
                return 0;
        int r = glob("/usr/lib/*/samba/vfs/fruit.so", 0, NULL, &found);
        globfree(&found);
        return r == 0 ? 0
                      : helper_refuse("no-program", "fruit", "Samba's modules for Macs are missing; install them with: apt install "
                                                              "samba-vfs-modules");
}

static int check_mount(const char *path, const char *uuid)
{
        switch (share_mount_check(path, uuid)) {
        case 0:
                return 0;
        case -ENOTDIR:
                return helper_refuse(
                    "not-mounted", path,
                    "nothing is mounted at %s, so the share would fill the system disk; mount the "
                    "file system first",
                    path);
        case -EROFS:
                return helper_refuse(
                    "read-only", path,
                    "what is mounted at %s can only be read; look into the file system's state first", path);
        default:
                return helper_refuse(
                    "not-mounted", path,
                    "what is mounted at %s is not the file system %s; mount that one there first", path,
                    uuid);
        }
}

/* --- the steps --- */

struct set {
        struct share_wanted want, backups; /* backups.backup_size 0: none */
        struct account account;
        const char *address;
        const char *password_fd; /* "" for none */
        char *password;
        uint64_t backup_size;
        char *backup_path;
        bool gives;     /* files=give */
        bool announces; /* announce=yes */
        bool opens;     /* firewall=open */
        bool greets;    /* greet=yes */
        struct given given;
        char *before, *after; /* smb.conf */
};

static void set_free(struct set *s)
{
        account_free(&s->account);
        password_free(&s->password);
        free(s->backup_path);
        free(s->before);
        free(s->after);
}

static int read_conf(struct set *s)
{
        _cleanup_free_ char *conf = helper_path(SMB_CONF);
        int r = file_text(conf, &s->before);

        if (r == 0)
                return 0;
        return helper_refuse("smb-conf", SMB_CONF, "%s cannot be read: %s", SMB_CONF, strerror(-r));
}

/* Files that are there belong to the account that our section names: it goes on being that one. */
static int choose_account(struct set *s)
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

/* Left out of core files too. */
static int read_password(struct set *s)
{
        unsigned fd;

        if (!*s->password_fd || helper_is_dry_run())
                return 0;
        setrlimit(RLIMIT_CORE, &(struct rlimit){0});
        int r = parse_uint(s->password_fd, 1023, &fd);
        if (r == 0)
                r = password_read((int)fd, &s->password);
        if (r < 0)
                return helper_usage("password-fd", "no password could be read from descriptor %s: %s", s->password_fd,
                                    r == -ENODATA ? "nothing came" : strerror(-r));
        enum password_fault fault = password_check(s->password);
        return fault == PASSWORD_FINE ? 0 : helper_usage("password-fd", "%s", password_message(fault));
}

static int choose_login(struct set *s)
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

static int refuse_conf(int error, const struct share_wanted *w, const char *why)
{
        switch (error) {
        case -EEXIST:
                return helper_refuse("name-taken", w->name, "there is a share \"%s\" already, for %s; choose another name",
                                     w->name, why);
        case -EOPNOTSUPP:
                return helper_refuse(
                    "samba-role", why,
                    "this computer's Samba is part of a domain (%s), which a share for everyone does "
                    "not fit",
                    why);
        default:
                return helper_refuse(
                    "smb-conf", SMB_CONF,
                    "%s was changed by hand in a way that is not understood (%s), so it was left "
                    "alone; correct that line and try again",
                    SMB_CONF, why);
        }
}

static int refuse_guests(const struct set *s)
{
        _cleanup_ini_ struct ini ini;
        struct old old;

        ini_read(s->before, &ini);
        for (size_t i = 0; !s->want.is_locked && share_old(&ini, i, &old); i++)
                if (old.harm == OLD_GUESTS)
                        return helper_refuse("guests", old.line->key,
                                             "%s says \"%s = %s\", which %s; take that line out, or share with a password only",
                                             SMB_CONF, old.line->key, old.line->value, old.text);
        return 0;
}

static int apply_one(const char *before, const struct share_wanted *w, char **ret)
{
        _cleanup_free_ char *why = NULL;
        int r = share_conf_apply(before, w, ret, &why);

        return r < 0 ? refuse_conf(r, w, why) : 0;
}

static int check_one(const struct set *s, const char *effective, const struct share_wanted *w)
{
        _cleanup_free_ char *why = NULL;
        int r = share_conf_check(s->after, effective, w, &why);

        if (r == 0)
                return 0;
        return helper_refuse("testparm", SMB_CONF,
                             "Samba would not take the share as it is meant (%s), so %s was left alone",
                             why ? why : strerror(-r), SMB_CONF);
}

static int test_conf(struct set *s)
{
        _cleanup_free_ char *why = NULL, *effective = NULL;
        int r = smbd_test(s->after, s->before, &effective, &why);

        if (r == -EINVAL)
                return refuse_conf(-EBADMSG, &s->want, why);
        if (r < 0)
                return helper_refuse("testparm", SMB_CONF,
                                     "Samba would not take the share as it is meant (%s), so %s was left alone",
                                     why ? why : strerror(-r), SMB_CONF);
        r = check_one(s, effective, &s->want);
        return r == 0 && s->backups.backup_size ? check_one(s, effective, &s->backups) : r;
}

/* The new text, and the proof that Samba takes it as it is meant; nothing is touched yet. */
static int make_conf(struct set *s)
{
        _cleanup_free_ char *first = NULL;
        int r = refuse_guests(s);

        if (r == 0)
                r = apply_one(s->before, &s->want, &first);
        if (r == 0 && s->backups.backup_size)
                r = apply_one(first, &s->backups, &s->after);
        else if (r == 0)
                s->after = TAKE_PTR(first);
        return r != 0 || helper_has_root() ? r : test_conf(s);
}

static int make_account(struct set *s)
{
        _cleanup_free_ char *raw = NULL;

        if (helper_has_root())
                return 0;
        int r = account_make(&s->account, &raw);
        if (r < 0)
                return helper_fail("account", s->account.name, raw,
                                   "the account %s, which the share's files belong to, could not be made",
                                   s->account.name);
        r = share_mount_own(s->want.path, s->account.uid, s->account.gid);
        if (r < 0)
                return helper_fail("owner", s->want.path, NULL, "%s could not be given to %s: %s",
                                   s->want.path, s->account.name, strerror(-r));
        return 0;
}

static int make_login(struct set *s)
{
        _cleanup_free_ char *raw = NULL;

        if (!s->want.login || helper_has_root())
                return 0;
        int r = account_login_make(s->want.login, s->account.name, &raw);
        if (r < 0)
                return helper_fail("account", s->want.login, raw, "the account %s, which comes in with a password, could not be made",
                                   s->want.login);
        return 0;
}

static int make_backup_folder(struct set *s)
{
        if (!s->backups.backup_size || helper_has_root())
                return 0;
        int r = share_mount_backups(s->want.path, s->want.login);
        if (r < 0)
                return helper_fail("owner", s->backups.path, NULL, "%s could not be given to %s: %s", s->backups.path, s->want.login,
                                   r == -EEXIST ? "something of somebody else is there" : strerror(-r));
        return 0;
}

/* Files of an array that was taken over belong to whoever made them. */
static int give_files(struct set *s)
{
        _cleanup_free_ char *where = NULL, *what = xasprintf("give all files in %s to %s", s->want.path, s->account.name);

        if (!s->gives || helper_has_root() || (helper_is_dry_run() && helper_would(what)))
                return 0;
        int r = share_give(s->want.path, s->account.uid, s->account.gid, &s->given, &where);
        if (r < 0)
                return helper_fail("give", where, NULL, "the files in %s could not all be given to %s (%s: %s)",
                                   s->want.path, s->account.name, where, strerror(-r));
        log_line("%s: %llu given, %llu left", what, (unsigned long long)s->given.given,
                 (unsigned long long)s->given.left);
        return 0;
}

static int write_conf(const struct set *s)
{
        if (streq(s->before, s->after))
                return 0;
        int r = share_copy(s->before);
        if (r == 0)
                r = helper_write(SMB_CONF, s->after, 0644);
        if (r < 0)
                return helper_fail("write", SMB_CONF, NULL, "%s could not be written: %s", SMB_CONF,
                                   strerror(-r));
        return 0;
}

static int wait_for_mounts(const struct set *s)
{
        _cleanup_ini_ struct ini ini;
        _cleanup_strv_ char **paths = NULL;
        _cleanup_free_ char *raw = NULL;

        ini_read(s->after, &ini);
        paths = share_conf_paths(&ini);
        int r = smbd_wait_for(paths, &raw);
        if (r < 0)
                return helper_fail("systemd", "smbd.service", raw, "smbd could not be told to wait for %s",
                                   s->want.path);
        return 0;
}

static int serve(const struct set *s)
{
        _cleanup_ini_ struct ini ini;
        _cleanup_free_ char *raw = NULL;

        ini_read(s->after, &ini);
        const char *ports = ini_get(&ini, "global", "smb ports");
        int r = smbd_serve(ports && streq(ports, "445"), &raw);
        if (r == -ETIMEDOUT)
                return helper_fail(
                    "smbd", "smbd", raw,
                    "Samba was started but answers nobody; what it says is in /var/log/samba/log.smbd");
        if (r < 0)
                return helper_fail("smbd", "smbd", raw,
                                   "Samba could not be started; journalctl -u smbd tells more");
        return 0;
}

static int announce(const struct set *s)
{
        _cleanup_free_ char *raw = NULL;
        int r = s->announces ? share_announce(!streq(s->before, s->after), &raw) : 0;

        if (r < 0)
                return helper_fail("announce", s->want.netbios, raw,
                                   "the share works, but this computer could not be announced on the network; "
                                   "journalctl -u wsdd2 -u avahi-daemon tells more");
        return 0;
}

static int open_firewall(const struct set *s)
{
        static char *const own_link[] = {"fe80::/10", NULL};
        _cleanup_free_ char *raw = NULL;
        enum firewall f = s->opens ? firewall_look() : FIREWALL_NONE;
        int r = firewall_open(f, s->want.allow, s->announces, &raw);

        if (r == 0)
                r = firewall_open(f, own_link, s->announces, &raw);
        if (r == -EOPNOTSUPP)
                return helper_fail("firewall", firewall_word(f), NULL,
                                   "the share works, but the firewall rules of this computer are somebody's own: let TCP port 445 "
                                   "in from the LAN there%s",
                                   s->announces ? ", and UDP and TCP 3702 and UDP 5353 for being found" : "");
        if (r < 0)
                return helper_fail("firewall", firewall_word(f), raw, "the share works, but %s could not be told to let the LAN in",
                                   firewall_word(f));
        return 0;
}

static int greet(const struct set *s)
{
        int r = s->greets ? share_greet(s->want.netbios, s->want.name, s->address) : 0;

        return r == 0 ? 0 : helper_fail("write", "/etc/issue.d", NULL, "the login screen's text could not be written: %s", strerror(-r));
}

/* The password of a person who has one already is theirs. */
static int set_password(struct set *s)
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

/* Over the address that people will use, which says more than loopback does: somebody may have told smbd which
 * interfaces it listens on. */
static int prove_as(const struct set *s, const char *who, const struct probe *as)
{
        struct probe p = *as;
        _cleanup_free_ char *raw = NULL;

        p.address = *s->address ? s->address : LOOPBACK;
        p.share = s->want.name;
        p.path = s->want.path;
        p.uid = s->account.uid;
        if (share_probe(&p, &raw) == 0)
                return 0;
        return helper_fail("probe", p.address, raw,
                           "the share was set up, but %s could not put a file there over %s and get the same back%s", who,
                           p.address, *s->address ? "; does this computer have that address?" : "");
}

static int prove_locked(const struct set *s)
{
        _cleanup_free_ char *raw = NULL;
        const char *address = *s->address ? s->address : LOOPBACK;

        if (share_probe_locked(address, s->want.name, &raw) == 0)
                return 0;
        return helper_fail("probe", address, raw, "the share was set up, but a guest without a password was not turned away");
}

static int prove(const struct set *s)
{
        const char *name = s->want.login;
        int r = s->want.is_locked ? prove_locked(s) : prove_as(s, "a guest", &(struct probe){0});

        for (int encrypted = 0; encrypted < 2 && r == 0 && s->password; encrypted++)
                r = prove_as(s, name, &(struct probe){.user = name, .password = s->password, .is_encrypted = encrypted});
        return r;
}

static int run_steps(struct set *s)
{
        int (*const looks[])(struct set *) = {read_conf, choose_account, choose_login, make_conf, make_account, make_login, make_backup_folder, give_files};
        int r = 0;

        for (size_t i = 0; i < ELEMENTSOF(looks) && r == 0; i++)
                r = looks[i](s);
        if (r == 0)
                r = write_conf(s);
        if (r == 0)
                r = wait_for_mounts(s);
        if (r == 0)
                r = greet(s);
        if (r != 0 || helper_has_root())
                return r;
        r = serve(s);
        if (r == 0 && !helper_is_dry_run())
                r = set_password(s);
        if (r == 0 && !helper_is_dry_run())
                r = prove(s);
        if (r == 0)
                r = announce(s);
        return r == 0 ? open_firewall(s) : r;
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

static void describe_backups(struct set *s)
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

static void tell_off(const struct set *s, struct record *more)
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
        _cleanup_(set_free) struct set s = {.address = record_str(args, "address"),
                                            .password_fd = record_str(args, "password-fd"),
                                            .announces = streq(record_str(args, "announce"), "yes"),
                                            .opens = streq(record_str(args, "firewall"), "open"),
                                            .greets = streq(record_str(args, "greet"), "yes"),
                                            .gives = streq(record_str(args, "files"), "give")};
        _cleanup_strv_ char **subnets = *record_str(args, "allow") ? record_get_list(args, "allow") : NULL;
        _cleanup_strv_ char **allow = subnets ? share_allow(subnets) : NULL;
        _cleanup_record_ struct record *more = record_new("more");
        int r = share_check_args(args, subnets);

        if (r == 0 && *record_str(args, "timemachine"))
                parse_u64(record_str(args, "timemachine"), &s.backup_size);
        if (r == 0)
                r = check_programs();
        if (r == 0 && (s.backup_size || streq(record_str(args, "macs"), "yes")))
                r = check_modules();
        if (r == 0)
                r = check_mount(record_str(args, "path"), record_str(args, "uuid"));
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
        if (s.gives) {
                record_set_u64(more, "given", s.given.given);
                record_set_u64(more, "left", s.given.left);
        }
        return helper_result(more);
}

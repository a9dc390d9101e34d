#include <arpa/inet.h>
#include <errno.h>
#include <glob.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "helpers/lib/address.h"
#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"
#include "helpers/lib/log.h"
#include "helpers/lib/sharename.h"
#include "helpers/share_account.h"
#include "helpers/share_conf.h"
#include "helpers/share_give.h"
#include "helpers/share_mount.h"
#include "helpers/share_probe.h"
#include "helpers/share_smbd.h"

#define LOOPBACK "127.0.0.1"

/* --- list --- */

static void print_share(const struct ini *ini, const struct ini *file, const char *name)
{
        _cleanup_record_ struct record *r = record_new("share");
        const char *read_only = ini_get(ini, name, "read only");

        record_set(r, "name", name);
        record_set(r, "path", ini_get(ini, name, "path"));
        record_set(r, "comment", ini_get(ini, name, "comment"));
        record_set(r, "guest", ini_is_yes(ini_get(ini, name, "guest ok")) ? "yes" : "no");
        record_set(r, "writable", read_only && !ini_is_yes(read_only) ? "yes" : "no");
        record_set(r, "ours", share_conf_is_ours(file, name) ? "yes" : "no");
        record_print(r, stdout);
}

static bool is_share(const struct ini *ini, size_t i)
{
        static const char *const not_shares[] = {"global", "homes", "printers", "print$"};
        const char *name = ini->v[i].section;

        if (!ini->v[i].is_title)
                return false;
        for (size_t k = 0; k < ELEMENTSOF(not_shares); k++)
                if (strcasecmp(name, not_shares[k]) == 0)
                        return false;
        for (size_t k = 0; k < i; k++)
                if (ini->v[k].is_title && strcasecmp(name, ini->v[k].section) == 0)
                        return false; /* opened a second time */
        return true;
}

/* What counts is what testparm says; without it, what stands in the file. */
static void read_effective(const char *text, struct ini *ret)
{
        _cleanup_free_ char *out = NULL;

        if (!helper_has_root())
                helper_ask(STRV("testparm", "-s", "--suppress-prompt"), &out);
        ini_read(out ? out : text, ret);
}

static int list(const struct record *args _unused_)
{
        _cleanup_free_ char *conf = helper_path(SMB_CONF), *text = NULL, *version = NULL;
        _cleanup_record_ struct record *samba = record_new("samba");
        _cleanup_ini_ struct ini effective = {0}, file = {0};

        if (file_text(conf, &text) < 0)
                text = xstrdup("");
        ini_read(text, &file);
        read_effective(text, &effective);
        if (!helper_has_root() && smbd_version(&version) == 0)
                record_set(samba, "version", version);
        record_set(samba, "running", smbd_is_running() ? "yes" : "no");
        record_set(samba, "workgroup", ini_get(&effective, "global", "workgroup"));
        record_set(samba, "netbios", ini_get(&effective, "global", "netbios name"));
        record_print(samba, stdout);
        for (size_t i = 0; i < effective.n; i++)
                if (is_share(&effective, i))
                        print_share(&effective, &file, effective.v[i].section);
        return helper_result(NULL);
}

/* --- set: what was asked for --- */

static int check_name(const struct record *args, const char *key, enum sharename_kind kind)
{
        char character[5] = "";
        const char *value = record_get(args, key);
        enum sharename_fault fault = value ? sharename_check(kind, value, character) : SHARENAME_FINE;

        if (fault == SHARENAME_FINE)
                return 0;
        _cleanup_free_ char *why = xasprintf(sharename_message(kind, fault), character);
        return helper_usage(key, "%s=%s: %s", key, value, why);
}

/* "192.168.1.0/24" or "fd00::/8". */
static bool is_subnet(const char *s)
{
        const char *slash = strchr(s, '/');
        _cleanup_free_ char *ip = slash ? xstrndup(s, (size_t)(slash - s)) : NULL;
        struct in6_addr a;
        unsigned bits;

        if (!slash)
                return false;
        return (inet_pton(AF_INET, ip, &a) == 1 && parse_uint(slash + 1, 32, &bits) == 0 && bits > 0) ||
               (inet_pton(AF_INET6, ip, &a) == 1 && parse_uint(slash + 1, 128, &bits) == 0 && bits > 0);
}

static int check_args(const struct record *args, char *const *allow)
{
        const char *path = record_str(args, "path"), *netbios = record_get(args, "netbios"),
                   *address = record_str(args, "address"), *access = record_get(args, "access");
        struct in_addr a;
        int r = check_name(args, "name", SHARENAME_SHARE);

        if (r == 0)
                r = check_name(args, "comment", SHARENAME_COMMENT);
        if (r == 0)
                r = check_name(args, "workgroup", SHARENAME_WORKGROUP);
        if (r != 0)
                return r;
        if (netbios && hostname_check(netbios, NULL) < 0)
                return helper_usage("netbios", "netbios= takes at most 15 letters, digits and dashes");
        if (netbios && sharename_workgroup_is_host(record_str(args, "workgroup"), netbios))
                return helper_usage("workgroup", "the workgroup and the computer need different names");
        if (!share_mount_may_be(path))
                return helper_usage("path", "path=%s: a share has a folder of its own such as /srv/public",
                                    path);
        if (!is_uuid(record_str(args, "uuid")))
                return helper_usage("uuid", "uuid= takes a file system's UUID");
        if (access && !streq(access, "everyone"))
                return helper_usage("access", "access= can only be everyone");
        if (*record_str(args, "files") && !streq(record_str(args, "files"), "give"))
                return helper_usage("files", "files= can only be give");
        if (*address && inet_pton(AF_INET, address, &a) != 1)
                return helper_usage("address", "address= takes an IPv4 address without prefix");
        STRV_FOREACH(s, allow)
        if (!is_subnet(*s))
                return helper_usage("allow", "'%s' is no subnet such as 192.168.1.0/24", *s);
        return 0;
}

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

/* --- set: the steps --- */

struct set {
        struct share_wanted want;
        struct account account;
        const char *address;
        bool gives; /* files=give */
        struct given given;
        char *before, *after; /* smb.conf */
};

static void set_free(struct set *s)
{
        account_free(&s->account);
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
        s->want.user = s->account.name;
        return 0;
}

static int refuse_conf(int error, const struct set *s, const char *why)
{
        switch (error) {
        case -EEXIST:
                return helper_refuse("name-taken", s->want.name,
                                     "there is a share \"%s\" already, for %s; choose another name",
                                     s->want.name, why);
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

/* The new text, and the proof that Samba takes it as it is meant; nothing is touched yet. */
static int make_conf(struct set *s)
{
        _cleanup_free_ char *why = NULL, *effective = NULL;
        int r = share_conf_apply(s->before, &s->want, &s->after, &why);

        if (r < 0)
                return refuse_conf(r, s, why);
        if (helper_has_root())
                return 0;
        r = smbd_test(s->after, s->before, &effective, &why);
        if (r == -EINVAL)
                return refuse_conf(-EBADMSG, s, why);
        if (r == 0)
                r = share_conf_check(s->after, effective, &s->want, &why);
        if (r == 0)
                return 0;
        return helper_refuse("testparm", SMB_CONF,
                             "Samba would not take the share as it is meant (%s), so %s was left alone",
                             why ? why : strerror(-r), SMB_CONF);
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

static bool has_copy(const char *text)
{
        _cleanup_free_ char *pattern = helper_path(SMB_CONF ".nas-setup-*");
        glob_t found;
        bool has = false;

        if (glob(pattern, 0, NULL, &found) != 0)
                return false;
        for (size_t i = 0; i < found.gl_pathc && !has; i++) {
                _cleanup_free_ char *copy = NULL;
                has = file_text(found.gl_pathv[i], &copy) == 0 && streq(copy, text);
        }
        globfree(&found);
        return has;
}

/* A name with the time that no file has yet. */
static char *copy_name(void)
{
        time_t now = time(NULL);
        struct tm tm;
        char when[32];

        strftime(when, sizeof when, "%Y%m%d-%H%M%S", localtime_r(&now, &tm));
        for (unsigned i = 1;; i++) {
                _cleanup_free_ char *name = i == 1 ? xasprintf(SMB_CONF ".nas-setup-%s", when)
                                                   : xasprintf(SMB_CONF ".nas-setup-%s-%u", when, i);
                _cleanup_free_ char *full = helper_path(name);
                if (access(full, F_OK) < 0)
                        return TAKE_PTR(name);
        }
}

/* Once for each change: not where a copy of this very text is there, from a run that was cut off say. */
static int keep_old_conf(const char *text)
{
        _cleanup_free_ char *conf = helper_path(SMB_CONF);
        struct stat st;

        if (!*text || helper_is_dry_run() || has_copy(text))
                return 0;
        if (stat(conf, &st) < 0)
                return -errno;
        _cleanup_free_ char *copy = copy_name();
        return helper_write(copy, text, st.st_mode & 0777);
}

static int write_conf(const struct set *s)
{
        if (streq(s->before, s->after))
                return 0;
        int r = keep_old_conf(s->before);
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

/* Over the address that people will use, which says more than loopback does: somebody may have told smbd which
 * interfaces it listens on. */
static int prove(const struct set *s)
{
        const char *address = *s->address ? s->address : LOOPBACK;
        _cleanup_free_ char *raw = NULL;

        if (share_probe(address, s->want.name, s->want.path, s->account.uid, &raw) == 0)
                return 0;
        return helper_fail("probe", address, raw,
                           "the share was set up, but a guest could not put a file there over %s and get the same back%s",
                           address, *s->address ? "; does this computer have that address?" : "");
}

static int run_steps(struct set *s)
{
        int (*const looks[])(struct set *) = {read_conf, choose_account, make_conf, make_account, give_files};
        int r = 0;

        for (size_t i = 0; i < ELEMENTSOF(looks) && r == 0; i++)
                r = looks[i](s);
        if (r == 0)
                r = write_conf(s);
        if (r == 0)
                r = wait_for_mounts(s);
        if (r != 0 || helper_has_root())
                return r;
        r = serve(s);
        return r == 0 && !helper_is_dry_run() ? prove(s) : r;
}

static bool has_printers(void)
{
        _cleanup_free_ char *file = helper_path("/etc/cups/printers.conf");
        struct stat st;

        return stat(file, &st) == 0 && st.st_size > 0;
}

static int set(const struct record *args)
{
        _cleanup_(set_free) struct set s = {.address = record_str(args, "address"),
                                            .gives = streq(record_str(args, "files"), "give")};
        _cleanup_strv_ char **allow = *record_str(args, "allow") ? record_get_list(args, "allow") : NULL;
        _cleanup_record_ struct record *more = record_new("more");
        int r = check_args(args, allow);

        if (r == 0)
                r = check_programs();
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
                                       .prints = has_printers()};
        r = run_steps(&s);
        if (r != 0)
                return r;
        record_set(more, "user", s.account.name);
        if (s.gives) {
                record_set_u64(more, "given", s.given.given);
                record_set_u64(more, "left", s.given.left);
        }
        return helper_result(more);
}

static const struct param set_params[] = {
    {"name", true, "the share's name, as people see it"},
    {"path", true, "its folder, where the file system is mounted"},
    {"uuid", true, "the file system that must be mounted there"},
    {"comment", false, "what it is for, as people see it"},
    {"workgroup", false, "Windows workgroup, up to 15 characters"},
    {"netbios", false, "this computer's name on the network, up to 15 characters"},
    {"access", false, "who may use it: everyone"},
    {"allow", false, "subnets that may use it, such as 192.168.1.0/24; none: every computer"},
    {"files", false, "give: what is there already is given to the share's account"},
    {"address", false, "address of this computer that the share is tried over; left out: 127.0.0.1"},
    {0},
};

static const struct verb verbs[] = {
    {"list", "print what Samba shares", NULL, false, list},
    {"set", "share a file system with everyone", set_params, true, set},
    {0},
};

static const struct helper helper = {"nas-share",
                                     "look at and change what this computer shares on the network", verbs};

int main(int argc, char **argv)
{
        return helper_main(&helper, argc, argv);
}

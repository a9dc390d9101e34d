#include <strings.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"
#include "helpers/share_announce.h"
#include "helpers/share_conf.h"
#include "helpers/share_firewall.h"
#include "helpers/share_follow.h"
#include "helpers/share_old.h"
#include "helpers/share_set.h"
#include "helpers/share_smbd.h"

/* --- list --- */

/* Who comes in with a password, and the room for backups, as far as the file tells. */
static void set_people(const struct ini *ini, const char *name, struct record *r)
{
        _cleanup_free_ char *backups = path_join(record_str(r, "path"), SHARE_BACKUP_FOLDER);
        const char *users = ini_get(ini, name, "valid users");

        for (size_t i = 0; i < ini->n; i++) {
                const char *path = ini_get(ini, ini->v[i].section, "path"), *size;
                if (!path || !streq(path, backups))
                        continue;
                users = ini_get(ini, ini->v[i].section, "valid users");
                size = ini_get(ini, ini->v[i].section, "fruit:time machine max size");
                record_set(r, "timemachine", size && *size ? size : NULL);
        }
        record_set(r, "user", users && *users ? users : NULL);
}

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
        set_people(ini, name, r);
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

static void print_harms(const struct ini *file)
{
        struct old old;

        for (size_t i = 0; share_old(file, i, &old); i++) {
                _cleanup_record_ struct record *r = record_new("harm");
                record_set(r, "why", old_harm_word(old.harm));
                record_set(r, "key", old.line->key);
                record_set(r, "value", old.line->value);
                record_set(r, "text", old.text);
                record_print(r, stdout);
        }
}

static void print_announcers(void)
{
        const struct announcer *a;

        for (size_t i = 0; (a = share_announcer(i)); i++) {
                _cleanup_record_ struct record *r = record_new("announcer");
                record_set(r, "what", a->what);
                record_set(r, "package", a->package);
                record_set(r, "installed", share_announcer_is_there(a) ? "yes" : "no");
                record_set(r, "running", share_announcer_is_running(a) ? "yes" : "no");
                record_print(r, stdout);
        }
}

static void print_firewall(void)
{
        _cleanup_record_ struct record *r = record_new("firewall");

        record_set(r, "kind", firewall_word(firewall_look()));
        record_print(r, stdout);
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
        print_harms(&file);
        if (!helper_has_root())
                print_announcers();
        print_firewall();
        return helper_result(NULL);
}

static const struct param set_params[] = {
    {"name", true, "the share's name, as people see it"},
    {"path", true, "its folder, where the file system is mounted"},
    {"uuid", true, "the file system that must be mounted there"},
    {"comment", false, "what it is for, as people see it"},
    {"workgroup", false, "Windows workgroup, up to 15 characters"},
    {"netbios", false, "this computer's name on the network, up to 15 characters"},
    {"access", false, "who may use it: everyone, or user, who needs the password"},
    {"user", false, "who can also come in with a password, signed and encrypted"},
    {"password-fd", false, "the descriptor that the first line of is the password of user="},
    {"allow", false, "subnets that may use it, such as 192.168.1.0/24; none: every computer"},
    {"announce", false, "yes: computers find it by themselves, as far as wsdd2 and avahi-daemon are installed"},
    {"firewall", false, "open: this computer's firewall lets the subnets of allow= in"},
    {"greet", false, "yes: the login screen shows how to reach it, by netbios= and address="},
    {"summary", false, "yes: a text file on the share tells how to reach it"},
    {"macs", false, "yes: with Samba's modules for Macs"},
    {"timemachine", false, "a share for Time Machine's backups beside it, only for user=, up to so many bytes"},
    {"files", false, "give: what is there already is given to the share's account"},
    {"address", false, "address of this computer that the share is tried over; left out: 127.0.0.1"},
    {0},
};

static const struct verb verbs[] = {
    {"list", "print what Samba shares", NULL, false, list},
    {"set", "share a file system with everyone", set_params, true, share_set},
    {"follow", "wait until the LAN has another IPv6 prefix, and let it in", NULL, false, share_follow},
    {0},
};

static const struct helper helper = {"nas-share",
                                     "look at and change what this computer shares on the network", verbs};

int main(int argc, char **argv)
{
        return helper_main(&helper, argc, argv);
}

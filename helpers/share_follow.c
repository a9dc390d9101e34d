#include "helpers/share_follow.h"

#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"
#include "helpers/net_news.h"
#include "helpers/share_allow.h"
#include "helpers/share_conf.h"
#include "helpers/share_firewall.h"
#include "helpers/share_settings.h"
#include "helpers/share_smbd.h"

#define NAME "nas-setup-lan.service"
#define UNIT "/etc/systemd/system/" NAME
#define SETTLE_MS 2000 /* the old prefix goes and the new one comes in several messages */

/* --- what smb.conf says, and what it should --- */

/* What a provider hands out: 64 bits of 2000::/3 (RFC 4291, 2.4). */
static bool is_given(const char *subnet)
{
        size_t n = strcspn(subnet, "/");
        _cleanup_free_ char *ip = xstrndup(subnet, n);
        struct in6_addr a;

        return streq(subnet + n, "/64") && inet_pton(AF_INET6, ip, &a) == 1 && (a.s6_addr[0] & 0xe0) == 0x20;
}

static bool is_always(const char *subnet)
{
        return streq(subnet, "127.0.0.1") || streq(subnet, "::1") || streq(subnet, OWN_LINK);
}

/* The subnets of a list as ours is, with today's prefixes in place of those that were given before. */
static char **today(const char *list)
{
        _cleanup_free_ char *copy = xstrdup(list);
        _cleanup_strv_ char **lasting = NULL;

        for (char *rest = copy, *word; (word = strsep(&rest, " \t,"));)
                if (*word && !is_given(word) && !is_always(word))
                        strv_add(&lasting, word);
        return lasting ? share_allow(lasting) : NULL;
}

/* The text with today's lists in our shares; *ret_subnets is all that is in them. */
static int renew(const char *text, char **ret_text, char ***ret_subnets)
{
        _cleanup_free_ char *now = xstrdup(text);
        _cleanup_ini_ struct ini ini;
        int r = 0;

        ini_read(text, &ini);
        for (size_t i = 0; i < ini.n && r == 0; i++) {
                const char *section = ini.v[i].section, *list = ini_get(&ini, section, "hosts allow");
                if (!ini.v[i].is_title || !list || !share_conf_is_ours(&ini, section))
                        continue;
                _cleanup_strv_ char **subnets = today(list);
                _cleanup_free_ char *value = settings_hosts_allow(subnets), *next = NULL;
                STRV_FOREACH(s, subnets)
                if (!strv_has(*ret_subnets, *s))
                        strv_add(ret_subnets, *s);
                if (!value || ini_is_value(list, value))
                        continue;
                r = share_conf_put(now, section, "hosts allow", value, &next);
                if (r == 0)
                        free(now), now = TAKE_PTR(next);
        }
        if (r == 0)
                *ret_text = TAKE_PTR(now);
        return r;
}

/* --- doing it --- */

static int tell_firewall(char *const *subnets, char **ret_raw)
{
        enum firewall f = firewall_look();
        _cleanup_strv_ char **all = strv_copy(subnets);
        bool announces;

        if (!firewall_was_opened(f, &announces))
                return 0;
        strv_add(&all, OWN_LINK);
        return firewall_open(f, all, announces, ret_raw);
}

/* The firewall first: cut off in between, smb.conf tells that it is still to be done. */
static int change(const char *text, char *const *subnets)
{
        _cleanup_free_ char *raw = NULL;
        int r = tell_firewall(subnets, &raw);

        if (r < 0)
                return helper_fail("firewall", "firewall", raw, "the firewall could not be told of the LAN's new IPv6 prefix");
        r = helper_write(SMB_CONF, text, 0644);
        if (r < 0)
                return helper_fail("write", SMB_CONF, NULL, "%s could not be written: %s", SMB_CONF, strerror(-r));
        if (!helper_has_root() && !helper_is_dry_run() && smbd_is_running() && smbd_reload(&raw) < 0)
                return helper_fail("smbd", "smbd", raw, "Samba could not be told of the LAN's new IPv6 prefix");
        return helper_result(NULL);
}

/* Looked at again under the lock: somebody may have been at it. */
static int look(bool *ret_is_news, bool does)
{
        _cleanup_free_ char *conf = helper_path(SMB_CONF), *before = NULL, *after = NULL;
        _cleanup_strv_ char **subnets = NULL;
        int r = file_text(conf, &before);

        if (r == 0)
                r = renew(before, &after, &subnets);
        if (r < 0)
                return helper_fail("smb-conf", SMB_CONF, NULL, "%s is not understood", SMB_CONF);
        *ret_is_news = !streq(before, after);
        return *ret_is_news && does ? change(after, subnets) : 0;
}

int share_follow(const struct record *args _unused_)
{
        _cleanup_close_ int news = news_open();
        bool is_news = false;
        int r = look(&is_news, false);

        while (r == 0 && !is_news && news >= 0) {
                poll(&(struct pollfd){.fd = news, .events = POLLIN}, 1, -1);
                poll(NULL, 0, SETTLE_MS);
                news_take(news);
                r = look(&is_news, false);
        }
        if (r != 0 || !is_news)
                return r != 0 ? r : helper_result(NULL);
        r = helper_lock();
        if (r == 0)
                r = look(&is_news, true);
        return r != 0 || is_news ? r : helper_result(NULL);
}

/* --- the unit --- */

static char *unit_text(void)
{
        char program[PATH_MAX];
        ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);

        if (n <= 0)
                return NULL;
        program[n] = '\0';
        return xasprintf("# nas-setup: the share stays open to the LAN when its IPv6 prefix changes\n"
                         "[Unit]\nDescription=Who may use the share follows the LAN's IPv6 prefix\n"
                         "ConditionPathExists=%s\nStartLimitIntervalSec=0\n\n"
                         "[Service]\nExecStart=\"%s\" follow\nRestart=always\nRestartSec=15\n\n"
                         "[Install]\nWantedBy=multi-user.target\n", program, program);
}

int share_follow_unit(bool wanted, char **ret_raw)
{
        _cleanup_free_ char *text = unit_text(), *file = helper_path(UNIT), *folder = helper_path("/etc/systemd/system"), *now = NULL;
        bool is_there = access(file, F_OK) == 0;
        int r = access(folder, F_OK) < 0 ? 0 : file_text(file, &now);

        if (r < 0 || access(folder, F_OK) < 0 || (!wanted && !is_there))
                return r;
        if (!wanted && has_systemd())
                r = helper_exec(STRV("systemctl", "disable", "--now", NAME), ret_raw);
        if (!wanted)
                return r == 0 ? helper_remove(UNIT) : r;
        if (!text)
                return -ENOENT;
        bool is_same = streq(now, text);
        r = is_same ? 0 : helper_write(UNIT, text, 0644);
        if (r < 0 || !has_systemd() || (is_same && smbd_unit_is(NAME, "is-enabled", "enabled") && smbd_unit_is(NAME, "is-active", "activ")))
                return r;
        r = helper_exec(STRV("systemctl", "daemon-reload"), ret_raw);
        return r == 0 ? helper_exec(STRV("systemctl", "enable", "--now", NAME), ret_raw) : r;
}

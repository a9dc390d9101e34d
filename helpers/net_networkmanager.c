/* NetworkManager: a profile of our own, found by the port's hardware address; a port is off where it may not manage it.
 * It checks a fixed address for a second owner itself (dad-timeout), and "nmcli con up" tells. */
#include "helpers/net_stack.h"

#include <errno.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"

#define UNIT "NetworkManager.service"
#define CONF "/etc/NetworkManager/conf.d/90-nas-setup.conf"
#define LAN "nas-setup-lan"
#define PROFILE "/etc/NetworkManager/system-connections/" LAN ".nmconnection"
/* What netplan makes of our entry. */
#define NETPLAN_PROFILE "/run/NetworkManager/system-connections/netplan-"
#define NETPLAN_LAN "netplan-nas-lan"
#define UP_MS 15000      /* a port that it may manage again, or that has just got its carrier, is not ready at once */
#define SETTLE_MS 8000   /* it went back to an old profile by itself after 3 s */
#define POLL_MS 500

static bool is_installed(void)
{
        return net_has_program("NetworkManager");
}

static bool is_active(void)
{
        static int active = -1;

        if (active < 0)
                active = helper_has_root() || net_is_active(UNIT);
        return active;
}

static char **split_lines(char *text)
{
        char **lines = NULL, *rest = NULL;

        for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
                strv_add(&lines, line);
        return lines;
}

/* Three lines: state, managed, connection. "connected (externally)": it watches what somebody else set up. */
static char **device(const struct port *p)
{
        _cleanup_free_ char *record = xasprintf("nmcli-%s", p->name), *out = NULL;

        if (!is_active() || port_ask(record, STRV("nmcli", "-g", "GENERAL.STATE,GENERAL.NM-MANAGED,GENERAL.CONNECTION",
                                                  "dev", "show", p->name), &out) < 0)
                return NULL;
        return split_lines(out);
}

static bool is_managed(char *const *lines)
{
        return strv_len(lines) >= 2 && streq(lines[1], "yes") && !strstr(lines[0], "externally");
}

/* One field of a line of "nmcli -t", and where the next begins: a colon or backslash inside has a backslash before it. */
static char *next_field(const char **at)
{
        _cleanup_buf_ struct buf b = {0};
        const char *c = *at;

        buf_puts(&b, "");
        for (; *c && *c != ':'; c++) {
                if (*c == '\\' && c[1])
                        c++;
                buf_printf(&b, "%c", *c);
        }
        *at = *c ? c + 1 : c;
        return TAKE_PTR(b.buf);
}

/* FILENAME of the connection on that port. */
static char *profile_of(const struct port *p)
{
        _cleanup_free_ char *out = NULL;

        if (!is_active() || port_ask("nmcli-connections", STRV("nmcli", "-t", "-f", "NAME,DEVICE,FILENAME", "con", "show"),
                                     &out) < 0)
                return NULL;
        _cleanup_strv_ char **lines = split_lines(out);
        STRV_FOREACH(line, lines) {
                const char *at = *line;
                _cleanup_free_ char *name _unused_ = next_field(&at), *device_name = next_field(&at), *file = next_field(&at);
                if (streq(device_name, p->name))
                        return TAKE_PTR(file);
        }
        return NULL;
}

bool net_networkmanager_is_netplan(const struct port *p)
{
        _cleanup_strv_ char **lines = device(p);
        _cleanup_free_ char *profile = is_managed(lines) ? profile_of(p) : NULL;

        return profile && has_prefix(profile, NETPLAN_PROFILE);
}

bool net_networkmanager_lists(const char *mac)
{
        _cleanup_free_ char *path = helper_path(CONF), *text = NULL, *item = xasprintf("mac:%s", mac);

        return file_text(path, &text) == 0 && strstr(text, item);
}

static bool has_profile(void)
{
        _cleanup_free_ char *path = helper_path(PROFILE);

        return access(path, F_OK) == 0;
}

/* The list is ours beside other stacks too. */
static bool owns(const struct port *p)
{
        _cleanup_strv_ char **lines = device(p);

        return is_managed(lines) || (*p->mac && has_profile() && net_networkmanager_lists(p->mac));
}

static bool is_ours(const char *connection)
{
        return streq(connection, LAN) || streq(connection, NETPLAN_LAN);
}

/* Its state file has a section for a lease; no process runs for it. */
static bool has_lease(const struct port *p)
{
        _cleanup_free_ char *inside = xasprintf("/run/NetworkManager/devices/%u", p->index), *path = helper_path(inside),
                            *text = NULL;

        return file_text(path, &text) == 0 && strstr(text, "[dhcp4]");
}

static void look(struct port *p)
{
        _cleanup_strv_ char **lines = device(p);
        const char *connection = is_managed(lines) && lines[2] ? lines[2] : "";

        p->ours = is_ours(connection) ? "lan" : net_networkmanager_lists(p->mac) ? "off" : NULL;
        p->method = !is_managed(lines) ? "none" : has_lease(p) ? "dhcp" : p->addresses ? "static" : "none";
}

/* --- files --- */

const char *net_networkmanager_ipv6(const struct net_want *w)
{
        static const char *const methods[] = {
                [NET_IPV6_ROUTER] = "auto", [NET_IPV6_OFF] = "disabled", [NET_IPV6_FIXED] = "manual"};

        return methods[w->ipv6];
}

/* The uuid is any that no other profile has; one that is always the same makes the file so. */
static int files(const struct net_want *w, struct net_files *ret, char **ret_why _unused_)
{
        _cleanup_buf_ struct buf b = {0};
        _cleanup_free_ char *address = address_text(&w->address), *gateway = address_text(&w->gateway),
                            *dns = net_list_text(w, ";");

        buf_printf(&b, NET_HEADER "[connection]\nid=" LAN "\nuuid=8a3c6b1e-0f57-4d0c-9a56-5b2d4c1e7f90\ntype=ethernet\n"
                       "autoconnect-priority=999\n\n[ethernet]\nmac-address=%s\n\n", w->lan->mac);
        buf_printf(&b, "[ipv4]\nmethod=manual\naddress1=%s%s%s\n", address, w->gateway.ip ? "," : "",
                   w->gateway.ip ? gateway : "");
        if (w->n_dns > 0)
                buf_printf(&b, "dns=%s;\n", dns);
        if (w->domain)
                buf_printf(&b, "dns-search=%s;\n", w->domain);
        buf_printf(&b, "dad-timeout=3000\n\n[ipv6]\nmethod=%s\n", net_networkmanager_ipv6(w));
        if (w->address6)
                buf_printf(&b, "address1=%s%s%s\n", w->address6, w->gateway6 ? "," : "", w->gateway6 ? w->gateway6 : "");
        net_files_add(ret, PROFILE, TAKE_PTR(b.buf), 0600, true);
        return 0;
}

void net_networkmanager_keep_off(const struct net_want *w, struct net_files *ret)
{
        _cleanup_strv_ char **list = NULL;

        if (!is_installed())
                return;
        if (net_stack_runner(w->stack, w->ports, w->lan) != &net_networkmanager)
                strv_take(&list, xasprintf("mac:%s", w->lan->mac));
        STRV_FOREACH(mac, w->off)
                strv_take(&list, xasprintf("mac:%s", *mac));
        _cleanup_free_ char *text = strv_join(list, ";");
        net_files_add(ret, CONF, list ? xasprintf(NET_HEADER "[keyfile]\nunmanaged-devices+=%s\n", text) : NULL, 0644, true);
}

void net_networkmanager_reload(void)
{
        if (is_installed() && net_is_active(UNIT))
                helper_exec(STRV("nmcli", "general", "reload", "conf"), NULL);
}

void net_networkmanager_undone(const struct net_stack *stack)
{
        if (stack == &net_ifupdown && is_installed() && net_is_active(UNIT))
                helper_exec(STRV("systemctl", "restart", UNIT), NULL);
        else
                net_networkmanager_reload();
}

/* --- running it --- */

static bool holds(const struct net_want *w)
{
        _cleanup_strv_ char **lines = device(w->lan);

        return is_managed(lines) && lines[2] && is_ours(lines[2]) && has_prefix(lines[0], "100 ") && !has_lease(w->lan);
}

static int release(const struct port *p _unused_)
{
        return 0; /* it drops the lease itself when the new profile comes up */
}

/* Returns once the address has been checked for a second owner. */
static int up(const char *connection, char **ret_raw)
{
        _cleanup_free_ char *raw = NULL;
        int r;

        for (uint64_t until = now_ms() + UP_MS;; usleep(POLL_MS * 1000)) {
                free(raw);
                raw = NULL;
                r = helper_exec(STRV("nmcli", "con", "up", (char *)connection), &raw);
                if (r == 0 || !raw || !strstr(raw, "o suitable device") || now_ms() > until)
                        break;
        }
        if (ret_raw)
                *ret_raw = TAKE_PTR(raw);
        return r;
}

static int apply(const struct net_want *w, bool changed _unused_, char **ret_raw)
{
        if (!net_is_active(UNIT))
                return -ENOTCONN;
        helper_exec(STRV("nmcli", "con", "reload"), NULL);
        return up(w->stack == &net_netplan ? NETPLAN_LAN : LAN, ret_raw);
}

/* On its way to a connection that is not ours any more, or without a cable (20), or not its business. */
static bool is_settled(const struct port *p)
{
        _cleanup_strv_ char **lines = device(p);

        if (!is_managed(lines) || has_prefix(lines[0], "20 "))
                return true;
        return !has_prefix(lines[0], "30 ") && lines[2] && !is_ours(lines[2]);
}

static bool have_settled(const struct ports *touched)
{
        for (size_t i = 0; i < touched->n; i++)
                if (!is_settled(&touched->v[i]))
                        return false;
        return true;
}

/* Profiles that it makes up itself come only when a port appears: after a reboot under ours there is none to go back to,
 * and the port stays disconnected until it starts anew. */
static int restore(const struct ports *touched)
{
        _cleanup_free_ char *netplan = helper_path(NETPLAN_PROFILE "nas-lan.nmconnection");

        if (!net_is_active(UNIT))
                return 0;
        int r = helper_exec(STRV("nmcli", "con", "reload"), NULL);
        if (has_profile() || access(netplan, F_OK) == 0)
                return up(has_profile() ? LAN : NETPLAN_LAN, NULL);
        for (uint64_t until = now_ms() + SETTLE_MS; !have_settled(touched) && now_ms() < until;)
                usleep(POLL_MS * 1000);
        return have_settled(touched) ? r : helper_exec(STRV("systemctl", "restart", UNIT), NULL);
}

/* With the program resolvconf there, which systemd-resolved brings too, it calls that instead of writing the file; where
 * resolved is off that fails, and nobody has DNS. */
static bool has_dns(const struct net_want *w _unused_)
{
        return !net_has_program("resolvconf") || net_is_active("systemd-resolved.service");
}

const struct net_stack net_networkmanager = {
        .name = "networkmanager",
        .is_installed = is_installed,
        .owns = owns,
        .look = look,
        .files = files,
        .holds = holds,
        .release = release,
        .apply = apply,
        .off = net_port_down,
        .restore = restore,
        .has_dns = has_dns,
        .writes_resolver = has_dns,
};

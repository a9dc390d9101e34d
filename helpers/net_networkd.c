/* systemd-networkd: ports are matched by PermanentMACAddress=, the first file in the order of names wins, a port is
 * off by ActivationPolicy=always-down (systemd 248). It checks a fixed address for a second owner itself when told to,
 * and then leaves the port without an address; "networkctl reload" returns 0 in any case. */
#include "helpers/net_stack.h"

#include <errno.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"

#define UNIT "systemd-networkd.service"
#define FOLDER "/etc/systemd/network/"
#define LAN_FILE "nas-setup-lan.network"
#define OFF_FILE "nas-setup-off-"
#define NETPLAN_FILE "/run/systemd/network/10-netplan-"
#define NETPLAN_LAN "nas-lan.network"
#define NETPLAN_OFF "nas-off-"

static bool is_installed(void)
{
        return net_has_program("networkctl");
}

/* Its own words on a port: private data, but the only ones that can be recorded. */
static char *link_value(const struct port *p, const char *key)
{
        _cleanup_free_ char *path = xasprintf("/run/systemd/netif/links/%u", p->index);

        return key_value(path, key);
}

static char *lease_value(const struct port *p, const char *key)
{
        _cleanup_free_ char *path = xasprintf("/run/systemd/netif/leases/%u", p->index);

        return key_value(path, key);
}

/* The files stay when it ends, so it must run; below --root they are all there is. */
static char *network_file(const struct port *p)
{
        static int active = -1;
        _cleanup_free_ char *state = link_value(p, "ADMIN_STATE");

        if (!state || streq(state, "unmanaged"))
                return NULL;
        if (active < 0)
                active = helper_has_root() || net_is_active(UNIT);
        return active ? link_value(p, "NETWORK_FILE") : NULL;
}

static bool owns(const struct port *p)
{
        _cleanup_free_ char *file = network_file(p);

        return file && !has_prefix(file, NETPLAN_FILE);
}

bool net_networkd_is_netplan(const struct port *p)
{
        _cleanup_free_ char *file = network_file(p);

        return file && has_prefix(file, NETPLAN_FILE);
}

/* IPv4 addresses of a list with blanks between them; networkd adds "#name" or ":port" to few. */
static void add_servers(char ***dns, char *list)
{
        char *rest = NULL;

        if (list)
                for (char *w = strtok_r(list, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
                        strv_add(dns, w);
}

static void look_lease(struct port *p)
{
        _cleanup_free_ char *address = lease_value(p, "ADDRESS"), *set = link_value(p, "DNS"),
                            *given = lease_value(p, "DNS");

        p->method = address ? "dhcp" : p->addresses ? "static" : "none";
        p->domain = lease_value(p, "DOMAINNAME");
        if (!p->domain && (p->domain = link_value(p, "DOMAINS")))
                p->domain[strcspn(p->domain, " ")] = '\0';
        add_servers(&p->dns, set);
        if (!p->dns)
                add_servers(&p->dns, given);
}

/* netplan's are those that it made from ours. */
static const char *ours_of(const char *file)
{
        const char *own = skip_prefix(file, FOLDER), *netplan = skip_prefix(file, NETPLAN_FILE);

        if (netplan)
                return streq(netplan, NETPLAN_LAN) ? "lan" : has_prefix(netplan, NETPLAN_OFF) ? "off" : NULL;
        if (!own || strlen(own) < 3)
                return NULL;
        return streq(own + 3, LAN_FILE) ? "lan" : has_prefix(own + 3, OFF_FILE) ? "off" : NULL;
}

/* By the file in force, not by its mere presence. */
static void look(struct port *p)
{
        _cleanup_free_ char *file = network_file(p);

        look_lease(p);
        p->ours = file ? ours_of(file) : NULL;
}

/* --- files --- */

/* The first of all .network files by name that is not ours. */
static char *first_of_others(void)
{
        static const char *const folders[] = {FOLDER, "/run/systemd/network/", "/usr/local/lib/systemd/network/",
                                              "/usr/lib/systemd/network/", "/lib/systemd/network/"};
        char *first = NULL;

        for (size_t i = 0; i < ELEMENTSOF(folders); i++) {
                _cleanup_free_ char *pattern = path_join(folders[i], "*.network");
                _cleanup_strv_ char **list = net_glob(pattern);
                STRV_FOREACH(path, list) {
                        const char *name = strrchr(*path, '/') + 1;
                        if (strstr(name, "-nas-setup-") || (first && strcmp(name, first) >= 0))
                                continue;
                        free(first);
                        first = xstrdup(name);
                }
        }
        return first;
}

/* Ours must sort before a file that fits the same port. */
static int choose_prefix(const char **ret, char **ret_why)
{
        static const char *const prefixes[] = {"10-", "00-"};
        _cleanup_free_ char *first = first_of_others();

        for (size_t i = 0; i < ELEMENTSOF(prefixes); i++) {
                _cleanup_free_ char *ours = xasprintf("%snas-setup-off-f", prefixes[i]);
                if (!first || strcmp(ours, first) < 0) {
                        *ret = prefixes[i];
                        return 0;
                }
        }
        *ret_why = xasprintf("The file %s of systemd-networkd would win over those of nas-setup. Give it a name that "
                             "begins with 50-, then try again.", first);
        return -EOPNOTSUPP;
}

static const char *match_key(const struct port *p)
{
        return !p || p->permanent ? "PermanentMACAddress" : "MACAddress";
}

static char *lan_text(const struct net_want *w)
{
        _cleanup_buf_ struct buf b = {0};
        _cleanup_free_ char *address = address_text(&w->address), *gateway = address_text(&w->gateway);

        buf_printf(&b, NET_HEADER "[Match]\n%s=%s\n\n[Network]\nDHCP=no\n", match_key(w->lan), w->lan->mac);
        if (w->gateway.ip)
                buf_printf(&b, "Gateway=%s\n", gateway);
        for (size_t i = 0; i < w->n_dns; i++) {
                _cleanup_free_ char *dns = address_text(&w->dns[i]);
                buf_printf(&b, "DNS=%s\n", dns);
        }
        if (w->domain)
                buf_printf(&b, "Domains=%s\n", w->domain);
        if (w->gateway6)
                buf_printf(&b, "Gateway=%s\n", w->gateway6);
        buf_printf(&b, "%sIPv6AcceptRA=%s\n", w->ipv6 == NET_IPV6_OFF ? "LinkLocalAddressing=no\n" : "",
                   w->ipv6 == NET_IPV6_ROUTER ? "yes" : "no");
        buf_printf(&b, "\n[Address]\nAddress=%s\nDuplicateAddressDetection=ipv4\n", address);
        if (w->address6)
                buf_printf(&b, "\n[Address]\nAddress=%s\n", w->address6);
        return TAKE_PTR(b.buf);
}

static char *off_text(const struct net_want *w, const char *mac)
{
        return xasprintf(NET_HEADER "[Match]\n%s=%s\n\n[Link]\nActivationPolicy=always-down\n",
                         match_key(ports_by_mac(w->ports, mac)), mac);
}

static char *off_path(const char *prefix, const char *mac)
{
        _cleanup_free_ char *digits = net_mac_digits(mac);

        return xasprintf(FOLDER "%s" OFF_FILE "%s.network", prefix, digits);
}

static bool has_file(const struct net_files *f, const char *path)
{
        for (size_t i = 0; i < f->n; i++)
                if (streq(f->v[i].path, path))
                        return true;
        return false;
}

static int files(const struct net_want *w, struct net_files *ret, char **ret_why)
{
        _cleanup_strv_ char **old = net_glob(FOLDER "[01]0-nas-setup-*.network");
        const char *prefix;

        int r = choose_prefix(&prefix, ret_why);
        if (r < 0)
                return r;
        _cleanup_free_ char *lan = xasprintf(FOLDER "%s" LAN_FILE, prefix);
        if (w->lan)
                net_files_add(ret, lan, lan_text(w), 0644, true);
        STRV_FOREACH(mac, w->off) {
                _cleanup_free_ char *path = off_path(prefix, *mac);
                net_files_add(ret, path, off_text(w, *mac), 0644, true);
        }
        STRV_FOREACH(path, old)
                if (!has_file(ret, *path))
                        net_files_add(ret, *path, NULL, 0644, true);
        return 0;
}

/* --- running it --- */

static bool holds(const struct net_want *w)
{
        _cleanup_free_ char *file = network_file(w->lan), *lease = lease_value(w->lan, "ADDRESS");

        return file && (has_suffix(file, "-" LAN_FILE) || streq(file, NETPLAN_FILE NETPLAN_LAN)) && !lease;
}

static int release(const struct port *p _unused_)
{
        return 0; /* it drops the lease itself when it reads the new files */
}

static int reload(char **ret_raw)
{
        return helper_exec(STRV("networkctl", "reload"), ret_raw);
}

/* Files that it has read already are not looked at again: an address that it dropped comes back by reconfigure. */
static int apply(const struct net_want *w, bool changed, char **ret_raw)
{
        if (!net_is_active(UNIT))
                return helper_exec(STRV("systemctl", "enable", "--now", UNIT), ret_raw);
        _cleanup_free_ char *raw = NULL;
        int r = reload(&raw);
        if (r == 0 && !changed) {
                free(raw);
                raw = NULL;
                r = helper_exec(STRV("networkctl", "reconfigure", w->lan->name), &raw);
        }
        *ret_raw = TAKE_PTR(raw);
        return r;
}

static int restore(const struct ports *touched _unused_)
{
        return net_is_active(UNIT) ? reload(NULL) : 0;
}

static bool has_dns(const struct net_want *w _unused_)
{
        return net_is_active("systemd-resolved.service");
}

const struct net_stack net_networkd = {
        .name = "networkd",
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
};

/* netplan only writes files for networkd or NetworkManager, which then run the port. Entries of ours have names of their
 * own: netplan merges entries of one name, and with what others wrote there (set-name above all) a port was off the
 * network for good once two cards had changed places. Old entries for our ports are commented out where they stand.
 * "netplan apply" took 48 s and left a port of NetworkManager on DHCP; generate and the other's own reload do it. */
#include "helpers/net_stack.h"

#include <errno.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"
#include "helpers/net_yaml.h"

#define FOLDER "/etc/netplan/"
#define OURS FOLDER "90-nas-setup.yaml"
#define LINK_FILES "/run/systemd/network/10-netplan-*.link" /* that it makes for udev */
/* netplan knows no check for a second owner; this stands beside the file that it makes for networkd. */
#define DROPIN "/etc/systemd/network/10-netplan-nas-lan.network.d/nas-setup.conf"

static bool is_installed(void)
{
        return net_has_program("netplan");
}

static const struct net_stack *renderer_of(const struct port *p)
{
        return net_networkd_is_netplan(p)         ? &net_networkd
               : net_networkmanager_is_netplan(p) ? &net_networkmanager
                                                  : NULL;
}

/* Whether our own file is for NetworkManager, which may not have taken it up yet. */
static bool is_ours_for_networkmanager(char **ret_text)
{
        _cleanup_free_ char *path = helper_path(OURS), *text = NULL;

        if (file_text(path, &text) < 0 || !strstr(text, "renderer: NetworkManager"))
                return false;
        *ret_text = TAKE_PTR(text);
        return true;
}

const struct net_stack *net_netplan_renderer(const struct ports *ports, const struct port *lan)
{
        const struct net_stack *found = renderer_of(lan);
        _cleanup_free_ char *text = NULL;

        if (!found && is_ours_for_networkmanager(&text))
                return &net_networkmanager;
        for (size_t i = 0; i < ports->n && !found; i++)
                if (ports->v[i].kind == PORT_WIRED)
                        found = renderer_of(&ports->v[i]);
        return found ? found : &net_networkd;
}

static const struct net_stack *renderer(const struct net_want *w)
{
        return net_netplan_renderer(w->ports, w->lan ? w->lan : ports_by_mac(w->ports, w->off[0]));
}

/* A port of NetworkManager's that is off has no connection that would tell. */
static bool owns(const struct port *p)
{
        _cleanup_free_ char *text = NULL;

        return renderer_of(p) || (is_ours_for_networkmanager(&text) && *p->mac &&
                                  (strstr(text, p->mac) || net_networkmanager_lists(p->mac)));
}

static void look(struct port *p)
{
        (net_networkd_is_netplan(p) ? &net_networkd : &net_networkmanager)->look(p);
}

/* --- files --- */

/* Of NetworkManager netplan has no keys for it. */
static const char *const ipv6_keys[] = {
        [NET_IPV6_ROUTER] = "      accept-ra: true\n",
        [NET_IPV6_OFF] = "      accept-ra: false\n      link-local: []\n",
        [NET_IPV6_FIXED] = "      accept-ra: false\n",
};

static void add_routes(struct buf *b, const struct net_want *w)
{
        _cleanup_strv_ char **list = NULL;

        if (w->gateway.ip) {
                _cleanup_free_ char *gateway = address_text(&w->gateway);
                strv_take(&list, xasprintf("{to: default, via: %s}", gateway));
        }
        if (w->gateway6)
                strv_take(&list, xasprintf("{to: default, via: \"%s\"}", w->gateway6));
        _cleanup_free_ char *text = strv_join(list, ", ");
        if (list)
                buf_printf(b, "      routes: [%s]\n", text);
}

static void add_resolver(struct buf *b, const struct net_want *w)
{
        _cleanup_free_ char *dns = net_list_text(w, ", ");

        if (w->n_dns == 0 && !w->domain)
                return;
        buf_puts(b, "      nameservers: {");
        if (w->n_dns > 0)
                buf_printf(b, "addresses: [%s]%s", dns, w->domain ? ", " : "");
        if (w->domain)
                buf_printf(b, "search: [\"%s\"]", w->domain);
        buf_puts(b, "}\n");
}

static void add_lan(struct buf *b, const struct net_want *w)
{
        _cleanup_free_ char *address = address_text(&w->address);
        bool is_networkd = renderer(w) == &net_networkd;

        buf_printf(b, "    nas-lan:\n      renderer: %s\n", is_networkd ? "networkd" : "NetworkManager");
        buf_printf(b, "      match: {macaddress: \"%s\"}\n      dhcp4: false\n      addresses: [\"%s\"%s%s%s]\n", w->lan->mac, address,
                   w->address6 ? ", \"" : "", w->address6 ? w->address6 : "", w->address6 ? "\"" : "");
        add_routes(b, w);
        if (is_networkd)
                buf_puts(b, ipv6_keys[w->ipv6]);
        add_resolver(b, w);
        if (!is_networkd)
                buf_printf(b, "      networkmanager: {passthrough: {\"ipv4.dad-timeout\": \"3000\", \"ipv6.method\": "
                              "\"%s\"}}\n", net_networkmanager_ipv6(w));
}

/* NULL where there is nothing of ours: NetworkManager has a list of its own for what is off. */
static char *our_text(const struct net_want *w)
{
        _cleanup_buf_ struct buf b = {0};
        bool is_networkd = renderer(w) == &net_networkd;

        if (!w->lan && !is_networkd)
                return NULL;
        buf_puts(&b, NET_HEADER "network:\n  version: 2\n  ethernets:\n");
        if (w->lan)
                add_lan(&b, w);
        for (char **mac = w->off; is_networkd && mac && *mac; mac++) {
                _cleanup_free_ char *digits = net_mac_digits(*mac);
                buf_printf(&b, "    nas-off-%s:\n      renderer: networkd\n      match: {macaddress: \"%s\"}\n"
                               "      activation-mode: \"off\"\n", digits, *mac);
        }
        return TAKE_PTR(b.buf);
}

static char *dropin_text(const struct net_want *w)
{
        _cleanup_free_ char *address = address_text(&w->address);

        return xasprintf(NET_HEADER "[Address]\nAddress=%s\nDuplicateAddressDetection=ipv4\n", address);
}

static bool is_touched(const struct net_want *w, const struct port *p)
{
        return p == w->lan || strv_has(w->off, p->mac);
}

static int refuse_line(const char *path, unsigned line, char **ret_why)
{
        *ret_why = xasprintf("%s has something in line %u that nas-setup does not understand. Write the entries of "
                             "ethernets there one below the other, then try again.", path, line);
        return -EBADMSG;
}

/* *ret: whether the entry is about a port of ours, and so about no other one. */
static int is_about_ours(const struct net_want *w, const struct netplan_file *f, const struct netplan_entry *e, bool *ret,
                         char **ret_why)
{
        const struct port *other = NULL;
        bool found = false;

        for (size_t i = 0; i < w->ports->n; i++) {
                const struct port *p = &w->ports->v[i];
                if (p->kind != PORT_WIRED || !netplan_fits(e, p))
                        continue;
                if (is_touched(w, p))
                        found = true;
                else
                        other = p;
        }
        if (found && other) {
                *ret_why = xasprintf("The entry %s of %s sets up %s and %s together. Give each an entry of its own there, "
                                     "or let nas-setup switch off the other ports, and try again.", e->id, f->path,
                                     w->lan->name, other->name);
                return -EOPNOTSUPP;
        }
        *ret = found;
        STRV_FOREACH(mac, w->off) /* also of a port that is unplugged */
                *ret = *ret || (e->mac && strcasecmp(e->mac, *mac) == 0);
        return 0;
}

static int refuse_used(const struct netplan_file *all, size_t n, const struct netplan_entry *e, char **ret_why)
{
        for (size_t i = 0; i < n; i++)
                if (netplan_is_used(&all[i], e->id)) {
                        *ret_why = xasprintf("%s builds something on the entry %s, which would have to go. Take that "
                                             "out by hand, then try again.", all[i].path, e->id);
                        return -EOPNOTSUPP;
                }
        return 0;
}

static int add_without(const struct net_want *w, const struct netplan_file *all, size_t n, const struct netplan_file *f,
                       struct net_files *ret, char **ret_why)
{
        _cleanup_free_ bool *out = xmalloc((f->n + 1) * sizeof(*out));
        int r = 0;

        for (size_t i = 0; i < f->n && r == 0; i++) {
                r = is_about_ours(w, f, &f->entries[i], &out[i], ret_why);
                if (r == 0 && out[i])
                        r = refuse_used(all, n, &f->entries[i], ret_why);
        }
        if (r == 0)
                net_files_add(ret, f->path, netplan_without(f, out), 0600, true);
        return r;
}

static int read_file(const char *path, struct netplan_file *ret, char **ret_why)
{
        _cleanup_free_ char *full = helper_path(path), *text = NULL;
        unsigned line = 0;

        int r = file_text(full, &text);
        if (r == 0 && netplan_parse(path, text, ret, &line) < 0)
                return refuse_line(path, line, ret_why);
        return r;
}

bool net_netplan_would(const struct port *p)
{
        _cleanup_strv_ char **paths = is_installed() ? net_glob(FOLDER "*.yaml") : NULL;
        bool found = false;

        for (char **path = paths; path && *path && !found; path++) {
                _cleanup_netplan_ struct netplan_file f = {0};
                _cleanup_free_ char *why = NULL;
                found = read_file(*path, &f, &why) < 0;
                for (size_t i = 0; i < f.n && !found; i++)
                        found = netplan_fits(&f.entries[i], p);
        }
        return found;
}

/* Ours first: a power cut between two files leaves the port with both entries, not with none. */
static int files(const struct net_want *w, struct net_files *ret, char **ret_why)
{
        _cleanup_strv_ char **paths = net_glob(FOLDER "*.yaml");
        _cleanup_free_ struct netplan_file *all = xmalloc((strv_len(paths) + 1) * sizeof(*all));
        size_t n = 0;
        int r = 0;

        net_files_add(ret, DROPIN, w->lan && renderer(w) == &net_networkd ? dropin_text(w) : NULL, 0644, true);
        net_files_add(ret, OURS, our_text(w), 0600, true);
        for (char **path = paths; path && *path && r == 0; path++)
                if (!streq(*path, OURS)) {
                        r = read_file(*path, &all[n], ret_why);
                        n += r == 0;
                }
        for (size_t i = 0; i < n && r == 0; i++)
                r = add_without(w, all, n, &all[i], ret, ret_why);
        for (size_t i = 0; i < n; i++)
                netplan_file_free(&all[i]);
        return r;
}

/* --- running it --- */

static bool holds(const struct net_want *w)
{
        return renderer(w)->holds(w);
}

static int release(const struct port *p _unused_)
{
        return 0; /* both drop the lease themselves when they read the new files */
}

static int generate(char **ret_raw)
{
        return helper_exec(STRV("netplan", "generate"), ret_raw);
}

static int apply(const struct net_want *w, bool changed, char **ret_raw)
{
        const struct net_stack *other = renderer(w); /* before generate takes its old files away */

        int r = generate(ret_raw);
        if (r < 0)
                return r;
        free(*ret_raw);
        *ret_raw = NULL;
        return other->apply(w, changed, ret_raw);
}

/* Whether an entry gives its card a name (set-name) that none has, since the computer was started without that entry. */
static bool lacks_name(void)
{
        _cleanup_strv_ char **links = net_glob(LINK_FILES);

        STRV_FOREACH(path, links) {
                _cleanup_free_ char *name = key_value(*path, "Name"),
                                    *inside = xasprintf("/sys/class/net/%s", name ? name : ""), *port = helper_path(inside);
                if (access(port, F_OK) < 0)
                        return true;
        }
        return false;
}

/* Only udev gives names, when a card comes, and to one that is down. */
static void rename_ports(const struct ports *touched)
{
        if (!lacks_name())
                return;
        for (size_t i = 0; i < touched->n; i++) {
                _cleanup_free_ char *device = xasprintf("/sys/class/net/%s", touched->v[i].name);
                net_port_down(&touched->v[i]);
                helper_exec(STRV("udevadm", "trigger", "--action=add", "--settle", device), NULL);
        }
}

/* Its generator was the first of all to run. */
static int early(const struct ports *touched)
{
        int r = generate(NULL);

        rename_ports(touched);
        return r;
}

static int restore(const struct ports *touched)
{
        int r = early(touched), d = net_networkd.restore(touched), m = net_networkmanager.restore(touched);

        return r < 0 ? r : d < 0 ? d : m;
}

static bool has_dns(const struct net_want *w)
{
        return renderer(w)->has_dns(w);
}

static bool writes_resolver(const struct net_want *w)
{
        const struct net_stack *other = renderer(w);

        return other->writes_resolver && other->writes_resolver(w);
}

const struct net_stack net_netplan = {
        .name = "netplan",
        .is_installed = is_installed,
        .owns = owns,
        .look = look,
        .files = files,
        .holds = holds,
        .release = release,
        .apply = apply,
        .off = net_port_down,
        .restore = restore,
        .early = early,
        .has_dns = has_dns,
        .writes_resolver = writes_resolver,
};

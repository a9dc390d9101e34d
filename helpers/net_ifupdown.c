/* ifupdown: the port is found by its hardware address ("auto mac/…=naslan"); a port is off where no line brings it
 * up. ifupdown returns 0 also where it did nothing, and checks no address for a second owner. */
#include "helpers/net_stack.h"

#include <errno.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"
#include "helpers/net_interfaces.h"

#define IFSTATE "/run/network/ifstate"
#define OFF_LINE "# off mac/"

static bool is_installed(void)
{
        return net_has_program("ifup");
}

static const char *ours_of(const char *mac)
{
        _cleanup_free_ char *path = helper_path(INTERFACES_OURS), *text = NULL;
        _cleanup_free_ char *lan = xasprintf("\nauto mac/%s=" INTERFACES_LOGICAL "\n", mac),
                            *off = xasprintf("\n" OFF_LINE "%s\n", mac);

        if (file_text(path, &text) < 0)
                return NULL;
        return strstr(text, lan) ? "lan" : strstr(text, off) ? "off" : NULL;
}

static bool owns(const struct port *p)
{
        _cleanup_interfaces_ struct interfaces all = {0};
        _cleanup_free_ char *logical = key_value(IFSTATE, p->name);

        if (logical || ours_of(p->mac))
                return true;
        if (!is_installed() || interfaces_read(&all) < 0)
                return false;
        return interfaces_method(&all, p->name) || interfaces_is_auto(&all, p->name, p->mac);
}

static bool is_off(const struct port *p)
{
        const char *ours = ours_of(p->mac);

        return ours && streq(ours, "off");
}

static void look(struct port *p)
{
        _cleanup_interfaces_ struct interfaces all = {0};
        _cleanup_free_ char *logical = key_value(IFSTATE, p->name);

        p->ours = ours_of(p->mac);
        if (interfaces_read(&all) < 0)
                return;
        const char *method = interfaces_method(&all, logical ? logical : p->ours ? INTERFACES_LOGICAL : p->name);
        if (is_off(p))
                p->method = "none";
        else if (method)
                p->method = streq(method, "dhcp")     ? "dhcp"
                            : streq(method, "static") ? "static"
                            : streq(method, "manual") ? "none"
                                                      : "unknown";
}

/* --- files --- */

#define FIXED_LINE "# ipv6=fixed\n"

/* ifupdown itself puts none of the kernel's switches back: they go to what new ports have. A kernel without IPv6 has no
 * such files. */
#define BACK(key) \
        "    post-down test ! -e /proc/sys/net/ipv6 || cat /proc/sys/net/ipv6/conf/default/" key \
        " >/proc/sys/net/ipv6/conf/$IFACE/" key "\n"
#define IPV6_OFF \
        "    pre-up test ! -e /proc/sys/net/ipv6 || echo 1 >/proc/sys/net/ipv6/conf/$IFACE/disable_ipv6\n" \
        BACK("disable_ipv6")

static bool is_ours_fixed6(void)
{
        _cleanup_free_ char *path = helper_path(INTERFACES_OURS), *text = NULL;

        return file_text(path, &text) == 0 && strstr(text, "\n" FIXED_LINE);
}

static void add_ipv6(struct buf *b, const struct net_want *w, const struct interfaces *all)
{
        _cleanup_free_ char *theirs = interfaces_inet6(all, w->lan->name), *kept = interfaces_inet6(all, INTERFACES_LOGICAL);

        if (w->ipv6 == NET_IPV6_OFF)
                buf_puts(b, IPV6_OFF);
        else if (w->ipv6 == NET_IPV6_ROUTER)
                buf_puts(b, *theirs ? theirs : is_ours_fixed6() ? "" : kept);
        else
                buf_printf(b, FIXED_LINE "iface " INTERFACES_LOGICAL " inet6 static\n    address %s\n    accept_ra 0\n" BACK("accept_ra"),
                           w->address6);
        if (w->gateway6)
                buf_printf(b, "    gateway %s\n", w->gateway6);
}

static void add_lan(struct buf *b, const struct net_want *w, const struct interfaces *all)
{
        _cleanup_free_ char *address = address_text(&w->address), *gateway = address_text(&w->gateway),
                            *dns = net_list_text(w, " ");

        buf_printf(b, "auto mac/%s=" INTERFACES_LOGICAL "\niface " INTERFACES_LOGICAL " inet static\n", w->lan->mac);
        buf_printf(b, "    address %s\n", address);
        if (w->gateway.ip)
                buf_printf(b, "    gateway %s\n", gateway);
        if (w->n_dns > 0)
                buf_printf(b, "    dns-nameservers %s\n", dns);
        if (w->domain)
                buf_printf(b, "    dns-search %s\n", w->domain);
        add_ipv6(b, w, all);
}

static char *our_text(const struct net_want *w, const struct interfaces *all)
{
        _cleanup_buf_ struct buf b = {0};

        buf_puts(&b, NET_HEADER);
        if (w->lan)
                add_lan(&b, w, all);
        STRV_FOREACH(mac, w->off)
                buf_printf(&b, OFF_LINE "%s\n", *mac);
        return TAKE_PTR(b.buf);
}

static bool is_touched(const struct net_want *w, const struct port *p)
{
        return p == w->lan || strv_has(w->off, p->mac);
}

static struct interfaces_port *touched_ports(const struct net_want *w, size_t *ret_n)
{
        struct interfaces_port *v = xmalloc((w->ports->n + 1) * sizeof(*v));
        size_t n = 0;

        for (size_t i = 0; i < w->ports->n; i++) {
                const struct port *p = &w->ports->v[i];
                if (p->kind == PORT_WIRED && is_touched(w, p))
                        v[n++] = (struct interfaces_port){p->name, p->mac};
        }
        *ret_n = n;
        return v;
}

static const struct port *with_pattern(const struct net_want *w, const struct interfaces *all, bool is_ours)
{
        for (size_t i = 0; i < w->ports->n; i++) {
                const struct port *p = &w->ports->v[i];
                if (is_touched(w, p) == is_ours && interfaces_has_pattern(all, p->name))
                        return p;
        }
        return NULL;
}

/* A pattern such as eth* can only be taken out as a whole. */
static int refuse_shared_pattern(const struct net_want *w, const struct interfaces *all, char **ret_why)
{
        const struct port *p = with_pattern(w, all, true), *other = with_pattern(w, all, false);

        if (!p || !other)
                return 0;
        *ret_why = xasprintf("One line of " INTERFACES " brings up %s and %s together. Give each a line of its own there, "
                             "or let nas-setup switch off the other ports, and try again.", p->name, other->name);
        return -EOPNOTSUPP;
}

static char *with_source(char *text, bool has_source)
{
        size_t n = strlen(text);

        if (has_source)
                return text;
        const char *loopback = n > 0 ? "" : "auto lo\niface lo inet loopback\n";
        char *more = xasprintf("%s%s%s\nsource " INTERFACES_OURS "\n", text, n > 0 && text[n - 1] != '\n' ? "\n" : "",
                               loopback);
        free(text);
        return more;
}

/* Ours first: a power cut between the two files leaves the port with both configurations, not with none. */
static int files(const struct net_want *w, struct net_files *ret, char **ret_why)
{
        _cleanup_interfaces_ struct interfaces all = {0};
        size_t n = 0;

        int r = interfaces_read(&all);
        if (r == 0)
                r = refuse_shared_pattern(w, &all, ret_why);
        if (r < 0)
                return r;
        _cleanup_free_ struct interfaces_port *ports = touched_ports(w, &n);
        net_files_add(ret, INTERFACES_OURS, our_text(w, &all), 0644, true);
        for (size_t i = 0; i < all.n; i++) {
                if (streq(all.files[i].path, INTERFACES_OURS))
                        continue;
                char *text = interfaces_without(&all.files[i], ports, n);
                if (i == 0)
                        text = with_source(text, all.sources_ours);
                net_files_add(ret, all.files[i].path, text, 0644, true);
        }
        return 0;
}

/* --- running it --- */

static bool holds(const struct net_want *w)
{
        _cleanup_free_ char *logical = key_value(IFSTATE, w->lan->name);

        return logical && streq(logical, INTERFACES_LOGICAL);
}

static char *our_selector(const struct port *p)
{
        return xasprintf("mac/%s=" INTERFACES_LOGICAL, p->mac);
}

/* Ports with an allow-hotplug line run inside a unit; stopping it calls ifdown and ends dhclient. */
static int release(const struct port *p)
{
        _cleanup_free_ char *unit = xasprintf("ifup@%s.service", p->name), *ours = our_selector(p);

        if (net_is_active(unit))
                helper_exec(STRV("systemctl", "stop", unit), NULL);
        _cleanup_free_ char *logical = key_value(IFSTATE, p->name);
        if (logical)
                helper_exec(STRV("ifdown", streq(logical, INTERFACES_LOGICAL) ? ours : p->name), NULL);
        _cleanup_free_ char *left = helper_is_dry_run() ? NULL : key_value(IFSTATE, p->name);
        if (left)
                helper_exec(STRV("ifdown", "--force", p->name), NULL);
        net_end_clients(p);
        return p->addresses ? net_port_flush(p) : 0;
}

static int apply(const struct net_want *w, bool changed _unused_, char **ret_raw)
{
        _cleanup_free_ char *ours = our_selector(w->lan);

        return helper_exec(STRV("ifup", ours), ret_raw);
}

static int off(const struct port *p)
{
        net_end_clients(p);
        return net_port_down(p);
}

/* The lease of a port that asks for one may take a while: whoever has systemd need not wait for it. */
static int restore_port(const struct interfaces *all, const struct port *p)
{
        const char *ours = ours_of(p->mac);
        _cleanup_free_ char *unit = xasprintf("ifup@%s.service", p->name), *selector = our_selector(p);

        if (ours && streq(ours, "off"))
                return off(p);
        if (!ours && !interfaces_is_auto(all, p->name, p->mac))
                return 0;
        if (!ours && has_systemd())
                return helper_exec(STRV("systemctl", "start", "--no-block", unit), NULL);
        return helper_exec(STRV("ifup", ours ? selector : p->name), NULL);
}

static int restore(const struct ports *touched)
{
        _cleanup_interfaces_ struct interfaces all = {0};
        int r = interfaces_read(&all);

        for (size_t i = 0; i < touched->n && r == 0; i++)
                restore_port(&all, &touched->v[i]); /* without a cable or a server there is no lease: no failure */
        return r;
}

/* udev has asked already whether a line allow-hotplug is there for the port; ifup@.service begins after network-pre.target. */
static int early(const struct ports *touched)
{
        _cleanup_interfaces_ struct interfaces all = {0};
        int r = interfaces_read(&all);

        for (size_t i = 0; i < touched->n && r == 0 && has_systemd(); i++)
                if (!ours_of(touched->v[i].mac))
                        restore_port(&all, &touched->v[i]);
        return r;
}

static bool has_dns(const struct net_want *w _unused_)
{
        return net_has_program("resolvconf");
}

const struct net_stack net_ifupdown = {
        .name = "ifupdown",
        .is_installed = is_installed,
        .owns = owns,
        .look = look,
        .files = files,
        .holds = holds,
        .release = release,
        .apply = apply,
        .off = off,
        .restore = restore,
        .early = early,
        .has_dns = has_dns,
};

#include "helpers/net_ipv6.h"

#include <arpa/inet.h>
#include <linux/if_addr.h>

#include "helpers/lib/address6.h"
#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"

static const char *const ways[] = {[NET_IPV6_ROUTER] = "router", [NET_IPV6_OFF] = "off", [NET_IPV6_FIXED] = "fixed"};

static int parse_way(const char *text, enum net_ipv6 *ret)
{
        for (size_t i = 0; i < ELEMENTSOF(ways); i++)
                if (streq(text, ways[i])) {
                        *ret = (enum net_ipv6)i;
                        return 0;
                }
        return helper_usage("ipv6", "ipv6=%s: say router, off or fixed", text);
}

int net_ipv6_parse(const struct record *args, struct net_want *w)
{
        const char *way = record_str(args, "ipv6"), *address = record_str(args, "address6"),
                   *gateway = record_str(args, "gateway6");
        enum address6_fault fault = ADDRESS6_GOOD;
        struct address6 own, router;

        int status = *way ? parse_way(way, &w->ipv6) : 0;
        if (status)
                return status;
        if (w->ipv6 != NET_IPV6_FIXED)
                return *address || *gateway ? helper_usage("ipv6", "address6= and gateway6= are for ipv6=fixed") : 0;
        if (address6_check(address, &own, &fault) < 0)
                return helper_usage("address6", "address6=%s: %s", address, address6_fault_text(fault));
        if (gateway6_check(gateway, &own, &router, &fault) < 0)
                return helper_usage("gateway6", "gateway6=%s: %s", gateway, address6_fault_text(fault));
        w->address6 = address6_text(&own);
        w->gateway6 = *gateway ? address6_text(&router) : NULL;
        return 0;
}

/* --- the kernel's side --- */

/* 32 hexadecimal digits as an address is usually written. */
static char *ip_text(const char *digits)
{
        struct address6 a = {0};

        for (size_t i = 0; i < sizeof(a.ip.s6_addr); i++)
                if (sscanf(digits + 2 * i, "%2hhx", &a.ip.s6_addr[i]) != 1)
                        return xstrdup("");
        return address6_text(&a);
}

/* A line of /proc/net/if_inet6: ADDRESS INDEX PREFIX SCOPE FLAGS NAME. */
struct line_address {
        char ip[33];
        unsigned prefix, scope, flags;
};

static bool parse_address(const struct port *p, const char *line, struct line_address *ret)
{
        char name[16];

        return sscanf(line, "%32s %*x %x %x %x %15s", ret->ip, &ret->prefix, &ret->scope, &ret->flags, name) == 5 &&
               streq(name, p->name);
}

static char *address_of(const struct line_address *a)
{
        _cleanup_free_ char *ip = ip_text(a->ip);

        return xasprintf("%s/%u", ip, a->prefix);
}

/* The gateway of a line of /proc/net/ipv6_route that is a default route; NULL for any other: TO PREFIX FROM PREFIX GATEWAY
 * METRIC USED USES FLAGS NAME. */
static char *parse_gateway(const struct port *p, const char *line)
{
        char hop[33], name[16];
        unsigned prefix;

        if (sscanf(line, "%*32s %x %*32s %*x %32s %*x %*x %*x %*x %15s", &prefix, hop, name) != 3 || prefix != 0 ||
            !streq(name, p->name) || strspn(hop, "0") == 32)
                return NULL;
        return ip_text(hop);
}

/* A kernel without IPv6 has no such file. */
static char **lines_of(const char *file)
{
        _cleanup_free_ char *path = helper_path(file), *text = NULL;
        char **lines = NULL, *rest = NULL;

        if (file_text(path, &text) < 0)
                return NULL;
        for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
                strv_add(&lines, line);
        return lines;
}

struct seen {
        bool any, wanted, other; /* other: a second one that is no fe80 */
};

static struct seen see_addresses(const struct net_want *w, const struct port *p)
{
        _cleanup_strv_ char **lines = lines_of("/proc/net/if_inet6");
        struct seen s = {0};

        STRV_FOREACH(line, lines) {
                struct line_address a;
                if (!parse_address(p, *line, &a))
                        continue;
                _cleanup_free_ char *text = address_of(&a);
                s.any = true;
                if (streq_null(text, w->address6))
                        s.wanted = !(a.flags & (IFA_F_TENTATIVE | IFA_F_DADFAILED));
                else if (a.scope == 0) /* global; IPV6_ADDR_LINKLOCAL is 0x20 */
                        s.other = true;
        }
        return s;
}

static bool has_gateway(const struct port *p, const char *gateway)
{
        _cleanup_strv_ char **lines = lines_of("/proc/net/ipv6_route");
        bool found = false;

        STRV_FOREACH(line, lines) {
                _cleanup_free_ char *ip = parse_gateway(p, *line);
                found |= streq_null(ip, gateway);
        }
        return found;
}

const char *net_ipv6_amiss(const struct net_want *w, const struct port *p)
{
        struct seen s = see_addresses(w, p);

        if (w->ipv6 == NET_IPV6_OFF)
                return s.any ? "there is still an IPv6 address" : NULL;
        if (w->ipv6 != NET_IPV6_FIXED)
                return NULL;
        return !s.wanted                                       ? "the IPv6 address is not there"
               : s.other                                       ? "there is a second IPv6 address"
               : w->gateway6 && !has_gateway(p, w->gateway6) ? "the IPv6 gateway is not set"
                                                               : NULL;
}

/* --- what there is --- */

/* A lease of DHCPv6 and what a router announces have an end, what a person set has none. */
static void look_address(struct port *p, const struct line_address *a)
{
        if (a->scope != 0 || a->flags & (IFA_F_TENTATIVE | IFA_F_DADFAILED))
                return;
        if (!(a->flags & IFA_F_PERMANENT) || !p->addresses6)
                p->ipv6 = a->flags & IFA_F_PERMANENT ? "fixed" : "router";
        if (!(a->flags & IFA_F_TEMPORARY)) /* of privacy (RFC 8981): gone tomorrow */
                strv_take(&p->addresses6, address_of(a));
}

static bool is_off(const struct port *p)
{
        _cleanup_free_ char *inside = xasprintf("/proc/sys/net/ipv6/conf/%s/disable_ipv6", p->name),
                            *path = helper_path(inside), *line = NULL;

        return read_line(path, &line) < 0 ? !helper_has_root() : !streq(line, "0");
}

void net_ipv6_look(struct port *p)
{
        _cleanup_strv_ char **addresses = lines_of("/proc/net/if_inet6"), **routes = lines_of("/proc/net/ipv6_route");
        struct line_address a;

        p->ipv6 = is_off(p) ? "off" : "none";
        STRV_FOREACH(line, addresses)
                if (parse_address(p, *line, &a))
                        look_address(p, &a);
        for (char **line = routes; line && *line && !p->gateway6; line++)
                p->gateway6 = parse_gateway(p, *line);
}

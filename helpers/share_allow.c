#include "helpers/share_allow.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <net/route.h>

#include "helpers/lib/helper.h"

/* A LAN's prefix has 64 bits; a shorter one on the link is a router's mistake or the whole Internet. */
#define PREFIX_MIN 48

struct subnet {
        struct in6_addr a; /* in the first four bytes for IPv4 */
        int family;
        unsigned bits;
};

static bool read_subnet(const char *s, struct subnet *ret)
{
        const char *slash = strchr(s, '/');
        _cleanup_free_ char *ip = slash ? xstrndup(s, (size_t)(slash - s)) : NULL;

        if (!slash)
                return false;
        *ret = (struct subnet){.family = strchr(ip, ':') ? AF_INET6 : AF_INET};
        return inet_pton(ret->family, ip, &ret->a) == 1 &&
               parse_uint(slash + 1, ret->family == AF_INET ? 32 : 128, &ret->bits) == 0 && ret->bits > 0;
}

bool share_allow_is_subnet(const char *s)
{
        struct subnet n;

        return read_subnet(s, &n);
}

/* proc(5), net/route: "Iface Destination Gateway Flags RefCnt Use Metric Mask", the addresses as the host's words. */
static char **ports_of(const struct subnet *n)
{
        _cleanup_free_ char *path = helper_path("/proc/net/route"), *text = NULL;
        uint32_t want, mask = htonl(UINT32_MAX << (32 - n->bits));
        char **ports = NULL;

        memcpy(&want, &n->a, sizeof want);
        if (n->family != AF_INET || read_text(path, MIB, &text) < 0)
                return NULL;
        for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
                unsigned to, gateway, flags, m;
                char port[IFNAMSIZ];
                if (sscanf(line, "%15s %x %x %x %*u %*u %*u %x", port, &to, &gateway, &flags, &m) == 5 && gateway == 0 &&
                    flags & RTF_UP && m == mask && to == (want & mask) && !strv_has(ports, port))
                        strv_add(&ports, port);
        }
        return ports;
}

static bool read_hex(const char *hex, struct in6_addr *ret)
{
        for (size_t i = 0; i < sizeof ret->s6_addr; i++) {
                unsigned byte;
                if (sscanf(hex + 2 * i, "%2x", &byte) != 1)
                        return false;
                ret->s6_addr[i] = (uint8_t)byte;
        }
        return true;
}

/* A line of /proc/net/ipv6_route (linux, net/ipv6/route.c): destination, its bits, source, its bits, gateway, metric,
 * two counters, flags, port; all in hexadecimal digits. */
static char *prefix_in(const char *line, char *const *ports)
{
        char to[33], gateway[33], port[IFNAMSIZ], text[INET6_ADDRSTRLEN];
        unsigned bits, flags;
        struct in6_addr a;

        if (sscanf(line, "%32s %x %*s %*x %32s %*x %*x %*x %x %15s", to, &bits, gateway, &flags, port) != 5 ||
            strspn(gateway, "0") != 32 || !(flags & RTF_UP) || flags & RTF_REJECT || bits < PREFIX_MIN || bits > 127 ||
            !strv_has(ports, port) || !read_hex(to, &a) || IN6_IS_ADDR_LINKLOCAL(&a) || IN6_IS_ADDR_MULTICAST(&a))
                return NULL;
        return xasprintf("%s/%u", inet_ntop(AF_INET6, &a, text, sizeof text), bits);
}

char **share_allow(char *const *subnets)
{
        _cleanup_free_ char *path = helper_path("/proc/net/ipv6_route"), *text = NULL;
        _cleanup_strv_ char **ports = NULL;
        char **all = strv_copy(subnets);
        struct subnet n;

        STRV_FOREACH(s, subnets) {
                _cleanup_strv_ char **more = read_subnet(*s, &n) ? ports_of(&n) : NULL;
                STRV_FOREACH(p, more)
                strv_add(&ports, *p);
        }
        if (read_text(path, MIB, &text) < 0)
                return all;
        for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
                _cleanup_free_ char *prefix = prefix_in(line, ports);
                if (prefix && !strv_has(all, prefix))
                        strv_add(&all, prefix);
        }
        return all;
}

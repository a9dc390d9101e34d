#include "helpers/lib/address6.h"

#include <arpa/inet.h>
#include <errno.h>

#define N_(s) s

static const char *const fault_texts[ADDRESS6_FAULTS_MAX_] = {
        [ADDRESS6_GOOD] = "",
        [ADDRESS6_EMPTY] = N_("An IPv6 address is needed, like fd12:3456::10/64."),
        [ADDRESS6_FORM] = N_("An IPv6 address has the digits 0 to 9, the letters a to f and colons, like fd12:3456::10."),
        [ADDRESS6_NO_PREFIX] = N_("Add the size of your network behind the IPv6 address; in nearly all networks it is /64."),
        [ADDRESS6_PREFIX] = N_("The number behind the slash is from 1 to 128; in nearly all networks it is 64."),
        [ADDRESS6_WITH_PREFIX] = N_("Only the NAS's own address has a slash and a number behind it; leave it out here."),
        [ADDRESS6_WITH_PORT] = N_("Leave out the percent sign and what is behind it; the NAS knows its port."),
        [ADDRESS6_LINK_LOCAL] = N_("Addresses that begin with fe80 are made by each computer for itself; choose one that "
                                "begins like those of your other devices."),
        [ADDRESS6_KIND] = N_("This IPv6 address cannot be given to a computer."),
        [GATEWAY6_OUTSIDE] = N_("The IPv6 gateway neither begins with fe80 nor is in the network of the NAS's address, so it "
                              "could not be reached."),
        [GATEWAY6_SELF] = N_("This is the NAS's own address; the gateway is your router."),
};

const char *address6_fault_text(enum address6_fault fault)
{
        return (unsigned)fault < ADDRESS6_FAULTS_MAX_ ? fault_texts[fault] : "";
}

static int give_up(enum address6_fault fault, enum address6_fault *ret_fault)
{
        if (ret_fault)
                *ret_fault = fault;
        return -EINVAL;
}

static bool is_prefix(const char *s, unsigned *ret)
{
        unsigned n = 0;
        size_t digits = strspn(s, "0123456789");

        if (digits == 0 || digits > 3 || s[digits] || *s == '0')
                return false;
        for (; *s; s++)
                n = n * 10 + (unsigned)(*s - '0');
        *ret = n;
        return n <= 128;
}

/* A unicast address of its own kind: no group, no loopback, none of IPv4 in disguise. */
static bool is_host(const struct in6_addr *a)
{
        return !IN6_IS_ADDR_UNSPECIFIED(a) && !IN6_IS_ADDR_LOOPBACK(a) && !IN6_IS_ADDR_MULTICAST(a) &&
               !IN6_IS_ADDR_V4MAPPED(a) && !IN6_IS_ADDR_V4COMPAT(a);
}

static bool is_same_network(const struct address6 *own, const struct in6_addr *a)
{
        unsigned whole = own->prefix / 8, bits = own->prefix % 8;
        uint8_t mask = (uint8_t)(0xff00 >> bits);

        return memcmp(&own->ip, a, whole) == 0 &&
               (bits == 0 || ((own->ip.s6_addr[whole] ^ a->s6_addr[whole]) & mask) == 0);
}

int address6_check(const char *text, struct address6 *ret, enum address6_fault *ret_fault)
{
        _cleanup_free_ char *copy = xstrdup(text ? text : "");
        char *s = strip(copy), *slash = strchr(s, '/');
        struct address6 a = {0};

        if (!*s)
                return give_up(ADDRESS6_EMPTY, ret_fault);
        if (slash)
                *slash = '\0';
        if (strchr(s, '%'))
                return give_up(ADDRESS6_WITH_PORT, ret_fault);
        if (inet_pton(AF_INET6, s, &a.ip) != 1)
                return give_up(ADDRESS6_FORM, ret_fault);
        if (IN6_IS_ADDR_LINKLOCAL(&a.ip))
                return give_up(ADDRESS6_LINK_LOCAL, ret_fault);
        if (!is_host(&a.ip))
                return give_up(ADDRESS6_KIND, ret_fault);
        if (!slash || !slash[1])
                return give_up(ADDRESS6_NO_PREFIX, ret_fault);
        if (!is_prefix(slash + 1, &a.prefix))
                return give_up(ADDRESS6_PREFIX, ret_fault);
        *ret = a;
        return 0;
}

int gateway6_check(const char *text, const struct address6 *own, struct address6 *ret, enum address6_fault *ret_fault)
{
        _cleanup_free_ char *copy = xstrdup(text ? text : "");
        const char *s = strip(copy);
        struct address6 a = {0};

        if (strchr(s, '/'))
                return give_up(ADDRESS6_WITH_PREFIX, ret_fault);
        if (strchr(s, '%'))
                return give_up(ADDRESS6_WITH_PORT, ret_fault);
        if (*s && inet_pton(AF_INET6, s, &a.ip) != 1)
                return give_up(ADDRESS6_FORM, ret_fault);
        if (*s && !is_host(&a.ip))
                return give_up(ADDRESS6_KIND, ret_fault);
        if (*s && IN6_ARE_ADDR_EQUAL(&a.ip, &own->ip))
                return give_up(GATEWAY6_SELF, ret_fault);
        if (*s && !IN6_IS_ADDR_LINKLOCAL(&a.ip) && !is_same_network(own, &a.ip))
                return give_up(GATEWAY6_OUTSIDE, ret_fault);
        *ret = a;
        return 0;
}

char *address6_text(const struct address6 *a)
{
        char text[INET6_ADDRSTRLEN];

        inet_ntop(AF_INET6, &a->ip, text, sizeof(text));
        return a->prefix ? xasprintf("%s/%u", text, a->prefix) : xstrdup(text);
}

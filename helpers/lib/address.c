#include "helpers/lib/address.h"

#include <errno.h>
#include <strings.h>

#define N_(s) s

static const char *const fault_texts[ADDRESS_FAULTS_MAX_] = {
        [ADDRESS_GOOD] = "",
        [ADDRESS_EMPTY] = N_("An address is needed, like 192.168.1.10/24."),
        [ADDRESS_UNFINISHED] = N_("An address has four numbers with dots between them, like 192.168.1.10."),
        [ADDRESS_CHARACTER] = N_("An address has only the digits 0 to 9 and dots, like 192.168.1.10."),
        [ADDRESS_FORM] = N_("An address is four numbers with one dot between each, like 192.168.1.10."),
        [ADDRESS_NUMBER] = N_("Each of the four numbers is at most 255."),
        [ADDRESS_LEADING_ZERO] = N_("Leave out zeros at the beginning of a number: 10, not 010."),
        [ADDRESS_NO_PREFIX] = N_("Add the size of your network behind the address; in most homes it is /24."),
        [ADDRESS_PREFIX] = N_("The number behind the slash is from 8 to 30; in most homes it is 24."),
        [ADDRESS_PREFIX_SMALL] =
                N_("A network of /31 or /32 has no room for other computers; in most homes it is /24."),
        [ADDRESS_MASK] = N_("This is no network mask; in most homes it is 255.255.255.0, or simply /24."),
        [ADDRESS_WITH_PREFIX] = N_("Only the NAS's own address has a slash and a number behind it; leave it out here."),
        [ADDRESS_THIS_NETWORK] = N_("Addresses that begin with 0 cannot be given to a computer."),
        [ADDRESS_LOOPBACK] = N_("Addresses that begin with 127 mean the computer itself; others cannot reach them."),
        [ADDRESS_LINK_LOCAL] = N_("Addresses that begin with 169.254 are reached only from computers that have such "
                                  "a one too."),
        [ADDRESS_MULTICAST] = N_("Addresses from 224 to 239 are for groups of computers, not for one."),
        [ADDRESS_RESERVED] = N_("Addresses that begin with 240 or more cannot be given to a computer."),
        [ADDRESS_IS_NETWORK] = N_("This is the address of the network itself; a computer needs a higher one."),
        [ADDRESS_IS_BROADCAST] = N_("This is the address for everyone in the network; a computer needs a lower one."),
        [GATEWAY_OUTSIDE] = N_("The gateway is not in the network of the NAS's address, so it could not be reached."),
        [GATEWAY_SELF] = N_("This is the NAS's own address; the gateway is your router."),
        [DNS_SELF] = N_("This is the NAS's own address; the DNS server is usually your router."),
        [DNS_MANY] = N_("At most three DNS servers can be used."),
        [DNS_TWICE] = N_("This DNS server stands there twice."),
        [HOSTNAME_EMPTY] = N_("The NAS needs a name."),
        [HOSTNAME_LONG] = N_("The name has at most 15 characters, so that Windows can show it."),
        [HOSTNAME_CHARACTER] = N_("The name has only the letters a to z, the digits 0 to 9 and dashes."),
        [HOSTNAME_DOT] = N_("Only the computer's own name is needed, without a dot and a domain."),
        [HOSTNAME_DASH] = N_("The name neither begins nor ends with a dash."),
        [HOSTNAME_DIGITS] = N_("The name needs at least one letter, or it would be taken for a number."),
        [HOSTNAME_RESERVED] = N_("Every computer calls itself localhost; choose another name."),
        [DOMAIN_FORM] = N_("A domain has only letters, digits and dashes, with dots between its parts."),
};

const char *address_fault_text(enum address_fault fault)
{
        return (unsigned)fault < ADDRESS_FAULTS_MAX_ ? fault_texts[fault] : "";
}

static int give_up(enum address_fault fault, enum address_fault *ret_fault)
{
        if (ret_fault)
                *ret_fault = fault;
        return -EINVAL;
}

static bool is_digit(char c)
{
        return c >= '0' && c <= '9'; /* isdigit() may know more in some locales */
}

bool address_is_link_local(const struct address *a)
{
        return a->ip >> 16 == 0xa9fe;
}

static char *trimmed(const char *text)
{
        return xstrdup(strip(strdupa(text ? text : "")));
}

/* One number of the four; *p moves behind it. */
static int take_number(const char **p, unsigned max, unsigned *ret)
{
        const char *s = *p;
        unsigned n = 0, digits = 0;

        for (; is_digit(*s); s++, digits++)
                n = n > max ? n : n * 10 + (unsigned)(*s - '0');
        if (digits > 1 && **p == '0')
                return ADDRESS_LEADING_ZERO;
        if (n > max)
                return ADDRESS_NUMBER;
        *p = s;
        *ret = n;
        return digits > 0 ? ADDRESS_GOOD : ADDRESS_FORM;
}

static enum address_fault parse_quad(const char *s, uint32_t *ret)
{
        uint32_t ip = 0;

        if (!*s)
                return ADDRESS_EMPTY;
        if (s[strspn(s, "0123456789.")])
                return ADDRESS_CHARACTER;
        for (unsigned i = 0; i < 4; i++) {
                unsigned n;
                if (i > 0 && *s)
                        s++; /* take_number stops at a dot only */
                if (!*s)
                        return ADDRESS_UNFINISHED;
                enum address_fault fault = take_number(&s, 255, &n);
                if (fault)
                        return fault;
                ip = ip << 8 | n;
        }
        if (*s)
                return ADDRESS_FORM;
        *ret = ip;
        return ADDRESS_GOOD;
}

static enum address_fault fault_of_host(uint32_t ip)
{
        unsigned first = ip >> 24;

        return first == 0                ? ADDRESS_THIS_NETWORK
               : first == 127            ? ADDRESS_LOOPBACK
               : first >= 224 && first < 240 ? ADDRESS_MULTICAST
               : first >= 240            ? ADDRESS_RESERVED
                                         : ADDRESS_GOOD;
}

static uint32_t mask_of(unsigned prefix)
{
        return prefix ? UINT32_MAX << (32 - prefix) : 0;
}

uint32_t address_network(const struct address *a)
{
        return a->ip & mask_of(a->prefix);
}

uint32_t address_broadcast(const struct address *a)
{
        return a->ip | ~mask_of(a->prefix);
}

bool address_same_network(const struct address *own, uint32_t ip)
{
        return ((own->ip ^ ip) & mask_of(own->prefix)) == 0;
}

static enum address_fault parse_mask(const char *s, unsigned *ret)
{
        uint32_t mask;

        if (parse_quad(s, &mask) != ADDRESS_GOOD)
                return ADDRESS_MASK;
        for (unsigned prefix = 0; prefix <= 32; prefix++)
                if (mask_of(prefix) == mask) {
                        *ret = prefix;
                        return ADDRESS_GOOD;
                }
        return ADDRESS_MASK;
}

static enum address_fault parse_prefix(const char *s, unsigned *ret)
{
        unsigned prefix;

        if (!*s)
                return ADDRESS_NO_PREFIX;
        if (strchr(s, '.')) {
                enum address_fault fault = parse_mask(s, &prefix);
                if (fault)
                        return fault;
        } else if (take_number(&s, 32, &prefix) != ADDRESS_GOOD || *s)
                return ADDRESS_PREFIX;
        if (prefix > PREFIX_MAX)
                return ADDRESS_PREFIX_SMALL;
        if (prefix < PREFIX_MIN)
                return ADDRESS_PREFIX;
        *ret = prefix;
        return ADDRESS_GOOD;
}

/* Whether ip may be a host's in the network of net. */
static enum address_fault fault_in_network(const struct address *net, uint32_t ip)
{
        return ip == address_network(net)     ? ADDRESS_IS_NETWORK
               : ip == address_broadcast(net) ? ADDRESS_IS_BROADCAST
                                              : ADDRESS_GOOD;
}

int address_check(const char *text, struct address *ret, enum address_fault *ret_fault)
{
        _cleanup_free_ char *s = trimmed(text);
        char *slash = strchr(s, '/');
        struct address a = {0};

        if (slash)
                *slash++ = '\0';
        enum address_fault fault = parse_quad(s, &a.ip);
        if (!fault)
                fault = fault_of_host(a.ip);
        if (!fault)
                fault = parse_prefix(slash ? slash : "", &a.prefix);
        if (!fault)
                fault = fault_in_network(&a, a.ip);
        if (fault)
                return give_up(fault, ret_fault);
        *ret = a;
        return 0;
}

int host_check(const char *text, struct address *ret, enum address_fault *ret_fault)
{
        _cleanup_free_ char *s = trimmed(text);
        struct address a = {0};

        enum address_fault fault = strchr(s, '/') ? ADDRESS_WITH_PREFIX : parse_quad(s, &a.ip);
        if (!fault)
                fault = fault_of_host(a.ip);
        if (fault)
                return give_up(fault, ret_fault);
        *ret = a;
        return 0;
}

int gateway_check(const char *text, const struct address *own, struct address *ret, enum address_fault *ret_fault)
{
        struct address a = {0};
        enum address_fault fault;

        if (!text || !text[strspn(text, " \t")]) {
                *ret = a;
                return 0;
        }
        int r = host_check(text, &a, ret_fault);
        if (r < 0)
                return r;
        if (!address_same_network(own, a.ip))
                return give_up(GATEWAY_OUTSIDE, ret_fault);
        if (a.ip == own->ip)
                return give_up(GATEWAY_SELF, ret_fault);
        fault = fault_in_network(own, a.ip);
        if (fault)
                return give_up(fault, ret_fault);
        *ret = a;
        return 0;
}

static enum address_fault fault_of_server(const struct address *own, const struct address *before, size_t n,
                                          uint32_t ip)
{
        if (n == DNS_MAX)
                return DNS_MANY;
        if (own && ip == own->ip)
                return DNS_SELF;
        if (ip >> 16 == 0xa9fe && !(own && address_same_network(own, ip)))
                return ADDRESS_LINK_LOCAL;
        for (size_t i = 0; i < n; i++)
                if (before[i].ip == ip)
                        return DNS_TWICE;
        return own && address_same_network(own, ip) ? fault_in_network(own, ip) : ADDRESS_GOOD;
}

int dns_check(const char *text, const struct address *own, struct address ret[static DNS_MAX], size_t *ret_n,
              enum address_fault *ret_fault)
{
        struct address found[DNS_MAX] = {0};
        char *rest = NULL;
        size_t n = 0;

        _cleanup_free_ char *s = xstrdup(text ? text : "");
        for (char *word = strtok_r(s, ", \t", &rest); word; word = strtok_r(NULL, ", \t", &rest)) {
                struct address a;
                int r = host_check(word, &a, ret_fault);
                if (r < 0)
                        return r;
                enum address_fault fault = fault_of_server(own, found, n, a.ip);
                if (fault)
                        return give_up(fault, ret_fault);
                found[n++] = a;
        }
        memcpy(ret, found, sizeof(found));
        *ret_n = n;
        return 0;
}

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", digits[] = "0123456789";

int hostname_check(const char *text, enum address_fault *ret_fault)
{
        _cleanup_free_ char *s = trimmed(text), *known = xasprintf("%s%s-", letters, digits);
        size_t n = strlen(s), good = strspn(s, known);

        enum address_fault fault = n == 0                          ? HOSTNAME_EMPTY
                                   : s[good] == '.'                ? HOSTNAME_DOT
                                   : good < n                      ? HOSTNAME_CHARACTER
                                   : n > HOSTNAME_LEN_MAX          ? HOSTNAME_LONG
                                   : *s == '-' || s[n - 1] == '-'  ? HOSTNAME_DASH
                                   : strcspn(s, letters) == n      ? HOSTNAME_DIGITS
                                   : strcasecmp(s, "localhost") == 0 ? HOSTNAME_RESERVED
                                                                   : ADDRESS_GOOD;
        return fault ? give_up(fault, ret_fault) : 0;
}

int domain_check(const char *text, enum address_fault *ret_fault)
{
        _cleanup_free_ char *s = trimmed(text), *known = xasprintf("%s%s-", letters, digits);
        bool is_good = strlen(s) <= DOMAIN_LEN_MAX;

        for (const char *at = s; is_good && *at;) {
                size_t n = strcspn(at, ".");
                is_good = n > 0 && n <= LABEL_LEN_MAX && *at != '-' && at[n - 1] != '-' && strspn(at, known) >= n &&
                          !streq(at + n, ".");
                at += n + (at[n] == '.');
        }
        return is_good ? 0 : give_up(DOMAIN_FORM, ret_fault);
}

char *hostname_propose(const char *text)
{
        static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
        char name[HOSTNAME_LEN_MAX + 1];
        size_t n = 0;

        for (const char *s = text; *s && *s != '.' && n < HOSTNAME_LEN_MAX; s++)
                if (strchr(good, *s))
                        name[n++] = *s;
                else if (n > 0 && name[n - 1] != '-')
                        name[n++] = '-';
        while (n > 0 && name[n - 1] == '-')
                n--;
        name[n] = '\0';
        return hostname_check(name, NULL) == 0 ? xstrdup(name) : NULL;
}

char *address_text(const struct address *a)
{
        _cleanup_free_ char *ip = xasprintf("%u.%u.%u.%u", a->ip >> 24, a->ip >> 16 & 255, a->ip >> 8 & 255,
                                            a->ip & 255);

        return a->prefix ? xasprintf("%s/%u", ip, a->prefix) : TAKE_PTR(ip);
}

struct address address_propose_gateway(const struct address *own)
{
        uint32_t first = address_network(own) + 1;

        return (struct address){.ip = first == own->ip ? first + 1 : first};
}

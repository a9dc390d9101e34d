#include "helpers/net_port.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <ifaddrs.h>
#include <linux/ethtool.h>
#include <net/if.h>
#include <net/if_arp.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"
#include "helpers/net_hold.h"
#include "helpers/net_ipv6.h"
#include "helpers/net_link.h"
#include "helpers/net_sys.h"

int mac_parse(const char *text, char **ret)
{
        unsigned sum = 0;
        char mac[18];

        if (strlen(text) != 17)
                return -EINVAL;
        for (size_t i = 0; i < 17; i++) {
                bool is_colon = i % 3 == 2;
                if (is_colon ? text[i] != ':' && text[i] != '-' : !isxdigit((unsigned char)text[i]))
                        return -EINVAL;
                mac[i] = is_colon ? ':' : (char)tolower((unsigned char)text[i]);
                sum |= !is_colon && mac[i] != '0';
        }
        mac[17] = '\0';
        if (!sum || strtoul((char[]){mac[0], mac[1], '\0'}, NULL, 16) & 1)
                return -EINVAL;
        *ret = xstrdup(mac);
        return 0;
}

int port_ask(const char *record, char *const *argv, char **ret)
{
        _cleanup_free_ char *relative = path_join("/recorded", record), *path = helper_path(relative);

        return helper_has_root() ? read_text(path, MIB, ret) : helper_ask(argv, ret);
}

char *key_value(const char *path, const char *key)
{
        _cleanup_free_ char *full = helper_path(path), *text = NULL;
        char *rest = NULL;

        if (file_text(full, &text) < 0)
                return NULL;
        for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
                const char *value = skip_prefix(line, key);
                if (value && *value == '=')
                        return xstrdup(value + 1);
        }
        return NULL;
}

/* --- one port --- */

/* What a driver without a permanent address answers is all zero. */
static int permanent_mac(const char *name, char **ret)
{
        struct {
                struct ethtool_perm_addr head;
                unsigned char data[32];
        } answer = {.head = {.cmd = ETHTOOL_GPERMADDR, .size = sizeof(answer.data)}};
        int r = link_ask(name, &answer);

        if (r < 0)
                return r;
        if (answer.head.size != 6)
                return -EINVAL;
        const unsigned char *d = answer.data;
        _cleanup_free_ char *text = xasprintf("%02x:%02x:%02x:%02x:%02x:%02x", d[0], d[1], d[2], d[3], d[4], d[5]);
        return mac_parse(text, ret);
}

static void look_mac(struct port *p)
{
        if (!helper_has_root() && permanent_mac(p->name, &p->mac) == 0) {
                p->permanent = true;
                return;
        }
        _cleanup_free_ char *now = sys_line(p->name, "address");
        if (!now || mac_parse(now, &p->mac) < 0)
                p->mac = xstrdup("");
        p->permanent = helper_has_root() && sys_number(p->name, "addr_assign_type", 10) == 0;
}

/* Make and model from the hardware database as udev left them (format: sd-device's db files, "E:KEY=value"). */
static char *card_of(const struct port *p)
{
        _cleanup_free_ char *db = xasprintf("/run/udev/data/n%u", p->index);
        _cleanup_free_ char *vendor = key_value(db, "E:ID_VENDOR_FROM_DATABASE"),
                            *model = key_value(db, "E:ID_MODEL_FROM_DATABASE");

        if (model)
                return vendor ? xasprintf("%s %s", vendor, model) : TAKE_PTR(model);
        return xstrdup(p->driver ? p->driver : "");
}

static void look_port(struct port *p, const char *name)
{
        *p = (struct port){.name = xstrdup(name), .method = "unknown"};
        p->index = (unsigned)sys_number(name, "ifindex", 10);
        p->up = sys_number(name, "flags", 16) & IFF_UP;
        p->driver = sys_link(name, "device/driver");
        p->card = card_of(p);
        link_look_kind(p);
        link_look_speed(p);
        look_mac(p);
        net_ipv6_look(p);
}

/* --- all ports --- */

static struct port *by_name(const struct ports *p, const char *name)
{
        size_t n = strcspn(name, ":"); /* "eth0:1" is a label of eth0's second address */

        for (size_t i = 0; i < p->n; i++)
                if (strlen(p->v[i].name) == n && strncmp(p->v[i].name, name, n) == 0)
                        return &p->v[i];
        return NULL;
}

struct port *ports_by_mac(const struct ports *p, const char *mac)
{
        for (size_t i = 0; i < p->n; i++)
                if (p->v[i].kind == PORT_WIRED && streq(p->v[i].mac, mac))
                        return &p->v[i];
        return NULL;
}

size_t ports_count_mac(const struct ports *p, const char *mac)
{
        size_t n = 0;

        for (size_t i = 0; i < p->n; i++)
                n += p->v[i].kind == PORT_WIRED && streq(p->v[i].mac, mac);
        return n;
}

bool ports_own_mac(const struct ports *p, const char *mac)
{
        for (size_t i = 0; i < p->n; i++)
                if (streq(p->v[i].mac, mac))
                        return true;
        return false;
}

static void add_address(const struct ports *ports, const char *name, const char *text)
{
        struct port *p = by_name(ports, name);

        if (p)
                strv_add(&p->addresses, text);
}

/* Lines of "NAME STATE ADDRESS/PREFIX …". */
static void look_recorded_addresses(const struct ports *ports)
{
        _cleanup_free_ char *path = helper_path("/recorded/addresses"), *text = NULL;
        char *rest = NULL, *in = NULL;

        if (file_text(path, &text) < 0)
                return;
        for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
                const char *name = strtok_r(line, " ", &in);
                if (!name || *name == '#' || !strtok_r(NULL, " ", &in))
                        continue;
                for (const char *word; (word = strtok_r(NULL, " ", &in));)
                        add_address(ports, name, word);
        }
}

static uint32_t ip_of(const struct sockaddr *a)
{
        return ntohl(((const struct sockaddr_in *)(const void *)a)->sin_addr.s_addr);
}

static int look_addresses(const struct ports *ports)
{
        struct ifaddrs *all;

        if (getifaddrs(&all) < 0)
                return -errno;
        for (const struct ifaddrs *i = all; i; i = i->ifa_next) {
                if (!i->ifa_addr || i->ifa_addr->sa_family != AF_INET || !i->ifa_netmask)
                        continue;
                struct address a = {.ip = ip_of(i->ifa_addr),
                                    .prefix = (unsigned)__builtin_popcount(ip_of(i->ifa_netmask))};
                _cleanup_free_ char *text = address_text(&a);
                add_address(ports, i->ifa_name, text);
        }
        freeifaddrs(all);
        return 0;
}

static void look_gateways(const struct ports *ports)
{
        _cleanup_free_ struct route *routes = NULL;
        size_t n = 0;

        if (default_routes(&routes, &n) < 0)
                return;
        for (size_t i = 0; i < n; i++) {
                struct port *p = by_name(ports, routes[i].name);
                if (p && !p->gateway && routes[i].gateway)
                        p->gateway = address_text(&(struct address){.ip = routes[i].gateway});
        }
}

static int by_index(const void *a, const void *b)
{
        const struct port *p = a, *q = b;

        return p->index < q->index ? -1 : p->index > q->index;
}

/* The kernel makes one tunnel of some kinds (tunl0, sit0, gretap0) for nobody: such are told when they are in use. */
static bool is_listed(const char *name)
{
        static const unsigned tunnels[] = {ARPHRD_NONE,    ARPHRD_RAWIP, ARPHRD_PPP,  ARPHRD_TUNNEL,
                                           ARPHRD_TUNNEL6, ARPHRD_SIT,   ARPHRD_IPGRE};
        uint64_t type = sys_number(name, "type", 10);
        bool is_up = sys_number(name, "flags", 16) & IFF_UP;
        _cleanup_free_ char *mac = sys_line(name, "address");

        for (size_t i = 0; i < ELEMENTSOF(tunnels); i++)
                if (type == tunnels[i])
                        return is_up;
        return type == ARPHRD_ETHER && (is_up || !streq_null(mac, "00:00:00:00:00:00"));
}

static int look_names(struct ports *ports)
{
        _cleanup_free_ char *path = helper_path("/sys/class/net");
        DIR *dir = opendir(path);

        if (!dir)
                return -errno;
        for (struct dirent *d; (d = readdir(dir));) {
                if (d->d_name[0] == '.' || !is_listed(d->d_name))
                        continue;
                ports->v = xreallocarray(ports->v, ports->n + 1, sizeof(*ports->v));
                look_port(&ports->v[ports->n++], d->d_name);
        }
        closedir(dir);
        if (ports->n > 0)
                qsort(ports->v, ports->n, sizeof(*ports->v), by_index);
        return 0;
}

int ports_look(struct ports *ret)
{
        _cleanup_ports_ struct ports ports = {0};
        int r = look_names(&ports);

        if (r < 0)
                return r;
        if (helper_has_root())
                look_recorded_addresses(&ports);
        else
                r = look_addresses(&ports);
        if (r < 0)
                return r;
        look_gateways(&ports);
        _cleanup_strv_ char **held = hold_names();
        for (size_t i = 0; i < ports.n; i++)
                ports.v[i].held = ports.v[i].up && strv_has(held, ports.v[i].name);
        *ret = ports;
        ports = (struct ports){0};
        return 0;
}

void ports_free(struct ports *p)
{
        for (size_t i = 0; i < p->n; i++) {
                struct port *q = &p->v[i];
                free(q->name);
                free(q->mac);
                free(q->driver);
                free(q->card);
                free(q->usedby);
                free(q->gateway);
                free(q->gateway6);
                strv_free(q->members);
                strv_free(q->addresses6);
                free(q->domain);
                strv_free(q->addresses);
                strv_free(q->dns);
        }
        free(p->v);
        *p = (struct ports){0};
}

/* --- routes and clients --- */

static int by_metric(const void *a, const void *b)
{
        const struct route *p = a, *q = b;

        return p->metric < q->metric ? -1 : p->metric > q->metric;
}

int default_routes(struct route **ret, size_t *ret_n)
{
        _cleanup_free_ char *path = helper_path("/proc/net/route"), *text = NULL;
        _cleanup_free_ struct route *routes = NULL;
        size_t n = 0;
        char *rest = NULL;

        int r = file_text(path, &text);
        if (r < 0)
                return r;
        for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
                struct route one;
                unsigned long to, gateway, mask;
                if (sscanf(line, "%15s %lx %lx %*x %*d %*d %u %lx", one.name, &to, &gateway, &one.metric, &mask) != 5 ||
                    to != 0 || mask != 0)
                        continue;
                one.gateway = ntohl((uint32_t)gateway);
                routes = xreallocarray(routes, n + 1, sizeof(*routes));
                routes[n++] = one;
        }
        if (n > 0)
                qsort(routes, n, sizeof(*routes), by_metric);
        *ret = TAKE_PTR(routes);
        *ret_n = n;
        return 0;
}

/* The words of a command line; dhcpcd puts a title in their place: "dhcpcd: eth0 [ip4]". */
static bool is_client_of(char *cmdline, size_t len, const char *name)
{
        static const char *const clients[] = {"dhclient", "dhcpcd", "udhcpc"};
        bool is_client = false;
        char *rest = NULL;

        for (size_t i = 0; i < len; i++)
                if (!cmdline[i] || cmdline[i] == ':')
                        cmdline[i] = ' ';
        char *word = strtok_r(cmdline, " ", &rest);
        const char *slash = word ? strrchr(word, '/') : NULL;
        for (size_t i = 0; word && i < ELEMENTSOF(clients); i++)
                is_client |= streq(slash ? slash + 1 : word, clients[i]);
        while (is_client && (word = strtok_r(NULL, " ", &rest)))
                if (streq(word, name))
                        return true;
        return false;
}

static bool is_client_process(const char *pid, const char *name)
{
        _cleanup_free_ char *inside = xasprintf("/proc/%s/cmdline", pid), *path = helper_path(inside);
        _cleanup_fclose_ FILE *f = fopen(path, "re");
        char text[4096];

        size_t n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;
        text[n] = '\0';
        return is_client_of(text, n, name);
}

int dhcp_clients(const char *name, pid_t **ret, size_t *ret_n)
{
        _cleanup_free_ char *path = helper_path("/proc");
        _cleanup_free_ pid_t *pids = NULL;
        size_t n = 0;
        unsigned pid;

        DIR *dir = opendir(path);
        if (!dir)
                return -errno;
        for (struct dirent *d; (d = readdir(dir));)
                if (parse_uint(d->d_name, 1 << 30, &pid) == 0 && is_client_process(d->d_name, name)) {
                        pids = xreallocarray(pids, n + 1, sizeof(*pids));
                        pids[n++] = (pid_t)pid;
                }
        closedir(dir);
        *ret = TAKE_PTR(pids);
        *ret_n = n;
        return 0;
}

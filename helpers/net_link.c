#include "helpers/net_link.h"

#include <errno.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "helpers/lib/helper.h"
#include "helpers/net_port.h"
#include "helpers/net_sys.h"

/* --- what it is --- */

static const char *const kinds[] = {
        [PORT_WIRED] = "wired", [PORT_WIFI] = "wifi",     [PORT_BOND] = "bond",       [PORT_BRIDGE] = "bridge",
        [PORT_VLAN] = "vlan",   [PORT_TUNNEL] = "tunnel", [PORT_VIRTUAL] = "virtual",
};

const char *link_kind_text(const struct port *p)
{
        return kinds[p->kind];
}

/* The kernel's own word (SET_NETDEV_DEVTYPE); team has none of its own, and no port of it has a device either. */
static enum port_kind kind_by_type(const char *type)
{
        static const struct {
                const char *type;
                enum port_kind kind;
        } types[] = {
                {"bond", PORT_BOND},     {"bridge", PORT_BRIDGE},    {"vlan", PORT_VLAN},     {"wlan", PORT_WIFI},
                {"gre", PORT_TUNNEL},    {"vxlan", PORT_TUNNEL},     {"geneve", PORT_TUNNEL}, {"wireguard", PORT_TUNNEL},
                {"l2tpeth", PORT_TUNNEL}, {"wwan", PORT_TUNNEL},
        };

        for (size_t i = 0; type && i < ELEMENTSOF(types); i++)
                if (streq(type, types[i].type))
                        return types[i].kind;
        return PORT_WIRED;
}

static enum port_kind kind_of(const char *name)
{
        _cleanup_free_ char *type = sys_uevent(name, "DEVTYPE");
        enum port_kind kind = kind_by_type(type);

        if (kind != PORT_WIRED)
                return kind;
        if (sys_has(name, "wireless") || sys_has(name, "phy80211"))
                return PORT_WIFI;
        if (sys_has(name, "tun_flags") || sys_number(name, "type", 10) != ARPHRD_ETHER)
                return PORT_TUNNEL;
        return sys_has(name, "device") ? PORT_WIRED : PORT_VIRTUAL;
}

static const char *bus_of(const char *name)
{
        _cleanup_free_ char *bus = sys_link(name, "device/subsystem");

        if (!sys_has(name, "device"))
                return "virtual";
        return !bus                                       ? NULL
               : streq(bus, "usb")                        ? "usb"
               : streq(bus, "pci") || streq(bus, "virtio") ? "pci"
                                                          : NULL;
}

void link_look_kind(struct port *p)
{
        p->kind = kind_of(p->name);
        p->bus = bus_of(p->name);
        p->members = p->kind == PORT_WIRED ? NULL : sys_names(p->name, "lower_");
        p->usedby = sys_link(p->name, "master");
        if (!p->usedby) {
                _cleanup_strv_ char **above = sys_names(p->name, "upper_");
                p->usedby = above ? xstrdup(above[0]) : NULL;
        }
}

/* --- how fast it is --- */

#define MODE(name) ETHTOOL_LINK_MODE_##name##_BIT
static const struct {
        unsigned first, last; /* bits of enum ethtool_link_mode_bit_indices */
        unsigned speed;
} modes[] = {
        {MODE(10baseT_Half), MODE(10baseT_Full), 10},
        {MODE(10baseT1L_Full), MODE(10baseT1L_Full), 10},
        {MODE(100baseT_Half), MODE(100baseT_Full), 100},
        {MODE(100baseT1_Full), MODE(100baseT1_Full), 100},
        {MODE(100baseFX_Half), MODE(100baseFX_Full), 100},
        {MODE(1000baseT_Half), MODE(1000baseT_Full), 1000},
        {MODE(1000baseKX_Full), MODE(1000baseKX_Full), 1000},
        {MODE(1000baseX_Full), MODE(1000baseX_Full), 1000},
        {MODE(1000baseT1_Full), MODE(1000baseT1_Full), 1000},
        {MODE(2500baseX_Full), MODE(2500baseX_Full), 2500},
        {MODE(2500baseT_Full), MODE(2500baseT_Full), 2500},
        {MODE(5000baseT_Full), MODE(5000baseT_Full), 5000},
        {MODE(10000baseT_Full), MODE(10000baseT_Full), 10000},
        {MODE(10000baseKX4_Full), MODE(10000baseR_FEC), 10000},
        {MODE(10000baseCR_Full), MODE(10000baseER_Full), 10000},
        {MODE(20000baseMLD2_Full), MODE(20000baseKR2_Full), 20000},
        {MODE(25000baseCR_Full), MODE(25000baseSR_Full), 25000},
        {MODE(40000baseKR4_Full), MODE(40000baseLR4_Full), 40000},
        {MODE(50000baseCR2_Full), MODE(50000baseKR2_Full), 50000},
        {MODE(50000baseSR2_Full), MODE(50000baseSR2_Full), 50000},
        {MODE(50000baseKR_Full), MODE(50000baseDR_Full), 50000},
        {MODE(56000baseKR4_Full), MODE(56000baseLR4_Full), 56000},
        {MODE(100000baseKR4_Full), MODE(100000baseLR4_ER4_Full), 100000},
        {MODE(100000baseKR2_Full), MODE(100000baseDR2_Full), 100000},
        {MODE(100000baseKR_Full), MODE(100000baseDR_Full), 100000},
        {MODE(200000baseKR4_Full), MODE(200000baseCR4_Full), 200000},
        {MODE(200000baseKR2_Full), MODE(200000baseCR2_Full), 200000},
        {MODE(400000baseKR8_Full), MODE(400000baseCR8_Full), 400000},
        {MODE(400000baseKR4_Full), MODE(400000baseCR4_Full), 400000},
};

static uint64_t best_of(const uint32_t *mask, unsigned n_words)
{
        uint64_t best = 0;

        for (size_t i = 0; i < ELEMENTSOF(modes); i++)
                for (unsigned bit = modes[i].first; bit <= modes[i].last && bit < n_words * 32; bit++)
                        if (mask[bit / 32] >> bit % 32 & 1)
                                best = MAX2(best, modes[i].speed);
        return best;
}

int link_ask(const char *name, void *what)
{
        struct ifreq request = {.ifr_data = what};
        _cleanup_close_ int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

        snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", name);
        return fd < 0 || ioctl(fd, SIOCETHTOOL, &request) < 0 ? -errno : 0;
}

/* The first call tells, by a negative number, how many words the kernel's masks have. */
static void ask_driver(struct port *p)
{
        struct {
                struct ethtool_link_settings head;
                uint32_t masks[3 * 127]; /* supported, advertised, the other end's; the number is a signed byte */
        } s = {.head.cmd = ETHTOOL_GLINKSETTINGS};

        if (link_ask(p->name, &s) < 0 || s.head.link_mode_masks_nwords >= 0)
                return;
        int n = -s.head.link_mode_masks_nwords;
        s.head = (struct ethtool_link_settings){.cmd = ETHTOOL_GLINKSETTINGS, .link_mode_masks_nwords = (int8_t)n};
        if (n > 127 || link_ask(p->name, &s) < 0 || s.head.link_mode_masks_nwords != n)
                return;
        p->best = best_of(s.masks, (unsigned)n);
        p->peer = best_of(s.masks + 2 * n, (unsigned)n);
}

/* "	Supported link modes:   10baseT/Half 10baseT/Full", with further lines below the first word. */
static uint64_t best_of_text(const char *text, const char *head)
{
        const char *at = text ? strstr(text, head) : NULL;
        uint64_t best = 0;

        if (!at)
                return 0;
        at += strlen(head);
        for (const char *end = at; *end && *end != ':'; end++)
                if (has_prefix(end, "base")) {
                        const char *number = end;
                        while (number > at && number[-1] >= '0' && number[-1] <= '9')
                                number--;
                        best = MAX2(best, strtoull(number, NULL, 10));
                }
        return best;
}

static void read_recorded(struct port *p)
{
        _cleanup_free_ char *inside = xasprintf("/recorded/ethtool-%s", p->name), *path = helper_path(inside), *text = NULL;

        if (read_text(path, MIB, &text) < 0)
                return;
        p->best = best_of_text(text, "Supported link modes:");
        p->peer = best_of_text(text, "Link partner advertised link modes:");
}

void link_look_speed(struct port *p)
{
        _cleanup_free_ char *carrier = sys_line(p->name, "carrier"); /* EINVAL while the port is down */
        _cleanup_free_ char *duplex = sys_line(p->name, "duplex");

        p->carrier = p->up && carrier ? streq(carrier, "1") : -1;
        p->best = p->peer = 0;
        if (helper_has_root())
                read_recorded(p);
        else
                ask_driver(p);
        bool is_linked = p->carrier == 1; /* without, some drivers tell of the last cable, or of the slowest speed */
        p->speed = is_linked ? sys_number(p->name, "speed", 10) : 0;
        p->peer = is_linked ? p->peer : 0;
        p->duplex = !is_linked || !duplex ? NULL : streq(duplex, "half") ? "half" : streq(duplex, "full") ? "full" : NULL;
}

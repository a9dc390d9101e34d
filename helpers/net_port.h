/* The network ports of this computer as they are now: from sysfs, getifaddrs, /proc/net and ethtool's ioctl.
 *
 * Under --root everything is a file below DIR; what is no file on a real system stands in DIR/recorded/NAME as a
 * program printed it: addresses is "ip -4 -br addr", ethtool-NAME "ethtool NAME". */
#pragma once

#include "helpers/lib/address.h"
#include "helpers/lib/record.h"

struct net_stack;

enum port_kind {
        PORT_WIRED,
        PORT_WIFI,
        PORT_BOND,
        PORT_BRIDGE,
        PORT_VLAN,
        PORT_TUNNEL, /* also a mobile network's */
        PORT_VIRTUAL,
};

struct port {
        char *name, *mac; /* mac: the permanent one, lower case, "aa:bb:cc:dd:ee:ff" */
        bool permanent;   /* the driver told it; otherwise it is the present one */
        enum port_kind kind;
        const char *bus;  /* pci (virtio too), usb, virtual (no card); NULL for any other */
        unsigned index;
        char *driver, *card; /* card: make and model; the driver's name where they are unknown */
        char *usedby;        /* bridge, bond or VLAN on top of it; NULL for none */
        char **members;      /* of what is no card: the ports below it */
        uint64_t speed;      /* Mb/s, 0 unknown */
        uint64_t best, peer; /* what the card can at most, what the other end offers at most; 0 unknown */
        const char *duplex;  /* half, full, NULL */
        int carrier;         /* 1, 0, or -1 where the kernel does not tell (port is down) */
        bool up;             /* administratively */
        bool held;           /* … but only for a look (net_hold.h) */
        char **addresses;    /* IPv4 with prefix */
        char *gateway;       /* of its default route; NULL for none */
        const char *ipv6;    /* router (or DHCPv6), fixed, off, none: nothing but fe80 */
        char **addresses6;   /* with prefix, without fe80 */
        char *gateway6;
        /* filled in by net_stacks_look (net_stack.h) */
        const struct net_stack *stack;
        const char *method; /* dhcp static none unknown */
        const char *ours;   /* lan off or NULL */
        char **dns;
        char *domain;
};

struct ports {
        struct port *v; /* by interface index */
        size_t n;
};

struct route {
        char name[16]; /* IFNAMSIZ */
        uint32_t gateway;
        unsigned metric;
};

int ports_look(struct ports *ret);
void ports_free(struct ports *p);
#define _cleanup_ports_ _cleanup_(ports_free)
struct port *ports_by_mac(const struct ports *p, const char *mac); /* wired ones only; NULL */
size_t ports_count_mac(const struct ports *p, const char *mac);    /* wired ones */
bool ports_own_mac(const struct ports *p, const char *mac);        /* of any kind */

/* Six hexadecimal pairs with colons or dashes, no multicast, not all zero; -EINVAL. */
int mac_parse(const char *text, char **ret);

/* Default routes of IPv4 from /proc/net/route (format: Documentation of the kernel, net/ipv4/fib_trie.c). */
int default_routes(struct route **ret, size_t *ret_n);
/* Processes that are DHCP clients of that port. */
int dhcp_clients(const char *name, pid_t **ret, size_t *ret_n);
/* Answer of a program that only looks, or below --root the file recorded/NAME; -ENOENT and so on. */
int port_ask(const char *record, char *const *argv, char **ret);
/* The value of KEY= in one of the KEY=value files below /run; NULL. */
char *key_value(const char *path, const char *key);

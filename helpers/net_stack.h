/* The programs that can own a network port, one table of operations each. The present owner is kept: nothing here
 * ever moves a port from one stack to another.
 *
 * File formats, order of steps and traps were seen by running each on Debian 12; sources: interfaces(5), ifup(8),
 * systemd.network(5), networkctl(1), nmcli(1), netplan(5). */
#pragma once

#include <sys/types.h>

#include "helpers/net_port.h"

/* The first line of every file of ours. */
#define NET_HEADER "# Written by nas-setup. Take back with: nas-net undo\n"

enum net_ipv6 {
        NET_IPV6_ROUTER, /* as the router announces it, beside what the files have for it; nothing of ours */
        NET_IPV6_OFF,    /* no address, not even fe80 */
        NET_IPV6_FIXED,  /* one address, and nothing that a router announces */
};

/* What verb static is asked for. */
struct net_want {
        struct address address, gateway; /* gateway.ip 0 for none */
        struct address dns[DNS_MAX];
        size_t n_dns;
        enum net_ipv6 ipv6;
        char *address6, *gateway6; /* as RFC 5952 writes them, address6 with prefix, only for fixed; gateway6 may be NULL */
        char *domain; /* in which short names are looked up; NULL: nothing of ours */
        char *name; /* host name; NULL keeps the present one */
        char **off; /* permanent MACs */
        unsigned trial; /* seconds until it takes itself back, 0: it stays */
        const struct port *lan; /* NULL for a stack that has only ports to switch off (net_others.h) */
        const struct ports *ports;
        const struct net_stack *stack;
};

struct net_file {
        char *path, *text; /* text NULL: it shall not be there */
        mode_t mode;
        bool of_stack; /* the stack must hear of a change */
};

struct net_files {
        struct net_file *v;
        size_t n;
};

struct net_stack {
        const char *name;
        bool (*is_installed)(void);
        bool (*owns)(const struct port *p);
        void (*look)(struct port *p); /* fills in method, ours, dns, domain as far as known; may be NULL */
        /* The wanted files; *ret_why a sentence where it refuses (-EBADMSG, -EOPNOTSUPP). */
        int (*files)(const struct net_want *w, struct net_files *ret, char **ret_why);
        bool (*holds)(const struct net_want *w); /* it runs the port with these files, beside what the kernel shows */
        int (*release)(const struct port *p);    /* while the old files are still there */
        int (*apply)(const struct net_want *w, bool changed, char **ret_raw); /* once the new files are there */
        int (*off)(const struct port *p);        /* down, no address */
        int (*restore)(const struct ports *touched); /* once old files are back: ports as those say */
        /* The same while the computer starts, before its network: only what was decided already by the files that were
         * there a moment ago; NULL where nothing is. */
        int (*early)(const struct ports *touched);
        bool (*has_dns)(const struct net_want *w); /* it brings DNS servers to the resolver by itself */
        bool (*writes_resolver)(const struct net_want *w); /* … by writing a plain /etc/resolv.conf; NULL: never */
};

extern const struct net_stack net_netplan, net_networkd, net_networkmanager, net_ifupdown;

/* Which of the two runs the ports that netplan set up: the LAN port, else any other one. */
const struct net_stack *net_netplan_renderer(const struct ports *ports, const struct port *lan);
/* Who really runs that port: netplan has others do it. */
const struct net_stack *net_stack_runner(const struct net_stack *stack, const struct ports *ports, const struct port *p);
/* Whether an entry of netplan's files is about that port, whoever runs it now; what cannot be read may be. */
bool net_netplan_would(const struct port *p);
bool net_networkd_is_netplan(const struct port *p);       /* its file was made by netplan */
bool net_networkmanager_is_netplan(const struct port *p); /* its connection was */
bool net_networkmanager_lists(const char *mac);           /* we told it to leave that port alone */
const char *net_networkmanager_ipv6(const struct net_want *w); /* its word for ipv6.method */
/* The list of devices that NetworkManager leaves alone: the ports that are to be off; beside another stack also the LAN
 * port, since an installed NetworkManager takes what that left alone (seen with ifupdown: without it a second port was
 * up with DHCP after the next boot). */
void net_networkmanager_keep_off(const struct net_want *w, struct net_files *ret);
void net_networkmanager_reload(void);
/* Once the old files of that stack are back. What ifupdown runs it reads only when it starts, and then with our files: it
 * would take the ports for itself, beside ifupdown. */
void net_networkmanager_undone(const struct net_stack *stack);

/* Who owns each port, and what it knows of it. */
void net_stacks_look(struct ports *ports);
const struct net_stack *net_stack_by_name(const char *name); /* NULL */
/* For a port that nobody owns: whoever owns another real port, else what is installed, else NULL. */
const struct net_stack *net_stack_for_free_port(const struct ports *ports);

void net_files_add(struct net_files *f, const char *path, char *text, mode_t mode, bool of_stack); /* owns text */
void net_files_free(struct net_files *f);
#define _cleanup_net_files_ _cleanup_(net_files_free)

bool net_has_program(const char *name); /* in the usual folders, also below --root */
bool net_is_active(const char *unit);   /* false below --root */
char **net_glob(const char *pattern) _must_check_; /* paths, all without --root, in the order of their names */
char *net_mac_digits(const char *mac) _must_check_; /* "525400000012" */
char *net_list_text(const struct net_want *w, const char *sep) _must_check_; /* the DNS servers */
/* Kernel only: the port is down and has no address, or none of IPv4. Errors only where a program failed. */
int net_port_down(const struct port *p);
int net_port_flush(const struct port *p);
void net_end_clients(const struct port *p); /* DHCP clients of the port */
/* IPv4 servers and the first domain of resolv.conf, resolved's own where that points to its stub. */
void net_resolver(char ***ret_dns, char **ret_domain);

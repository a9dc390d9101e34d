/* The outline of a file of netplan(5): which entries there are below "ethernets" and where their lines are, so that one
 * can be commented out and every other byte stays. No YAML parser: what is written otherwise than one key a line down
 * to the entries' names (a flow mapping there, anchors, tabs) is refused, never guessed at. Below an entry's name
 * anything goes. */
#pragma once

#include "helpers/net_port.h"

/* Stands before each line that was switched off. */
#define NETPLAN_MARK "#nas-setup# "

struct netplan_entry {
        char *id;
        bool has_match;
        char *mac, *name, *driver; /* what its match asks for, all of it; NULL for what it does not. name, driver: globs */
        size_t start, end;         /* bytes of its lines, the last newline included */
};

struct netplan_file {
        char *path, *text; /* path without --root */
        struct netplan_entry *entries;
        size_t n;
        char *others; /* all lines below network that are not about ethernets */
        /* Lines that fall with the last entry: netplan refuses a mapping without anything in it. */
        size_t network, ethernets; /* where they begin; SIZE_MAX for none */
        size_t n_sections;         /* keys below network */
};

/* text is copied. -EBADMSG with the number of the line that cannot be understood. */
int netplan_parse(const char *path, const char *text, struct netplan_file *ret, unsigned *ret_line);
void netplan_file_free(struct netplan_file *f);
#define _cleanup_netplan_ _cleanup_(netplan_file_free)

/* By netplan(5): without match the entry's name is the port's. */
bool netplan_fits(const struct netplan_entry *e, const struct port *p);
/* Whether id stands as a word in the other sections: a bond, bridge or VLAN is built on it. */
bool netplan_is_used(const struct netplan_file *f, const char *id);
/* The file's text without these entries (out: one flag each). */
char *netplan_without(const struct netplan_file *f, const bool *out) _must_check_;

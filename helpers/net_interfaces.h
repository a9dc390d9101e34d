/* /etc/network/interfaces and what it sources, as interfaces(5) of ifupdown 0.8 describes it: stanzas with their
 * places in the text, so that a line can be commented out and every other byte stays. */
#pragma once

#include "helpers/lib/util.h"

#define INTERFACES "/etc/network/interfaces"
#define INTERFACES_OURS "/etc/network/interfaces.d/nas-setup"
#define INTERFACES_LOGICAL "naslan"
/* Stands before each line that was switched off. */
#define INTERFACES_MARK "#nas-setup# "

struct stanza {
        size_t start, end; /* bytes of its lines, the last newline included; without comments behind it */
        char **words;      /* of its first line */
};

struct interfaces_file {
        char *path, *text; /* path without --root */
        struct stanza *stanzas;
        size_t n;
};

struct interfaces {
        struct interfaces_file *files; /* the first is INTERFACES, also where it does not exist */
        size_t n;
        bool sources_ours; /* INTERFACES_OURS is read, or would be */
};

int interfaces_read(struct interfaces *ret);
void interfaces_free(struct interfaces *i);
#define _cleanup_interfaces_ _cleanup_(interfaces_free)

/* Whether an auto or allow-… line brings up this port: by name, by pattern, or by hardware address. */
bool interfaces_is_auto(const struct interfaces *i, const char *name, const char *mac);
/* The method of the IPv4 stanza of that logical interface ("dhcp", "static", "manual" …), NULL for none. */
const char *interfaces_method(const struct interfaces *i, const char *logical);
/* The option lines of its IPv6 stanzas, headed as stanzas of INTERFACES_LOGICAL; "" for none. */
char *interfaces_inet6(const struct interfaces *i, const char *logical) _must_check_;
/* Whether a pattern (not an exact name or address) of an auto or allow-… line fits that port. */
bool interfaces_has_pattern(const struct interfaces *i, const char *name);

/* A port to be taken out of a file. */
struct interfaces_port {
        const char *name, *mac;
};
/* The file's text with every line about those ports commented out; what an auto line names beside them stays. */
char *interfaces_without(const struct interfaces_file *f, const struct interfaces_port *ports, size_t n) _must_check_;

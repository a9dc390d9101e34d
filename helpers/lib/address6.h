/* IPv6 addresses as a person types them: what is good, and what to say about what is not. Like address.h: libc only,
 * blanks around a text do not count, every …_check returns 0, or -EINVAL with *ret_fault (may be NULL) telling why. */
#pragma once

#include <netinet/in.h>

#include "helpers/lib/util.h"

struct address6 {
        struct in6_addr ip;
        unsigned prefix; /* bits of the network part; 0 in an address that stands alone */
};

enum address6_fault {
        ADDRESS6_GOOD,
        ADDRESS6_EMPTY,
        ADDRESS6_FORM,
        ADDRESS6_NO_PREFIX,
        ADDRESS6_PREFIX,
        ADDRESS6_WITH_PREFIX,
        ADDRESS6_WITH_PORT, /* fe80::1%eth0 */
        ADDRESS6_LINK_LOCAL,
        ADDRESS6_KIND, /* loopback, multicast, an IPv4 address inside */
        GATEWAY6_OUTSIDE,
        GATEWAY6_SELF,
        ADDRESS6_FAULTS_MAX_,
};

/* One whole English sentence; "" for ADDRESS6_GOOD. */
const char *address6_fault_text(enum address6_fault fault);

/* "fd12:3456::10/64": an address that a host can be given. */
int address6_check(const char *text, struct address6 *ret, enum address6_fault *ret_fault);
/* A router that own can reach: link-local (fe80::…, which most routers announce) or in own's network. Empty is good:
 * ret->ip is all zero. */
int gateway6_check(const char *text, const struct address6 *own, struct address6 *ret, enum address6_fault *ret_fault);
/* As RFC 5952 writes it: "fd12:3456::10/64", or without the slash where the prefix is 0. */
char *address6_text(const struct address6 *a) _must_check_;

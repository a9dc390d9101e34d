/* IPv4 addresses, gateways, DNS servers and computer names as a person types them: what is good, and what to say
 * about what is not. Libc only and without any look at the machine, so that a page can ask with each key.
 *
 * Every …_check returns 0, or -EINVAL with *ret_fault (may be NULL) telling why; the outputs then stay untouched.
 * Blanks around a text do not count. Numbers are decimal digits of ASCII without leading zeros: other programs read
 * 010 as 8. Addresses are kept in host byte order. */
#pragma once

#include "helpers/lib/util.h"

#define HOSTNAME_LEN_MAX 15 /* NetBIOS: 16 bytes, the last one is the kind of service */
#define DOMAIN_LEN_MAX 253  /* RFC 1035: 255 bytes with the lengths of its labels */
#define LABEL_LEN_MAX 63
#define DNS_MAX 3           /* MAXNS of <resolv.h>: the resolver reads no more */
#define PREFIX_MIN 8  /* no network is larger: 10.0.0.0/8 is the largest private one (RFC 1918) */
#define PREFIX_MAX 30 /* 31 and 32 leave no room for a network and a broadcast address */

struct address {
        uint32_t ip;
        unsigned prefix; /* bits of the network part; 0 in an address that stands alone */
};

enum address_fault {
        ADDRESS_GOOD,
        /* the text */
        ADDRESS_EMPTY,
        ADDRESS_UNFINISHED, /* good so far, but fewer than four numbers: no reason to scold while typing goes on */
        ADDRESS_CHARACTER,
        ADDRESS_FORM,
        ADDRESS_NUMBER,
        ADDRESS_LEADING_ZERO,
        ADDRESS_NO_PREFIX, /* also while it is being typed */
        ADDRESS_PREFIX,
        ADDRESS_PREFIX_SMALL, /* /31 and /32 */
        ADDRESS_MASK,
        ADDRESS_WITH_PREFIX, /* a gateway or server with /24 behind it */
        /* what it stands for */
        ADDRESS_THIS_NETWORK,
        ADDRESS_LOOPBACK,
        ADDRESS_LINK_LOCAL, /* of a DNS server alone: where the NAS itself has one, that is odd but works */
        ADDRESS_MULTICAST,
        ADDRESS_RESERVED,
        ADDRESS_IS_NETWORK,
        ADDRESS_IS_BROADCAST,
        /* together with the NAS's own address */
        GATEWAY_OUTSIDE,
        GATEWAY_SELF,
        DNS_SELF,
        DNS_MANY,
        DNS_TWICE,
        /* the name */
        HOSTNAME_EMPTY,
        HOSTNAME_LONG,
        HOSTNAME_CHARACTER,
        HOSTNAME_DOT,
        HOSTNAME_DASH,
        HOSTNAME_DIGITS,
        HOSTNAME_RESERVED,
        DOMAIN_FORM,
        ADDRESS_FAULTS_MAX_,
};

/* One whole English sentence, for gettext; "" for ADDRESS_GOOD. */
const char *address_fault_text(enum address_fault fault);

/* "192.168.1.10/24", or with a mask as in "192.168.1.10/255.255.255.0": an address that a host can have. */
int address_check(const char *text, struct address *ret, enum address_fault *ret_fault);
/* 169.254/16 (RFC 3927): what computers take where nobody gives them an address. Good, and a reason to warn. */
bool address_is_link_local(const struct address *a);
/* "192.168.1.1" on its own, any host's address; ret->prefix is 0. */
int host_check(const char *text, struct address *ret, enum address_fault *ret_fault);
/* A router that own can reach. Empty is good: ret->ip is 0, and nothing beyond the own network can be reached. */
int gateway_check(const char *text, const struct address *own, struct address *ret, enum address_fault *ret_fault);
/* Up to DNS_MAX servers with commas or blanks between them; empty is good. own (may be NULL) must not be among them. */
int dns_check(const char *text, const struct address *own, struct address ret[static DNS_MAX], size_t *ret_n,
              enum address_fault *ret_fault);
/* A computer's name: one label of RFC 1123 that NetBIOS can carry too; no domain. */
int hostname_check(const char *text, enum address_fault *ret_fault);
/* The domain that short names are looked up in, of RFC 1123 labels: "lan", "home.arpa"; empty is good. */
int domain_check(const char *text, enum address_fault *ret_fault);
/* A good name as like text as can be: without a domain, a dash for what cannot stand in it, cut to its length; NULL where
 * nothing is left of it. */
char *hostname_propose(const char *text) _must_check_;

/* As written to files: "192.168.1.10/24", or "192.168.1.1" where the prefix is 0. */
char *address_text(const struct address *a) _must_check_;
uint32_t address_network(const struct address *a);
uint32_t address_broadcast(const struct address *a);
bool address_same_network(const struct address *own, uint32_t ip);
/* The first address of own's network that is not own: what most routers have, to propose where none is known. */
struct address address_propose_gateway(const struct address *own);

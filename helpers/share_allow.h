/* Which computers are on the LAN: the subnets that were asked for, and the IPv6 prefixes that the same port has. */
#pragma once

#include "helpers/lib/util.h"

#define OWN_LINK "fe80::/10" /* link-local addresses: who has one is on the same cable */

/* The subnets, and behind them the prefixes that are on the link of a port which has one of them on its link too:
 * a router may have announced IPv6 there, and names lead to such addresses. Link-local ones are left out.
 * Read from /proc/net/route and /proc/net/ipv6_route. */
char **share_allow(char *const *subnets) _must_check_;
/* "192.168.1.0/24" or "fd00::/8"; "/0" is none. */
bool share_allow_is_subnet(const char *s);

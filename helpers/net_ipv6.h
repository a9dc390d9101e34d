/* IPv6 on the LAN port: what verb static is asked for, and what the kernel says about it. */
#pragma once

#include "helpers/net_stack.h"

/* The keys ipv6=, address6= and gateway6= into w; 0 or the exit status of a usage error. */
int net_ipv6_parse(const struct record *args, struct net_want *w);
/* What of it is not so on the port p, in a few words; NULL where all is. By /proc/net/if_inet6 and /proc/net/ipv6_route
 * (formats: if6_seq_show() and rt6_info_route() of the kernel). */
const char *net_ipv6_amiss(const struct net_want *w, const struct port *p);
/* ipv6, addresses6 and gateway6 of the port, also by /proc/sys/net/ipv6. */
void net_ipv6_look(struct port *p);

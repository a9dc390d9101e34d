/* The computer's name and its resolver: /etc/hostname, /etc/hosts, /etc/resolv.conf. */
#pragma once

#include "helpers/net_stack.h"

#define RESOLVER "/etc/resolv.conf"

/* The name without its domain, from /etc/hostname below --root, else from the kernel. */
char *name_now(void) _must_check_;

/* /etc/hosts as it has to be: the entry of 127.0.1.1, and every entry with the old name, stand for name. An entry that
 * is not of the computer itself gets address. Comments and other lines stay. -EBADMSG with *ret_why. */
int hosts_text(const char *text, const char *old, const char *name, const char *address, char **ret, char **ret_why);
/* resolv.conf with these servers in the place of those that it had; so too the domain, NULL for none, unless it is among
 * those that are searched already. */
char *resolver_text(const char *text, char *const *servers, const char *domain) _must_check_;
/* Whether /etc/resolv.conf is a plain file that no program writes, the stack of w neither. */
bool resolver_is_ours_to_write(const struct net_want *w);
/* Whether the resolver knows all servers of w. */
bool resolver_has(const struct net_want *w);

/* Adds /etc/hostname, /etc/hosts and /etc/resolv.conf as w wants them. */
int name_files(const struct net_want *w, struct net_files *ret, char **ret_why);
/* Tells the kernel. */
int name_apply(const char *name, char **ret_raw);

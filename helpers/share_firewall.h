/* This computer's own firewall: which one it is, and opening the share's ports for the LAN. */
#pragma once

#include "helpers/lib/util.h"

enum firewall {
        FIREWALL_NONE,
        FIREWALL_UFW,
        FIREWALLD,
        FIREWALL_RULES, /* somebody's own nftables or iptables, which drop or refuse what they do not know */
};

enum firewall firewall_look(void); /* the one that is at work */
const char *firewall_word(enum firewall f); /* "none", "ufw", "firewalld", "rules" */

/* Whether there are rules that we made; *ret_announces: for being found too. */
bool firewall_was_opened(enum firewall f, bool *ret_announces);
/* Lets all of these subnets in to the ports of SMB; where announces is set also to those of WS-Discovery and mDNS. Opens what
 * is not, now and after a boot; nothing for other computers than these: what we opened before for others is closed again, and
 * no rule of somebody's own. -EOPNOTSUPP for FIREWALL_RULES. */
int firewall_open(enum firewall f, char *const *subnets, bool announces, char **ret_raw);

/* The list of who may use the share keeps up with the LAN. A provider may give a home another IPv6 prefix every day, and
 * computers come from it and go to it by this one's name: with yesterday's prefix in "hosts allow" they would be turned
 * away, and do not try IPv4 then. */
#pragma once

#include "helpers/lib/record.h"

/* Waits until the IPv6 prefixes on the link of the ports of our shares are others than smb.conf says, then changes our
 * lines and the firewall's rules that are ours, tells smbd and ends: whoever started it starts it again. Subnets that were
 * asked for stay. An enum helper_status. */
int share_follow(const struct record *args);

/* The unit nas-setup-lan.service, which runs it: written, enabled and running, or gone (wanted false). Needs systemd, writes
 * the file alone below --root. *ret_raw is what the programs said. */
int share_follow_unit(bool wanted, char **ret_raw);

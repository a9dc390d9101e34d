/* The ports that are to be switched off. The files of the LAN port's stack name them all; where another one runs a port, its
 * own files do too, unless both are the same program in the end (netplan has networkd do it). NetworkManager hears of every
 * such port in a list of its own, whoever runs the LAN port, and takes it down.
 *
 * Where networkd has nothing but such ports the boot does not wait for it. */
#pragma once

#include "helpers/net_stack.h"

/* The wanted files of the LAN port's stack and of all others that have a port in w->off; as net_stack.files. */
int others_files(const struct net_want *w, struct net_files *ret, char **ret_why);
/* While the old files are still there: no leases, no addresses. */
void others_release(const struct net_want *w);
/* Once the new files are there: what is still on goes down; has_new: the other stacks have not read theirs yet. */
void others_switch_off(const struct net_want *w, bool has_new);
bool others_are_on(const struct net_want *w);
/* What is not as wanted on a port that shall be off, in a few words; NULL where all is. */
const char *others_amiss(const struct port *p);

/* Whether whoever runs this came over the network: sshd's SSH_CONNECTION ("CLIENT PORT SERVER PORT", ssh(1)) in the
 * environment of the nearest process above that has one, since sudo and we ourselves drop it from ours. In tmux and
 * screen the terminals that are attached count as well. Below --root it is the line recorded/ssh-connection. */
#pragma once

#include "helpers/lib/record.h"
#include "helpers/net_port.h"

/* ssh=yes from=ADDRESS via=PORT into the host record; nothing where nobody did. */
void ssh_set_host(const struct ports *ports, struct record *host);

/* Who listens on this computer, from /proc/net. */
#pragma once

#include "helpers/lib/util.h"

/* protocol: "tcp" or "udp", over IPv4 or IPv6. */
bool share_listens(const char *protocol, unsigned port);
/* Until it is so (open) or no longer so; -ETIMEDOUT after 20 s. */
int share_wait_for_port(const char *protocol, unsigned port, bool open);

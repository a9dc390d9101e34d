/* What a port is, and how fast it and the other end of its cable are: sysfs and ETHTOOL_GLINKSETTINGS. Below --root the
 * latter is recorded/ethtool-NAME, what ethtool(8) printed of it. */
#pragma once

#include "helpers/lib/util.h"

struct port;

/* kind, bus, members, usedby. */
void link_look_kind(struct port *p);
/* carrier, speed, duplex, best, peer. */
void link_look_speed(struct port *p);
const char *link_kind_text(const struct port *p);
/* One request of linux/ethtool.h to the port's driver; -errno. */
int link_ask(const char *name, void *request);

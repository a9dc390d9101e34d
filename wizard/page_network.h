/* The parts of the screen Network: what is asked (page_network.c), the list of ports (page_ports.c), IPv6 (page_ipv6.c). */
#pragma once

#include "wizard/page.h"

#define PORTS_MAX 64 /* ids of rows are a port's place in the facts, below this */

/* Heads in row head, then height rows of ports: scrolled so that the focused one is seen. The row behind them. */
int ports_draw(struct session *s, int head, int height);
const struct port *port_of_id(const struct session *s, int id); /* or NULL */
/* What the port is where it is none to choose, or what its speed costs: translated, NULL where there is nothing to say. */
char *port_words(const struct port *p) _must_check_;
/* Where there is no port for a cable (page_no_port.c): another screen in its place, and whether a mark was its own. */
bool no_port_is(const struct session *s);
void no_port_draw(struct session *s);
bool no_port_choose(struct session *s, int id);
/* What to do about a port whose cable cannot be seen; NULL for any other. */
char *port_unseen_words(const struct port *p) _must_check_;
bool port_is_slow(const struct port *p); /* slower than the disks by far, or than it could be by a cable or a switch */

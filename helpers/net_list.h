/* What the verbs list, look and watch print. */
#pragma once

#include "helpers/lib/helper.h"
#include "helpers/net_port.h"

/* The ports and who runs them, now; -errno. */
int net_look(struct ports *ret);
/* The records host and port. */
void net_list_records(const struct ports *ports, struct records *ret);
/* The error that this did not go, and its status. */
int net_say_no_ports(int r);
/* Waits; false where nobody listens to our output any more. */
bool net_nap(int ms);

/* The verbs. look: with the ports that are down brought up meanwhile, as net_hold.h says, for as many seconds as it takes
 * (a gigabit port finds out about its cable in 2 to 4), 6 at most. */
extern const struct param look_params[];
int list_run(const struct record *args);
int look_run(const struct record *args);

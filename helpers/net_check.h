/* Asking the network whether an address, a gateway and DNS servers would do; nothing is changed. */
#pragma once

#include "helpers/lib/helper.h"
#include "helpers/net_port.h"

extern const struct param check_params[];
int check_run(const struct record *args);

/* Whether anybody answers to ip by ARP on that port (RFC 5227: a probe from 0.0.0.0, so that no cache is touched).
 * 1 and *ret_mac where somebody does, 0 where nobody did within 4 s, -errno where it could not be asked. */
int check_owner(const struct port *p, uint32_t ip, char **ret_mac);

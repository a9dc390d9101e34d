/* The verb that shows a person which port is meant. */
#pragma once

#include "helpers/lib/helper.h"

extern const struct param blink_params[];

/* The driver makes the lamp of the port blink (ETHTOOL_PHYS_ID), for some seconds. Ends early by SIGTERM, or when its output
 * is closed, lamp as before. Refused: no-port, no-lamp (the driver cannot; most USB and virtual ones). A port that is down
 * is held up meanwhile where the driver wants that (net_hold.h). */
int blink_run(const struct record *args);

/* One fixed address on one port. */
#pragma once

#include "helpers/lib/helper.h"

extern const struct param static_params[];
int static_run(const struct record *args);

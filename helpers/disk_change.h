/* The verbs that write: partition and wipe. */
#pragma once

#include "helpers/lib/helper.h"

extern const struct param partition_params[], wipe_params[];

int run_partition(const struct record *args);
int run_wipe(const struct record *args);

/* The clock, its zone and what keeps it right. */
#pragma once

#include "helpers/lib/helper.h"

void clock_print(void); /* the record of list */

extern const struct param clock_params[];
int clock_run(const struct record *args);

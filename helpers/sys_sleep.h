/* What puts this computer to sleep when nobody types: a NAS does not doze. */
#pragma once

#include "helpers/lib/helper.h"

void sleep_print(void); /* a record for each cause; none where sleeping is off already */

extern const struct param sleep_params[];
int sleep_run(const struct record *args);

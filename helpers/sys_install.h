/* The verbs check and install: programs that are missing. */
#pragma once

#include "helpers/lib/helper.h"

extern const struct param install_params[];
/* Both look at the same things; check and a dry run refuse where install would fail for want of a mirror. */
int check_run(const struct record *args);
int install_run(const struct record *args);

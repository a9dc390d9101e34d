/* The verb that lists disks and what is on them, and the one that looks into an image. */
#pragma once

#include "helpers/lib/helper.h"

extern const struct param probe_params[];

int run_list(const struct record *args);
int run_probe(const struct record *args);

/* The verb list. */
#pragma once

#include "helpers/lib/record.h"

int list_run(const struct record *args);

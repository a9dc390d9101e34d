/* Starting an array that does not start by itself. */
#pragma once

#include <stdbool.h>

/* It runs and can be written to; an enum helper_status, told. force: also where it was cut off while it was written to with a
 * disk missing. Fills in the result and prints it. */
int array_start(const char *uuid, bool force);

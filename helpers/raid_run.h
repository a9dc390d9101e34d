/* Getting mdadm to run an array, whatever else just looks at its members. */
#pragma once

#include "helpers/lib/md.h"

#define ARRAY_TRIES 5
void array_nap(unsigned i); /* before the next try; longer each time */

/* Takes down what is in the way: udev may have put together as much of the array as it saw. -errno. */
int array_stop_partial(const char *uuid);
bool is_array_running(const char *uuid);
/* Runs mdadm, again where a member is only just being read by somebody. 0 also where the array runs all the same;
 * otherwise *ret_raw is what it said. */
int array_run_mdadm(const char *uuid, char *const *argv, char **ret_raw);
/* mdadm --stop; what it said is in the log. */
int array_stop(const struct md *md);

/* A running array stands where mdadm would put the one with this UUID: refused as name-taken, told. Otherwise 0. */
int array_check_name(const char *name, const char *uuid);

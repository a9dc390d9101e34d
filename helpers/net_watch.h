/* The verb that tells of the ports for as long as somebody listens. */
#pragma once

#include "helpers/lib/helper.h"

/* Prints blocks, each a complete list with "listed" as its last record: the first at once, further ones when it became
 * another, at most four a second. Changes are heard from the kernel (rtnetlink(7)); what the daemons write down about a
 * lease comes a little later, so one looks once more after a second. Below --root, where nobody tells, one looks each
 * second. Meanwhile ports that are down are held up (net_hold.h), one that came while we run only after some seconds: who
 * is to manage it comes first. Ends when its output is closed or its process is gone, and all is as it was. */
int watch_run(const struct record *args);

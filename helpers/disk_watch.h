/* The verb that tells of the disks for as long as somebody listens. */
#pragma once

#include "helpers/lib/helper.h"

/* Prints blocks, each a complete list with "listed" as its last record: the first at once and without opening a disk,
 * further ones when something became known or changed, at most four a second and never the same twice. What changed is
 * heard from udev (after its rules ran, so that links and names are there) and from the kernel's lists of mounts and
 * swaps; where no udevd runs, and below --root, one looks each second. Ends when its output is closed. */
int run_watch(const struct record *args);

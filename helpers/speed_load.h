/* How busy the processor is, from /proc/stat (proc(5)): between two looks, in per cent. */
#pragma once

#include "helpers/lib/util.h"

#define LOAD_CPUS 256

struct load {
        uint64_t busy[LOAD_CPUS + 1], all[LOAD_CPUS + 1]; /* ticks; [0] is the sum of all */
        size_t n;
};

void load_look(struct load *ret);
/* Since the look before: of all cores together, and of the busiest one. */
void load_since(const struct load *before, unsigned *ret_all, unsigned *ret_core);

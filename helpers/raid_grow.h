/* Changing the shape of an array that runs: only what a power cut cannot destroy, see raid_growth.h. */
#pragma once

#include "helpers/lib/md.h"

struct grow {
        const char *uuid, *level; /* level NULL: as it is */
        unsigned devices;         /* 0: as it is */
        bool is_max;              /* all that its members have */
        char **add;               /* GUIDs of partitions */
};

/* It is on its way to that shape, or has it; an enum helper_status, told. In the middle of the same change it goes on. What
 * comes of it is kept as a task. */
int array_grow(const struct grow *w);

/* The verb set of nas-share: one file system is shared, and was seen to be. */
#pragma once

#include "helpers/lib/record.h"

/* The keys are those of set_params in nas-share.c; an enum helper_status. */
int share_set(const struct record *args);

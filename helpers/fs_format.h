/* Making a file system, and telling a finished one from one that a power cut left half made. */
#pragma once

#include "helpers/fs_type.h"

/* That file system is on the array; an enum helper_status, told. Over whatever else lies there it refuses, and what it
 * refuses it has not touched. */
int fs_format(const struct md *md, const struct fs_type *type, const char *uuid, const char *label);

/* Whether what the verb set was called with makes sense. */
#pragma once

#include "helpers/lib/record.h"

/* allow: the list in allow=. An enum helper_status, the error told where it is not HELPER_DONE. */
int share_check_args(const struct record *args, char *const *allow);

/* Exchanging a disk of an array that runs. */
#pragma once

#include "helpers/raid_task.h"

/* new takes the place of old (NULL: of whatever failed or is missing); an enum helper_status, told. It is on its way then,
 * and kept as a task. */
int array_replace(const char *uuid, const char *old, const char *new);
/* What is next of such a task; *ret_done: nothing any more. An enum helper_status, told. */
int replace_go_on(const struct record *task, const struct md *md, const struct places *p, bool *ret_done);
/* That member, faulty or a spare, is none any more and carries nothing of the array; "detached": all that failed and are
 * gone. */
int array_remove(const char *uuid, const char *member);

/* What an array does beside serving: comparing its copies, and how much of its disks that may take. Through sysfs. */
#pragma once

#include "helpers/lib/md.h"

/* Every copy and all parity is compared and made right; begun, an enum helper_status, told. Nothing where it runs. */
int sync_repair(const struct md *md);
/* Whether a repair that was begun since this start of the computer has come to its end. */
bool sync_is_repaired(const struct md *md);
/* As fast as the disks are, or as Linux does by itself; an enum helper_status, told. */
int sync_pace(const struct md *md, bool fast);
/* One that was only started and waits for its first write goes on with what it has to do; an enum helper_status, told. */
int sync_wake(const struct md *md);
/* Changes with every start of the computer. */
char *boot_id(void) _must_check_;

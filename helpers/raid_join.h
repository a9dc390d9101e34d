/* A new partition becomes a member of an array that runs. */
#pragma once

#include "helpers/raid_growth.h"

/* Each is a member already, standing by or in use, or may become one: it is there once, blank or a former member of this
 * array, in use by nobody, large enough, with sectors that fit. needs and sector: as of struct growth. An enum
 * helper_status, told; nothing is written. */
int join_check(const struct md *md, char *const *guids, uint64_t needs, unsigned sector);
/* mdadm --add of those that are none yet; an enum helper_status, told. Where a place is empty it is filled at once. */
int join(const struct md *md, char *const *guids);
/* "/dev/sdd1" of a partition that was checked; NULL where it is gone. */
char *join_node(const char *guid) _must_check_;
/* Runs mdadm on the array, again where a member is only just being read by somebody; -errno, *ret_raw what it said. */
int join_mdadm(char *const *argv, char **ret_raw);

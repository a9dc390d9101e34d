/* Changing a NAS that is there: which of its parts a job is about, and what is not said stays as it is today. */
#pragma once

#include "wizard/choices.h"

enum job job_find(const char *name); /* as change do= has it; N_JOBS where there is none */
const char *job_name(enum job job);
/* What "growth as=" can be, in the order in which it is offered; why it is not, translated, or NULL where it is. */
char *growth_refused(const struct record *growth) _must_check_;
/* Whether this disk may become a new member (needs= and sector= of a growth record, which may be NULL): NULL, or why not,
 * translated. */
char *member_refused(const struct disk *d, const struct record *growth) _must_check_;
bool is_member_failing(const struct facts *f, const struct record *member); /* its disk is */
/* Where the partition of such a member lies: as for a new array, a little larger where that does not suffice. */
void member_range_for(const struct disk *d, uint64_t needs, uint64_t *ret_start, uint64_t *ret_end);
const struct record *array_files(const struct facts *f, const struct record *array); /* its filesystem record, or NULL */
/* It does not run and could, or it runs and its files are not mounted. */
bool array_can_start(const struct facts *f, const struct record *array);
/* The next of our shares, those for backups left out, behind i (a place in the records, -1 at first), or -1. */
int next_share(const struct facts *f, int i);

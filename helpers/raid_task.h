/* What was asked of an array and takes hours: kept in a file until all of it is done, so that it goes on after a restart and
 * without anybody who waits. And which disks an array had, for the day on which one is gone. */
#pragma once

#include "helpers/lib/record.h"
#include "helpers/raid_place.h"

/* task array= what=grow|size|replace
 *      old= new= copied=yes (that way, not by computing) repair=BOOT (begun since that start of the computer) repaired=yes */
void tasks_read(struct records *ret);
const struct record *task_of(const struct records *tasks, const char *uuid); /* NULL: none */
/* In the place of that array's; -errno. */
int task_save(const struct record *task);
int task_remove(const char *uuid);

/* What is next for it: reshape, copy, rebuild, repair, remove, fill; NULL where nothing is. */
const char *task_step(const struct record *task, const struct md *md, const struct places *p);

/* The disks as they are now are remembered, missing ones as they were: disk array= place= partition= serial= model=. */
int disks_remember(const struct mds *mds);
void disks_read(struct records *ret);
const struct record *disk_of_place(const struct records *disks, const char *uuid, unsigned place);

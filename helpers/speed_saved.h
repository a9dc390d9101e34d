/* Tests of earlier days: the records of each with its date, what was tested and by which plan it was made. */
#pragma once

#include "helpers/lib/record.h"

#define SPEED_SAVED "/var/lib/nas-setup/speed"

/* Adds the test of the file system on mount to those that are saved; the last 24 stay. In a file of its own, so that it
 * never harms what it describes: -errno is no reason to fail. */
int saved_add(const char *mount, const char *test, const struct records *rs);
/* Sets before= and since= in r where an earlier test of this mount measured the same (by serial number, where it has one) in
 * the same way: the latest one. saved: as saved_read gave it. */
void saved_compare(const struct records *saved, const char *mount, struct record *r);
/* All of them; empty where there is none or it cannot be read. */
void saved_read(struct records *ret);
/* The rate of the latest test, bytes per second; 0: none. */
uint64_t saved_rate(const struct records *saved, const char *mount, const char *what);

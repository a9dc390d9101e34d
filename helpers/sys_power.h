/* Restarting and turning off, unless something must not be cut: a set-up or another helper (they hold the lock), or a
 * program that is being installed. */
#pragma once

#include "helpers/lib/record.h"

int restart_run(const struct record *args);
int off_run(const struct record *args);

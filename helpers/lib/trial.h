/* Files that a share or a file system is tried with, for a moment. One that was left behind by a cut is removed by the next
 * trial, and nothing else ever is, whatever its name: a trial's file begins with a line that holds its own name, which
 * nobody can foretell. */
#pragma once

#include "helpers/lib/util.h"

/* A name for one: hidden from people by its dot. */
char *trial_name(void) _must_check_;
/* The line that its contents are to begin with. */
char *trial_head(const char *name) _must_check_;
/* Removes what trials left in this folder: plain files that begin as theirs do, or are still empty. */
void trial_sweep(const char *path);

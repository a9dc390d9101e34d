/* Carrying a plan out. The one way in for the interactive run, --apply and --resume. */
#pragma once

#include "wizard/plan.h"

/* Runs the plan kept by journal_begin, all its steps from the first, printing records to out: begun, progress (with
 * step=), done, failed, speed, and at the end "summary share=… address=… host=… mount=… files=…". Each step of which
 * all is there already is over at once. An enum helper_status. The lock must be held (fd), the helpers get it. */
int apply_plan(const struct plan *p, int lock_fd, FILE *out);
/* Starts "nas-setup --resume" detached from this terminal, its output in PROGRESS_FILE. */
int apply_detached(const char *self);

/* Carrying a plan out. The one way in for the interactive run, --apply and --resume. */
#pragma once

#include "wizard/plan.h"

/* Runs the plan kept by journal_begin, all its steps from the first, printing records to out and to PROGRESS_FILE:
 * begun, progress (with step=), done, failed, speed, error (of further calls of a step that failed), and at the end
 * "summary share=… address=… host=… mount=…". A step of which all is there already is over at once. Unless it was just
 * asked (apply_ask) it asks first. The lock must be held (fd), the helpers get it; out may be a terminal that goes away. An
 * enum helper_status; for any but HELPER_DONE *ret_failed is the failed record of the step that stopped it, owned by the
 * caller. */
int apply_plan(const struct plan *p, bool asked, int lock_fd, FILE *out, struct record **ret_failed);
/* Only asks whether every disk and array is still what the plan says and every call makes sense; nothing is touched,
 * nothing kept. As apply_plan; a failed record is printed to out too. */
int apply_ask(const struct plan *p, FILE *out, struct record **ret_failed);
#define APPLY_OUT "/run/nas-setup/apply.out" /* what it prints there, complaints too */

/* Starts "self --resume" detached from this terminal; PROGRESS_FILE is gone until it has begun. */
int apply_detached(const char *self);
/* The lock that keeps writers apart; what an apply that was killed left running is waited for, up to 60 s. -EWOULDBLOCK:
 * somebody else is at work. */
int apply_lock(int *ret_fd);
bool is_apply_running(void);

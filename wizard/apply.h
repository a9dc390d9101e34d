/* Carrying a plan out. The one way in for the interactive run, --apply and --resume. */
#pragma once

#include "wizard/plan.h"

/* Runs the plan kept by journal_begin, all its steps from the first, printing records to out and to PROGRESS_FILE:
 * begun, progress (with step=), done, failed, speed, error (of further calls of a step that failed), and at the end
 * "summary share=… address=… host=… mount=…". A step of which all is there already is over at once. Unless it was just
 * asked (apply_ask) it asks first. The lock must be held (fd), the helpers get it; out may be a terminal that goes away. An
 * enum helper_status; for any but HELPER_DONE *ret_failed is the failed record of the step that stopped it, owned by the
 * caller. password: for the call that reads one (PASSWORD_KEY); NULL: that user keeps the one they have. */
int apply_plan(const struct plan *p, bool asked, const char *password, int lock_fd, FILE *out, struct record **ret_failed);
/* Only asks whether every disk and array is still what the plan says and every call makes sense; nothing is touched,
 * nothing kept. As apply_plan; a failed record is printed to out too. */
int apply_ask(const struct plan *p, FILE *out, struct record **ret_failed);
#define APPLY_OUT "/run/nas-setup/apply.out" /* what it prints there, complaints too */

/* Starts "self --resume" detached from this terminal; PROGRESS_FILE is gone until it has begun. The password (may be NULL)
 * goes to it through a pipe. */
int apply_detached(const char *self, const char *password);
/* The lock that keeps writers apart; what an apply that was killed left running is waited for, up to 60 s. -EWOULDBLOCK:
 * somebody else is at work. */
int apply_lock(int *ret_fd);
bool is_apply_running(void);

/* --- the network ---
 *
 * Where this computer is set up over the network, the plan's network step holds a second call, "nas-net wait": the step
 * stays running, with progress what=trial (watch_step.trial: done of total seconds are gone), until somebody keeps the
 * change, at whatever terminal, or it takes itself back. Then it fails with code=taken-back, no later step begins, and
 * running the plan again sets the address once more. An apply that begins while no wizard is open is alone: it keeps the
 * change by itself where the computer answers from which it was begun (alone=yes of nas-net wait). */
bool plan_has_trial(const struct plan *p);

enum apply_word {
        APPLY_KEEP,      /* nas-net confirm: the change stays; over within a second */
        APPLY_TAKE_BACK, /* nas-net undo: in the trial, or after a network step that failed; up to a minute */
};
/* Begins to say it, for a page that goes on drawing: run_poll(ret, 1, 0) in its tick is 0 when it is over. */
void apply_say(enum apply_word word, struct run *ret);
/* To be called once after that: an enum helper_status, *ret_error the error record (step=network, for message_text) for
 * all but HELPER_DONE; refused with code=no-trial where the other had come first. Frees the run. What was taken back
 * after a failed step stands in the journal: "undone step=network at=". */
int apply_said(enum apply_word word, struct run *r, struct record **ret_error);
/* Instead of that, for whoever does not wait: it comes to its end, and the journal does not tell. Frees the run. */
void apply_leave(struct run *r);
/* Whether that failed record leaves a change that may be taken back: tried and failed, and not one that does so itself. */
bool apply_can_undo(const struct plan *p, const struct record *failed);
/* Whether it leaves one that is being taken back right now. */
bool apply_takes_itself_back(const struct plan *p, const struct record *failed);

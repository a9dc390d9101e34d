/* The plan: an ordered list of helper calls, grouped in steps, as records that can be read, kept, and applied again:
 *
 *     plan version=1 id=UUID made=2026-11-30T18:00:00Z
 *     network address=…                 the answers that it was made from
 *     before do=network address=…       what a job changes, as it was
 *     step name=clear stops=NAME,NAME              what runs on the disks and is taken down, a call each, in turn
 *     step name=disks destroys=SERIAL,SERIAL       what is lost; array and files: size=, the bytes that they will have
 *     nas-disk verb=partition disk=… …  one line a call; a shell would run it as it stands
 *
 * Every identity (GUIDs, UUIDs, labels, names) is chosen here, so that each call can see whether its work is done. */
#pragma once

#include "wizard/choices.h"

#define PLAN_TRIAL_SECONDS 60 /* for which a change that came over the network waits to be kept */

struct plan {
        struct records records;
};

/* A step and its calls as a slice of the plan. */
struct step {
        const char *name;                 /* network system packages clear disks array files mount share speed grow replace start */
        struct record *const *calls;
        size_t n_calls;
        bool in_turn;                     /* one call after the other; else all at once */
};

/* seed 0: random identities; else the same ones for the same seed (tests). */
void plan_make(const struct facts *f, const struct answers *a, const struct choices *c, uint64_t seed, struct plan *ret);
/* The same plan but for what was said of the share: the array, the file system and the folder stay as they are, so that a
 * share that failed can be another one. */
void plan_change_share(const struct plan *old, const struct answers *a, const struct choices *c, struct plan *ret);
/* A call with this key reads a password from its standard input, which whoever carries the plan out gives it. */
#define PASSWORD_KEY "password-fd"
bool plan_wants_password(const struct plan *p);
size_t plan_steps(const struct plan *p);
bool plan_step(const struct plan *p, size_t i, struct step *ret);
/* The first call of this helper and verb, or NULL: what the summary tells is read from the plan. */
const struct record *plan_call(const struct plan *p, const char *helper, const char *verb);
bool plan_is_change(const struct plan *p);   /* of a NAS that was there */
bool plan_has_summary(const struct plan *p); /* it ends with files, a share or figures to tell of */
void plan_answers(const struct plan *p, struct answers *ret);
bool is_plan(const struct records *rs); /* begins with a plan record */
/* Checks version, words and steps. Takes the records over. -EBADMSG with *ret_error. */
int plan_from_records(struct records *rs, struct plan *ret, struct record_error *ret_error);
char *plan_text(const struct plan *p) _must_check_; /* with comments for a reader (translated), and parsable */
void plan_free(struct plan *p);
#define _cleanup_plan_ _cleanup_(plan_free)

/* In a reader's words (translated): "Network", "Protection" … and argv for a call: program, options, key=value …. */
const char *step_title(const char *name);
char **call_argv(const struct record *call) _must_check_;

/* What is kept on the system disk: the plan, and beside it the journal of begun and done steps, which shows a person
 * where things are. Correctness never hangs on the journal: every step may be run again at any time.
 *
 *     begun step=disks at=TIME          failed step=… code=… what=… text=… raw=…
 *     done  step=disks ms=N changed=…   finished at=TIME
 *     seen                              (the summary was read)
 *     undone step=network at=TIME       (after it failed, the person took it back)
 *
 * While an apply runs, everything it prints (journal records, progress, speed) also stands in PROGRESS_FILE, which any
 * terminal may read. */
#pragma once

#include "wizard/plan.h"

#define STATE_DIR "/var/lib/nas-setup"
#define PLAN_FILE STATE_DIR "/plan"
#define JOURNAL_FILE STATE_DIR "/journal"
#define PROGRESS_FILE "/run/nas-setup/progress"
#define APPLY_LOCK "/run/nas-setup/write.lock"
#define RUNNING_LOCK "/run/nas-setup/apply.lock" /* held by a living apply */
#define WIZARD_LOCK "/run/nas-setup/wizard.lock" /* held by the screens */

/* Empties the journal and keeps a new plan, durably. -EBUSY while an apply runs: plan and journal are its own. */
int journal_begin(const struct plan *p);
/* Sets plan and journal aside; what was done stays done. -EBUSY while an apply runs. */
int journal_forget(void);
/* -ENOENT where there is none. */
int journal_plan(struct plan *ret, struct record_error *ret_error);
void journal_set_time(struct record *r); /* at= */
int journal_add(const struct record *r); /* durable when it returns */
void journal_read(struct records *ret);  /* empty where there is none; a torn last line is left out */
bool journal_is_finished(const struct records *journal);
bool journal_is_seen(const struct records *journal); /* finished, and somebody read the summary */

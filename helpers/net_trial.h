/* A change of the network that takes itself back unless somebody keeps it: what is on trial, and until when, is one
 * record, old or new at every moment:
 *
 *     trial state=planned|waiting|keeping|kept|returning|returned port=MAC address=A/P seconds=60 boot=ID until=MS
 *
 * planned: the change is being made by whoever holds NET_LOCK; found without one, he died or failed, and it goes back at
 * once. waiting: it stands and was checked; goes back at until, ms of CLOCK_BOOTTIME in the start of the computer with
 * that boot_id, which no change of the clock moves and which goes on while the computer sleeps; in any other start at
 * once. keeping, returning: that was decided under NET_LOCK, by writing the word, and whoever finds it so goes on. kept,
 * returned: it is over.
 *
 * Behind it a record "port" for each port of the change, as it was (net_undo.h): where no file has to be changed, but the
 * ports are not as the files say, those are what is taken back.
 *
 * Before the first file is touched there are two who will take it back: the process "nas-net recover stay=yes", in a
 * service or at least a session of its own, which holds TRIAL_LOCK as long as it lives; and for a power cut the unit
 * nas-net-recover.service, which the next start runs before the network. Both are gone when it is over. */
#pragma once

#include "helpers/lib/helper.h"
#include "helpers/net_stack.h"

#define TRIAL_FILE "/var/lib/nas-setup/net-undo/trial"
#define NET_LOCK "/run/nas-setup/net.lock"
#define TRIAL_LOCK "/run/nas-setup/net-trial.lock"
#define TRIAL_SECONDS_MAX 3600

/* Waits for every other change of the network, at most two minutes, and opens the log; nothing in a dry run. 0, or the
 * status of the error that it printed. It is held to the end of the process. */
int net_lock(void);

/* All of the following are called under that lock, but for trial_set_host. */
bool trial_is_on(void); /* planned, waiting or returning */
/* Takes back what nobody will any more: a change that was cut off, or whose time is over. 0 or a printed error's status. */
int trial_settle(void);
/* Before the first file is touched; -errno where nobody would take it back. */
int trial_begin(const struct net_want *w);
/* It stands: the time begins. */
int trial_start(const struct net_want *w);
/* It stays, also what waited so far; what an earlier trial left to be known is forgotten. */
int trial_keep(void);
/* Takes it back: HELPER_DONE or a printed error's status; more gets what undo_back tells. */
int trial_return(bool early, struct record *more);
unsigned trial_left(void); /* seconds, 0 where none waits */

/* trial= left= of the host record, where a change waits. */
void trial_set_host(struct record *host);

/* The verbs. */
int confirm_run(const struct record *args);
extern const struct param wait_params[], recover_params[];
int wait_run(const struct record *args);
int recover_run(const struct record *args);

/* What a change of the network files replaced, kept in one file of records that is old or new at every moment:
 *
 *     undo state=open|done stack=NAME port=MAC off=MAC,MAC name=OLDNAME
 *     file path=/etc/… was=text|absent text="…" mode=644 now=HASH,…
 *
 * now: what we wrote, or were about to. open: the change has begun and may be half there; a repeated run, also with other arguments, adds to it and never
 * replaces what was there at first. */
#pragma once

#include "helpers/net_stack.h"

#define UNDO_FILE "/var/lib/nas-setup/net-undo/undo"

/* Before the first file is touched: those of files that differ from what is on disk are saved. */
int undo_begin(const struct net_want *w, const struct net_files *files, const char *old_name);
int undo_done(void);
/* The verb. */
int undo_run(void);

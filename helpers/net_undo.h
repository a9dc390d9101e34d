/* What a change of the network files replaced, kept in one file of records that is old or new at every moment:
 *
 *     undo state=open|done stack=NAME port=MAC off=MAC,MAC name=OLDNAME
 *     file path=/etc/… was=text|absent text="…" mode=644 owner=UID:GID link=TARGET made=/etc/… now=HASH,…
 *     resolver path=/etc/resolv.conf was= text= … where the stack writes that file itself: for an early undo alone
 *     port mac=MAC stack=NAME method=dhcp up=yes|no address=A/P,… gateway=A
 *
 * now: what we wrote, or were about to. link: the path was a symbolic link, text what stood behind it. made: the topmost
 * folder above that was not there. port: as it was, for one that nobody ran and for what undo waits to see again.
 * open: the change has begun and may be half there, or is on trial (net_trial.h); a repeated run, also with other
 * arguments, adds to it and never replaces what was there at first. */
#pragma once

#include "helpers/net_stack.h"

#define UNDO_FILE "/var/lib/nas-setup/net-undo/undo"
#define EDITED "/var/lib/nas-setup/net-undo/edited" /* below it what had been edited when a trial ended: nothing is lost */

/* Before the first file is touched: those of files that differ from what is on disk are saved. */
int undo_begin(const struct net_want *w, const struct net_files *files, const char *old_name);
int undo_done(void);
bool undo_is_open(void);

enum undo_how {
        UNDO_ASKED,  /* refused as edited where somebody changed a file since */
        UNDO_FORCED, /* by itself: what was changed since is kept below EDITED */
        UNDO_EARLY,  /* so too, and before the network is started: only files and the name */
};
/* Everything as it was; more gets address= (of the port, once it has one) or waiting= (the MAC of one that had an
 * address and has none again after 30 s). HELPER_DONE or the status of a printed error. */
int undo_back(enum undo_how how, struct record *more);
/* The ports of the change as records, after what is there; and as those say, by hand, where no file was changed: the first
 * record names the LAN port (port=). more as by undo_back. */
void undo_save_ports(struct records *rs, const struct net_want *w);
int undo_ports(const struct records *rs, struct record *more);
/* The verb. */
int undo_run(const struct record *args);

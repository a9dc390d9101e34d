/* Being found without typing a name: in Windows' "Network" by wsdd2 (WS-Discovery), in the Finder and on Linux by Avahi
 * (mDNS), which smbd tells of itself. */
#pragma once

#include "helpers/lib/util.h"

struct announcer {
        const char *what; /* "wsd", "mdns" */
        const char *package, *program, *unit;
        unsigned port;    /* UDP */
};
/* The n-th, counted from 0; NULL where there are not so many. */
const struct announcer *share_announcer(size_t n);
bool share_announcer_is_there(const struct announcer *a);
bool share_announcer_is_running(const struct announcer *a); /* something listens on its port */

/* Both that are installed run, also after a boot; wsdd2 without its answers to LLMNR, which are systemd-resolved's business.
 * renew: what they tell of this computer has changed. -ETIMEDOUT: one does not listen. Needs systemd, does nothing
 * without. *ret_raw is what the programs said. */
int share_announce(bool renew, char **ret_raw);

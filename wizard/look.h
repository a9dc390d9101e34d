/* Looking at the machine beside the screens: every helper's list runs on its own, "nas-disk watch" tells of the disks for
 * as long as the wizard lives, "nas-net watch" of the ports while somebody looks. Nothing here waits but look_network.
 * Until a part is known, the facts hold "looking helper=…" in its place. Only a watch's whole blocks are taken (they end
 * with "listed"), so that a disk is never seen half; after three in a row that can't be understood it is told as missing. Where the ports can't be watched they are listed. */
#pragma once

#include "wizard/facts.h"

struct look;

/* Nothing runs yet and all is being looked at: what a first screen, which shall not wait for six programs to start, needs. */
struct look *look_new(void) _must_check_;
/* Starts all of it. A helper that can't be started is told as missing. holds_ports: as look_network on; else the ports are
 * only listed once. */
void look_begin(struct look *l, bool holds_ports);
/* Serves the helpers. True where there is more to know than at the call before: then *ret are the facts as of now, owned
 * by the caller; what the screens themselves have found out (check records) is taken over from now. */
bool look_next(struct look *l, const struct facts *now, struct facts *ret);
/* Whether the ports are watched, which also holds those up that are down: Off waits, at most
 * 2 s, until they are as they were; what was seen last stays known. */
void look_network(struct look *l, bool on);
/* Lists arrays once more (all: file systems and shares too), where that does not go on already; until then what was seen
 * stays. */
void look_again(struct look *l, bool all);
/* Ends what still runs, without waiting for a helper that hangs in the kernel. */
void look_free(struct look *l);

/* Whether that helper has not answered yet (NULL: any of them). */
bool is_awaited(const struct facts *f, const char *helper);
/* What came and went, disks, ports and cables, as a sentence (translated), and whether it is a loss; NULL: nothing did. */
char *look_news(const struct facts *before, const struct facts *after, bool *ret_is_loss) _must_check_;

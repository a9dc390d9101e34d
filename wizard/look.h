/* Looking at the machine beside the screens: every helper's list runs on its own, and "nas-disk watch" tells of the disks
 * for as long as the wizard lives. Nothing here waits. Until a part is known, the facts hold "looking helper=…" in its
 * place. Only the watch's whole blocks are taken (they end with "listed"), so that a disk is never seen half; after
 * three in a row that can't be understood it is told as missing. */
#pragma once

#include "wizard/facts.h"

struct look;

/* Nothing runs yet and all is being looked at: what a first screen, which shall not wait for six programs to start, needs. */
struct look *look_new(void) _must_check_;
/* Starts all of it. A helper that can't be started is told as missing. */
void look_begin(struct look *l);
/* Serves the helpers. True where there is more to know than at the call before: then *ret are the facts as of now, owned
 * by the caller; what the screens themselves have found out (check records) is taken over from now. */
bool look_next(struct look *l, const struct facts *now, struct facts *ret);
/* Ends what still runs, without waiting for a helper that hangs in the kernel. */
void look_free(struct look *l);

/* Whether that helper has not answered yet (NULL: any of them). */
bool is_awaited(const struct facts *f, const char *helper);
/* What came and went, as a sentence (translated), and whether any disk went; NULL: none did. */
char *look_news(const struct facts *before, const struct facts *after, bool *ret_is_loss) _must_check_;

/* News of the kernel: ports that come, go, or get another cable, address or route (rtnetlink(7)). What they say does not
 * matter, and not even whether some were lost: whoever hears them looks at everything. */
#pragma once

/* -1 where nobody tells: below --root. */
int news_open(void);
void news_take(int fd); /* all that have come */

/* Lines of an existing smb.conf that harm a share: what old guides recommend, and what shuts people out. They are told,
 * and stay, for they are somebody's. */
#pragma once

#include "helpers/share_ini.h"

enum old_harm {
        OLD_SLOW,   /* costs speed */
        OLD_UNSAFE, /* costs data or lets people in */
        OLD_CLOSED, /* shuts people out */
        OLD_GUESTS, /* shuts guests out: no public share is possible beside it */
        OLD_HARMS,
};

struct old {
        const struct ini_line *line;
        enum old_harm harm;
        const char *text; /* what it does, an English sentence, marked for gettext */
};

const char *old_harm_word(enum old_harm harm); /* "slow", "unsafe", "closed", "guests" */
/* The n-th of them, counted from 0; false where there are not so many. Only lines that count in [global] are looked at: what
 * is not stated has Samba's own value, which is fine. Costs are those measured with Samba 4.17. */
bool share_old(const struct ini *ini, size_t n, struct old *ret);

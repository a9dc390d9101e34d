/* How people reach the share, in words: on the login screen, in a file for whoever works on this computer, and in one on
 * the share. Never a password. */
#pragma once

#include "helpers/lib/util.h"

#define SUMMARY_FILE "/var/lib/nas-setup/summary.txt"
#define SUMMARY_ON_SHARE "How to connect.txt" /* in the share's folder */

struct summary {
        const char *host, *share, *address;
        const char *login;           /* who has a password; NULL: nobody */
        bool is_locked;              /* only for login */
};

/* \\HOST\SHARE, smb://HOST/SHARE, the address, and a line each for Windows, Mac and Linux. */
char *summary_text(const struct summary *m) _must_check_;
/* /etc/issue.d/nas-setup.issue, which agetty(8) shows below /etc/issue; where /etc has no issue.d it is made. */
int summary_greet(const struct summary *m);
int summary_greet_no_more(void);

enum on_share {
        ON_SHARE_IS,    /* it is there, and says this */
        ON_SHARE_OTHER, /* a file of somebody's has that name, or they changed ours: it stays */
};
/* The file in the share's folder path, owned by uid and gid. What we wrote there before is replaced; it is known by its text,
 * of which a copy is kept (/var/lib/nas-setup/on-share.txt). text NULL: ours is removed. Never through a link, for guests may
 * put one there. */
int summary_on_share(const char *path, const char *text, unsigned uid, unsigned gid, enum on_share *ret);

/* What is wrong with the arrays, or going on in them, in words for whoever stands before the computer. */
#pragma once

#include "helpers/lib/md.h"

/* On the login screen (/etc/issue.d); nothing there where all is well. -errno. */
int state_show(const struct mds *mds);
/* The same as a text; "" where all is well. */
char *state_text(const struct mds *mds) _must_check_;

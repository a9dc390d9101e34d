/* Words for people: _() translates, N_() marks what is translated later, Q_() counts. */
#pragma once

#include <libintl.h>

#define _(s) gettext(s)
#define N_(s) s
#define Q_(one, many, n) ngettext(one, many, n)

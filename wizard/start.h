/* What the state that is kept says of this computer when nas-setup is started. */
#pragma once

#include "wizard/wizard.h"

enum wizard_start start_where(void); /* which screen is the first */
bool start_is_done(void);            /* it was set up to the end, and somebody has seen that */

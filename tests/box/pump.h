#pragma once

/* Carries COMMAND's input and output between the guest and whoever called box, and watches time, room and the text to cut on. */

#include "guest.h"
#include "options.h"

enum {
	STATUS_TIME  = 124,   /* --seconds are over */
	STATUS_ROOM  = 125,   /* --room is full */
	STATUS_BROKE = 126,   /* the box itself failed */
	STATUS_CUT   = 137,   /* --cut-on */
};

/* Runs until the guest has ended or its power was cut.  Returns box's exit status. */
int pump_run(struct guest *g, const struct options *o);

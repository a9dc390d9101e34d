/* The keyboard of the console: keyboard(5), /etc/default/keyboard. */
#pragma once

#include "helpers/lib/helper.h"

void keyboard_print(void); /* the record of list; none where the file is not there */

extern const struct param keyboard_params[];
int keyboard_run(const struct record *args);

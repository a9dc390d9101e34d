/* The unit that takes a change on trial back at the next start of the computer. It is written and enabled without
 * systemctl, which makes nothing durable, and which the running systemd need not hear of. */
#pragma once

/* The file of this running program, for whoever starts it later; NULL where it is gone. */
char *trial_program(void);

/* Durable when it returns; success without a word where the computer has no systemd. */
int trial_unit_write(void);
int trial_unit_remove(void);

/* The password of whoever comes in to the share with one, for a set-up without screens. It is in no plan and no file. */
#pragma once

#include "wizard/plan.h"

/* From the descriptor fd, or (fd -1) for --resume from the person at the terminal, or one that is made and told once to the
 * terminal. *ret stays NULL where the plan wants none, and where it is the kept plan whose share was set up before: its user
 * has one. An enum helper_status; for all but HELPER_DONE *ret_why is why, translated. */
int plan_password(const struct plan *p, int fd, bool is_resume, bool is_kept, char **ret, char **ret_why);

/* The account that everything in a public share belongs to: a system user with a group of its own, without a shell. */
#pragma once

#include "helpers/lib/util.h"

struct account {
        char *name;
        unsigned uid, gid;
};
void account_free(struct account *a);
#define _cleanup_account_ _cleanup_(account_free)

/* Chooses it: prefer (may be NULL) where that is a system user, else the first of nas, nas1 … nas9 that is one, else
 * the first of these names that neither a user nor a group has. *ret_exists: it is complete already (then uid and gid
 * are filled in). -EEXIST: all taken. */
int account_choose(const char *prefer, struct account *ret, bool *ret_exists);
/* Makes what is missing of it and reads it back. *ret_raw is what the program said, on failure too. */
int account_make(struct account *a, char **ret_raw);

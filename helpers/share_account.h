/* Accounts of this computer: the one that everything in a public share belongs to, a system user with a group of its
 * own, without a shell; and who comes in with a password. */
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

enum login {
        LOGIN_FREE,     /* nobody has the name */
        LOGIN_OURS,     /* made here, or the share's own account */
        LOGIN_PERSON,   /* a person of this computer, who has a password of their own already or not */
        LOGIN_REFUSED,  /* root, a program's account, or the name of a group */
        LOGIN_INVALID,  /* no name that every computer takes: a-z 0-9 - _, a letter first, at most 20 */
};
/* Who may come in to the share by this name; account is the share's own. */
enum login account_login(const char *name, const char *account);
/* uid and gid of an account that is there; -ENOENT. */
int account_find(const char *name, struct account *ret);
/* A system account without a shell for LOGIN_FREE; nothing for the others that may. */
int account_login_make(const char *name, const char *account, char **ret_raw);

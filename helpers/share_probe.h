/* The proof that a share works: a guest, as Windows comes, or a user puts a file there, gets it back, renames and removes
 * another. */
#pragma once

#include "helpers/lib/util.h"

struct probe {
        const char *address;         /* an IP address of this computer */
        const char *share, *path;    /* path: where its files are on this computer, what arrived is looked at there too */
        unsigned uid;                /* whom they must belong to */
        const char *user, *password; /* NULL: a guest, as a user that nobody knows */
        bool is_encrypted;           /* else signed; a guest can be neither */
};

/* Over SMB. -EIO with what smbclient said in *ret_raw; -EBADMSG where what came back is not what went. Leaves nothing
 * behind, and removes what a run that was cut off left (trial.h), and no other file. */
int share_probe(const struct probe *p, char **ret_raw);
/* Whether a guest is turned away. -EPERM: is let in; -EIO with what smbclient said where it fails for another reason. */
int share_probe_locked(const char *address, const char *share, char **ret_raw);

/* The proof that a share works: a guest, as Windows comes, puts a file there, gets it back, and removes another. */
#pragma once

#include "helpers/lib/util.h"

/* Over SMB to address (an IP address). path is where the share's files are on this computer: what arrived is looked
 * at there too. -EIO with what smbclient said in *ret_raw; -EBADMSG where what came back is not what went. Leaves
 * nothing behind, and removes what a run that was cut off left (trial.h), and no other file. */
int share_probe(const char *address, const char *share, const char *path, unsigned uid, char **ret_raw);

/* Giving files that are there already to the account that the share works as. */
#pragma once

#include "helpers/lib/util.h"

struct given {
        uint64_t given; /* files, folders and links that were not its own, or not its to write */
        uint64_t left;  /* that could not be given: made unchangeable (chattr +i), or in a snapshot for reading only */
};

/* Everything in the folder path: owner and group, rights to read and write for both, no set-user-ID; folders also get
 * what share_folder_own gives the share's own one, so that what root puts there later can be written too. Never through a
 * symbolic link (which itself is given), never into another mount; devices, sockets and pipes stay as they are, and so
 * do lost+found and the folder for backups. Tells progress; looks at each and does only what is missing, so it can be cut off and run again. -errno with
 * *ret_where, the name of what it gave up at. */
int share_give(const char *path, unsigned uid, unsigned gid, struct given *ret, char **ret_where);

/* Editing files that belong to others through their grammar (libaugeas): text in, text out, so that what was not
 * touched stays byte for byte, and the one way to write a file stays file_replace. Linked by the helpers that need it,
 * not part of libnas.a. */
#pragma once

#include <augeas.h>

#include "helpers/lib/util.h"

struct edit {
        augeas *aug;
        const char *lens;
};

/* Where the parsed file hangs: paths look like EDIT_ROOT "/target[. = 'public']". */
#define EDIT_ROOT "/file"

/* Parses text by lens ("Samba.lns", "Fstab.lns", "Mdadm_conf.lns", "Interfaces.lns" …). -EBADMSG where the lens does
 * not understand it, with *ret_why a sentence fragment naming line and column. Close with edit_close in any case. */
int edit_open(struct edit *e, const char *lens, const char *text, char **ret_why);
/* The text as it is after the changes made through e->aug. */
int edit_text(struct edit *e, char **ret, char **ret_why);
void edit_close(struct edit *e);

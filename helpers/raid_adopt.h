/* Taking over an array that somebody else made. */
#pragma once

#include "helpers/lib/md.h"

/* Sees to it that the array with this UUID runs with all its members and can be written to, and fills in *ret, which
 * md_free_all frees; an enum helper_status, its error already told. It is never made, repaired or renamed: it is started
 * read-only, which writes to no member, looked at, and stopped again where a member is missing. Refused: no-array,
 * not-whole, external (its metadata belong to a mainboard), name-taken. In a dry run an array that does not run is left
 * out of *ret. */
int array_adopt(const char *uuid, const char *name, struct mds *ret);

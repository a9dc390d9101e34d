/* What a person agreed to lose, as tokens of disk_probe.h, against what is there now. */
#pragma once

#include "helpers/disk_probe.h"

/* Tokens of what is on the disk and was not agreed to; empty where all of it was. What a wipe that was cut off leaves needs no
 * agreement of its own, and is told by the zeros that it has written already:
 *   - a signature that has lost its UUID, or a ring of ZFS's uberblocks that has moved on or is torn, is the same one;
 *   - bytes without a name, where signatures were agreed to, as long as the sector of each of these is zero;
 *   - bytes without a name, where others were agreed to that stood before them in the same stretch and are zero now.
 * A file system must be as full as it was agreed, where that was told. What lies outside from … to (pieces of our own table)
 * does not count. */
char **consent_lacks(const struct contents *now, char *const *agreed, int fd, uint64_t from, uint64_t to) _must_check_;

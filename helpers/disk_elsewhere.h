/* What other mount namespaces have mounted and ours has not: containers, and services with a view of their own, hold a disk
 * where no list of mounts of ours tells it. */
#pragma once

#include "helpers/disk_stack.h"

/* Calls take for each such mount, with the table that it stands in and a program (with its number) that sees it; of one
 * file system only the first. Namespaces without any process, kept by a file alone, are not found: only the kernel's refusal
 * tells of these. */
void elsewhere_look(struct libmnt_table *ours,
                    void (*take)(void *ctx, struct libmnt_table *theirs, struct libmnt_fs *fs, const char *program), void *ctx);

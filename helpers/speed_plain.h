/* A test as a table for people, in plain English: what nas-speed --plain prints. */
#pragma once

#include "helpers/lib/record.h"

/* limit, speed, slow and table records, and the verdict. */
char *plain_text(const struct records *rs) _must_check_;

/* "nas-speed --plain", "--table" and "--quick" [FOLDER], as people type them: whether argv is that, and the call it stands for,
 * with the first NAS folder of this computer and its share where none is named. */
bool plain_args(char **argv, char ***ret_call);
/* Where the text goes; the records go nowhere meanwhile. -1: not plain. */
extern int speed_plain_fd;
void plain_begin(void);

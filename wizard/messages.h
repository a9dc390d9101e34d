/* The words for what helpers report. A helper raises a code; what it means to a person, and what to do next, stands here,
 * in the person's language. A code that several steps raise for different reasons has an entry for each of those steps. */
#pragma once

#include "helpers/lib/record.h"

/* error: an "error" record of a helper, or a "failed" or "missing" record made from one (code=, what=, step=, text=, why=).
 * Its own English text where the code is not in the table, or where the sentence names a thing and what= doesn't. One
 * paragraph; bytes in it that come from outside are as they came. */
char *message_text(const struct record *error) _must_check_;

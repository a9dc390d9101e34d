/* Reading smb.conf, or what testparm prints of it, line by line, as Samba does: case and blanks in the names of
 * parameters do not count, several names mean the same, a '\' at the end continues a line. Knows nothing of editing. */
#pragma once

#include "helpers/lib/util.h"

struct ini_line {
        char *section;       /* "global" before the first title */
        char *key;           /* by its main name ("read only" for "writable"); NULL in a title's or a comment's line */
        char *value;         /* "yes" turned into "no" where key stands for the opposite; the text of a comment */
        char *raw;           /* the line as it stood there, without its end */
        bool is_title;
};

struct ini {
        struct ini_line *v;
        size_t n;
};

/* Everything but blank lines; what is neither title, comment nor key=value is left out. */
void ini_read(const char *text, struct ini *ret);
void ini_free(struct ini *ini);
#define _cleanup_ini_ _cleanup_(ini_free)

/* The value that counts (the last one), NULL where section does not state it. key is a main name. */
const char *ini_get(const struct ini *ini, const char *section, const char *key);
bool ini_has_section(const struct ini *ini, const char *section);

/* The main name of a parameter, key itself where it has no other; *ret_opposite where it means the opposite. */
const char *ini_main_key(const char *key, bool *ret_opposite);
/* Whether two names of parameters are the same to Samba. */
bool ini_is_key(const char *a, const char *b);
/* Whether two values mean the same: case, kinds of yes and no, commas and blanks in lists, 0664 and 664. */
bool ini_is_value(const char *a, const char *b);
bool ini_is_yes(const char *value); /* NULL is not */

/* Records: the one text grammar of the project.
 *
 * A record is one line: a word, then key=value pairs, separated by blanks. '#' at the beginning of a word starts a
 * comment. Words and keys are [a-z][a-z0-9-]*, at most 32 long; a key stands once. A value is quoted as in a shell:
 * bare, 'single', "double" (where \ escapes " \ $ and `), or $'…' with \\ \' \n \r \t and \xHH; the parts may follow
 * each other without a blank. Printing uses the bare form where every byte is one of A-Za-z0-9_./:@%+,=- , "…" for
 * printable text, and $'…' for everything else, so that a printed record is always one line of printable ASCII or
 * valid UTF-8 without control characters; print → parse → print is the identity.
 *
 * What lists print, a helper's progress and result, the answers, the plan and the journal are records. */
#pragma once

#include "helpers/lib/util.h"

#define RECORD_LINE_MAX 65536 /* bytes in one line; longer ones are refused */

struct field {
        char *key, *value;
};

struct record {
        char *word;
        struct field *fields;
        size_t n;
        unsigned line; /* where it stood in its file, from 1; 0 for one that was made */
};

struct records {
        struct record **v;
        size_t n;
};

/* Where parsing gave up: why is an English sentence fragment without a full stop. */
struct record_error {
        unsigned line, column; /* from 1 */
        const char *why;
};

struct record *record_new(const char *word) _must_check_;
void record_free(struct record *r);
void record_freep(struct record **r);
#define _cleanup_record_ _cleanup_(record_freep)
struct record *record_copy(const struct record *r) _must_check_;

/* Sets or replaces; a NULL value removes the key. */
void record_set(struct record *r, const char *key, const char *value);
void record_setf(struct record *r, const char *key, const char *fmt, ...) _printf_(3, 4);
void record_set_u64(struct record *r, const char *key, uint64_t value);
void record_set_list(struct record *r, const char *key, char *const *list);

const char *record_get(const struct record *r, const char *key);    /* NULL where it is not there */
const char *record_str(const struct record *r, const char *key);    /* "" where it is not there */
bool record_is(const struct record *r, const char *key, const char *value);
int record_get_u64(const struct record *r, const char *key, uint64_t *ret); /* -ENOENT, -EINVAL, -ERANGE */
uint64_t record_u64(const struct record *r, const char *key);       /* 0 where it is not there or no number */
char **record_get_list(const struct record *r, const char *key) _must_check_;

/* Lists inside one value: elements joined by ',', where a ',' or '\' of an element is escaped by '\'. */
char **list_split(const char *value) _must_check_;
char *list_join(char *const *list) _must_check_;

/* One line without its newline. An empty line or a comment is success with *ret = NULL. -EBADMSG with *ret_error
 * filled in (its line is left at 0) on bad grammar. */
int record_parse(const char *line, struct record **ret, struct record_error *ret_error);
char *record_text(const struct record *r) _must_check_; /* without a newline */
void record_print(const struct record *r, FILE *f);     /* with one, flushed */
char *quote(const char *value) _must_check_;            /* one value as record_text prints it */

/* A whole text; stops at the first bad line. */
int records_parse(const char *text, struct records *ret, struct record_error *ret_error);
/* A file of at most 4 MiB; -EBADMSG with *ret_error, or what open and read gave. */
int records_read(const char *path, struct records *ret, struct record_error *ret_error);
void records_add(struct records *rs, struct record *r); /* owns r from now on */
void records_free(struct records *rs);
#define _cleanup_records_ _cleanup_(records_free)
const struct record *records_find(const struct records *rs, const char *word, const char *key, const char *value);
#define RECORDS_FOREACH(r, rs)                                                                                \
        for (size_t _i_##r = 0; _i_##r < (rs)->n; _i_##r++)                                                   \
                for (struct record *r = (rs)->v[_i_##r], *_once_##r = r; _once_##r; _once_##r = NULL)

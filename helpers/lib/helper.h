/* The frame of every helper: command line, dry run, other root, lock, log, messages, result.
 *
 *     nas-disk [--dry-run] [--root DIR] [--lock-fd N] VERB [key=value …]      VERB may also be given as verb=VERB
 *
 * Each verb states a wanted condition. It first looks whether that is so already, then does only what is missing, and
 * its last record says which: "result changed=yes|no". Everything for programs goes to standard output as records:
 *
 *     progress done=N total=N [what=…]          as often as something moved; the unit does not matter
 *     error    code=SLUG [what=…] text=… [raw=…]   one, before status 1, 2 or 3; text is the same in plain English
 *     would    run="…"                          with --dry-run, in place of running it
 *     diff     file=… text=…                    with --dry-run, in place of writing it
 *     result   changed=yes|no …                 the last one, before status 0
 *
 * and the text of an error also to standard error, defused, for the person who typed the command. */
#pragma once

#include "helpers/lib/record.h"
#include "helpers/lib/run.h"

enum helper_status {
        HELPER_DONE = 0,    /* done, or already so */
        HELPER_FAILED = 1,  /* tried and failed; running it again is safe */
        HELPER_USAGE = 2,   /* the call makes no sense */
        HELPER_REFUSED = 3, /* refused before anything was touched */
};

struct param {
        const char *key;
        bool required;
        const char *help; /* with the unit and form of its value */
};

struct verb {
        const char *name;
        const char *help;
        const struct param *params; /* ended by {0} */
        bool writes;                /* takes the lock and opens the log, except in a dry run */
        int (*run)(const struct record *args); /* an enum helper_status */
};

struct helper {
        const char *name, *help;
        const struct verb *verbs; /* ended by {0} */
};

/* The whole main(): parses, refuses unknown verbs, keys and missing ones naming what would be right, runs the verb. */
int helper_main(const struct helper *h, int argc, char **argv);

bool helper_is_dry_run(void);
/* path below --root, e.g. "/etc/fstab" → "DIR/etc/fstab"; also for /sys and /proc, so that a recorded tree can be
 * looked at. */
char *helper_path(const char *path) _must_check_;
bool helper_has_root(void); /* --root was given: work on files only, start and ask no service */

/* For a verb that writes only at times, and so is none of those that do: the write lock and the log, or the log alone.
 * Nothing in a dry run. 0 or the status of a printed error. */
int helper_lock(void);
void helper_log(void);
/* The lock that a verb that writes holds, for a helper that it runs itself (--lock-fd, keep_fd); -1 where it holds none. */
int helper_lock_fd(void);

bool has_systemd(void);     /* it is PID 1; never below --root */

/* Prints the error record and returns the status to end with. raw is the tool's own text or NULL. */
int helper_fail(const char *code, const char *what, const char *raw, const char *fmt, ...) _printf_(4, 5);
int helper_refuse(const char *code, const char *what, const char *fmt, ...) _printf_(3, 4);
int helper_usage(const char *what, const char *fmt, ...) _printf_(2, 3);
void helper_progress(uint64_t done, uint64_t total, const char *what);

/* For what is changed without a program: marks the result as changed and logs it; in a dry run prints "would run=…"
 * instead and returns true: leave it undone then. */
bool helper_would(const char *what) _must_check_;

/* Runs a program that changes something: in a dry run prints it instead (success, empty output). Logs it with its
 * status and output, marks the result as changed. Success where it ended with status 0; -EIO otherwise, or -errno;
 * r->out and r->err hold what it said. */
int helper_run(struct run *r);
/* The same for the simple case: no input, 60 s. ret_raw (may be NULL) gets what it said on both streams. */
int helper_exec(char *const *argv, char **ret_raw);
/* Runs a program that only looks, also in a dry run. ret_out gets its output; -EIO for a status other than 0. */
int helper_ask(char *const *argv, char **ret_out);
/* Puts text in the place of the file (path without --root), through file_replace; nothing where it is so already; in
 * a dry run the difference is printed. Marks the result as changed and logs it. */
int helper_write(const char *path, const char *text, mode_t mode);
int helper_remove(const char *path);
void helper_changed(void); /* something else was changed */
/* Prints "result changed=… …" with the fields of more (may be NULL) and returns HELPER_DONE. */
int helper_result(const struct record *more);

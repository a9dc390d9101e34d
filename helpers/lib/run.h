/* The one place that starts programs: argv arrays, never a shell; a PATH fixed at build time, nothing of our
 * environment but what it sets itself (LC_ALL=C.UTF-8, HOME=/root …); standard input from a text or /dev/null, output and errors through pipes, an
 * own process group and session, a deadline. */
#pragma once

#include <sys/types.h>

#include "helpers/lib/util.h"

struct run {
        /* what to run */
        char *const *argv;
        const char *input;     /* standard input; NULL is /dev/null */
        uint64_t deadline_ms;  /* the whole group is killed after this; 0 waits for ever */
        int keep_fd;           /* a descriptor above 2 that the child keeps under the same number; 0 for none */
        void (*on_line)(void *ctx, const char *line); /* each finished line of its output as it comes; may be NULL */
        void (*on_wait)(void *ctx); /* by run_all and run_one, twice a second while it runs; may be NULL */
        bool dies_with_us;     /* it is killed when the thread that began it ends, however that does */
        bool on_parts;         /* '\b' and '\r' end a line too (progress of mke2fs) */
        bool forgets;          /* what on_line was told is kept no longer: for programs that tell without end */
        void *ctx;
        /* what came of it; begins zeroed */
        struct buf out, err;   /* at most 4 MiB each, then it ends with -E2BIG; NUL bytes become '?' */
        int status;            /* exit status, 128 + signal, -ETIMEDOUT, -E2BIG (it ran to its end, and not all that it said
                                * is here; err tells), or -errno where it could not be started */
        /* private */
        struct {
                pid_t pid;
                int fd_in, fd_out, fd_err, fd_pid;
                size_t written, told;
                uint64_t until;
                bool running;
        } p;
};

/* Starts it. A program that is not there is found out in run_poll: status -ENOENT. -errno: no process, no pipe. */
int run_begin(struct run *r);
/* Waits up to timeout_ms (-1: until something happened) and serves every pipe; how many of the n still run. */
size_t run_poll(struct run *runs, size_t n, int timeout_ms);
void run_stop(struct run *r); /* kills its group; run_poll then reports it */
void run_end(struct run *r);  /* asks its group to end (SIGTERM) */
/* For leaving: closes its pipes and asks it to end, and does not wait: not even SIGKILL ends a program that the kernel
 * keeps waiting for a disk. It is forgotten then; run_free may follow. */
void run_let_go(struct run *r);
/* The same for one that shall come to its end, unheard; its deadline is no more. */
void run_leave(struct run *r);
void run_free(struct run *r); /* stops it where it runs */

/* Begins all and polls to the end. Success where all could be started and ended with status 0; otherwise -EIO, or the
 * first's own -errno; each status tells. */
int run_all(struct run *runs, size_t n);
/* The same for one; success also where its exit status is not 0: look at it. */
int run_one(struct run *r);
/* argv in words that a shell would take. */
char *run_text(char *const *argv) _must_check_;

/* Starts a program that outlives us: own session, standard input from in (-1: /dev/null), output and errors to out (kept
 * by the child as 0, 1 and 2). */
int run_detached(char *const *argv, int in, int out);
bool has_program(const char *name); /* somewhere on the fixed PATH */

/* Runs work(ctx) in a process of its own, passes on what it writes to standard output, and returns its result; -EIO
 * where it died, 0 where nobody listens to us any more. For work that may come to wait in the kernel for a broken disk:
 * not even SIGKILL ends such a process, but we need not wait for it. Signals to our group do not reach it; when we are
 * gone, or our output is closed, writing to its standard output fails and poll tells POLLERR of it: then it should tidy up
 * and return. To be called before there are threads. */
int run_apart(int (*work)(const void *ctx), const void *ctx);

/* Following an apply by what it writes to PROGRESS_FILE: one look costs one read of what is new, and never waits. */
#pragma once

#include "wizard/plan.h"

enum watch_state { STEP_TO_COME, STEP_RUNNING, STEP_DONE, STEP_FAILED };

#define WATCH_MAX_STEPS 16

struct watch_step {
        const char *name; /* the plan's */
        enum watch_state state;
        uint64_t done, total;         /* of its progress; total 0: not known */
        char waits[32];               /* it waits until this program has finished; "" */
        bool trial;                   /* they are seconds: the change waits to be kept (apply.h) */
        uint64_t ms;                  /* how long it took */
        uint64_t since;               /* now_ms when it was seen to begin */
        struct record *failed;        /* its failed record */
};

struct watch {
        char *path;
        int fd;
        uint64_t inode;
        struct buf rest;              /* an unfinished line */
        struct watch_step steps[WATCH_MAX_STEPS];
        size_t n;
        struct records speeds;        /* speed, limit and slow records */
        uint64_t room, free;          /* of the file system that was mounted, as df says it; 0 not known */
        bool finished;
};

struct watch *watch_new(const char *path, const struct plan *p);
/* Reads what is new; true where something was. A file that was put in the place of the old one is read from its start. */
bool watch_look(struct watch *w);
const struct watch_step *watch_trial(const struct watch *w); /* the step that waits for the person's yes, or NULL */
bool watch_is_running(const struct watch *w); /* neither finished nor failed */
const struct watch_step *watch_failed(const struct watch *w); /* or NULL */
void watch_free(struct watch *w);

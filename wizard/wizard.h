/* The interactive run: the screens, their order, and what happens between them. It changes nothing but answers; what it
 * starts at the end of Review is apply. */
#pragma once

#include "wizard/facts.h"

enum wizard_start {
        WIZARD_NEW,    /* from Welcome on */
        WIZARD_RESUME, /* a plan is there that was cut off: offer to go on with it */
        WIZARD_ATTACH, /* an apply is running: watch it */
        WIZARD_SUMMARY, /* it ended well, and nobody saw it yet */
};

struct wizard_options {
        bool machine;           /* the facts came from a file: no helper is run, nothing is written or started; else they
                                 * are looked for beside the screens */
        const char *keys;       /* file of key words fed in place of a terminal, which is not touched; NULL: a terminal */
        const char *dump;       /* file that the word "dump" writes to; NULL: standard output */
        int lines, columns;     /* of the screen; 0: what the terminal says (80 x 25 with keys) */
        bool ascii, mono;       /* ASCII glyphs; no colours */
        const char *progress;   /* what Apply follows; NULL: PROGRESS_FILE */
        const char *plan;       /* the plan for all but WIZARD_NEW; NULL: the journal's */
        const char *locale_dir; /* messages; NULL: the installed ones */
        const char *self;       /* this program, for apply_detached; NULL: /proc/self/exe */
        enum wizard_start start;
};

enum wizard_end {
        WIZARD_LEFT,     /* nothing was changed */
        WIZARD_APPLYING, /* the apply goes on without a screen */
        WIZARD_FAILED,   /* a step failed and the person left it so */
        WIZARD_FINISHED,
        WIZARD_ANEW, /* a set-up was set aside: gather the facts anew and begin with WIZARD_NEW */
};

/* An enum wizard_end, or -EOPNOTSUPP: there is no terminal, or one that cannot show the screens. -errno or -EBADMSG for
 * a file of keys that cannot be read. Checks asked of the network are added to the facts. *ret_words is what the
 * terminal says afterwards, or NULL; owned by the caller. */
int wizard_run(struct facts *f, const struct wizard_options *o, char **ret_words);

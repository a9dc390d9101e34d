/* Keys from a file in place of a keyboard, for tests. Words apart by blanks; # starts a comment to the end of the line:
 *
 *     Enter Esc Tab BackTab Up Down Left Right Home End PgUp PgDn Backspace Delete Space F1 … F10 Ctrl-C
 *     text:abc        each character of it ('_' stands for a blank)
 *     KEY*N           N times
 *     dump dump:NAME  writes the screen (NAME: in place of the page's own name)
 *     size:60x20      changes the size of the screen
 *     progress:FILE    what Apply follows (relative to the file of keys)
 *     look:FILE        a machine file (relative to the file of keys): what is seen from here on
 *     language:de:DIR  from here on in that language, its messages below DIR
 *     open:resume      shows that page, open:apply too
 *     wait            lets things that run beside go on for 100 ms */
#pragma once

#include "helpers/lib/util.h"

struct script {
        char *text, *at, *word, *characters;
        unsigned times;
        int key;
        FILE *out;
        char *folder;       /* of the file of keys */
        char *progress;     /* said by "progress:" */
        const char *language; /* said by "language:", to be taken: code:DIR */
        char *seen;         /* said by "look:", to be taken */
        const char *opened; /* said by "open:", to be taken */
};

int script_open(struct script *s, const char *path, const char *dump); /* -errno */
/* The next key (K_NONE for words that are none): 1, 0 at the end, -EBADMSG at a word that is none. */
int script_next(struct script *s, const char *page, int *ret_key);
void script_free(struct script *s);

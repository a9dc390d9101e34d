/* The screen: a canvas of cells, each with a character and a role, shown by curses. Pages say what a text is (its role);
 * what that looks like stands in tables (8 colours, 256 colours, monochrome; UTF-8 or ASCII). Nothing here knows of
 * disks. Texts are UTF-8; whatever they hold, a control or broken byte is shown as \x1b. Rows and columns count from 0.
 * There is one screen a process. */
#pragma once

#include "helpers/lib/util.h"

enum role {
        R_TEXT,
        R_HEADING,
        R_LABEL,
        R_QUIET,
        R_GOOD,
        R_WARN,
        R_BADGE,
        R_ACCENT,
        R_FOCUS,
        R_MARK,
        R_RULE,
        R_BAR1,
        R_BAR2,
        R_TRACK,
        R_BOLD,
        R_FIELD,
        R_TITLEBAR, /* its empty part */
        R_TITLE,
        R_DONE, /* tabs */
        R_NOW,
        R_NEXT,
        R_KEYBAR,
        R_KEY,
        N_ROLES,
};

enum glyph {
        G_DONE,
        G_CURRENT,
        G_TO_COME,
        G_FAILED,
        G_RADIO,
        G_FILLED, /* shown as a reversed space */
        G_TRACK,
        G_SHADE, /* bar2 */
        G_UP,
        G_DOWN,
        G_RULE,
        G_LIMIT,
        G_CORNER,
        G_CUT,
        G_UP_DOWN,
        G_LEFT_RIGHT,
        N_GLYPHS,
};

/* Keys: a character is itself; the others follow the last Unicode character. */
enum key {
        K_NONE = 0x110000, /* time is over, or nothing that counts */
        K_RESIZE,
        K_HANGUP, /* SIGTERM, SIGHUP, or the terminal went away */
        K_ENTER,
        K_ESC,
        K_TAB,
        K_BACKTAB,
        K_UP,
        K_DOWN,
        K_LEFT,
        K_RIGHT,
        K_HOME,
        K_END,
        K_PAGE_UP,
        K_PAGE_DOWN,
        K_BACKSPACE,
        K_DELETE,
        K_F1,
        K_F2,
        K_F3,
        K_F4,
        K_F5,
        K_F6,
        K_F10 = K_F1 + 9, /* Ctrl-C too */
        K_CLEAR,          /* Ctrl-U */
};

#define UI_LEAST_LINES 24
#define UI_LEAST_COLUMNS 80

struct ui_options {
        bool headless; /* no terminal: drawn on /dev/null */
        int lines, columns;
        bool ascii, mono;
        const char *after_crash; /* said when the program crashed and the terminal is back as it was; copied */
};

/* -EOPNOTSUPP: no terminal, or one that has not what it takes. From here to ui_close standard error is put aside. */
int ui_open(const struct ui_options *o);
void ui_close(void);
int ui_lines(void);
int ui_columns(void);
void ui_resize(int lines, int columns); /* headless only */

/* Canvas. Every one of these clips at the edges and returns the column behind what it wrote. */
void ui_clear(void);
int ui_put(int y, int x, enum role role, const char *text);
int ui_putf(int y, int x, enum role role, const char *fmt, ...) _printf_(4, 5);
int ui_put_n(int y, int x, int width, enum role role, const char *text);    /* cut with … where it is longer */
int ui_put_end(int y, int x, int width, enum role role, const char *text);  /* keeps the end of what is longer */
int ui_put_right(int y, int end, enum role role, const char *text);         /* its last column is end */
int ui_glyph(int y, int x, enum role role, enum glyph g);
void ui_fill(int y, int x, int width, enum role role, enum glyph g);
void ui_paint(int y, int x, int width, enum role role);                     /* changes the role of what is there */
bool ui_is_blank(int y); /* nothing is written in this row */
void ui_rule(int y, int x, int width, const char *name);
/* Broken into lines between words; at most max lines; how many it took. */
int ui_wrap(int y, int x, int width, int max, enum role role, const char *text);
/* Two parts of width columns, the first share/total of them; each with its text where that has room, the second one
 * else in the row below. How many rows. */
int ui_parts(int y, int x, int width, uint64_t share, uint64_t total, const char *first, const char *second);
void ui_progress(int y, int x, int width, uint64_t done, uint64_t total);
void ui_title(const char *name, const char *right);                          /* row 0 without tabs */
void ui_tabs(const char *name, const char *const *tabs, int n, int current); /* row 0 */
void ui_cursor(int y, int x);
void ui_show(void); /* cursor last */

struct ui_hint {
        const char *key, *what; /* "F1", "help" */
        int worth;              /* the least go first where there is no room; 0 is never left out */
};
void ui_hints(const struct ui_hint *hints, int n); /* the last row */

/* Text measures, in columns. */
int ui_width(const char *text);
int ui_encode(int key, char ret[8]);    /* a character as UTF-8; how many bytes */
size_t ui_next_len(const char *text);   /* bytes of its first character */
const char *ui_glyph_text(enum glyph g); /* for use inside texts */

/* Waits up to timeout_ms (-1 for ever). A begun escape sequence that goes no further is K_NONE, never K_ESC. */
int ui_key(int timeout_ms);
void ui_drop_keys(void); /* typed before this moment; an F-key right behind an Esc stays */
void ui_redraw(void);    /* from nothing, after foreign text */

/* Writes what was shown: "=== name", "!cur y x", each line, and below it, behind a tab, its roles where they matter. */
void ui_dump(FILE *f, const char *name);

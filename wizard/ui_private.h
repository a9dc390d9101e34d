/* Between the ui_*.c files. */
#pragma once

#include <wchar.h>

#include "wizard/ui.h"

#define UI_MAX_LINES 120
#define UI_MAX_COLUMNS 300

struct cell {
        wchar_t ch;    /* 0: the right half of a wide one */
        wchar_t mark;  /* a combining one or 0 */
        unsigned char role;
};

struct canvas {
        int lines, columns;
        int cursor_y, cursor_x;
        bool ascii, mono;
        struct cell cells[UI_MAX_LINES][UI_MAX_COLUMNS];
};
extern struct canvas ui_canvas; /* ui.c */

/* One character of UTF-8 text, or an escape such as "\x1b" for a byte that is none or controls something. Returns how
 * many bytes were taken; 0 at the end. ret holds a string of wide characters, ended by 0. */
size_t ui_next(const char *s, wchar_t ret[8]);
int ui_cell_width(wchar_t c);                 /* 0, 1 or 2 */
wchar_t ui_glyph_char(enum glyph g, int i);   /* its i-th character or 0 */
const char *ui_ascii(wchar_t c);              /* the nearest in ASCII */

/* ui_palette.c */
void palette_start(bool mono);
void palette_attrs(enum role role, unsigned long *ret_attrs, short *ret_pair);
bool palette_has_reverse(void);

/* ui_term.c: what curses leaves to be done to a terminal. */
void term_before(int fd);     /* before curses starts: what to put back is looked up, handlers are set */
void term_started(const struct ui_options *o); /* palette, kernel messages */
void term_after(void);        /* after curses ended */
bool term_is_console(void);
bool term_has_hangup(void);   /* a signal came */

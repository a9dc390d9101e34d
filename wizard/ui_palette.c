/* look.md, "Palette". Always painted on black: on a terminal with a light background cyan and yellow would be
 * lost. */
#include <curses.h>

#include "wizard/ui_private.h"

struct paint {
        short fg, bg;
        attr_t attrs;
};

static const struct paint eight[N_ROLES] = {
    [R_TEXT] = {7, 0, 0},       [R_HEADING] = {7, 0, A_BOLD}, [R_LABEL] = {6, 0, 0},
    [R_QUIET] = {7, 0, 0},      [R_GOOD] = {2, 0, 0},         [R_WARN] = {3, 0, A_BOLD},
    [R_BADGE] = {7, 1, A_BOLD}, [R_ACCENT] = {6, 0, A_BOLD},  [R_FOCUS] = {0, 7, 0},
    [R_MARK] = {7, 0, A_BOLD},  [R_RULE] = {6, 0, 0},         [R_BAR1] = {0, 6, 0},
    [R_BAR2] = {7, 4, 0},       [R_TRACK] = {6, 0, 0},        [R_BOLD] = {7, 0, A_BOLD},
    [R_FIELD] = {7, 4, 0},      [R_TITLEBAR] = {7, 4, 0},     [R_TITLE] = {7, 4, 0},
    [R_DONE] = {7, 4, 0},       [R_NOW] = {7, 0, A_BOLD},     [R_NEXT] = {7, 4, 0},
    [R_KEYBAR] = {7, 4, 0},     [R_KEY] = {7, 4, A_BOLD},
};

static const struct paint many[N_ROLES] = {
    [R_TEXT] = {252, 16, 0},        [R_HEADING] = {231, 16, A_BOLD}, [R_LABEL] = {73, 16, 0},
    [R_QUIET] = {252, 16, 0},       [R_GOOD] = {71, 16, 0},          [R_WARN] = {221, 16, 0},
    [R_BADGE] = {231, 124, A_BOLD}, [R_ACCENT] = {116, 16, A_BOLD},  [R_FOCUS] = {16, 252, 0},
    [R_MARK] = {231, 16, A_BOLD},   [R_RULE] = {73, 16, 0},          [R_BAR1] = {16, 73, 0},
    [R_BAR2] = {255, 24, 0},        [R_TRACK] = {73, 16, 0},         [R_BOLD] = {231, 16, A_BOLD},
    [R_FIELD] = {255, 24, 0},       [R_TITLEBAR] = {255, 24, 0},     [R_TITLE] = {255, 24, 0},
    [R_DONE] = {255, 24, 0},        [R_NOW] = {231, 16, A_BOLD},     [R_NEXT] = {255, 24, 0},
    [R_KEYBAR] = {255, 24, 0},      [R_KEY] = {231, 24, A_BOLD},
};

/* A_REVERSE and A_BOLD never meet: on the VT that is dark grey on grey. */
static const attr_t mono[N_ROLES] = {
    [R_HEADING] = A_BOLD, [R_LABEL] = A_UNDERLINE, [R_WARN] = A_BOLD,        [R_BADGE] = A_REVERSE,
    [R_ACCENT] = A_BOLD,  [R_FOCUS] = A_REVERSE,   [R_MARK] = A_BOLD,        [R_BAR1] = A_REVERSE,
    [R_BOLD] = A_BOLD,    [R_FIELD] = A_UNDERLINE, [R_TITLEBAR] = A_REVERSE, [R_TITLE] = A_REVERSE,
    [R_DONE] = A_REVERSE, [R_NOW] = A_BOLD,        [R_NEXT] = A_REVERSE,     [R_KEY] = A_REVERSE,
};

static bool has_pairs, is_bright;

void palette_start(bool want_mono)
{
        has_pairs = !want_mono && !getenv("NO_COLOR") && has_colors() && start_color() == OK && COLORS >= 8 &&
                    COLOR_PAIRS > N_ROLES;
        if (!has_pairs)
                return;
        const struct paint *p = COLORS >= 256 ? many : eight;
        /* From 16 colours on, bold need not mean bright: the bright colour is asked for as well. */
        is_bright = COLORS >= 16 && COLORS < 256;
        for (int r = 0; r < N_ROLES; r++) {
                short fg = (short)(p[r].fg + (is_bright && (p[r].attrs & A_BOLD) ? 8 : 0));
                init_pair((short)(r + 1), fg, p[r].bg);
        }
}

void palette_attrs(enum role role, unsigned long *ret_attrs, short *ret_pair)
{
        *ret_pair = has_pairs ? (short)(role + 1) : 0;
        *ret_attrs = !has_pairs ? mono[role] : (COLORS >= 256 ? many : eight)[role].attrs;
}

bool palette_has_reverse(void)
{
        return has_pairs || (termattrs() & A_REVERSE);
}

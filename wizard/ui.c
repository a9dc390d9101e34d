#include "wizard/ui_private.h"

#include <ctype.h>

struct canvas ui_canvas;
#define C ui_canvas

int ui_lines(void)
{
        return C.lines;
}

int ui_columns(void)
{
        return C.columns;
}

void ui_clear(void)
{
        for (int y = 0; y < C.lines; y++)
                for (int x = 0; x < C.columns; x++)
                        C.cells[y][x] = (struct cell){.ch = L' ', .role = R_TEXT};
        C.cursor_y = C.lines - 1;
        C.cursor_x = 0;
}

/* A wide character that loses one half loses the other too. */
static void set_cell(int y, int x, wchar_t ch, enum role role)
{
        struct cell *c = &C.cells[y][x];
        if (c->ch == 0 && x > 0)
                c[-1].ch = L' ';
        if (x + 1 < C.columns && c[1].ch == 0)
                c[1].ch = L' ';
        *c = (struct cell){.ch = ch, .role = (unsigned char)role};
}

static int put_char(int y, int x, enum role role, wchar_t ch)
{
        int w = ui_cell_width(ch);
        if (y < 0 || y >= C.lines || x < 0 || x + w > C.columns)
                return x + w;
        if (w == 0) {
                if (x > 0)
                        C.cells[y][x - 1].mark = ch;
                return x;
        }
        set_cell(y, x, ch, role);
        if (w == 2) {
                set_cell(y, x + 1, L' ', role);
                C.cells[y][x + 1].ch = 0;
        }
        return x + w;
}

static int put_wide(int y, int x, enum role role, const wchar_t *w)
{
        for (; *w; w++)
                x = put_char(y, x, role, *w);
        return x;
}

int ui_put(int y, int x, enum role role, const char *text)
{
        wchar_t w[8];
        for (size_t n; (n = ui_next(text, w)) > 0; text += n)
                x = put_wide(y, x, role, w);
        return x;
}

int ui_putf(int y, int x, enum role role, const char *fmt, ...)
{
        va_list ap;
        va_start(ap, fmt);
        _cleanup_free_ char *text = xvasprintf(fmt, ap);
        va_end(ap);
        return ui_put(y, x, role, text);
}

int ui_glyph(int y, int x, enum role role, enum glyph g)
{
        for (int i = 0; ui_glyph_char(g, i); i++)
                x = put_char(y, x, role, ui_glyph_char(g, i));
        return x;
}

static int columns_of(const wchar_t *w)
{
        int n = 0;
        for (; *w; w++)
                n += ui_cell_width(*w);
        return n;
}

static int cut_width(void)
{
        return ui_glyph_char(G_CUT, 1) ? 2 : 1;
}

int ui_put_n(int y, int x, int width, enum role role, const char *text)
{
        if (ui_width(text) <= width)
                return ui_put(y, x, role, text);
        int end = x + width - cut_width();
        wchar_t w[8];
        for (size_t n; (n = ui_next(text, w)) > 0 && x + columns_of(w) <= end; text += n)
                x = put_wide(y, x, role, w);
        return width < cut_width() ? x : ui_glyph(y, x, role, G_CUT);
}

int ui_put_end(int y, int x, int width, enum role role, const char *text)
{
        int too_much = ui_width(text) - width;
        if (too_much <= 0)
                return ui_put(y, x, role, text);
        wchar_t w[8];
        too_much += cut_width();
        for (size_t n; too_much > 0 && (n = ui_next(text, w)) > 0; text += n)
                too_much -= columns_of(w);
        x = ui_glyph(y, x, role, G_CUT);
        return ui_put(y, x, role, text);
}

int ui_put_right(int y, int end, enum role role, const char *text)
{
        return ui_put(y, end + 1 - ui_width(text), role, text);
}

void ui_fill(int y, int x, int width, enum role role, enum glyph g)
{
        for (int i = 0; i < width; i++)
                put_char(y, x + i, role, ui_glyph_char(g, 0));
}

void ui_paint(int y, int x, int width, enum role role)
{
        if (y < 0 || y >= C.lines)
                return;
        for (int i = MAX2(x, 0); i < x + width && i < C.columns; i++)
                C.cells[y][i].role = (unsigned char)role;
}

bool ui_is_blank(int y)
{
        for (int x = 0; y >= 0 && y < C.lines && x < C.columns; x++)
                if (C.cells[y][x].ch != L' ')
                        return false;
        return true;
}

void ui_rule(int y, int x, int width, const char *name)
{
        ui_fill(y, x, width, R_RULE, G_RULE);
        if (!name || !*name)
                return;
        ui_fill(y, x, 2, R_RULE, G_RULE);
        ui_put(y, x + 2, R_RULE, " ");
        int end = ui_put_n(y, x + 3, width - 6, R_BOLD, name);
        ui_put(y, end, R_RULE, " ");
}

int ui_wrap(int y, int x, int width, int max, enum role role, const char *text)
{
        int lines = 0, at = x;
        while (lines < max) {
                while (*text == ' ')
                        text++;
                if (*text == '\n') {
                        text++, lines++, at = x;
                        continue;
                }
                size_t len = strcspn(text, " \n");
                if (len == 0)
                        break;
                _cleanup_free_ char *word = xstrndup(text, len);
                int w = ui_width(word), gap = at > x ? 1 : 0;
                if (gap && at + gap + w > x + width) {
                        at = x, lines++;
                        continue;
                }
                if (gap)
                        at = ui_put(y + lines, at, role, " ");
                at = ui_put_n(y + lines, at, width, role, word);
                text += len;
        }
        if (*text && lines == max && max > 0)
                ui_glyph(y + max - 1, MIN2(x + width, C.columns) - cut_width(), role, G_CUT);
        return at > x && lines < max ? lines + 1 : lines;
}

void ui_cursor(int y, int x)
{
        C.cursor_y = MIN2(MAX2(y, 0), C.lines - 1);
        C.cursor_x = MIN2(MAX2(x, 0), C.columns - 1);
}

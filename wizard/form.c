#include "wizard/page.h"

#define FOCUS_X 1
#define FOCUS_WIDTH 78

void form_begin(struct session *s)
{
        session_form(s)->n = 0;
}

static bool add_item(struct session *s, enum item_kind kind, int id, int y, int x, int width)
{
        struct form *f = session_form(s);

        if (f->n == MAX_ITEMS)
                return false;
        if (f->is_kept && f->kept == id)
                f->focus = f->n;
        f->items[f->n] = (struct item){.kind = kind, .id = id, .y = y, .x = x, .width = width};
        return f->n++ == f->focus;
}

bool form_radio(struct session *s, int id, int y, bool chosen)
{
        enum role role = chosen ? R_MARK : R_QUIET;
        int x = ui_put(y, 2, role, "(");

        if (chosen)
                x = ui_glyph(y, x, role, G_RADIO);
        else
                x = ui_put(y, x, role, " ");
        ui_put(y, x, role, ")");
        struct form *f = session_form(s);
        bool focused = add_item(s, ITEM_RADIO, id, y, FOCUS_X, FOCUS_WIDTH);
        if (f->n > 0)
                f->items[f->n - 1].chosen = chosen;
        return focused;
}

bool form_check(struct session *s, int id, int y, int x, bool on)
{
        ui_put(y, x, on ? R_MARK : R_QUIET, on ? "[x]" : "[ ]");
        return add_item(s, ITEM_CHECK, id, y, x - 1, FOCUS_WIDTH + 2 - x);
}

bool form_value(struct session *s, int id, int y)
{
        return add_item(s, ITEM_VALUE, id, y, FOCUS_X, FOCUS_WIDTH);
}

/* Columns before the cursor. */
static int cursor_column(const char *text, int cursor)
{
        _cleanup_free_ char *head = xstrndup(text, (size_t)cursor);
        return ui_width(head);
}

bool form_row(struct session *s, int id, int y)
{
        return add_item(s, ITEM_ROW, id, y, FOCUS_X, FOCUS_WIDTH);
}

bool form_field(struct session *s, int id, int y, int x, int width, const char *text)
{
        struct form *f = session_form(s);
        bool focused = add_item(s, ITEM_FIELD, id, y, x, width);
        enum role role = focused ? R_FOCUS : R_FIELD;
        const char *from = text;

        for (int i = 0; i < width; i++)
                ui_put(y, x + i, role, " ");
        if (!focused) {
                ui_put_n(y, x, width, role, text);
                return false;
        }
        if (f->cursor > (int)strlen(text))
                f->cursor = (int)strlen(text);
        /* A text longer than its field moves under the cursor. */
        int column = cursor_column(text, f->cursor), at = x;
        int least = ui_width(text) - (column - width + 1);
        while (column >= width && ui_width(from) > least)
                from += ui_next_len(from);
        column -= ui_width(text) - ui_width(from);
        if (from > text) { /* what is missing on the left leaves a mark */
                int mark = ui_glyph(y, x, role, G_CUT);
                while (at < mark && *from) {
                        _cleanup_free_ char *one = xstrndup(from, ui_next_len(from));
                        at += ui_width(one);
                        from += strlen(one);
                }
        }
        for (size_t n; (n = ui_next_len(from)) > 0; from += n) {
                _cleanup_free_ char *one = xstrndup(from, n);
                if (at + ui_width(one) > x + width)
                        break;
                at = ui_put(y, at, role, one);
        }
        ui_cursor(y, x + column);
        return true;
}

int form_button(struct session *s, int id, int y, int x, const char *label)
{
        int end = ui_putf(y, x, R_TEXT, "[ %s ]", label);

        add_item(s, ITEM_BUTTON, id, y, x, end - x);
        return end;
}

void form_end(struct session *s)
{
        struct form *f = session_form(s);

        f->is_kept = false;
        f->focus = MIN2(MAX2(f->focus, 0), MAX2(f->n - 1, 0));
        if (f->n == 0)
                return;
        const struct item *i = &f->items[f->focus];
        if (i->kind == ITEM_FIELD)
                return;
        ui_paint(i->y, i->x, i->width, R_FOCUS);
        if (i->kind == ITEM_VALUE)
                ui_cursor(i->y, i->x + 1);
        else
                ui_cursor(i->y, i->x + 2);
}

static struct item *focused_item(struct session *s)
{
        struct form *f = session_form(s);
        return f->focus < f->n ? &f->items[f->focus] : NULL;
}

int form_focused(struct session *s)
{
        const struct item *i = focused_item(s);
        return i ? i->id : -1;
}

static void put_focus(struct session *s, const struct page *p, int focus, bool follows)
{
        struct form *f = session_form(s);

        f->focus = focus;
        if (f->items[focus].kind == ITEM_FIELD && p->get) {
                _cleanup_free_ char *text = p->get(s, f->items[focus].id);
                f->cursor = (int)strlen(text);
        }
        if (f->items[focus].kind == ITEM_RADIO && follows)
                p->choose(s, f->items[focus].id);
}

void form_focus(struct session *s, int id)
{
        struct form *f = session_form(s);

        for (int i = 0; i < f->n; i++)
                if (f->items[i].id == id) {
                        f->focus = i;
                        f->cursor = FIELD_MAX;
                }
}

void form_keep(struct session *s, int id)
{
        session_form(s)->kept = id;
        session_form(s)->is_kept = true;
}

/* Bytes of the character before or behind the cursor. */
static int step_left(const char *text, int cursor)
{
        int n = cursor;
        do
                n--;
        while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80);
        return MAX2(n, 0);
}

static int step_right(const char *text, int cursor)
{
        do
                cursor++;
        while (((unsigned char)text[cursor] & 0xc0) == 0x80);
        return cursor;
}

static void cut(char *text, int from, int to)
{
        memmove(text + from, text + to, strlen(text + to) + 1);
}

static void insert(char *text, int *cursor, int key)
{
        char utf8[8];
        int n = ui_encode(key, utf8);

        if (strlen(text) + (size_t)n > FIELD_MAX)
                return;
        memmove(text + *cursor + n, text + *cursor, strlen(text + *cursor) + 1);
        memcpy(text + *cursor, utf8, (size_t)n);
        *cursor += n;
}

/* Whether the key means something inside a text. */
static bool edit(char *text, int *cursor, int key)
{
        int len = (int)strlen(text);

        *cursor = MIN2(MAX2(*cursor, 0), len);
        switch (key) {
        case K_LEFT:
                *cursor = *cursor > 0 ? step_left(text, *cursor) : 0;
                return true;
        case K_RIGHT:
                *cursor = *cursor < len ? step_right(text, *cursor) : len;
                return true;
        case K_HOME:
                *cursor = 0;
                return true;
        case K_END:
                *cursor = len;
                return true;
        case K_BACKSPACE:
                if (*cursor > 0) {
                        int to = *cursor;
                        *cursor = step_left(text, to);
                        cut(text, *cursor, to);
                }
                return true;
        case K_CLEAR:
                text[0] = 0;
                *cursor = 0;
                return true;
        case K_DELETE:
                if (*cursor < len)
                        cut(text, *cursor, step_right(text, *cursor));
                return true;
        default:
                if (key >= K_NONE)
                        return false;
                insert(text, cursor, key);
                return true;
        }
}

static bool field_key(struct session *s, const struct page *p, const struct item *i, int key)
{
        char text[FIELD_MAX + 16];
        _cleanup_free_ char *before = p->get(s, i->id);

        snprintf(text, sizeof text - 8, "%s", before);
        if (!edit(text, &session_form(s)->cursor, key))
                return false;
        if (!streq(text, before))
                p->set(s, i->id, text);
        return true;
}

/* Up and Down go to the next row, Left, Right and Tab to the next item. */
static int next_item(const struct form *f, int key)
{
        int y = f->items[f->focus].y, i = f->focus;

        switch (key) {
        case K_TAB:
                return f->focus + 1 < f->n ? f->focus + 1 : 0;
        case K_BACKTAB:
                return f->focus > 0 ? f->focus - 1 : f->n - 1;
        case K_RIGHT:
                return f->focus + 1 < f->n && f->items[f->focus + 1].y == y ? f->focus + 1 : f->focus;
        case K_LEFT:
                return f->focus > 0 && f->items[f->focus - 1].y == y ? f->focus - 1 : f->focus;
        case K_DOWN:
                while (i < f->n && f->items[i].y == y)
                        i++;
                return i < f->n ? i : f->focus;
        case K_UP:
                while (i >= 0 && f->items[i].y == y)
                        i--;
                return i >= 0 ? i : f->focus;
        case K_HOME:
                return 0;
        case K_END:
                return f->n - 1;
        case K_PAGE_DOWN:
                return MIN2(f->focus + 8, f->n - 1);
        case K_PAGE_UP:
                return MAX2(f->focus - 8, 0);
        default:
                return -1;
        }
}

/* Radios of which the focused one is chosen are one stop of Tab, and that is the chosen one. */
static int next_group(const struct form *f, int key)
{
        int by = key == K_TAB ? 1 : f->n - 1, i = f->focus;
        bool is_radio = f->items[i].kind == ITEM_RADIO;

        for (int n = 0; n < f->n; n++) {
                i = (i + by) % f->n;
                if (f->items[i].kind != ITEM_RADIO || (!is_radio && f->items[i].chosen))
                        return i;
        }
        return f->focus;
}

bool form_key(struct session *s, const struct page *p, int key)
{
        struct form *f = session_form(s);
        struct item *i = focused_item(s);

        if (!i)
                return false;
        if (i->kind == ITEM_FIELD && field_key(s, p, i, key))
                return true;
        if (key == ' ' && p->choose) {
                p->choose(s, i->id);
                return true;
        }
        if (i->kind == ITEM_VALUE && (key == K_LEFT || key == K_RIGHT))
                return false;
        bool is_tab = key == K_TAB || key == K_BACKTAB;
        int next = is_tab && p->follows ? next_group(f, key) : next_item(f, key);
        if (next < 0 || next == f->focus)
                return false;
        put_focus(s, p, next, p->follows && !is_tab);
        return true;
}

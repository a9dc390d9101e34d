#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "wizard/ui_private.h"

#define C ui_canvas
#define ESC_DELAY_CONSOLE 25 /* ms; a keyboard at the box sends a sequence at once */
#define ESC_DELAY_LINE 700   /* a serial line or ssh may send it in parts 100 ms apart */
#define ESC_DELAY_PART 300   /* between the later bytes of one sequence */

static struct {
        SCREEN *screen;
        FILE *null;
        bool headless;
} ui;

static int open_null(const struct ui_options *o)
{
        _cleanup_free_ char *lines = xasprintf("%d", o->lines), *columns = xasprintf("%d", o->columns);
        static const char *const types[] = {"xterm-256color", "linux", "vt220", "vt100"};

        setenv("LINES", lines, 1);
        setenv("COLUMNS", columns, 1);
        ui.null = fopen("/dev/null", "r+e");
        for (size_t i = 0; ui.null && !ui.screen && i < ELEMENTSOF(types); i++)
                ui.screen = newterm(types[i], ui.null, ui.null);
        if (!ui.screen)
                return -EOPNOTSUPP;
        resizeterm(o->lines, o->columns);
        return 0;
}

/* A terminal that cannot place the cursor shows no screens; newterm alone would take "dumb". */
static bool can_place_cursor(void)
{
        const char *cup = tigetstr("cup");
        return cup && cup != (char *)-1 && *cup;
}

static int open_tty(void)
{
        const char *type = getenv("TERM");
        if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || !type || !*type)
                return -EOPNOTSUPP;
        term_before(STDOUT_FILENO);
        ui.screen = newterm(type, stdout, stdin);
        if (!ui.screen)
                return -EOPNOTSUPP;
        if (!can_place_cursor()) {
                endwin();
                delscreen(ui.screen);
                ui.screen = NULL;
                return -EOPNOTSUPP;
        }
        set_escdelay(term_is_console() ? ESC_DELAY_CONSOLE : ESC_DELAY_LINE);
        return 0;
}

static void take_size(void)
{
        C.lines = MIN2(LINES, UI_MAX_LINES);
        C.columns = MIN2(COLS, UI_MAX_COLUMNS);
}

int ui_open(const struct ui_options *o)
{
        ui.headless = o->headless;
        int r = o->headless ? open_null(o) : open_tty();
        if (r < 0)
                return r;
        C.ascii = o->ascii;
        C.mono = o->mono;
        raw();
        noecho();
        nonl();
        keypad(stdscr, TRUE);
        idcok(stdscr, FALSE);
        palette_start(o->mono);
        if (!o->headless)
                term_started(o);
        take_size();
        ui_clear();
        return 0;
}

void ui_close(void)
{
        if (!ui.screen)
                return;
        if (!ui.headless) {
                erase();
                refresh();
        }
        endwin();
        if (!ui.headless)
                term_after();
        delscreen(ui.screen);
        fclosep(&ui.null);
        ui.screen = NULL;
        ui.null = NULL;
}

void ui_resize(int lines, int columns)
{
        resizeterm(lines, columns);
        take_size();
        ui_clear();
}

/* Filled cells of a bar are spaces in reverse, which every font has; where reverse is missing the glyph
 * itself. */
static void push_cell(int y, int x, const struct cell *c)
{
        unsigned long attrs;
        short pair;
        cchar_t cc;
        wchar_t text[3] = {c->ch, c->mark, 0};

        if (c->ch == 0)
                return;
        palette_attrs(c->role, &attrs, &pair);
        if (c->role == R_BAR1 && c->ch == ui_glyph_char(G_FILLED, 0) && palette_has_reverse())
                text[0] = L' ';
        if (c->role == R_BAR2 && c->ch == L' ' && pair == 0)
                text[0] = ui_glyph_char(G_SHADE, 0);
        /* The cell in the last corner would scroll. */
        if (y == C.lines - 1 && x == C.columns - 1)
                return;
        setcchar(&cc, text, (attr_t)attrs, pair, NULL);
        mvadd_wch(y, x, &cc);
}

void ui_show(void)
{
        unsigned long attrs;
        short pair;
        cchar_t blank;

        palette_attrs(R_TEXT, &attrs, &pair);
        setcchar(&blank, L" ", (attr_t)attrs, pair, NULL);
        bkgrndset(&blank);
        for (int y = 0; y < C.lines; y++)
                for (int x = 0; x < C.columns; x++)
                        push_cell(y, x, &C.cells[y][x]);
        palette_attrs(C.cells[C.lines - 1][C.columns - 1].role, &attrs, &pair);
        mvchgat(C.lines - 1, C.columns - 1, 1, (attr_t)attrs, pair, NULL);
        curs_set(1);
        move(C.cursor_y, C.cursor_x);
        refresh();
}

void ui_redraw(void)
{
        clearok(curscr, TRUE);
}

void ui_drop_keys(void)
{
        if (!ui.headless)
                flushinp();
}

static const struct {
        int curses, key;
} keys[] = {
    {KEY_UP, K_UP},         {KEY_DOWN, K_DOWN},       {KEY_LEFT, K_LEFT},
    {KEY_RIGHT, K_RIGHT},   {KEY_HOME, K_HOME},       {KEY_END, K_END},
    {KEY_PPAGE, K_PAGE_UP}, {KEY_NPAGE, K_PAGE_DOWN}, {KEY_BACKSPACE, K_BACKSPACE},
    {KEY_DC, K_DELETE},     {KEY_ENTER, K_ENTER},     {KEY_BTAB, K_BACKTAB},
    {KEY_FIND, K_HOME},     {KEY_SELECT, K_END},      {KEY_RESIZE, K_RESIZE},
};

/* Sequences that the terminal's description does not have, as an xterm, the Linux console, or a vt220 sends
 * them. */
static const struct {
        const char *text;
        int key;
} sequences[] = {
    {"[A", K_UP},    {"[B", K_DOWN},    {"[C", K_RIGHT},    {"[D", K_LEFT},       {"OA", K_UP},
    {"OB", K_DOWN},  {"OC", K_RIGHT},   {"OD", K_LEFT},     {"[H", K_HOME},       {"[F", K_END},
    {"OH", K_HOME},  {"OF", K_END},     {"[1~", K_HOME},    {"[4~", K_END},       {"[7~", K_HOME},
    {"[8~", K_END},  {"[3~", K_DELETE}, {"[5~", K_PAGE_UP}, {"[6~", K_PAGE_DOWN}, {"[Z", K_BACKTAB},
    {"OP", K_F1},    {"OQ", K_F2},      {"OR", K_F3},       {"OS", K_F4},         {"[[A", K_F1},
    {"[[B", K_F2},   {"[[C", K_F3},     {"[[D", K_F4},      {"[[E", K_F5},        {"[11~", K_F1},
    {"[12~", K_F2},  {"[13~", K_F3},    {"[14~", K_F4},     {"[15~", K_F5},       {"[17~", K_F6},
    {"[21~", K_F10}, {"OM", K_ENTER},
};

/* An F-key or an arrow that came right behind an Esc. */
static int pending = K_NONE;

static int code_key(wint_t c)
{
        if (c >= KEY_F(1) && c <= KEY_F(10))
                return K_F1 + (int)(c - KEY_F(1));
        for (size_t i = 0; i < ELEMENTSOF(keys); i++)
                if (keys[i].curses == (int)c)
                        return keys[i].key;
        return K_NONE;
}

static int get(int timeout_ms, wint_t *ret)
{
        timeout(timeout_ms);
        return get_wch(ret);
}

/* Behind an Esc: a digit is the twin of an F-key, the rest of a sequence is looked up or swallowed. */
static int after_escape(void)
{
        char text[16];
        size_t n = 0;
        wint_t c;
        int r = get(0, &c);

        if (r == ERR)
                return K_ESC;
        if (r == KEY_CODE_YES) {
                pending = code_key(c);
                return K_ESC;
        }
        if (c == 27) { /* the next one may begin a sequence */
                unget_wch(27);
                return K_ESC;
        }
        if (c >= '0' && c <= '9')
                return c == '0' ? K_F10 : K_F1 + (int)(c - '1');
        if (c != '[' && c != 'O')
                return K_NONE;
        text[n++] = (char)c;
        while (n < sizeof text - 1 && get(ESC_DELAY_PART, &c) == OK) {
                text[n++] = c < 0x7f ? (char)c : '?';
                if (c >= 0x40 && c < 0x7f && !(n == 2 && c == '['))
                        break;
        }
        text[n] = 0;
        for (size_t i = 0; i < ELEMENTSOF(sequences); i++)
                if (streq(sequences[i].text, text))
                        return sequences[i].key;
        return K_NONE;
}

static int plain_key(wint_t c)
{
        switch (c) {
        case '\r':
        case '\n':
                return K_ENTER;
        case '\t':
                return K_TAB;
        case 8:
        case 127:
                return K_BACKSPACE;
        case 3:
                return K_F10;
        case 21:
                return K_CLEAR;
        case 12:
                ui_redraw();
                return K_RESIZE;
        case 27:
                return after_escape();
        default:
                return c < 32 || (c >= 0x80 && c < 0xa0) || c > 0x10ffff ? K_NONE : (int)c;
        }
}

static bool is_gone(void)
{
        struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
        int waiting;
        if (poll(&p, 1, 0) <= 0)
                return false;
        /* Readable with nothing to read: the other end was closed. */
        return (p.revents & (POLLHUP | POLLERR | POLLNVAL)) ||
               (ioctl(STDIN_FILENO, FIONREAD, &waiting) == 0 && waiting == 0);
}

/* Waits in parts, so that a signal is noticed although get_wch goes on after it. */
int ui_key(int timeout_ms)
{
        wint_t c;
        uint64_t end = now_ms() + (uint64_t)MAX2(timeout_ms, 0);

        if (pending != K_NONE) {
                int key = pending;
                pending = K_NONE;
                return key;
        }
        for (;;) {
                if (term_has_hangup())
                        return K_HANGUP;
                uint64_t now = now_ms();
                int part = timeout_ms < 0 ? 200 : (int)MIN2(end > now ? end - now : 0, UINT64_C(200));
                int r = get(part, &c);
                if (r == OK)
                        return plain_key(c);
                if (r == KEY_CODE_YES)
                        break;
                if (is_gone())
                        return K_HANGUP;
                if (timeout_ms >= 0 && now_ms() >= end)
                        return K_NONE;
        }
        if (c == KEY_RESIZE) {
                take_size();
                ui_clear();
        }
        return code_key(c);
}

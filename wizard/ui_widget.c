#include "wizard/ui_private.h"

/* The text of a part stands one column inside it, where it has room there. */
static void part(int y, int x, int width, enum role role, const char *text)
{
        ui_put(y, x, role, "");
        for (int i = 0; i < width; i++)
                ui_put(y, x + i, role, " ");
        if (ui_width(text) + 2 <= width)
                ui_put(y, x + 1, role, text);
}

int ui_parts(int y, int x, int width, uint64_t share, uint64_t total, const char *first, const char *second)
{
        if (total == 0)
                return 0;
        int n = (int)((double)share * width / (double)total);
        n = MIN2(MAX2(n, share > 0 ? 1 : 0), share < total ? width - 1 : width);
        part(y, x, n, R_BAR1, first);
        part(y, x + n, width - n, R_BAR2, second);
        if (share == total || ui_width(second) + 2 <= width - n)
                return 1;
        ui_put_right(y + 1, x + width - 1, R_TEXT, second);
        return 2;
}

void ui_progress(int y, int x, int width, uint64_t done, uint64_t total)
{
        int n = total ? (int)((double)MIN2(done, total) * width / (double)total) : 0;
        ui_fill(y, x, n, R_BAR1, G_FILLED);
        ui_fill(y, x + n, width - n, R_TRACK, G_TRACK);
}

void ui_title(const char *name, const char *right)
{
        for (int x = 0; x < ui_columns(); x++)
                ui_put(0, x, R_TITLEBAR, " ");
        ui_put_n(0, 2, ui_columns() - 4, R_TITLE, name);
        if (right)
                ui_put_right(0, ui_columns() - 3, R_TITLE, right);
}

void ui_tabs(const char *name, const char *const *tabs, int n, int current)
{
        int width = 0, all = 0, x;
        ui_title(name, NULL);
        for (int i = 0; i < n; i++)
                all += ui_width(tabs[i]) + 2;
        width = 2 + ui_width(name) + 2;
        if (width + all > ui_columns() - 1) { /* only the one that counts */
                x = ui_put(0, ui_columns() - 1 - ui_width(tabs[current]) - 2, R_NOW, " ");
                ui_put(0, ui_put(0, x, R_NOW, tabs[current]), R_NOW, " ");
                return;
        }
        x = ui_columns() - 1 - all;
        for (int i = 0; i < n; i++) {
                enum role role = i < current ? R_DONE : i == current ? R_NOW : R_NEXT;
                x = ui_put(0, x, role, " ");
                x = ui_put(0, x, role, tabs[i]);
                x = ui_put(0, x, role, " ");
        }
}

static int hints_width(const struct ui_hint *h, int n, int least_worth, int gap)
{
        int width = 0;
        for (int i = 0; i < n; i++)
                if (h[i].worth == 0 || h[i].worth >= least_worth)
                        width += ui_width(h[i].key) + 1 + ui_width(h[i].what) + gap;
        return width - gap;
}

void ui_hints(const struct ui_hint *h, int n)
{
        int y = ui_lines() - 1, room = ui_columns() - 3, gap = 3, worth = 1, x = 2;
        if (hints_width(h, n, worth, gap) > room)
                gap = 2;
        while (worth < 10 && hints_width(h, n, worth, gap) > room)
                worth++;
        for (int i = 0; i < ui_columns(); i++)
                ui_put(y, i, R_KEYBAR, " ");
        for (int i = 0; i < n; i++) {
                if (h[i].worth != 0 && h[i].worth < worth)
                        continue;
                x = ui_put(y, x, R_KEY, h[i].key);
                x = ui_put(y, x, R_KEYBAR, " ");
                x = ui_put(y, x, R_KEYBAR, h[i].what) + gap;
        }
}

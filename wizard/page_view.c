#include "wizard/page.h"

#define TOP 2

/* A text to read, such as help or raw details: its lines are broken at the window's width, words where they
 * can be. */

static int page_height(void)
{
        return ui_lines() - TOP - 3;
}

static void draw(struct session *s)
{
        const char *p = s->view_text ? s->view_text : "";
        int line = 0, width = ui_columns() - 4;

        ui_title(s->view_title, NULL);
        while (*p) {
                size_t n = page_line(p, width);
                _cleanup_free_ char *text = xstrndup(p, n);
                if (line >= s->view_top && line < s->view_top + page_height())
                        ui_put(TOP + line - s->view_top, 2, has_prefix(text, "#") ? R_LABEL : R_TEXT, text);
                p += n;
                if (*p == '\n' || *p == ' ')
                        p++;
                line++;
        }
        s->view_lines = line;
        if (line > page_height()) {
                int last = MIN2(s->view_top + page_height(), line);
                _cleanup_free_ char *at = xasprintf(_("lines %d to %d of %d"), s->view_top + 1, last, line);
                ui_put_right(ui_lines() - 2, ui_columns() - 3, R_QUIET, at);
        }
        if (s->view_is_commands && s->dry.n > 0)
                ui_put(ui_lines() - 2, 2, R_BOLD, _("Asking what each file would become …"));
        ui_cursor(TOP, 2);
}

static enum go key(struct session *s, int k)
{
        int step = k == K_DOWN                    ? 1
                   : k == K_UP                    ? -1
                   : k == K_PAGE_DOWN || k == ' ' ? page_height() - 1
                   : k == K_PAGE_UP               ? 1 - page_height()
                   : k == K_HOME                  ? -s->view_top
                   : k == K_END                   ? s->view_lines
                                                  : 0;

        if (k == K_ESC || k == K_F3)
                return GO_BACK;
        s->view_top = MAX2(MIN2(s->view_top + step, s->view_lines - page_height()), 0);
        return GO_STAY;
}

static enum go enter(struct session *s _unused_, int id _unused_)
{
        return GO_BACK;
}

static const struct ui_hint hints[] = {
    {N_("Enter"), N_("back"), 0},
    {"UpDown", N_("move"), 1},
    {"F10", N_("leave"), 0},
    {0},
};

const struct page page_view = {
    .id = P_VIEW,
    .name = "view",
    .hints = hints,
    .draw = draw,
    .key = key,
    .enter = enter,
};

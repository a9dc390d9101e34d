#include "wizard/ui_private.h"

/* A blank stands for what needs no mention: plain text and the empty part of the bars. */
static const char letters[N_ROLES + 1] = " hldgweafcr123bu Txyz k";

static void dump_text(FILE *f, const struct cell *row)
{
        int end = ui_canvas.columns;
        while (end > 0 && row[end - 1].ch == L' ')
                end--;
        for (int x = 0; x < end; x++) {
                if (row[x].ch)
                        fprintf(f, "%lc", (wint_t)row[x].ch);
                if (row[x].mark)
                        fprintf(f, "%lc", (wint_t)row[x].mark);
        }
        fputc('\n', f);
}

static void dump_roles(FILE *f, const struct cell *row)
{
        char roles[UI_MAX_COLUMNS + 1];
        int end = 0;
        for (int x = 0; x < ui_canvas.columns; x++) {
                roles[x] = letters[row[x].role];
                if (roles[x] != ' ')
                        end = x + 1;
        }
        if (end > 0)
                fprintf(f, "\t%.*s\n", end, roles);
}

void ui_dump(FILE *f, const char *name)
{
        fprintf(f, "=== %s\n!cur %d %d\n", name, ui_canvas.cursor_y, ui_canvas.cursor_x);
        for (int y = 0; y < ui_canvas.lines; y++) {
                dump_text(f, ui_canvas.cells[y]);
                dump_roles(f, ui_canvas.cells[y]);
        }
        fflush(f);
}

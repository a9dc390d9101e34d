#include "wizard/page.h"

#define HEAD_Y 5
#define WIDE 120 /* from here on the pane stands beside the list */

enum {
        MODEL_X = 15,
        MODEL_WIDTH = 18,
        SERIAL_X = 35,
        SERIAL_WIDTH = 13,
        SIZE_END = 55,
        KIND_X = 58,
        STATE_X = 64,
        HOLDS_X = 71
};

/* Those that may be chosen first; otherwise in the order of the facts. */
static size_t ordered(const struct facts *f, const struct disk **ret)
{
        size_t n = 0;

        for (int protected = 0; protected < 2; protected ++)
                for (size_t i = 0; i < f->n_disks && n < MAX_ITEMS; i++)
                        if (is_choosable(&f->disks[i]) == !protected)
                                ret[n++] = &f->disks[i];
        return n;
}

static bool is_chosen(const struct session *s, const struct disk *d)
{
        for (unsigned i = 0; i < s->choices.n_disks; i++)
                if (s->choices.disks[i] == d)
                        return true;
        return false;
}

static const char *kind_word(const struct disk *d)
{
        static const struct {
                const char *kind, *word;
        } kinds[] = {{"disk", N_("disk")}, {"ssd", "SSD"},     {"nvme", "NVMe"},
                     {"usb", "USB"},       {"sd", N_("card")}, {"virtual", N_("virt.")}};

        for (size_t i = 0; i < ELEMENTSOF(kinds); i++)
                if (streq(kinds[i].kind, d->kind))
                        return _(kinds[i].word);
        return d->kind;
}

static const char *state_word(const struct disk *d, enum role *ret_role)
{
        *ret_role = R_WARN;
        if (streq(d->state, "worn"))
                return _("WORN!");
        if (streq(d->state, "failing"))
                return _("BAD!");
        *ret_role = streq(d->state, "good") ? R_GOOD : R_QUIET;
        return streq(d->state, "good") ? _("good") : "?";
}

static void draw_row(struct session *s, const struct disk *d, int id, int y)
{
        bool can = is_choosable(d);
        enum role role = can ? R_TEXT : R_QUIET, state_role;
        const char *state = state_word(d, &state_role);
        _cleanup_free_ char *size = size_words(d->size);

        if (can)
                form_check(s, id, y, 2, is_chosen(s, d));
        else
                ui_put(y, 2, role, " - ");
        if (y < 0)
                return;
        ui_put_n(y, 6, 8, role, d->name);
        ui_put_n(y, MODEL_X, MODEL_WIDTH, role, d->model);
        ui_put_end(y, SERIAL_X, SERIAL_WIDTH, role, d->serial);
        ui_put_right(y, SIZE_END, role, size);
        ui_put_n(y, KIND_X, 5, role, kind_word(d));
        ui_put_n(y, STATE_X, 6, can ? state_role : role, state);
        ui_put_n(y, HOLDS_X, 7, can && !is_blank(d) ? R_WARN : role, holds_word(d));
}

static void draw_heads(void)
{
        /* TRANSLATORS: heads of columns: Kind 5, State 6, Holds 7 columns wide, and the words below them too.
         */
        ui_put_n(HEAD_Y, 6, 8, R_LABEL, _("Disk"));
        ui_put_n(HEAD_Y, MODEL_X, MODEL_WIDTH, R_LABEL, _("Model"));
        ui_put_n(HEAD_Y, SERIAL_X, SERIAL_WIDTH, R_LABEL, _("Serial"));
        ui_put_right(HEAD_Y, SIZE_END, R_LABEL, _("Size"));
        ui_put_n(HEAD_Y, KIND_X, 5, R_LABEL, _("Kind"));
        ui_put_n(HEAD_Y, STATE_X, 6, R_LABEL, _("State"));
        ui_put_n(HEAD_Y, HOLDS_X, 7, R_LABEL, _("Holds"));
}

static void draw_more(int y, enum glyph g, size_t n)
{
        _cleanup_free_ char *text = xasprintf(_("%s %zu more"), ui_glyph_text(g), n);
        if (n > 0)
                ui_put_right(y, 77, R_LABEL, text);
}

/* Scrolls as little as keeps the focused row in sight. */
static int draw_list(struct session *s, const struct disk *const *disks, size_t n, int height)
{
        int focus = session_form(s)->focus, *top = &s->disks_top;

        if (focus < *top)
                *top = focus;
        if (focus >= *top + height)
                *top = focus - height + 1;
        /* What can't be chosen stands behind the rest and has no focus: it comes into sight with the last
         * one. */
        size_t choosable = 0;
        for (size_t i = 0; i < n; i++)
                choosable += is_choosable(disks[i]);
        if ((size_t)focus + 1 >= choosable && (int)n > height)
                *top = MIN2((int)n - height, focus);
        *top = MAX2(MIN2(*top, (int)n - height), 0);
        for (size_t i = 0; i < n; i++) {
                int y = HEAD_Y + 1 + (int)i - *top;
                bool seen = (int)i >= *top && (int)i < *top + height;
                draw_row(s, disks[i], (int)i, seen ? y : -1);
        }
        int shown = MIN2((int)n, height);
        draw_more(HEAD_Y - 1, G_UP, (size_t)*top);
        draw_more(HEAD_Y + 1 + shown, G_DOWN, n - (size_t)*top - (size_t)shown);
        return HEAD_Y + 1 + shown;
}

static char *state_sentence(const struct disk *d)
{
        if (streq(d->state, "good"))
                return xstrdup(_("Healthy, as far as the disk itself knows."));
        if (streq(d->state, "worn"))
                return xstrdup(_("WORN: it has bad sectors or is near its end. Better not used."));
        if (streq(d->state, "failing"))
                return xstrdup(_("BAD: the disk itself expects to fail soon. Do not use it."));
        return xstrdup(_("How healthy it is could not be tested."));
}

static char *holds_sentence(const struct disk *d)
{
        if (is_blank(d))
                return xstrdup(_("Blank: nothing on it would be lost."));
        if (d->n_contents > 0) {
                _cleanup_free_ char *first = contents_words(&d->contents[0]);
                if (d->n_contents == 1)
                        return TAKE_PTR(first);
                size_t more = d->n_contents - 1;
                return xasprintf(Q_("%s; and %zu more (F3)", "%s; and %zu more (F3)", more), first, more);
        }
        if (*d->found)
                return xasprintf(_("Not blank. Found on it: %s"), d->found);
        return xstrdup(_("It could not be looked through: it may hold something."));
}

static void draw_pane(const struct disk *d)
{
        int x = 2, y = page_body_end(), width = 76;

        if (ui_columns() >= WIDE)
                x = 84, y = HEAD_Y, width = ui_columns() - 86;
        ui_rule(y, x, width, d->name);
        _cleanup_free_ char *who = disk_words(d), *holds = holds_sentence(d), *state = state_sentence(d);
        if (ui_columns() < WIDE) {
                ui_put_n(y + 1, x, width, R_TEXT, who);
                ui_put_n(y + 2, x, width, R_TEXT, holds);
                ui_put_n(y + 3, x, width, R_TEXT, state);
                return;
        }
        y += 1 + ui_wrap(y + 1, x, width, 4, R_TEXT, who);
        y += ui_wrap(y, x, width, 4, R_TEXT, state) + 1;
        if (d->n_contents == 0)
                ui_wrap(y, x, width, 4, R_TEXT, holds);
        for (size_t i = 0; i < d->n_contents && y < ui_lines() - 3; i++) {
                _cleanup_free_ char *words = contents_words(&d->contents[i]);
                y += ui_wrap(y, x, width, 2, R_TEXT, words);
        }
}

/* Why the others can't be chosen, as far as there is room above end; what had none is left for the line below. */
static const struct disk *draw_reasons(const struct disk *const *disks, size_t n, int y, int end)
{
        const struct disk *untold = NULL, *system = NULL;

        for (size_t i = 0; i < n; i++) {
                if (is_choosable(disks[i]))
                        continue;
                if (streq(disks[i]->protected, "system")) {
                        system = disks[i];
                        continue;
                }
                _cleanup_free_ char *why = protected_words(disks[i]);
                int rows = ui_width(why) > 76 ? 2 : 1;
                if (y + rows < end)
                        y += ui_wrap(y, 2, 76, 2, R_QUIET, why);
                else if (!untold)
                        untold = disks[i];
        }
        return untold ? untold : system;
}

static void draw_message(struct session *s, const struct disk *untold, const struct disk *focused)
{
        _cleanup_free_ char *why = untold ? protected_words(untold) : NULL;

        if (focused && is_chosen(s, focused) && !is_blank(focused))
                page_message(s, _("This disk would be ERASED. Review asks once more."));
        else
                page_message(s, why);
}

static void draw_sum(struct session *s, int y)
{
        uint64_t sum = 0;
        unsigned n = s->choices.n_disks;

        for (unsigned i = 0; i < n; i++)
                sum += s->choices.disks[i]->size;
        _cleanup_free_ char *size = size_words(sum);
        if (n == 0)
                ui_put_n(y, 2, 76, R_BOLD,
                         _("No disk is chosen yet. Space chooses the one with the cursor."));
        else if (n == 1)
                ui_putf(y, 2, R_BOLD, _("1 disk chosen, %s. Alone it protects nothing when it fails."), size);
        else
                ui_putf(y, 2, R_BOLD, Q_("%u disk chosen, %s together.", "%u disks chosen, %s together.", n),
                        n, size);
}

static const struct disk *focused_disk(struct session *s, const struct disk *const *disks, size_t n)
{
        int focus = session_form(s)->focus;
        return focus >= 0 && (size_t)focus < n ? disks[focus] : NULL;
}

static const char no_disk[] =
    N_("There is no disk that could be chosen. Turn the computer off, connect a disk, and start "
       "again. Room on the system's own disk is not used.");

static void draw(struct session *s)
{
        const struct disk *disks[MAX_ITEMS];
        size_t n = ordered(s->facts, disks);
        const struct disk *focused = focused_disk(s, disks, n);
        int end = ui_columns() >= WIDE ? ui_lines() - 4 : page_body_end(), room = end - HEAD_Y - 4;

        page_frame(s, P_DISKS, _("Which disks will hold your files?"),
                   _("Chosen disks are erased, but not before you confirm it in Review."));
        if (n > 0)
                draw_heads();
        int y = draw_list(s, disks, n, room);
        if (n == 0 || !is_choosable(disks[0])) {
                y += ui_wrap(y + 1, 2, 76, 3, R_BOLD, _(no_disk));
                focused = NULL;
                end = ui_lines() - 3;
        } else {
                draw_sum(s, y + 1);
        }
        const struct disk *untold = draw_reasons(disks, n, y + 3, end);
        if (focused)
                draw_pane(focused);
        draw_message(s, untold, focused);
}

/* The whole list is said, so that what is ticked no longer hangs on advice. */
static void choose(struct session *s, int id)
{
        const struct disk *disks[MAX_ITEMS];
        size_t n = ordered(s->facts, disks);
        _cleanup_strv_ char **use = NULL;

        if (id < 0 || (size_t)id >= n)
                return;
        for (size_t i = 0; i < s->facts->n_disks; i++) {
                const struct disk *d = &s->facts->disks[i];
                if (is_chosen(s, d) != (d == disks[id]))
                        strv_add(&use, disk_key(s->facts, d));
        }
        _cleanup_free_ char *list = use ? list_join(use) : xstrdup("");
        answers_set(&s->answers, A_USE, list);
        /* Consent to erase, levels and spares were for the disks before. */
        answers_set(&s->answers, A_ERASE, NULL);
        session_changed(s);
        if (fault_of(&s->faults, A_LEVEL) || fault_of(&s->faults, A_SPARES)) {
                answers_set(&s->answers, A_LEVEL, NULL);
                answers_set(&s->answers, A_SPARES, NULL);
                session_changed(s);
        }
}

static enum go enter(struct session *s, int id _unused_)
{
        const char *fault = fault_of(&s->faults, A_USE);

        if (!fault)
                return GO_NEXT;
        if (session_form(s)->n == 0)
                fault = _(no_disk);
        session_say(s, true, "%s", fault);
        return GO_STAY;
}

static void details(struct session *s, const struct disk *d)
{
        struct buf b = {0};
        _cleanup_free_ char *who = disk_words(d), *state = state_sentence(d);

        buf_printf(&b, "%s\n%s\n\n", who, state);
        if (is_blank(d))
                buf_printf(&b, "%s\n\n", _("Blank: nothing on it would be lost."));
        for (size_t i = 0; i < d->n_contents; i++) {
                _cleanup_free_ char *words = contents_words(&d->contents[i]);
                buf_printf(&b, "%-10s %s\n", d->contents[i].on, words);
        }
        if (*d->protected)
                buf_printf(&b, "%s %s\n", d->protected, d->protectedby);
        buf_printf(&b, "\n%s\n", _("As found:"));
        RECORDS_FOREACH(r, &s->facts->records)
        if (record_is(r, "name", d->name) || record_is(r, "disk", d->name)) {
                _cleanup_free_ char *text = record_text(r);
                buf_printf(&b, "%s\n", text);
        }
        session_view(s, d->name, b.buf);
}

static enum go key(struct session *s, int k)
{
        const struct disk *disks[MAX_ITEMS];
        size_t n = ordered(s->facts, disks);
        const struct disk *focused = focused_disk(s, disks, n);

        if (k == K_ESC)
                return GO_BACK;
        if (k == K_F3 && focused)
                details(s, focused);
        return GO_STAY;
}

static const struct ui_hint hints[] = {
    {N_("Enter"), N_("next"), 0},
    {N_("Space"), N_("choose"), 2},
    {"F3", N_("details"), 1},
    {N_("Esc"), N_("back"), 0},
    {"F1", N_("help"), 0},
    {"F10", N_("leave"), 0},
    {0},
};

const struct page page_disks = {
    .id = P_DISKS,
    .name = "disks",
    .hints = hints,
    .draw = draw,
    .choose = choose,
    .enter = enter,
    .key = key,
    .help = N_(
        "Mark the disks that will hold the files with Space. Healthy blank disks are marked already. A disk "
        "with anything on it is never marked by itself: look at what it holds before you do.\n\n"
        "Serial is printed on the sticker of the disk, so you can tell two of the same kind apart.\n\n"
        "State is what the disk says about itself (SMART). A worn disk may work for years or fail "
        "tomorrow.\n\n"
        "A disk with \"-\" is in use by this computer and can't be chosen. An old array that runs on it is "
        "stopped by \"mdadm --stop\", an old volume by \"vgchange -an\". F3 shows all that is known of the disk "
        "with the cursor.\n\n"
        "Disks of the same size serve best: of a larger one only as much is used as the smallest has. "
        "Nothing is erased before you confirm it in Review."),
};

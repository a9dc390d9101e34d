#include "wizard/page_disks.h"

#define HEAD_Y 5
#define WIDE 120 /* from here on the pane stands beside the list */
#define ID_TURN_OFF (2 * MAX_ITEMS) /* behind disks and what can be kept */

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

size_t disks_ordered(const struct facts *f, const struct disk **ret)
{
        size_t n = 0;

        for (int protected = 0; protected < 2; protected ++)
                for (size_t i = 0; i < f->n_disks && n < ID_KEEP; i++)
                        if (is_choosable(&f->disks[i]) == !protected)
                                ret[n++] = &f->disks[i];
        return n;
}

const struct disk *disks_of_id(const struct session *s, int id)
{
        const struct disk *disks[ID_KEEP];
        size_t n = disks_ordered(s->facts, disks);

        return id >= 0 && (size_t)id < n ? disks[id] : NULL;
}

const struct keepable *keepable_of_id(const struct session *s, int id)
{
        return id >= ID_KEEP && (unsigned)(id - ID_KEEP) < s->choices.n_keepable ? &s->choices.keepable[id - ID_KEEP] : NULL;
}

char *disks_focused(struct session *s)
{
        const struct form *form = &s->forms[P_DISKS];
        int id = form->focus < form->n ? form->items[form->focus].id : -1;
        const struct disk *d = disks_of_id(s, id);
        const struct keepable *k = keepable_of_id(s, id);

        return d ? xstrdup(disk_key(s->facts, d)) : k ? xstrdup(k->set->uuid) : NULL;
}

/* Where the disk is gone, the row stays: the next one moved there. */
void disks_focus(struct session *s, const char *key)
{
        struct form *form = &s->forms[P_DISKS];
        const struct disk *disks[ID_KEEP], *d = key ? facts_disk(s->facts, key, NULL) : NULL;
        size_t n = disks_ordered(s->facts, disks);
        int before = form->focus;

        for (unsigned i = 0; key && i < s->choices.n_keepable; i++)
                if (streq(s->choices.keepable[i].set->uuid, key))
                        form->focus = (int)i;
        for (size_t i = 0; d && i < n; i++)
                if (disks[i] == d)
                        form->focus = (int)(s->choices.n_keepable + i);
        s->disks_top = MAX2(s->disks_top + form->focus - before, 0);
}

/* --- the list --- */

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

static void draw_row(struct session *s, const struct disk *d, int id, int y)
{
        bool can = is_choosable(d);
        enum role role = can ? R_TEXT : R_QUIET, state_role;
        const char *state = state_word(d, &state_role);
        _cleanup_free_ char *size = size_words(d->size);
        bool plain = !can || is_blank(d) || is_being_looked_at(d);

        if (can)
                form_check(s, id, y, 2, disks_is_marked(s, d));
        else
                form_row(s, id, y);
        if (y < 0)
                return;
        if (!can)
                ui_put(y, 2, role, " - ");
        ui_put_n(y, 6, 8, role, d->name);
        ui_put_n(y, MODEL_X, MODEL_WIDTH, role, d->model);
        ui_put_end(y, SERIAL_X, SERIAL_WIDTH, role, d->serial);
        ui_put_right(y, SIZE_END, role, size);
        ui_put_n(y, KIND_X, 5, role, kind_word(d));
        ui_put_n(y, STATE_X, 6, can ? state_role : role, state);
        ui_put_n(y, HOLDS_X, 7, plain ? (can ? role : R_QUIET) : R_WARN, holds_word(d));
}

static void draw_heads(int y)
{
        /* TRANSLATORS: heads of columns: Kind 5, State 6, Holds 7 columns wide, and the words below them too.
         */
        ui_put_n(y, 6, 8, R_LABEL, _("Disk"));
        ui_put_n(y, MODEL_X, MODEL_WIDTH, R_LABEL, _("Model"));
        ui_put_n(y, SERIAL_X, SERIAL_WIDTH, R_LABEL, _("Serial"));
        ui_put_right(y, SIZE_END, R_LABEL, _("Size"));
        ui_put_n(y, KIND_X, 5, R_LABEL, _("Kind"));
        ui_put_n(y, STATE_X, 6, R_LABEL, _("State"));
        ui_put_n(y, HOLDS_X, 7, R_LABEL, _("Holds"));
}

/* Scrolls as little as keeps the focused row in sight. The row behind it. */
static int draw_list(struct session *s, const struct disk *const *disks, int n, int head, int height)
{
        int focus = MAX2(session_form(s)->focus - (int)s->choices.n_keepable, 0), *top = &s->disks_top;
        int shown = MIN2(n, height);

        if (focus < *top)
                *top = focus;
        if (focus >= *top + height)
                *top = focus - height + 1;
        *top = MAX2(MIN2(*top, n - height), 0);
        for (int i = 0; i < n; i++)
                draw_row(s, disks[i], i, i >= *top && i < *top + height ? head + 1 + i - *top : -1);
        page_more(head - 1, G_UP, *top);
        page_more(head + 1 + shown, G_DOWN, n - *top - shown);
        return head + 1 + shown;
}

/* --- what can be taken over --- */

static char *kept_words(const struct keepable *k)
{
        const struct level *l = level_find(k->set->level);
        size_t n = strv_len(k->set->disks);
        _cleanup_free_ char *disks = n > 6 ? xasprintf(Q_("%zu disk", "%zu disks", n), n) : strv_join(k->set->disks, " "),
                            *room = size_words(k->files->used_known ? k->files->used : k->files->size);
        const char *name = *k->set->name ? array_name(k->set->name) : k->files->label;

        return xasprintf(k->files->used_known ? _("Keep the old array \"%s\": %s on %s, %s of files")
                                              : _("Keep the old array \"%s\" with its files: %s on %s, %s"),
                         name, l ? l->term : "RAID", disks, room);
}

/* The row behind them. */
static int draw_kept(struct session *s, int y)
{
        for (unsigned i = 0; i < s->choices.n_keepable; i++, y++) {
                const struct keepable *k = &s->choices.keepable[i];
                _cleanup_free_ char *words = kept_words(k);
                form_radio(s, ID_KEEP + (int)i, y, s->choices.keep == k);
                ui_put_n(y, 6, 72, R_TEXT, words);
        }
        if (s->choices.n_keepable == 0)
                return y;
        ui_put_n(y + 1, 2, 60, R_LABEL, _("Or choose disks: everything on them is erased"));
        return y + 2;
}

/* --- the pane --- */

struct pane {
        int x, y, width, rows;
        bool is_wide;
};

static struct pane pane_begin(const char *name)
{
        struct pane p = {.x = 2, .y = page_body_end(), .width = 76, .rows = 1};

        p.is_wide = ui_columns() >= WIDE;
        if (p.is_wide)
                p = (struct pane){.x = 84, .y = HEAD_Y, .width = ui_columns() - 86, .rows = 6, .is_wide = true};
        ui_rule(p.y++, p.x, p.width, name);
        return p;
}

/* Beside the list there is room for all of it, and a blank row behind it; below, a row for each. */
static void pane_put(struct pane *p, const char *text)
{
        if (!text)
                return;
        if (p->is_wide)
                p->y += ui_wrap(p->y, p->x, p->width, p->rows, R_TEXT, text) + 1;
        else
                ui_put_n(p->y++, p->x, p->width, R_TEXT, text);
}

static void draw_pane(const struct facts *f, const struct disk *d)
{
        struct pane p = pane_begin(d->name);
        const struct set *set = disk_set(f, d);
        _cleanup_free_ char *who = disk_words(d), *holds = holds_sentence(f, d), *state = state_sentence(d, p.is_wide ? 0 : p.width),
                            *note = disk_note(f, d), *why = is_choosable(d) ? NULL : protected_words(d);

        pane_put(&p, who);
        p.y -= p.is_wide; /* who and how belong together */
        if (!p.is_wide) {
                pane_put(&p, why ? why : holds);
                pane_put(&p, state);
                return;
        }
        pane_put(&p, state);
        pane_put(&p, why);
        pane_put(&p, note);
        _cleanup_free_ char *all = set ? set_sentence(f, set, d, true) : NULL;
        pane_put(&p, all ? all : d->n_contents > 1 ? NULL : holds);
        for (size_t i = 0; d->n_contents > 1 && i < d->n_contents && p.y < ui_lines() - 4; i++) {
                _cleanup_free_ char *words = contents_words(&d->contents[i]);
                p.y += ui_wrap(p.y, p.x, p.width, 2, R_TEXT, words);
        }
}

static void draw_kept_pane(const struct facts *f, const struct keepable *k)
{
        struct pane p = pane_begin(*k->set->name ? array_name(k->set->name) : k->files->label);
        const struct warning given = {.kind = WARN_GIVEN, .set = k->set};
        _cleanup_free_ char *set = set_sentence(f, k->set, NULL, false), *files = contents_words(k->files),
                            *words = warning_words(f, &given);

        pane_put(&p, set);
        if (p.is_wide) {
                pane_put(&p, files);
                pane_put(&p, _("Nothing is erased: its files become the share, and the array stays as it is."));
        }
        ui_wrap(p.y, p.x, p.width, p.is_wide ? p.rows : 2, R_WARN, words);
}

/* --- the rest --- */

static const struct disk *first_system(const struct disk *const *disks, size_t n)
{
        for (size_t i = 0; i < n; i++)
                if (streq(disks[i]->protected, "system"))
                        return disks[i];
        return NULL;
}

/* Why the others can't be chosen, as far as there is room above end; what had none is left for the line below. */
static const struct disk *draw_reasons(const struct disk *const *disks, size_t n, int y, int end, const struct disk *focused)
{
        const struct disk *untold = NULL;

        for (size_t i = 0; i < n; i++) {
                if (is_choosable(disks[i]) || streq(disks[i]->protected, "system") || disks[i] == focused)
                        continue;
                _cleanup_free_ char *why = protected_words(disks[i]);
                int rows = ui_width(why) > 76 ? 2 : 1;
                if (y + rows < end)
                        y += ui_wrap(y, 2, 76, 2, R_QUIET, why);
                else if (!untold)
                        untold = disks[i];
        }
        return untold ? untold : first_system(disks, n);
}

static void draw_message(struct session *s, const struct disk *untold, const struct disk *focused)
{
        _cleanup_free_ char *why = untold && untold != focused ? protected_words(untold) : NULL,
                            *note = focused ? disk_note(s->facts, focused) : NULL;

        if (s->blink.key)
                page_message(s, _("Its light blinks now. F2 stops it."));
        else if (focused && disks_is_marked(s, focused) && !is_blank(focused) && !is_being_looked_at(focused))
                page_message(s, _("This disk would be ERASED. Review asks once more."));
        else if (note)
                page_warning(s, note);
        else
                page_message(s, why);
}

static char *sum_words(const struct session *s)
{
        const struct choices *c = &s->choices;
        uint64_t sum = 0;
        unsigned n = c->n_disks;

        for (unsigned i = 0; i < n; i++)
                sum += c->disks[i]->size;
        _cleanup_free_ char *size = size_words(sum);
        if (c->keep)
                return xstrdup(_("The old array is kept with its files. Nothing is erased."));
        if (n == 0 && is_awaited(s->facts, "nas-disk"))
                return xstrdup(_("Looking for disks …"));
        if (n == 0 && c->looking)
                return xstrdup(_("Looking at the disks …"));
        if (n == 0)
                return xstrdup(_("No disk is chosen yet. Space chooses the one with the cursor."));
        if (n == 1)
                return xasprintf(_("1 disk chosen, %s. Alone it protects nothing when it fails."), size);
        return xasprintf(Q_("%u disk chosen, %s together.", "%u disks chosen, %s together.", n), n, size);
}

static const char no_disk[] =
    N_("There is no disk that could be chosen. Connect one, and it appears here; turn the computer off first where its "
       "disks are not made to be plugged in while it runs. Room on the system's own disk is not used.");

static void draw(struct session *s)
{
        const struct disk *disks[ID_KEEP];
        size_t n = disks_ordered(s->facts, disks);
        bool none = (n == 0 || !is_choosable(disks[0])) && !is_awaited(s->facts, "nas-disk");
        int focus = session_form(s)->focus - (int)s->choices.n_keepable;
        const struct disk *focused = focus >= 0 && (size_t)focus < n ? disks[focus] : NULL;
        const struct keepable *kept = focus < 0 ? &s->choices.keepable[focus + (int)s->choices.n_keepable] : NULL;
        int end = ui_columns() >= WIDE ? ui_lines() - 4 : page_body_end();

        page_frame(s, P_DISKS, _("Which disks will hold your files?"),
                   s->choices.n_keepable ? _("There are files here that can be kept as they are.")
                                         : _("Chosen disks are erased, but not before you confirm it in Review."));
        int head = draw_kept(s, HEAD_Y);
        if (n > 0)
                draw_heads(head);
        int y = draw_list(s, disks, (int)n, head, MAX2(end - head - 4, 2));
        if (none) {
                y += ui_wrap(y + 1, 2, 76, 3, R_BOLD, _(no_disk));
                form_button(s, ID_TURN_OFF, y + 2, 2, _("Turn off"));
                y += 2;
        } else {
                _cleanup_free_ char *sum = sum_words(s);
                ui_put_n(y + 1, 2, 76, R_BOLD, sum);
        }
        const struct disk *untold = draw_reasons(disks, n, y + 3, end, focused);
        if (kept)
                draw_kept_pane(s->facts, kept);
        else if (focused)
                draw_pane(s->facts, focused);
        draw_message(s, untold, focused);
}

/* --- keys --- */

static void details(struct session *s, const struct disk *d)
{
        struct buf b = {0};
        const struct set *set = disk_set(s->facts, d);
        _cleanup_free_ char *who = disk_words(d), *state = state_sentence(d, 0), *holds = holds_sentence(s->facts, d),
                            *note = disk_note(s->facts, d), *why = is_choosable(d) ? NULL : protected_words(d);
        _cleanup_free_ char *belongs = set ? set_sentence(s->facts, set, d, true) : NULL;
        const char *const lines[] = {who, state, why, note};

        for (size_t i = 0; i < ELEMENTSOF(lines); i++)
                if (lines[i])
                        buf_printf(&b, "%s\n", lines[i]);
        buf_printf(&b, "\n%s\n\n", belongs ? belongs : d->n_contents > 0 ? _("On it:") : holds);
        for (size_t i = 0; i < d->n_contents; i++) {
                _cleanup_free_ char *words = contents_words(&d->contents[i]);
                buf_printf(&b, "%-10s %s\n", d->contents[i].on, words);
        }
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
        const struct disk *focused = disks_of_id(s, form_focused(s));

        if (k == K_ESC)
                return GO_BACK;
        if (k == K_F2 && focused)
                blink_key(s, "nas-disk", "disk", disk_key(s->facts, focused));
        if (k == K_F3 && focused)
                details(s, focused);
        return GO_STAY;
}

static enum go enter(struct session *s, int id)
{
        const struct disk *disks[ID_KEEP];
        size_t n = disks_ordered(s->facts, disks);

        if (id == ID_TURN_OFF)
                return page_power(s, true);
        if (s->choices.n_disks == 0 && !is_awaited(s->facts, "nas-disk") && (n == 0 || !is_choosable(disks[0]))) {
                session_say(s, true, "%s", _("There is no disk that could be chosen. Connect one."));
                return GO_STAY;
        }
        return disks_go_on(s);
}

/* What can be kept is kept unless the person says otherwise. */
static void tick(struct session *s)
{
        blink_tick(s);
        if (s->choices.n_keepable == 0 || s->keep_offered || s->answers.v[A_USE] || s->answers.v[A_KEEP])
                return;
        s->keep_offered = true;
        disks_keep(s, &s->choices.keepable[0]);
        session_form(s)->focus = 0;
}

/* Here advice follows again what is seen. */
static void opened(struct session *s)
{
        free(s->advised_use);
        s->advised_use = NULL;
        session_changed(s);
}

static const struct ui_hint hints[] = {
    {N_("Enter"), N_("next"), 0},
    {N_("Space"), N_("choose"), 2},
    {"F2", N_("light"), 3},
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
    .open = opened,
    .draw = draw,
    .choose = disks_choose,
    .enter = enter,
    .key = key,
    .tick = tick,
    .help = N_(
        "Mark the disks that will hold the files with Space. Healthy blank disks are marked already. A disk "
        "with anything on it is never marked by itself: look at what it holds before you do.\n\n"
        "Files of an old array that is whole can be kept: it is the first choice then, and nothing is erased.\n\n"
        "Serial is printed on the sticker of the disk, so you can tell two of the same kind apart. F2 lets the "
        "light of the disk with the cursor blink.\n\n"
        "State is what the disk says about itself (SMART). A worn disk may work for years or fail "
        "tomorrow; do not use a bad one.\n\n"
        "A disk with \"-\" is in use by this computer and can't be chosen. What runs on the others, old arrays and "
        "volumes, is stopped before they are erased. F3 shows all that is known of the disk with the cursor.\n\n"
        "Disks of the same size serve best: of a larger one only as much is used as the smallest has. "
        "Nothing is erased before you confirm it in Review."),
};

#include "wizard/page.h"

#include <inttypes.h>

#include "helpers/lib/usable.h"

#define ID_BETTER 100 /* a button; the ids below are levels */

enum { ROOM_END = 42, SURVIVES_X = 46, READ_X = 60, WRITE_X = 69 };

static unsigned members(const struct choices *c)
{
        return c->n_disks - MIN2(c->spares, c->n_disks);
}

/* What the level would give. */
static void capacity(const struct choices *c, const struct level *l, struct capacity *ret)
{
        _cleanup_free_ uint64_t *sizes = xreallocarray(NULL, c->n_disks + 1, sizeof *sizes);

        *ret = (struct capacity){0};
        for (unsigned i = 0; i < c->n_disks; i++)
                sizes[i] = c->disks[i]->size;
        (void)capacity_of(l, c->chunk, sizes, c->n_disks, c->spares, ret);
}

static bool is_offered(const struct choices *c, const struct level *l)
{
        _cleanup_free_ char *why = choices_why_not(c, l);

        return !why;
}

static char *survives_words(const struct level *l, unsigned n)
{
        unsigned k = level_survives(l, n);
        if (k == 0)
                return xstrdup(_("NOTHING"));
        return xasprintf(Q_("any %u disk", "any %u disks", k), k);
}

static void draw_level(struct session *s, int id, int y)
{
        const struct level *l = &levels[id];
        const struct choices *c = &s->choices;
        struct capacity cap;
        _cleanup_free_ char *name = level_words_on(l, members(c)), *why = choices_why_not(c, l);

        if (why) {
                ui_put(y, 2, R_QUIET, " - ");
                ui_put_n(y, 6, 29, R_QUIET, name);
                ui_put_n(y, SURVIVES_X, 31, R_QUIET, why);
                return;
        }
        capacity(c, l, &cap);
        _cleanup_free_ char *room = size_words(cap.array), *survives = survives_words(l, members(c));
        form_radio(s, id, y, l == c->level);
        ui_put_n(y, 6, 29, R_TEXT, name);
        ui_put_right(y, ROOM_END, R_TEXT, room);
        ui_put_n(y, SURVIVES_X, 13, level_survives(l, members(c)) ? R_TEXT : R_WARN, survives);
        ui_put_n(y, READ_X, 8, R_TEXT, _(l->reads));
        ui_put_n(y, WRITE_X, 9, R_TEXT, _(l->writes));
}

/* Why the advised one is. */
static const char *reason(const struct level *l, unsigned n, bool usb)
{
        switch (l->number) {
        case 1:
                if (n == 1)
                        return _("A second disk can be added later.");
                return n == 2 ? _("Either disk may fail, and nothing is lost.")
                              : _("Disks on USB come and go; each holds everything.");
        case 5:
                return _("The most room that still survives a lost disk.");
        case 6:
                return _("Any two disks may fail.");
        default:
                return usb ? _("Safe with disks on USB.")
                           : _("Fast, and survives a lost disk.");
        }
}

static char *question(const struct choices *c)
{
        unsigned n = c->n_disks;
        bool same = true;

        for (unsigned i = 1; i < n; i++)
                same &= c->disks[i]->size / GB == c->disks[0]->size / GB;
        if (c->spares > 0) {
                n = members(c);
                _cleanup_free_ char *disks = xasprintf(Q_("%u disk", "%u disks", n), n);
                _cleanup_free_ char *spares = xasprintf(Q_("%u spare", "%u spares", c->spares), c->spares);
                return xasprintf(_("How should %s and %s protect your files?"), disks, spares);
        }
        if (n == 1)
                return xstrdup(_("How should this disk protect your files?"));
        if (!same)
                return xasprintf(_("How should these %u disks protect your files?"), n);
        _cleanup_free_ char *size = size_words(c->disks[0]->size);
        return xasprintf(_("How should %u disks of %s protect your files?"), n, size);
}

static void draw_advice(const struct choices *c, int y)
{
        const struct level *l = level_advised(members(c), c->usb);
        if (!l)
                return;
        _cleanup_free_ char *name = level_words_on(l, members(c));
        _cleanup_free_ char *text =
            xasprintf("%s %s. %s", _("Advised:"), name, reason(l, members(c), c->usb));
        ui_wrap(y, 2, 76, 2, R_TEXT, text);
        ui_put(y, 2, R_BOLD, _("Advised:"));
}

static int draw_room(const struct choices *c, int y)
{
        uint64_t all = c->capacity.used * members(c), rest = all - MIN2(all, c->capacity.array);
        _cleanup_free_ char *room = size_words(c->capacity.array), *other = size_words(rest);
        _cleanup_free_ char *a = xasprintf(_("%s for your files"), room),
                            *b = xasprintf(_("%s for protection"), other);

        /* What metadata takes is no protection. */
        y += 1 + ui_parts(y, 2, 76, c->capacity.array, rest < all / 100 ? c->capacity.array : all, a, b);
        if (c->capacity.wasted > all / 100) {
                _cleanup_free_ char *wasted = size_words(c->capacity.wasted);
                _cleanup_free_ char *text = xasprintf(
                    _("%s of the larger disks stays unused: all are used as if they were the smallest."),
                    wasted);
                y += ui_wrap(y, 2, 76, 2, R_TEXT, text);
        }
        uint64_t sync = estimate_sync(c);
        _cleanup_free_ char *time = duration_words(sync);
        _cleanup_free_ char *text =
            xasprintf(_("Ready to use at once. Fully protected after about %s, in the background."), time);
        if (sync > 0)
                return y + ui_wrap(y, 2, 76, 2, R_TEXT, text);
        return y + ui_wrap(y, 2, 76, 2, R_TEXT,
                           members(c) == 1 ? _("Ready to use at once. When the disk fails, the files are lost.")
                                           : _("Ready to use at once. When any disk fails, all files are lost."));
}

/* Without the smallest ones there may be more room. */
static void draw_better(struct session *s, int y)
{
        const struct choices *c = &s->choices;

        if (c->n_better == 0)
                return;
        _cleanup_free_ char *names = disk_names(c->better, c->n_better), *room = size_words(c->capacity.array + c->better_by),
                            *level = level_words(c->better_level),
                            *label = xasprintf(_("Leave %s out: %s of room, %s"), names, room, level);
        form_button(s, ID_BETTER, y + (y + 5 < ui_lines()), 2, label);
}

static int draw_warnings(struct session *s, int y)
{
        const struct choices *c = &s->choices;

        for (unsigned i = 0; i < c->n_warnings; i++) {
                enum warning_kind kind = c->warnings[i].kind;
                if (kind != WARN_PARITY && kind != WARN_MEMORY)
                        continue;
                _cleanup_free_ char *words = warning_words(s->facts, &c->warnings[i]);
                y += ui_wrap(y, 2, 76, 2, R_WARN, words);
        }
        return y;
}

/* The focus is the choice, also after Advanced has changed which levels there are; unless it is on the button. */
static void focus_chosen(struct session *s)
{
        const struct choices *c = &s->choices;
        struct form *form = session_form(s);
        int row = 0, chosen = 0;

        for (int i = 0; levels[i].name; i++) {
                if (&levels[i] == c->level)
                        chosen = row;
                row += is_offered(c, &levels[i]);
        }
        if (form->focus != row || c->n_better == 0)
                form->focus = chosen;
}

static void draw(struct session *s)
{
        const struct choices *c = &s->choices;
        _cleanup_free_ char *q = question(c);
        int y = 5;

        focus_chosen(s);
        page_frame(s, P_PROTECTION, q, NULL);
        /* TRANSLATORS: heads of columns: Survives 13, Reading 8, Writing 9 columns wide, their words too. */
        ui_put_n(4, 6, 28, R_LABEL, _("Level"));
        ui_put_right(4, ROOM_END, R_LABEL, _("Room"));
        ui_put_n(4, SURVIVES_X, 13, R_LABEL, _("Survives"));
        ui_put_n(4, READ_X, 8, R_LABEL, _("Reading"));
        ui_put_n(4, WRITE_X, 9, R_LABEL, _("Writing"));
        for (int i = 0; levels[i].name; i++)
                draw_level(s, i, y++);
        draw_advice(c, y + 1);
        if (c->level)
                y = draw_room(c, y + 3);
        draw_better(s, draw_warnings(s, y));
        page_message(s, _("F4 Advanced: file system, chunk, spare. The values are good as they are."));
}

static void choose(struct session *s, int id)
{
        const struct choices *c = &s->choices;
        bool advised = level_advised(members(c), c->usb) == &levels[id];

        answers_set(&s->answers, A_LEVEL, advised ? NULL : levels[id].name);
        session_changed(s);
}

/* What other disks or spares have made impossible gives way to what is advised. */
bool protection_settle(struct session *s)
{
        const struct choices *c = &s->choices;
        bool spares = fault_of(&s->faults, A_SPARES);

        if (spares) {
                answers_set(&s->answers, A_SPARES, NULL);
                session_changed(s);
        }
        if (!s->answers.v[A_LEVEL] || !c->level || is_offered(c, c->level))
                return spares;
        answers_set(&s->answers, A_LEVEL, NULL);
        session_changed(s);
        return true;
}

void protection_say(struct session *s)
{
        const struct choices *c = &s->choices;
        unsigned n = members(c);

        if (!c->level)
                return;
        _cleanup_free_ char *level = level_words_on(c->level, n);
        session_say(s, false, Q_("With %u disk at work the level is now %s.", "With %u disks at work the level is now %s.", n),
                    n, level);
}

static void opened(struct session *s)
{
        if (protection_settle(s))
                protection_say(s);
}

/* The disks that are in the way are no longer chosen. */
static void leave_out(struct session *s)
{
        const struct choices *c = &s->choices;
        unsigned n = c->n_better;
        _cleanup_free_ char *names = disk_names(c->better, n);
        _cleanup_strv_ char **use = NULL;

        for (unsigned i = 0; i < c->n_disks; i++) {
                bool out = false;
                for (unsigned k = 0; k < c->n_better; k++)
                        out |= c->better[k] == c->disks[i];
                if (!out)
                        strv_add(&use, disk_key(s->facts, c->disks[i]));
        }
        _cleanup_free_ char *list = use ? list_join(use) : NULL;
        answers_set(&s->answers, A_USE, list);
        disks_forget_consents(s);
        session_changed(s);
        (void)protection_settle(s);
        session_say(s, false, Q_("%s is left out. It stays as it is.", "%s are left out. They stay as they are.", n), names);
}

static enum go enter(struct session *s, int id)
{
        static const enum answer mine[] = {A_LEVEL, A_SPARES, A_CHUNK, A_TYPE, A_MOUNT, A_SLUG};
        const char *gone = fault_of(&s->faults, A_USE);

        if (gone) {
                session_say(s, true, "%s", gone);
                return GO_STAY;
        }
        if (id == ID_BETTER) {
                leave_out(s);
                return GO_STAY;
        }
        for (size_t i = 0; i < ELEMENTSOF(mine); i++) {
                const char *fault = fault_of(&s->faults, mine[i]);
                if (fault) {
                        session_say(s, true, mine[i] == A_LEVEL ? "%s" : _("%s F4 opens where it is set."), fault);
                        return GO_STAY;
                }
        }
        return GO_NEXT;
}

static const char *const fs_types[] = {"ext4", "xfs", "btrfs"};

static void details(struct session *s)
{
        const struct choices *c = &s->choices;
        struct buf b = {0};

        buf_printf(&b, _("Array\n  %s, level %s, chunk %" PRIu64 " KiB, disks: %u, spares: %u\n"), c->slug,
                   c->level ? c->level->name : "?", c->chunk / KIB, c->n_disks, c->spares);
        buf_printf(
            &b, _("  size %" PRIu64 " bytes; each member gives %" PRIu64 " bytes from byte %" PRIu64 " on\n"),
            c->capacity.array, c->capacity.used, c->capacity.offset);
        buf_printf(&b, _("\nFile system\n  %s at %s, about %" PRIu64 " bytes for files\n"), c->type, c->mount,
                   c->files);
        buf_printf(&b, "\n%s\n", _("What df will show with each file system:"));
        for (size_t i = 0; i < ELEMENTSOF(fs_types); i++) {
                uint64_t room = fs_usable(fs_types[i], c->capacity.array);
                buf_printf(&b, "  %-6s %5" PRIu64 " GB\n", fs_types[i], room / GB);
        }
        session_view(s, _("Protection in numbers"), b.buf);
}

static enum go key(struct session *s, int k)
{
        if (k == K_ESC)
                return GO_BACK;
        if (k == K_F4)
                session_push(s, &page_advanced);
        if (k == K_F3)
                details(s);
        return GO_STAY;
}

static const struct ui_hint hints[] = {
    {N_("Enter"), N_("next"), 0}, {"UpDown", N_("choose"), 1},
    {"F4", N_("advanced"), 3},    {"F3", N_("details"), 2},
    {N_("Esc"), N_("back"), 0},   {"F1", N_("help"), 0},
    {"F10", N_("leave"), 0},      {0},
};

const struct page page_protection = {
    .id = P_PROTECTION,
    .name = "protection",
    .hints = hints,
    .open = opened,
    .draw = draw,
    .choose = choose,
    .enter = enter,
    .key = key,
    .follows = true,
    .help = N_(
        "Several disks together (an array, RAID) can go on working when one of them fails. How many may "
        "fail costs room.\n\n"
        "Parity (RAID 5): the room of one disk is used so that any one disk may fail.\n"
        "Mirror (RAID 1): every disk holds everything.\n"
        "Stripe (RAID 0): all the room, no protection: one failed disk loses all files.\n"
        "Double parity (RAID 6): any two disks may fail.\n"
        "Mirrored stripe (RAID 10): pairs of mirrors; fast.\n\n"
        "No array replaces a backup: a file that was deleted is deleted on all disks.\n\n"
        "The NAS can be used at once. What must be prepared for full protection goes on in the background, "
        "and you can turn the computer off meanwhile: it goes on afterwards."),
};

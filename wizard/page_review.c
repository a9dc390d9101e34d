#include "wizard/page_review_lines.h"

#include <errno.h>
#include <strings.h>

#include "helpers/lib/file.h"
#include "wizard/apply.h"
#include "wizard/journal.h"

#define LABEL_X 2
#define TOP 4

enum { ID_START, ID_WORD, ID_OPEN, ID_DISKS };

/* Where room is short, the groups move together first. */
static void squeeze(struct lines *l, int room)
{
        for (int i = l->n - 1; i > 0 && l->n > room; i--)
                if (!l->v[i].text) {
                        memmove(&l->v[i], &l->v[i + 1], (size_t)(l->n - i - 1) * sizeof l->v[0]);
                        l->n--;
                }
}

static void draw_line(const struct line *l, int y)
{
        if (l->label && l->label_role == R_BADGE) {
                int x = ui_put(y, LABEL_X, R_BADGE, " ");
                ui_put(y, ui_put(y, x, R_BADGE, l->label), R_BADGE, " ");
        } else if (l->label) {
                ui_put_n(y, LABEL_X, TEXT_X - LABEL_X - 1, R_LABEL, l->label);
        }
        if (l->text)
                ui_put_n(y, l->x, 78 - l->x, l->role, l->text);
}

static void draw_lines(struct session *s, struct lines *l, int room)
{
        squeeze(l, room);
        s->review_top = MAX2(MIN2(s->review_top, l->n - room), 0);
        for (int i = 0; i < room && s->review_top + i < l->n; i++)
                draw_line(&l->v[s->review_top + i], TOP + i);
        int below = l->n - room - s->review_top;
        if (s->review_top > 0)
                ui_putf(TOP - 1, 67, R_LABEL, _("%s %d more"), ui_glyph_text(G_UP), s->review_top);
        if (below > 0)
                ui_putf(TOP + room, 67, R_LABEL, _("%s %d more"), ui_glyph_text(G_DOWN), below);
}

static void draw_word(struct session *s, int y)
{
        const struct choices *c = &s->choices;
        _cleanup_free_ char *names = disk_names(c->erased, c->n_erased);
        /* TRANSLATORS: the word that has to be typed: letters a to z alone, on the same keys everywhere if it can be. */
        const char *word = _("erase");

        _cleanup_free_ char *text = xasprintf(_("To erase the files on %s, type the word"), names);
        if (ui_width(names) > 30 || ui_width(text) + ui_width(word) > 72) {
                _cleanup_free_ char *count = xasprintf(Q_("%u disk", "%u disks", c->n_erased), c->n_erased);
                free(text);
                text = xasprintf(_("To erase the files on %s, type the word"), count);
        }
        int x = ui_put(y, 2, R_TEXT, text);
        x = ui_put(y, x + 1, R_BOLD, word);
        x = ui_put(y, x, R_TEXT, " : ");
        if (x > 67) {
                y++;
                x = 2;
        }
        form_field(s, ID_WORD, y, x, 10, s->erase_word);
}

/* What cannot be taken back is agreed to by a key of its own. */
static void draw_agreement(struct session *s, int y)
{
        const struct choices *c = &s->choices;
        _cleanup_free_ char *names = disk_names(c->erased, c->n_erased);

        if (c->keep && !s->changes_share) {
                form_check(s, ID_OPEN, y, 2, s->opens);
                _cleanup_free_ char *words = streq(c->access, "user") ? xasprintf(_("Give these files to %s"), c->user)
                                                                      : xstrdup(_("Open these files to everyone"));
                ui_put_n(y, 6, 72, R_TEXT, words);
        } else if (c->n_erased > 0 && !s->changes_share) {
                draw_word(s, y);
                if (!s->message && !s->dry.refused)
                        session_say(s, true, _("The files on %s can't be brought back afterwards."), names);
        } else {
                int x = form_button(s, ID_START, y, 2, _("Start"));
                ui_put(y, x + 4, R_TEXT, c->job ? _("does this") : _("sets all this up"));
        }
}

static const char agree[] = N_("Space agrees, then Enter starts. Esc goes back to choose otherwise.");
static const char outdated[] = N_("Something changed since this was made: a chosen disk is gone, or holds something else, or "
                                  "is in another state. Nothing can be started before you looked at the disks again.");

/* Whatever the plan is made of, and how the disks are, as a text that is the same for the same world. */
static char *plan_now(const struct session *s)
{
        _cleanup_plan_ struct plan plan = {0};

        if (s->faults.n > 0 || s->changes_share)
                return xstrdup("");
        plan_make(s->facts, &s->answers, &s->choices, 1, &plan);
        struct buf b = {0};
        _cleanup_free_ char *text = plan_text(&plan);
        buf_puts(&b, text);
        for (unsigned i = 0; i < s->choices.n_disks; i++)
                buf_puts(&b, s->choices.disks[i]->state);
        return b.buf;
}

/* The plan was made for a world that is no more. */
static bool is_outdated(struct session *s)
{
        if (s->review_sights != s->sights && !s->changes_share) {
                _cleanup_free_ char *now = plan_now(s);
                s->review_sights = s->sights;
                s->is_outdated = !s->review_plan || !streq(s->review_plan, now);
        }
        return s->is_outdated;
}

/* The English word always works; the translated one is plain a to z. */
static bool is_confirmed(struct session *s)
{
        _cleanup_free_ char *typed = xstrdup(s->erase_word);

        strip(typed);
        if (s->changes_share)
                return true;
        if (s->choices.keep)
                return s->opens;
        return s->choices.n_erased == 0 || strcasecmp(typed, "erase") == 0 ||
               strcasecmp(typed, _("erase")) == 0;
}

static void draw(struct session *s)
{
        const struct choices *c = &s->choices;
        struct lines l = {0};
        int y = page_body_end();

        if (is_outdated(s)) {
                page_frame(s, P_REVIEW, _("This no longer fits this computer. Nothing has been changed."), NULL);
                ui_wrap(TOP, 2, 76, 4, R_TEXT, _(outdated));
                form_button(s, ID_DISKS, TOP + 5, 2, _("Look at the disks"));
                page_message(s, NULL);
                return;
        }
        page_frame(s, P_REVIEW, _("Look this over. Nothing has been changed yet."), NULL);
        review_lines_make(s, &l);
        if (l.n >= y - TOP)
                y = ui_lines() - (c->n_erased > 0 ? 5 : 4); /* the word and the message may take two rows each */
        draw_lines(s, &l, y - TOP - 1);
        review_lines_free(&l);
        draw_agreement(s, y);
        if (s->dry.refused && !s->message)
                session_say(s, true, "%s", s->dry.refused);
        page_message(s, session_fault(s) ? session_fault(s) : is_confirmed(s) || !c->keep ? NULL : _(agree));
}

/* Everything but the share stays as it was agreed to. */
static void change_plan(struct session *s)
{
        struct plan changed;

        if (session_fault(s) || !s->has_plan)
                return;
        plan_change_share(&s->plan, &s->answers, &s->choices, &changed);
        plan_free(&s->plan);
        s->plan = changed;
        dry_begin(s);
}

/* The plan that is looked over is the one that is carried out, identities and all: it is made once. */
static void opened(struct session *s)
{
        _cleanup_(answers_free) struct answers a = {0};
        _cleanup_strv_ char **erase = NULL;

        s->review_top = 0;
        if (s->changes_share) {
                s->is_outdated = false;
                dry_free(&s->dry);
                change_plan(s);
                return;
        }
        s->erase_word[0] = 0;
        s->opens = false;
        dry_free(&s->dry);
        if (s->has_plan)
                plan_free(&s->plan);
        s->has_plan = false;
        answers_set(&s->answers, A_ERASE, NULL);
        session_changed(s);
        free(s->review_plan);
        s->review_plan = plan_now(s);
        s->review_sights = s->sights;
        s->is_outdated = false;
        check_again(s);
        if (s->faults.n > 0)
                return;
        for (unsigned i = 0; i < s->choices.n_erased; i++)
                strv_add(&erase, disk_key(s->facts, s->choices.erased[i]));
        _cleanup_free_ char *list = erase ? list_join(erase) : NULL;
        answers_copy(&s->answers, &a);
        answers_set(&a, A_ERASE, list);
        plan_make(s->facts, &a, &s->choices, 0, &s->plan);
        s->has_plan = true;
        dry_begin(s);
}

/* Whoever took the address meanwhile has it. */
static bool is_taken(struct session *s)
{
        _cleanup_free_ char *taken = check_taken(s);

        if (taken)
                session_say(s, true, "%s", taken);
        return taken;
}

static enum go enter(struct session *s, int id)
{
        if (id == ID_DISKS || is_outdated(s)) {
                session_show(s, s->choices.job ? &page_nas : &page_disks);
                return GO_STAY;
        }
        if (session_fault(s) || !s->has_plan) {
                session_say(s, true, "%s", session_fault(s) ? session_fault(s) : "");
                return GO_STAY;
        }
        if (!is_confirmed(s)) {
                if (s->choices.keep)
                        session_say(s, true, "%s", _(agree));
                else
                        session_say(s, true, _("Type the word %s to go on; Esc goes back to choose other disks."),
                                    _("erase"));
                return GO_STAY;
        }
        if (s->dry.no_programs) { /* asked once more: the cable may be in now */
                _cleanup_free_ char *words = xstrdup(s->dry.refused);
                dry_begin(s);
                session_say(s, true, "%s", words);
                return GO_STAY;
        }
        if (!s->changes_share && (check_wait(s) || is_taken(s)))
                return GO_STAY;
        dry_free(&s->dry);
        int r = s->o->machine ? 0 : journal_begin(&s->plan);
        if (r == -EBUSY) {
                session_say(s, true, _("A set-up is being carried out right now. Leave and start nas-setup again to see it."));
                return GO_STAY;
        }
        if (r < 0) {
                session_say(s, true, _("The plan could not be kept (%s). Nothing was changed."),
                            strerror(-r));
                return GO_STAY;
        }
        apply_follow(s, true);
        return GO_STAY;
}

static void save(struct session *s)
{
        const char *home = getenv("HOME");
        _cleanup_free_ char *path = path_join(home && *home == '/' ? home : "/root", "nas-setup.plan"),
                            *text = NULL;

        if (!s->has_plan)
                return;
        if (is_outdated(s))
                return;
        if (!is_confirmed(s)) {
                if (s->choices.keep)
                        session_say(s, true, "%s", _("Mark the line with Space first: a saved plan asks no more."));
                else
                        session_say(s, true, _("Type the word %s first: a saved plan asks no more."), _("erase"));
                return;
        }
        text = plan_text(&s->plan);
        int r = s->o->machine ? -EROFS : file_save(path, text, 0600);
        if (r < 0)
                session_say(s, true, _("%s could not be written: %s"), path, strerror(-r));
        else
                session_say(s, false, _("Saved as %s. Use it again with: nas-setup --apply FILE"), path);
}

static void tick(struct session *s)
{
        if (check_is_over(s))
                session_go(s, enter(s, form_focused(s)));
}

static enum go key(struct session *s, int k)
{
        switch (k) {
        case K_ESC:
                return GO_BACK;
        case K_F3:
                if (s->has_plan)
                        dry_view(s);
                return GO_STAY;
        case K_F5:
                save(s);
                return GO_STAY;
        case K_DOWN:
                s->review_top++;
                return GO_STAY;
        case K_UP:
                s->review_top--;
                return GO_STAY;
        default:
                return GO_STAY;
        }
}

static void choose(struct session *s, int id)
{
        if (id == ID_OPEN)
                s->opens = !s->opens;
}

static char *get(struct session *s, int id _unused_)
{
        return xstrdup(s->erase_word);
}

static void set(struct session *s, int id _unused_, const char *text)
{
        snprintf(s->erase_word, sizeof s->erase_word, "%s", text);
}

static const struct ui_hint hints[] = {
    {N_("Enter"), N_("start"), 0},
    {"F3", N_("exact commands"), 2},
    {"F5", N_("save plan"), 1},
    {N_("Esc"), N_("back"), 0},
    {"F1", N_("help"), 0},
    {"F10", N_("leave"), 0},
    {0},
};

const struct page page_review = {
    .id = P_REVIEW,
    .name = "review",
    .hints = hints,
    .open = opened,
    .draw = draw,
    .choose = choose,
    .enter = enter,
    .tick = tick,
    .key = key,
    .get = get,
    .set = set,
    .help = N_(
        "This is the only place where anything is confirmed. Read first what is erased.\n\n"
        "Enter starts. From then on the set-up goes on by itself, even when this screen goes away. When the "
        "power fails, start nas-setup again: it goes on where it was.\n\n"
        "F3 shows the exact commands, and how each file would change. F5 saves the plan; with "
        "\"nas-setup --apply FILE\" it can be used again without questions.\n\n"
        "Esc goes back a step; everything you entered is kept."),
};

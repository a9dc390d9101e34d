#include "wizard/page.h"

#include <errno.h>

#include "wizard/journal.h"
#include "wizard/messages.h"
#include "wizard/watch.h"

/* A set-up that did not come to its end: going on with it, or setting it aside. */

enum { ID_GO_ON, ID_ANEW, ID_LEAVE, ID_CHANGE, ID_PASSWORD };

/* The journal has the words that an apply says. */
static void look(struct session *s)
{
        session_form(s)->focus = 0;
        watch_free(s->kept);
        s->kept = NULL;
        if (!s->has_plan)
                return;
        s->kept = watch_new(s->o->machine ? s->progress : JOURNAL_FILE, &s->plan);
        watch_look(s->kept);
}

static const struct watch_step *find(const struct watch *w, const char *name)
{
        for (size_t i = 0; w && i < w->n; i++)
                if (streq(w->steps[i].name, name))
                        return &w->steps[i];
        return NULL;
}

/* Told before anything was touched. */
static bool is_refusal(const struct record *failed)
{
        return record_is(failed, "status", "3") || record_is(failed, "status", "2") || record_is(failed, "code", "usage");
}

static bool has_begun(const struct session *s, const char *name)
{
        const struct watch_step *step = find(s->kept, name);
        if (!step || step->state != STEP_FAILED)
                return step && step->state != STEP_TO_COME;
        /* Of several disks some may have been done before one was refused. */
        return step->since > 0 && (streq(name, "disks") || !is_refusal(step->failed));
}

static void draw_step(const struct watch_step *step, int y)
{
        static const struct {
                enum role role;
                enum glyph glyph;
                const char *words;
        } looks[] = {
            [STEP_TO_COME] = {R_QUIET, G_TO_COME, N_("not begun")},
            [STEP_RUNNING] = {R_MARK, G_CURRENT, N_("begun")},
            [STEP_DONE] = {R_GOOD, G_DONE, N_("done")},
            [STEP_FAILED] = {R_BOLD, G_FAILED, N_("FAILED")},
        };

        ui_glyph(y, 2, looks[step->state].role, looks[step->state].glyph);
        ui_put_n(y, 4, 20, step->state == STEP_TO_COME ? R_QUIET : R_TEXT, step_title(step->name));
        if (step->state != STEP_FAILED) {
                ui_put(y, 25, R_QUIET, _(looks[step->state].words));
                return;
        }
        ui_put(y, 24, R_BADGE, " ");
        ui_put(y, ui_put(y, 25, R_BADGE, _(looks[step->state].words)), R_BADGE, " ");
}

/* Only the share is missing: the disks are an array with a file system, and nothing but a share is to be made of them. */
static bool is_share_missing(const struct session *s)
{
        for (size_t i = 0; s->kept && i < s->kept->n; i++) {
                if (streq(s->kept->steps[i].name, "share"))
                        return s->kept->steps[i].state != STEP_DONE;
                if (s->kept->steps[i].state != STEP_DONE)
                        return false;
        }
        return false;
}

/* It was kept nowhere. */
static bool asks_password(const struct session *s)
{
        const struct watch_step *share = find(s->kept, "share");

        return s->has_plan && plan_wants_password(&s->plan) && share && share->state != STEP_DONE;
}

static int draw_password(struct session *s, int y)
{
        const struct record *share = plan_call(&s->plan, "nas-share", "set");
        _cleanup_free_ char *label = xasprintf(_("Password for %s"), share ? record_str(share, "user") : "?");

        return y + share_draw_password(s, ID_PASSWORD, y, 2, label);
}

static void draw_buttons(struct session *s, const struct watch_step *failed, int y)
{
        bool is_hopeless = failed && record_is(failed->failed, "code", "usage"); /* the same call gives the same answer */
        int other = is_share_missing(s) ? ID_CHANGE : ID_ANEW, x = 2;
        const char *words = other == ID_CHANGE ? _("Change the share") : _("Start anew");

        if (is_hopeless)
                x = form_button(s, other, y, x, words) + 3;
        x = form_button(s, ID_GO_ON, y, x, _("Go on"));
        if (!is_hopeless)
                x = form_button(s, other, y, x + 3, words);
        form_button(s, ID_LEAVE, y, x + 3, _("Leave"));
}

static void draw(struct session *s)
{
        const struct watch_step *failed = s->kept ? watch_failed(s->kept) : NULL;
        _cleanup_free_ char *question = failed ? xasprintf(_("A set-up stopped at %s. Go on with it?"), step_title(failed->name))
                                               : xstrdup(_("A set-up was cut off. Go on with it?"));
        int y = 4;

        ui_title(_("NAS setup"), NULL);
        ui_put_n(2, 2, 76, R_HEADING, question);
        if (!failed || !asks_password(s))
                y += 1 + ui_wrap(y, 2, 76, 3, R_TEXT,
                         _("The plan that you confirmed is still here. Each step first looks what is done already, so it "
                           "goes on where it was. Nothing is erased that you did not agree to."));
        for (size_t i = 0; s->kept && i < s->kept->n; i++)
                draw_step(&s->kept->steps[i], y++);
        if (failed) {
                _cleanup_free_ char *why = message_text(failed->failed);
                y += 1 + ui_wrap(y + 1, 2, 76, 3, R_TEXT, why);
        }
        if (asks_password(s))
                y = draw_password(s, y + 1);
        y = MIN2(y + 1, ui_lines() - 3);
        draw_buttons(s, failed, y);
        page_message(s, NULL);
}

static enum go enter(struct session *s, int id)
{
        if (id == ID_LEAVE)
                return GO_END;
        if (id == ID_ANEW) {
                session_push(s, &page_anew);
        } else if (id == ID_CHANGE) {
                share_change(s);
        } else if (asks_password(s) && share_password_fault(s)) {
                form_focus(s, ID_PASSWORD);
                session_say(s, true, "%s", share_password_fault(s));
        } else {
                apply_follow(s, true);
        }
        return GO_STAY;
}

static char *get(struct session *s, int id _unused_)
{
        return share_get_password(s);
}

static void set(struct session *s, int id _unused_, const char *text)
{
        share_set_password(s, text);
}

static enum go key(struct session *s, int k)
{
        if (k == K_F3 && s->has_plan)
                session_view(s, _("The plan"), plan_text(&s->plan));
        return GO_STAY;
}

static const struct ui_hint hints[] = {
    {N_("Enter"), N_("choose"), 0}, {"LeftRight", N_("move"), 0}, {"F3", N_("exact commands"), 0},
    {"F1", N_("help"), 0},          {"F10", N_("leave"), 0},      {0},
};

const struct page page_resume = {
    .id = P_RESUME,
    .name = "resume",
    .hints = hints,
    .open = look,
    .draw = draw,
    .enter = enter,
    .get = get,
    .set = set,
    .key = key,
    .help = N_("The last set-up did not come to its end: the power failed, or a step did not work.\n\n"
               "Going on finishes it. Starting anew sets its plan aside and asks again; what was done already stays "
               "done.\n\n"
               "Where only the share is missing, it can be changed: another name, or another way in. The disks and what is on "
               "them stay.\n\n"
               "The password of a share is kept nowhere, so it is asked for again. To set such a plan aside all the same, leave "
               "and type: nas-setup --forget"),
};

/* --- setting it aside --- */

static char *disks_of(const struct session *s)
{
        _cleanup_strv_ char **names = NULL;

        RECORDS_FOREACH(r, &s->plan.records)
        if (streq(r->word, "nas-disk")) {
                const struct disk *d = facts_disk(s->facts, record_str(r, "disk"), NULL);
                strv_take(&names, d ? xasprintf("%s (%s)", d->name, record_str(r, "disk")) : xstrdup(record_str(r, "disk")));
        }
        return names ? strv_join(names, ", ") : xstrdup("?");
}

/* As it is now, where that is known: what was set may have been taken back since, by itself or by somebody. */
static const char *network_words(const struct session *s)
{
        const struct record *call = plan_call(&s->plan, "nas-net", "static");
        const struct port *p = call ? facts_port(s->facts, record_str(call, "port")) : NULL;
        const struct watch_step *step = find(s->kept, "network");
        bool is_back = step && step->state == STEP_FAILED && record_is(step->failed, "code", "taken-back"),
             has_it = call && p && strv_has(p->addresses, record_str(call, "address"));

        return is_back || (p && !has_it) ? _("The network is as it was before.") : _("The network has its new settings.");
}

/* What starting anew does not take back. */
static int draw_done(struct session *s, int y)
{
        const struct record *array = plan_call(&s->plan, "nas-raid", "create"), *mount = plan_call(&s->plan, "nas-fs", "mount");
        int top = y;

        if (has_begun(s, "network"))
                y += ui_wrap(y, 4, 74, 2, R_TEXT, network_words(s));
        if (has_begun(s, "disks")) {
                _cleanup_free_ char *disks = disks_of(s);
                bool is_done = find(s->kept, "disks")->state == STEP_DONE;
                _cleanup_free_ char *text = xasprintf(is_done ? _("What was on these disks is gone: %s.")
                                                              : _("What was on these disks may be gone already: %s."),
                                                      disks);
                y += ui_wrap(y, 4, 74, 3, R_BOLD, text);
        }
        if (has_begun(s, "array") && array) {
                _cleanup_free_ char *text =
                    xasprintf(_("The array keeps its disks. To use them for another one, stop it first: umount %s; mdadm "
                                "--stop /dev/md/%s"),
                              mount ? record_str(mount, "mount") : "/srv", record_str(array, "name"));
                y += ui_wrap(y, 4, 74, 3, R_TEXT, text);
        }
        if (y == top)
                y += ui_wrap(y, 4, 74, 1, R_GOOD, _("Nothing: no step was begun."));
        return y;
}

static void draw_anew(struct session *s)
{
        ui_title(_("NAS setup"), NULL);
        ui_put_n(2, 2, 76, R_HEADING, _("Set this plan aside and start anew?"));
        ui_put_n(4, 2, 76, R_LABEL, _("What stays as it is now"));
        int y = s->has_plan ? draw_done(s, 5) + 1 : 6;
        int x = form_button(s, ID_LEAVE, y, 2, _("Back"));
        form_button(s, ID_ANEW, y, x + 3, _("Start anew"));
        page_message(s, NULL);
}

static void open_anew(struct session *s)
{
        look(s);
        session_form(s)->focus = 0;
}

static enum go enter_anew(struct session *s, int id)
{
        if (id != ID_ANEW)
                return GO_BACK;
        int r = s->o->machine ? 0 : journal_forget();
        if (r == -EBUSY)
                session_say(s, true, _("A set-up is being carried out right now. Leave and start nas-setup again to see it."));
        else if (r < 0)
                session_say(s, true, _("%s could not be written: %s"), STATE_DIR, strerror(-r));
        if (r < 0)
                return GO_STAY;
        s->end = WIZARD_ANEW;
        return GO_END;
}

static const struct ui_hint anew_hints[] = {
    {N_("Enter"), N_("choose"), 0}, {"LeftRight", N_("move"), 0}, {N_("Esc"), N_("back"), 0}, {0}};

const struct page page_anew = {
    .id = P_ANEW,
    .name = "anew",
    .hints = anew_hints,
    .open = open_anew,
    .draw = draw_anew,
    .enter = enter_anew,
};

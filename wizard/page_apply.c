#include "wizard/page.h"

#include "helpers/lib/helper.h"
#include "wizard/messages.h"
#include "wizard/watch.h"

#define TOP 4
#define NAME_X 4
#define TEXT_LEAST 18
#define BAR_END 68
#define SILENCE_MS 8000 /* then it is asked whether the apply still lives */
#define START_MS 3000   /* the same where it has not said a word yet */

enum { ID_AGAIN, ID_BACK, ID_ANEW, ID_LEAVE, ID_CHANGE };

/* Seconds that a step usually takes, for "about 25 s left". */
static const struct {
        const char *name;
        unsigned seconds;
} usual[] = {{"network", 10}, {"system", 3}, {"packages", 90}, {"clear", 3}, {"disks", 5}, {"array", 5}, {"files", 8},
             {"mount", 3},    {"share", 6}, {"speed", 20}};

void apply_follow(struct session *s, bool start)
{
        look_network(s->look, false);
        trial_free(&s->saying);
        s->begin_error = 0;
        if (start && !s->o->machine)
                s->begin_error = apply_detached(s->o->self ? s->o->self : "/proc/self/exe",
                                                plan_wants_password(&s->plan) ? s->password : NULL);
        s->changes_share = false;
        watch_free(s->watch);
        s->watch = watch_new(s->progress, &s->plan);
        s->last_news = now_ms();
        s->cut_off = s->begin_error < 0;
        if (s->stack[0] != &page_apply)
                session_show(s, &page_apply);
}

/* --- what is done, in words --- */

static char *disks_done(struct session *s)
{
        _cleanup_strv_ char **names = NULL;

        RECORDS_FOREACH(r, &s->plan.records)
        {
                if (!streq(r->word, "nas-disk") || !record_is(r, "verb", "partition"))
                        continue;
                const struct disk *d = facts_disk(s->facts, record_str(r, "disk"), NULL);
                strv_add(&names, d ? d->name : record_str(r, "disk"));
        }
        _cleanup_free_ char *list = names ? strv_join(names, ", ") : xstrdup("");
        return xasprintf(Q_("%s has its partition", "%s have their partitions", strv_len(names)), list);
}

/* md127, data-photos are stopped */
static char *clear_done(const struct session *s)
{
        const struct record *r = records_find(&s->plan.records, "step", "name", "clear");
        _cleanup_strv_ char **names = r ? record_get_list(r, "stops") : NULL;
        _cleanup_free_ char *list = names ? strv_join(names, ", ") : xstrdup("");

        return xasprintf(Q_("%s is stopped", "%s are stopped", strv_len(names)), list);
}

static char *network_done(struct session *s)
{
        const struct record *r = plan_call(&s->plan, "nas-net", "static");
        const char *address = r ? record_str(r, "address") : "";
        _cleanup_strv_ char **off = r ? record_get_list(r, "off") : NULL, **names = NULL;

        STRV_FOREACH(mac, off)
        {
                const struct port *p = facts_port(s->facts, *mac);
                strv_add(&names, p ? p->name : *mac);
        }
        if (!names)
                return xasprintf(_("%.*s is set"), (int)strcspn(address, "/"), address);
        _cleanup_free_ char *list = strv_join(names, ", ");
        return xasprintf(Q_("%.*s is set; %s is off", "%.*s is set; %s are off", strv_len(names)),
                         (int)strcspn(address, "/"), address, list);
}

/* What is only wished may not be to be had; the step does not fail by that. */
static char *packages_done(const struct session *s)
{
        const struct record *r = plan_call(&s->plan, "nas-system", "install");
        _cleanup_strv_ char **needed = r ? record_get_list(r, "packages") : NULL;
        _cleanup_free_ char *list = needed ? strv_join(needed, ", ") : NULL;

        return list ? xasprintf(_("installed: %s"), list) : xstrdup(_("what could be had is installed"));
}

static char *done_words(struct session *s, const char *step)
{
        const struct record *share = plan_call(&s->plan, "nas-share", "set"),
                            *fs = plan_call(&s->plan, "nas-fs", "format"),
                            *array = plan_call(&s->plan, "nas-raid", "create"),
                            *mount = plan_call(&s->plan, "nas-fs", "mount");
        const struct level *l = array ? level_find(record_str(array, "level")) : NULL;

        if (streq(step, "network"))
                return network_done(s);
        if (streq(step, "packages"))
                return packages_done(s);
        if (streq(step, "clear"))
                return clear_done(s);
        if (streq(step, "disks"))
                return disks_done(s);
        if (streq(step, "array") && plan_call(&s->plan, "nas-raid", "adopt"))
                return xstrdup(_("the old array runs, and after every start"));
        if (streq(step, "array") && l) {
                _cleanup_free_ char *name = level_words(l);
                return xasprintf(_("%s runs"), name);
        }
        if (streq(step, "files") && fs)
                return xasprintf(_("%s is on the array"), record_str(fs, "type"));
        if (streq(step, "mount") && mount)
                return xasprintf(_("%s is there, and after every start"), record_str(mount, "mount"));
        if (nas_done_words(step))
                return xstrdup(nas_done_words(step));
        if (streq(step, "share") && share)
                return page_share_path(record_str(share, "address"), record_str(share, "name"));
        return xstrdup(_("done"));
}

/* --- drawing --- */

/* Where the texts begin, behind the longest name of a step. */
static int text_x(const struct session *s)
{
        int x = TEXT_LEAST;

        for (size_t i = 0; i < s->watch->n; i++)
                x = MAX2(x, NAME_X + ui_width(step_title(s->watch->steps[i].name)) + 2);
        return MIN2(x, 30);
}

static void draw_running(const struct watch_step *step, int y, int x)
{
        ui_put_n(y, NAME_X, x - NAME_X - 1, R_BOLD, step_title(step->name));
        if (step->trial) {
                ui_put(y, x, R_TEXT, _("waits for your yes"));
                return;
        }
        if (step->total == 0) {
                _cleanup_free_ char *waits = *step->waits ? xasprintf(_("waits until %s has finished"), step->waits) : NULL;
                ui_put_n(y, x, 70 - x, R_TEXT, waits ? waits : _("working …"));
                _cleanup_free_ char *time = duration_words((now_ms() - step->since) / 1000);
                if (now_ms() - step->since >= 3000)
                        ui_put_right(y, 77, R_QUIET, time);
                return;
        }
        ui_progress(y, x, BAR_END - x, step->done, step->total);
        _cleanup_free_ char *percent =
            xasprintf("%u %%", (unsigned)((double)MIN2(step->done, step->total) * 100 / (double)step->total));
        ui_put_right(y, 77, R_QUIET, percent);
}

/* How many rows it took. */
static int draw_step(struct session *s, const struct watch_step *step, int y, bool stopped)
{
        int x = text_x(s);

        switch (step->state) {
        case STEP_DONE: {
                _cleanup_free_ char *words = done_words(s, step->name);
                _cleanup_free_ char *time = xasprintf("%.1f s", (double)step->ms / 1000);
                i18n_decimal(time);
                ui_glyph(y, 2, R_GOOD, G_DONE);
                ui_put_n(y, NAME_X, x - NAME_X - 1, R_TEXT, step_title(step->name));
                ui_put_right(y, 77, R_QUIET, time);
                if (streq(step->name, "share"))
                        return page_path(y, x, 70 - x, words);
                ui_put_n(y, x, 70 - x, R_TEXT, words);
                break;
        }
        case STEP_RUNNING:
                ui_glyph(y, 2, R_MARK, G_CURRENT);
                draw_running(step, y, x);
                break;
        case STEP_FAILED:
                ui_glyph(y, 2, R_BOLD, G_FAILED);
                ui_put_n(y, NAME_X, x - NAME_X - 1, R_BOLD, step_title(step->name));
                ui_put(y, x - 1, R_BADGE, " ");
                ui_put(y, ui_put(y, x, R_BADGE, _("FAILED")), R_BADGE, " ");
                break;
        case STEP_TO_COME:
                ui_glyph(y, 2, R_QUIET, G_TO_COME);
                ui_put_n(y, NAME_X, x - NAME_X - 1, R_QUIET, step_title(step->name));
                if (stopped)
                        ui_put(y, x, R_QUIET, _("not begun"));
                break;
        }
        return 1;
}

static uint64_t step_left(const struct watch_step *step)
{
        uint64_t spent = (now_ms() - step->since) / 1000, all = 10;

        for (size_t i = 0; i < ELEMENTSOF(usual); i++)
                if (streq(usual[i].name, step->name))
                        all = usual[i].seconds;
        if (step->state == STEP_TO_COME)
                return all;
        if (step->state != STEP_RUNNING)
                return 0;
        /* The first twentieth says too little. */
        if (step->total > 0 && step->done >= step->total / 20 + 1 && spent >= 2)
                return (uint64_t)((double)spent * (double)(step->total - MIN2(step->done, step->total)) /
                                  (double)step->done);
        return all > spent ? all - spent : 2;
}

/* What a step does, without the full stop: how long it still takes may follow. */
static const char *going_words(const struct session *s, const char *step)
{
        static const struct {
                const char *step, *words;
        } says[] = {
            {"network", N_("Setting the address")},
            {"system", N_("Setting clock, keyboard and sleep")},
            {"packages", N_("Installing the programs that are missing")},
            {"clear", N_("Stopping what still runs on the disks")},
            {"disks", N_("Making a partition on each disk")},
            {"array", N_("Putting the disks together")},
            {"files", N_("Making the file system on the array")},
            {"mount", N_("Mounting it, now and after every start")},
            {"share", N_("Opening the share")},
            {"speed", N_("Measuring how fast it is (everything is ready already)")},
            {"grow", N_("Beginning to change the array")},
            {"replace", N_("Beginning to fill the new disk")},
            {"start", N_("Starting the array and looking through its files")},
        };
        const struct record *share = plan_call(&s->plan, "nas-share", "set");

        if (streq(step, "share") && share && record_is(share, "files", "give"))
                return _("Giving the files to the share, and opening it");
        for (size_t i = 0; i < ELEMENTSOF(says); i++)
                if (streq(says[i].step, step))
                        return _(says[i].words);
        return _("Working");
}

static void draw_going_message(struct session *s, const struct watch_step *now)
{
        const char *words = now ? going_words(s, now->name) : NULL;
        _cleanup_free_ char *time = now ? duration_words(step_left(now)) : NULL, *text = NULL;

        if (!now)
                text = xstrdup(_("Starting …"));
        else if (now->total > 0 && now->done > 0 && now_ms() - now->since >= 2000)
                text = xasprintf(_("%s: %s left."), words, time);
        else
                text = xasprintf("%s.", words);
        page_message(s, text);
}

static void draw_going(struct session *s)
{
        const struct watch_step *now = NULL;
        uint64_t left = 0;

        for (size_t i = 0; i < s->watch->n; i++) {
                left += step_left(&s->watch->steps[i]);
                if (s->watch->steps[i].state == STEP_RUNNING)
                        now = &s->watch->steps[i];
        }
        ui_put_n(2, 2, 50, R_HEADING, plan_is_change(&s->plan) ? _("Changing your NAS") : _("Setting up your NAS"));
        _cleanup_free_ char *time = duration_words(MAX2((left + 4) / 5 * 5, UINT64_C(5)));
        _cleanup_free_ char *text = xasprintf(_("about %s left"), time);
        ui_put_right(2, 77, R_BOLD, text);
        draw_going_message(s, now);
}

static bool can_go_back(const struct watch_step *failed)
{
        return failed && streq(failed->name, "network");
}

/* All that the share stands on is there and stays. */
static bool can_change_share(const struct watch_step *failed)
{
        return failed && streq(failed->name, "share");
}

static bool is_anything_done(const struct watch *w)
{
        for (size_t i = 0; i < w->n; i++)
                if (w->steps[i].state == STEP_DONE)
                        return true;
        return false;
}

static const char *stopped_heading(const struct session *s)
{
        const struct watch_step *failed = watch_failed(s->watch);

        if (!failed)
                return s->begin_error ? _("The set-up could not be started.") : _("The set-up was cut off.");
        if (!is_anything_done(s->watch) && record_u64(failed->failed, "status") == HELPER_REFUSED)
                return _("One step was refused. No step was begun.");
        return _("One step didn't work. The steps after it were not begun.");
}

static char *stopped_words(const struct session *s)
{
        const struct watch_step *failed = watch_failed(s->watch);

        if (failed)
                return message_text(failed->failed);
        if (s->begin_error)
                return xasprintf(_("The system says: %s. Nothing was changed."), strerror(-s->begin_error));
        return xstrdup(_("The set-up ended without a word. What is done stays done; try again to go on."));
}

/* The column behind the buttons, of which the likeliest is the first. */
static int draw_ways_on(struct session *s, const struct watch_step *failed, int y)
{
        bool is_hopeless = failed && record_is(failed->failed, "code", "usage"); /* the same call gives the same answer */
        int id = can_go_back(failed) ? ID_BACK : can_change_share(failed) ? ID_CHANGE : ID_ANEW, x = 2;
        const char *other = id == ID_BACK     ? _("Change the answers")
                            : id == ID_CHANGE ? _("Change the share")
                                              : _("Start anew");

        if (is_hopeless && id == ID_BACK) {
                id = ID_ANEW;
                other = _("Start anew");
        }
        if (is_hopeless)
                x = form_button(s, id, y, x, other) + 3;
        x = form_button(s, ID_AGAIN, y, x, _("Try again"));
        if (!is_hopeless)
                x = form_button(s, id, y, x + 3, other);
        return trial_can_undo(s) ? form_button(s, ID_TAKE_BACK, y, x + 3, _("Take it back")) : x;
}

static void draw_stopped(struct session *s, int y)
{
        const struct watch_step *failed = watch_failed(s->watch);
        _cleanup_free_ char *text = stopped_words(s);

        page_frame(s, P_APPLY, stopped_heading(s), NULL);
        y += ui_wrap(y, 2, 76, MAX2(page_body_end() + 2 - y, 2), R_TEXT, text) + 1;
        if (failed && s->has_plan && apply_takes_itself_back(&s->plan, failed->failed))
                y += ui_wrap(y - 1, 2, 76, 1, R_TEXT, _("The old network settings come back by themselves."));
        if (failed && is_anything_done(s->watch))
                y += ui_wrap(y - 1, 2, 76, 1, R_TEXT,
                             _("What is done stays done. Trying again goes on from there."));
        int x = draw_ways_on(s, failed, y);
        form_button(s, ID_LEAVE, y, x + 3, _("Leave"));
        if (!s->message && failed)
                session_say(s, true, _("%s failed. F3 shows the raw text."), step_title(failed->name));
        page_message(s, NULL);
}

bool apply_is_stopped(const struct session *s)
{
        return s->watch && (s->cut_off || watch_failed(s->watch));
}

static void draw(struct session *s)
{
        int y = TOP;

        page_frame(s, P_APPLY, NULL, NULL);
        if (!s->watch) {
                ui_wrap(2, 2, 76, 3, R_HEADING, _("A set-up is running, but its plan can't be read."));
                return;
        }
        bool stopped = apply_is_stopped(s);
        for (size_t i = 0; i < s->watch->n; i++)
                y += draw_step(s, &s->watch->steps[i], y, stopped);
        if (stopped) {
                draw_stopped(s, y + 1);
        } else if (watch_trial(s->watch)) {
                trial_draw(s, y + 1);
        } else {
                draw_going(s);
                ui_cursor(TOP, 2);
        }
}

static bool has_begun(const struct session *s)
{
        for (size_t i = 0; i < s->watch->n; i++)
                if (s->watch->steps[i].state != STEP_TO_COME)
                        return true;
        return false;
}

/* Other buttons are other questions: the first of them has the focus, and what was said before is over. */
static void see_stage(struct session *s)
{
        int stage = apply_is_stopped(s) ? 2 : watch_trial(s->watch) ? 1 : 0;

        if (stage == s->apply_stage)
                return;
        s->apply_stage = stage;
        s->forms[P_APPLY].focus = 0;
        session_say(s, false, NULL);
}

static void tick(struct session *s)
{
        if (!s->watch)
                return;
        trial_tick(s);
        bool news = watch_look(s->watch);
        if (news) {
                s->last_news = now_ms();
                s->cut_off = false;
        }
        see_stage(s);
        if (s->watch->finished) {
                if (plan_has_summary(&s->plan))
                        session_show(s, &page_speed);
                else
                        nas_show(s);
                return;
        }
        if (s->o->machine || s->cut_off || now_ms() - s->last_news < (has_begun(s) ? SILENCE_MS : START_MS))
                return;
        s->last_news = now_ms();
        s->cut_off = !is_apply_running() && !watch_look(s->watch);
}

/* With the answers that the plan was made from, where they were given elsewhere. */
static void change_answers(struct session *s)
{
        bool any = false;

        watch_free(s->watch);
        s->watch = NULL;
        for (int i = 0; i < N_ANSWERS; i++)
                any |= s->answers.v[i] != NULL;
        if (!any && s->has_plan)
                plan_answers(&s->plan, &s->answers);
        session_changed(s);
        session_show(s, &page_network);
}

static enum go enter(struct session *s, int id)
{
        if (id == ID_KEEP_IT || id == ID_TAKE_BACK) {
                trial_say(s, id == ID_KEEP_IT ? APPLY_KEEP : APPLY_TAKE_BACK);
                return GO_STAY;
        }
        if (!s->watch || !apply_is_stopped(s) || s->saying.is_running)
                return GO_STAY;
        if (id == ID_AGAIN && !s->password && plan_wants_password(&s->plan)) {
                session_show(s, &page_resume); /* which asks for it */
        } else if (id == ID_AGAIN) {
                apply_follow(s, true);
        } else if (id == ID_CHANGE) {
                watch_free(s->watch);
                s->watch = NULL;
                share_change(s);
        } else if (id == ID_BACK) {
                change_answers(s);
        } else if (id == ID_ANEW) {
                session_push(s, &page_anew);
        } else {
                s->end = WIZARD_FAILED;
                return GO_END;
        }
        return GO_STAY;
}

static void details(struct session *s)
{
        const struct watch_step *failed = s->watch ? watch_failed(s->watch) : NULL;
        _cleanup_free_ char *said = NULL;
        struct buf b = {0};

        if (failed) {
                const struct record *r = failed->failed;
                buf_printf(&b, "%s\n\n%s\n\n", record_str(r, "text"), record_str(r, "raw"));
                buf_printf(&b, _("Step %s, code %s, what %s\n"), failed->name, record_str(r, "code"),
                           record_str(r, "what"));
                buf_puts(&b, _("More stands in /var/log/nas-setup.log.\n"));
                session_view(s, _("The raw text"), b.buf);
        } else if (s->cut_off && read_text(APPLY_OUT, 65536, &said) == 0 && *said) {
                session_view(s, _("The raw text"), TAKE_PTR(said));
        } else if (s->has_plan) {
                session_view(s, _("The plan"), plan_text(&s->plan));
        }
}

static enum go key(struct session *s, int k)
{
        if (k == K_F3)
                details(s);
        return GO_STAY;
}

static void opened(struct session *s)
{
        session_form(s)->focus = 0;
        if (!s->watch && s->has_plan)
                apply_follow(s, false);
}

static const struct ui_hint hints[] = {
    {N_("Enter"), N_("choose"), 1},
    {"F3", N_("details"), 0},
    {"F1", N_("help"), 0},
    {"F10", N_("leave"), 0},
    {0},
};

static const struct ui_hint going_hints[] = {
    {"F3", N_("details"), 0}, {"F1", N_("help"), 0}, {"F10", N_("leave"), 0}, {0}};

static const struct ui_hint *hints_now(struct session *s)
{
        return s->watch && (apply_is_stopped(s) || watch_trial(s->watch)) ? hints : going_hints;
}

const struct page page_apply = {
    .id = P_APPLY,
    .name = "apply",
    .hints_now = hints_now,
    .open = opened,
    .draw = draw,
    .enter = enter,
    .tick = tick,
    .key = key,
    .help = N_(
        "The set-up goes on by itself, even when you leave or this terminal goes away; start nas-setup again "
        "to watch it.\n\n"
        "Over ssh, a new address is on trial first: say Keep when you can read this, and no later step begins before. When "
        "nobody answers before the time on the screen is over, the old settings come back by themselves.\n\n"
        "When a step does not work, the screen says what happened and what to do. Trying again is always "
        "safe: each step first looks what is done already.\n\n"
        "When the power fails, start nas-setup again: it goes on where it was."),
};

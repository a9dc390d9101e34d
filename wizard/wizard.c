#include "wizard/wizard.h"

#include <errno.h>
#include <time.h>

#include "helpers/lib/password.h"
#include "wizard/page.h"
#include "wizard/journal.h"
#include "wizard/script.h"
#include "wizard/watch.h"

#define TICK_MS 100

/* The screens of each job, in order; NULL ends them. */
static const struct page *const flows[N_JOBS][8] = {
        [JOB_SETUP] = {&page_welcome, &page_network, &page_disks, &page_protection, &page_share, &page_review},
        [JOB_NETWORK] = {&page_nas, &page_network, &page_review},
        [JOB_SHARE] = {&page_nas, &page_share, &page_review},
        [JOB_SPEED] = {&page_nas, &page_review},
        [JOB_ADD] = {&page_nas, &page_add, &page_review},
        [JOB_REPLACE] = {&page_nas, &page_replace, &page_review},
        [JOB_START] = {&page_nas, &page_review},
};

/* Advice that was gone on with stays what it was, whatever is plugged in afterwards. */
void session_changed(struct session *s)
{
        struct answers a = s->answers;

        if (!a.v[A_PORT])
                a.v[A_PORT] = s->advised_port;
        if (!a.v[A_USE] && !a.v[A_KEEP] && !a.v[A_DO])
                a.v[A_USE] = s->advised_use;
        choices_free(&s->choices);
        faults_free(&s->faults);
        choices_make(s->facts, &a, &s->choices, &s->faults);
}

static const struct page *top(const struct session *s)
{
        return s->stack[s->depth - 1];
}

struct form *session_form(struct session *s)
{
        return &s->forms[top(s)->id];
}

static void opened(struct session *s)
{
        s->fresh = true;
        session_say(s, false, NULL);
        if (top(s)->open)
                top(s)->open(s);
}

void session_push(struct session *s, const struct page *p)
{
        if (s->depth == (int)ELEMENTSOF(s->stack))
                return;
        s->stack[s->depth++] = p;
        opened(s);
}

void session_show(struct session *s, const struct page *p)
{
        s->stack[0] = p;
        s->depth = 1;
        opened(s);
}

void session_say(struct session *s, bool alarm, const char *fmt, ...)
{
        va_list ap;

        freep(&s->message);
        s->message = NULL;
        s->is_alarm = alarm;
        s->is_passing = false;
        if (!fmt)
                return;
        va_start(ap, fmt);
        s->message = xvasprintf(fmt, ap);
        va_end(ap);
}

void session_wait(struct session *s)
{
        s->is_passing = true;
}

void session_view(struct session *s, const char *title, char *text)
{
        free(s->view_title);
        free(s->view_text);
        s->view_title = xstrdup(title);
        s->view_text = text;
        s->view_top = 0;
        s->view_is_commands = false;
        session_push(s, &page_view);
}

/* An array that is kept is protected as it is. */
static void step(struct session *s, int by)
{
        const struct page *const *flow = flows[s->choices.job];

        for (int i = 0; flow[i]; i++)
                if (top(s) == flow[i] && i + by >= 0 && flow[i + by]) {
                        bool skips = flow[i + by] == &page_protection && s->choices.keep;
                        session_show(s, flow[i + (skips ? 2 * by : by)]);
                        if (skips && by > 0)
                                session_say(s, false, _("Protection stays as it is: step 4 is skipped."));
                        return;
                }
}

bool session_asked(struct session *s, const char *question)
{
        bool asked = s->question && s->question_press + 1 == s->presses && streq(s->question, question);

        free(s->question);
        s->question = asked ? NULL : xstrdup(question);
        s->question_press = s->presses;
        return asked;
}

void session_see(struct session *s, struct facts *seen)
{
        _cleanup_free_ char *disk = disks_focused(s), *port = ports_focused(s), *news = NULL;
        bool is_loss = false, is_chosen = port && s->choices.port && streq(port, s->choices.port->name);

        news = look_news(s->facts, seen, &is_loss);
        facts_free(s->facts);
        *s->facts = *seen;
        session_changed(s);
        disks_focus(s, disk);
        ports_focus(s, is_chosen && s->choices.port ? s->choices.port->name : port);
        s->sights++;
        if (news)
                session_say(s, is_loss, "%s", news);
        else if (s->is_passing)
                session_say(s, false, NULL);
}

/* While somebody looks which port is which, and only then, those that are down are held up. */
static bool is_plugging(const struct session *s)
{
        return !s->watch && (s->stack[0] == &page_network || s->stack[0] == &page_welcome);
}

static void look_tick(struct session *s)
{
        struct facts seen;

        if (s->depth > 0 && !is_awaited(s->facts, "nas-net"))
                look_network(s->look, is_plugging(s));
        if (s->look && look_next(s->look, s->facts, &seen))
                session_see(s, &seen);
}

static bool has_answers(const struct session *s)
{
        for (int i = 0; i < N_ANSWERS; i++)
                if (s->answers.v[i] && !streq(answer_word((enum answer)i), "change"))
                        return true;
        return false;
}

/* Leaving asks where something would be lost: answers, or the sight of what is going on. */
static void leave(struct session *s)
{
        if (top(s) == &page_leave) {
                s->over = true;
        } else if (s->end == WIZARD_FINISHED) {
                session_push(s, &page_leave);
        } else if (apply_is_stopped(s)) {
                s->end = WIZARD_FAILED;
                s->over = true;
        } else if (s->watch ? watch_is_running(s->watch) : has_answers(s)) {
                session_push(s, &page_leave);
        } else {
                s->over = true;
        }
}

void session_go(struct session *s, enum go where)
{
        switch (where) {
        case GO_STAY:
                return;
        case GO_NEXT:
                step(s, 1);
                return;
        case GO_BACK:
                if (s->depth > 1)
                        s->depth--, s->fresh = true;
                else
                        step(s, -1);
                return;
        case GO_LEAVE:
                leave(s);
                return;
        case GO_END:
                s->over = true;
                return;
        }
}

static bool in_field(struct session *s)
{
        const struct form *f = session_form(s);
        return f->focus < f->n && f->items[f->focus].kind == ITEM_FIELD;
}

static void help(struct session *s)
{
        if (top(s)->help && *top(s)->help)
                session_view(s, _("Help"), xstrdup(_(top(s)->help)));
}

static void press(struct session *s, int key)
{
        const struct page *p = top(s);

        s->presses++;
        session_say(s, false, NULL);
        if (key == K_F10)
                session_go(s, GO_LEAVE);
        else if (key == K_F1 || (key == '?' && !in_field(s)))
                help(s);
        else if (form_key(s, p, key))
                return;
        else if (key == K_ENTER)
                session_go(s, p->enter ? p->enter(s, form_focused(s)) : GO_NEXT);
        else if (p->key)
                session_go(s, p->key(s, key));
        else if (key == K_ESC)
                session_go(s, GO_BACK);
}

static void draw_hints(struct session *s)
{
        struct ui_hint hints[16];
        int n = 0;

        const struct page *p = top(s);

        for (const struct ui_hint *h = p->hints_now ? p->hints_now(s) : p->hints;
             h && h->key && n < (int)ELEMENTSOF(hints); h++, n++) {
                bool arrows = streq(h->key, "UpDown"), sides = streq(h->key, "LeftRight");
                hints[n].key = arrows  ? ui_glyph_text(G_UP_DOWN)
                               : sides ? ui_glyph_text(G_LEFT_RIGHT)
                                       : _(h->key);
                hints[n].what = _(h->what);
                hints[n].worth = h->worth;
        }
        ui_hints(hints, n);
}

static void draw_too_small(void)
{
        int y = MAX2(ui_lines() / 2 - 2, 0);

        ui_putf(y, 1, R_BOLD, _("This window is too small: %d x %d."), ui_columns(), ui_lines());
        ui_wrap(y + 1, 1, ui_columns() - 2, 4, R_TEXT,
                _("Make it at least 80 x 24. What you entered is kept."));
        ui_cursor(y, 1);
}

static void draw(struct session *s)
{
        ui_clear();
        if (ui_lines() < UI_LEAST_LINES || ui_columns() < UI_LEAST_COLUMNS) {
                draw_too_small();
        } else {
                draw_hints(s);
                form_begin(s);
                top(s)->draw(s);
                form_end(s);
        }
        ui_show();
        if (s->fresh)
                ui_drop_keys();
        s->fresh = false;
}

static void tick(struct session *s)
{
        look_tick(s);
        check_tick(s);
        dry_tick(s);
        if (top(s)->tick)
                top(s)->tick(s);
}

static const struct page *first_page(const struct session *s)
{
        switch (s->o->start) {
        case WIZARD_RESUME:
                return &page_resume;
        case WIZARD_ATTACH:
                return &page_apply;
        case WIZARD_SUMMARY:
                return &page_speed;
        case WIZARD_NEW:
                break;
        }
        return &page_welcome;
}

void session_load_plan(struct session *s)
{
        struct records rs = {0};
        struct record_error error;
        struct plan plan;
        bool is_read = false;

        if (s->o->plan)
                is_read = records_read(s->o->plan, &rs, &error) == 0 && plan_from_records(&rs, &plan, &error) == 0;
        else if (!s->o->machine)
                is_read = journal_plan(&plan, &error) == 0;
        if (!is_read)
                return;
        if (s->has_plan)
                plan_free(&s->plan);
        s->plan = plan;
        s->has_plan = true;
}

const char *session_fault(const struct session *s)
{
        for (unsigned i = 0; i < s->faults.n; i++)
                if (!s->changes_share || streq(answer_word(s->faults.v[i].which), "share"))
                        return s->faults.v[i].text;
        return NULL;
}

/* The terminal is gone: what was begun goes on. */
static void hang_up(struct session *s)
{
        s->over = s->gone = true;
        if (s->end != WIZARD_FINISHED && s->watch && watch_is_running(s->watch))
                s->end = apply_is_stopped(s) ? WIZARD_FAILED : WIZARD_APPLYING;
}

static void on_terminal(struct session *s)
{
        draw(s);
        if (s->look)
                look_begin(s->look, s->o->start == WIZARD_NEW);
        while (!s->over) {
                tick(s);
                draw(s);
                int key = ui_key(TICK_MS);
                if (key == K_HANGUP)
                        hang_up(s);
                else if (ui_lines() < UI_LEAST_LINES || ui_columns() < UI_LEAST_COLUMNS)
                        s->over = key == K_F10;
                else if (key != K_NONE && key != K_RESIZE)
                        press(s, key);
        }
}

static void change_language(struct session *s, const char *said)
{
        _cleanup_free_ char *code = xstrndup(said, strcspn(said, ":"));

        i18n_start(said + strlen(code) + (said[strlen(code)] == ':'));
        i18n_choose(code);
        session_changed(s);
}

static void open_named(struct session *s, const char *name)
{
        static const struct page *const pages[] = {&page_apply, &page_resume, &page_speed};

        for (size_t i = 0; i < ELEMENTSOF(pages); i++)
                if (streq(pages[i]->name, name))
                        session_show(s, pages[i]);
}

static void see_file(struct session *s, const char *path)
{
        struct record_error error;
        struct facts seen;

        if (facts_read(path, &seen, &error) == 0)
                session_see(s, &seen);
}

/* A file of keys knows nothing of how long looking takes. */
static void look_to_the_end(struct session *s)
{
        bool looking = s->look != NULL;

        if (looking)
                look_begin(s->look, s->o->start == WIZARD_NEW);
        while (looking) {
                look_tick(s);
                looking = is_awaited(s->facts, NULL);
                for (size_t i = 0; i < s->facts->n_disks; i++)
                        looking |= is_being_looked_at(&s->facts->disks[i]);
                nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        }
}

static int from_script(struct session *s, struct script *script)
{
        int key, r = 0;

        look_to_the_end(s);
        tick(s);
        draw(s);
        while (!s->over && (r = script_next(script, top(s)->name, &key)) > 0) {
                if (script->progress && !streq(s->progress, script->progress)) {
                        s->progress = script->progress;
                        if (s->watch)
                                apply_follow(s, false);
                }
                if (script->language)
                        change_language(s, script->language);
                script->language = NULL;
                if (script->opened)
                        open_named(s, script->opened);
                script->opened = NULL;
                if (script->seen)
                        see_file(s, script->seen);
                freep(&script->seen);
                script->seen = NULL;
                if (key != K_NONE && key != K_RESIZE)
                        press(s, key);
                tick(s);
                draw(s);
        }
        return r;
}

static void session_free(struct session *s)
{
        look_free(s->look);
        blink_free(&s->blink);
        nas_free(&s->nas);
        speeding_free(&s->speeding);
        check_free(&s->check);
        dry_free(&s->dry);
        trial_free(&s->saying);
        answers_free(&s->ipv6_before);
        records_free(&s->typed);
        watch_free(s->watch);
        watch_free(s->kept);
        if (s->has_plan)
                plan_free(&s->plan);
        choices_free(&s->choices);
        faults_free(&s->faults);
        answers_free(&s->answers);
        free(s->advised_port);
        free(s->advised_use);
        free(s->review_plan);
        free(s->question);
        free(s->message);
        free(s->view_title);
        free(s->view_text);
        password_free(&s->password);
}

/* The summary is shown until somebody has left it by a key. */
static void keep_seen(const struct session *s)
{
        _cleanup_record_ struct record *r = record_new("seen");

        if (s->end == WIZARD_FINISHED && !s->gone && !s->o->machine)
                (void)journal_add(r);
}

static char *last_words(const struct session *s)
{
        const struct record *r = s->has_plan ? plan_call(&s->plan, "nas-share", "set") : NULL;

        if (s->end == WIZARD_APPLYING)
                return xstrdup(_("The set-up goes on by itself. nas-setup shows how far it is."));
        if (s->end != WIZARD_FINISHED || !r)
                return NULL;
        _cleanup_free_ char *path = page_share_path(record_str(r, "address"), record_str(r, "name"));
        _cleanup_free_ char *url = page_share_url(record_str(r, "address"), record_str(r, "name"));
        return xasprintf(_("Your NAS: %s (%s)"), path, url);
}

int wizard_run(struct facts *f, const struct wizard_options *o, char **ret_words)
{
        _cleanup_(session_free) struct session s = {.facts = f, .o = o, .end = WIZARD_LEFT};
        _cleanup_(script_free) struct script script = {0};
        struct ui_options u = {
            .headless = o->keys, .lines = o->lines, .columns = o->columns, .mono = o->mono};

        i18n_start(o->locale_dir);
        u.after_crash = _("nas-setup ended by a fault of its own.\n"
                          "What was begun goes on by itself: start it again.");
        u.ascii = o->ascii || (!o->keys && !i18n_is_utf8());
        u.lines = u.lines ? u.lines : 25;
        u.columns = u.columns ? u.columns : 80;
        int r = o->keys ? script_open(&script, o->keys, o->dump) : 0;
        if (r < 0)
                return r;
        r = ui_open(&u);
        if (r < 0)
                return r;
        s.progress = o->progress ? o->progress : PROGRESS_FILE;
        if (o->start != WIZARD_NEW)
                session_load_plan(&s);
        if (!o->machine)
                s.look = look_new();
        look_tick(&s);
        session_changed(&s);
        session_show(&s, first_page(&s));
        if (o->keys)
                r = from_script(&s, &script);
        else
                on_terminal(&s);
        ui_close();
        if (r < 0)
                return r;
        keep_seen(&s);
        *ret_words = last_words(&s);
        return (int)s.end;
}

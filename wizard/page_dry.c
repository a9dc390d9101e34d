#include "wizard/page.h"

#include "wizard/messages.h"

#define DRY_MS 20000
#define DRY_FETCH_MS 120000 /* lists of programs may have to come over a slow line */

static char **dry_argv(const struct record *call)
{
        _cleanup_strv_ char **plain = call_argv(call);
        char **argv = NULL;

        strv_add(&argv, plain[0]);
        strv_add(&argv, "--dry-run");
        STRV_FOREACH(word, plain + 1)
        strv_add(&argv, *word);
        return argv;
}

/* What a step would do on what an earlier one makes can't be told before that is there: no reason to
 * frighten. Anything else is a refusal that the apply would meet too. */
static bool is_too_early(const struct record *error)
{
        static const char *const codes[] = {"no-member", "no-array", "no-filesystem", "not-mounted"};

        for (size_t i = 0; i < ELEMENTSOF(codes); i++)
                if (record_is(error, "code", codes[i]))
                        return true;
        return false;
}

/* nas-system's. Before anything is begun all that a NAS can't do without has to be to be had. */
static bool is_about_programs(const struct record *error)
{
        static const char *const codes[] = {"no-mirror", "no-sources", "no-package", "no-apt", "apt-refuses"};

        for (size_t i = 0; i < ELEMENTSOF(codes); i++)
                if (record_is(error, "code", codes[i]))
                        return true;
        return record_is(error, "code", "no-room") && record_is(error, "step", "packages");
}

static void add_change(struct dry *d, const struct record *diff)
{
        const char *text = record_str(diff, "text"), *file = record_str(diff, "file");
        char ***list = strstr(text, "\n@@ -0,0 ") ? &d->made : strstr(text, " +0,0 @@") ? &d->removed : &d->changed;

        if (*file && !strv_has(*list, file))
                strv_add(list, file);
}

static void add_answer(struct dry *d, struct buf *b, const struct record *r, const char *step)
{
        if (streq(r->word, "diff")) {
                add_change(d, r);
                buf_printf(b, "\n%s\n", record_str(r, "text"));
        } else if (streq(r->word, "would") && record_get(r, "packages")) {
                buf_printf(b, "  %s\n", record_str(r, "run"));
                record_free(d->fetch);
                d->fetch = record_copy(r);
        } else if (streq(r->word, "would")) {
                buf_printf(b, "  %s\n", record_str(r, "run"));
        } else if (streq(r->word, "error") && is_too_early(r)) {
                buf_printf(b, "  %s\n", _("This can be told only when the steps before it are done."));
        } else if (streq(r->word, "error")) {
                _cleanup_record_ struct record *error = record_copy(r);
                record_set(error, "step", step);
                _cleanup_free_ char *words = message_text(error);
                buf_printf(b, "  %s %s\n", _("REFUSED:"), words);
                d->no_programs |= is_about_programs(error);
                if (!d->refused)
                        d->refused = xstrdup(words);
        }
}

static void add_answers(struct dry *d, struct buf *b, const struct run *r, const char *step)
{
        _cleanup_records_ struct records rs = {0};
        struct record_error error;

        buf_printf(b, "\n%s\n", r->argv[0]);
        if (!r->out.buf || records_parse(r->out.buf, &rs, &error) < 0)
                return;
        RECORDS_FOREACH(rec, &rs)
        add_answer(d, b, rec, step);
}

static void begin_text(struct buf *b)
{
        buf_printf(b, "\n# %s\n",
                   _("What this runs, and what it changes in each file, as far as can be told now:"));
}

/* A recorded machine answers by its own diff, would and error records. */
static void tell_recorded(struct session *s)
{
        struct buf b = {0};
        size_t n = 0;

        begin_text(&b);
        RECORDS_FOREACH(r, &s->facts->records)
        if (streq(r->word, "diff") || streq(r->word, "would") || streq(r->word, "error")) {
                add_answer(&s->dry, &b, r, "");
                n++;
        }
        if (n > 0)
                s->dry.text = b.buf;
        else
                buf_free(&b);
}

/* A new plan's file system has a new UUID: what works on it has nothing to look at yet, and looking for it would
 * leave the cache of libblkid in /run. */
static bool can_be_asked(const struct record *call)
{
        return !streq(call->word, "nas-fs") && !streq(call->word, "nas-speed");
}

void dry_begin(struct session *s)
{
        struct step step;
        size_t n = 0;

        dry_free(&s->dry);
        if (!s->has_plan)
                return;
        if (s->o->machine) {
                tell_recorded(s);
                return;
        }
        for (size_t i = 0; plan_step(&s->plan, i, &step); i++)
                n += step.n_calls;
        s->dry.runs = xmalloc((n + 1) * sizeof *s->dry.runs);
        s->dry.steps = xmalloc((n + 1) * sizeof *s->dry.steps);
        for (size_t i = 0; plan_step(&s->plan, i, &step); i++)
                for (size_t k = 0; k < step.n_calls; k++) {
                        if (!can_be_asked(step.calls[k]))
                                continue;
                        struct run *r = &s->dry.runs[s->dry.n];
                        *r = (struct run){.argv = dry_argv(step.calls[k]), 
                                           .deadline_ms = streq(step.calls[k]->word, "nas-system") ? DRY_FETCH_MS : DRY_MS};
                        s->dry.steps[s->dry.n] = step.name;
                        if (run_begin(r) == 0)
                                s->dry.n++;
                        else
                                strv_free((char **)r->argv);
                }
}

static void free_runs(struct dry *d)
{
        for (size_t i = 0; i < d->n; i++) {
                strv_free((char **)d->runs[i].argv);
                run_free(&d->runs[i]);
        }
        free(d->runs);
        free(d->steps);
        d->runs = NULL;
        d->steps = NULL;
        d->n = 0;
}

static char *commands_text(const struct session *s)
{
        _cleanup_free_ char *plan = plan_text(&s->plan);
        return xasprintf("%s%s", plan, s->dry.text ? s->dry.text : "");
}

void dry_tick(struct session *s)
{
        struct dry *d = &s->dry;
        struct buf b = {0};

        if (d->n == 0 || run_poll(d->runs, d->n, 0) > 0)
                return;
        begin_text(&b);
        for (size_t i = 0; i < d->n; i++)
                add_answers(d, &b, &d->runs[i], d->steps[i]);
        free_runs(d);
        d->text = b.buf;
        if (!s->view_is_commands)
                return;
        free(s->view_text);
        s->view_text = commands_text(s);
}

void dry_view(struct session *s)
{
        session_view(s, _("Exact commands"), commands_text(s));
        s->view_is_commands = true;
}

void dry_free(struct dry *d)
{
        free_runs(d);
        free(d->text);
        free(d->refused);
        record_free(d->fetch);
        strv_free(d->made);
        strv_free(d->changed);
        strv_free(d->removed);
        *d = (struct dry){0};
}

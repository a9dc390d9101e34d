#include "wizard/page.h"

#define DRY_MS 20000

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

void dry_begin(struct session *s)
{
        struct step step;
        size_t n = 0;

        dry_free(&s->dry);
        if (s->o->machine || !s->has_plan)
                return;
        for (size_t i = 0; plan_step(&s->plan, i, &step); i++)
                n += step.n_calls;
        s->dry.runs = xmalloc(n * sizeof *s->dry.runs);
        for (size_t i = 0; plan_step(&s->plan, i, &step); i++)
                for (size_t k = 0; k < step.n_calls; k++) {
                        struct run *r = &s->dry.runs[s->dry.n];
                        *r = (struct run){.argv = dry_argv(step.calls[k]), .deadline_ms = DRY_MS};
                        if (run_begin(r) == 0)
                                s->dry.n++;
                        else
                                strv_free((char **)r->argv);
                }
}

/* What a step would do on what an earlier one makes can't be told before that is there: no reason to
 * frighten. */
static void add_answer(struct buf *b, const struct run *r)
{
        _cleanup_records_ struct records rs = {0};
        struct record_error error;

        if (!r->out.buf || records_parse(r->out.buf, &rs, &error) < 0)
                return;
        RECORDS_FOREACH(rec, &rs)
        {
                if (streq(rec->word, "diff"))
                        buf_printf(b, "\n%s\n", record_str(rec, "text"));
                else if (streq(rec->word, "would"))
                        buf_printf(b, "  %s\n", record_str(rec, "run"));
                else if (streq(rec->word, "error"))
                        buf_printf(b, "  %s\n",
                                   _("This can be told only when the steps before it are done."));
        }
}

void dry_tick(struct session *s)
{
        struct buf b = {0};

        if (s->dry.n == 0 || run_poll(s->dry.runs, s->dry.n, 0) > 0)
                return;
        buf_puts(&b, s->view_text);
        buf_printf(&b, "\n# %s\n",
                   _("What this runs, and what it changes in each file, as far as can be told now:"));
        for (size_t i = 0; i < s->dry.n; i++) {
                buf_printf(&b, "\n%s\n", s->dry.runs[i].argv[0]);
                add_answer(&b, &s->dry.runs[i]);
        }
        free(s->view_text);
        s->view_text = b.buf;
        dry_free(&s->dry);
}

void dry_free(struct dry *d)
{
        for (size_t i = 0; i < d->n; i++) {
                strv_free((char **)d->runs[i].argv);
                run_free(&d->runs[i]);
        }
        free(d->runs);
        *d = (struct dry){0};
}

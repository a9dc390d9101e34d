#include "wizard/apply.h"

#include "helpers/lib/helper.h"
#include "helpers/lib/log.h"
#include "wizard/journal.h"

#define SAY_MS (UINT64_C(180) * 1000) /* services that start anew, and a lease that is waited for */

static const struct {
        const char *verb, *done; /* done: the journal's word for it; NULL where the apply writes its own */
} words[] = {[APPLY_KEEP] = {"confirm", NULL}, [APPLY_TAKE_BACK] = {"undo", "undone"}};

bool plan_has_trial(const struct plan *p)
{
        return plan_call(p, "nas-net", "wait") != NULL;
}

/* Begun, and neither done nor taken back. */
static bool is_half_there(const struct record *failed)
{
        return record_is(failed, "step", "network") && record_u64(failed, "status") == HELPER_FAILED &&
               !record_is(failed, "code", "taken-back");
}

bool apply_can_undo(const struct plan *p, const struct record *failed)
{
        return is_half_there(failed) && !plan_has_trial(p);
}

bool apply_takes_itself_back(const struct plan *p, const struct record *failed)
{
        return is_half_there(failed) && plan_has_trial(p);
}

void apply_say(enum apply_word word, struct run *ret)
{
        _cleanup_record_ struct record *call = record_new("nas-net");

        record_set(call, "verb", words[word].verb);
        *ret = (struct run){.argv = call_argv(call), .deadline_ms = SAY_MS};
        run_begin(ret);
}

static struct record *error_of(const struct run *r)
{
        _cleanup_records_ struct records said = {0};
        struct record_error bad;
        struct record *error = NULL;

        if (r->out.buf && records_parse(r->out.buf, &said, &bad) == 0)
                for (size_t i = 0; i < said.n && !error; i++)
                        if (streq(said.v[i]->word, "error"))
                                error = record_copy(said.v[i]);
        if (!error) {
                error = record_new("error");
                record_set(error, "code", "helper-died");
                record_setf(error, "text", "nas-net ended without a word (status %d)", r->status);
                record_set(error, "raw", r->err.buf);
        }
        record_set(error, "step", "network");
        return error;
}

/* While an apply runs the journal is its own, and it says itself that the change was taken back. */
static void note(const char *word)
{
        _cleanup_record_ struct record *r = record_new(word);

        record_set(r, "step", "network");
        journal_set_time(r);
        if (!is_apply_running() && journal_add(r) < 0)
                log_line("the journal can't be written");
}

static void free_call(struct run *r)
{
        strv_free((char **)r->argv);
        r->argv = NULL;
        run_free(r);
}

void apply_leave(struct run *r)
{
        run_leave(r);
        free_call(r);
}

int apply_said(enum apply_word word, struct run *r, struct record **ret_error)
{
        int status = r->status >= 0 && r->status <= HELPER_REFUSED ? r->status : HELPER_FAILED;

        if (status != HELPER_DONE)
                *ret_error = error_of(r);
        else if (words[word].done)
                note(words[word].done);
        free_call(r);
        return status;
}

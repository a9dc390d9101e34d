#include "wizard/page.h"

#include "helpers/lib/helper.h"
#include "wizard/messages.h"
#include "wizard/watch.h"

#define LEAVE_MS 1000
#define POLL_MS 50

void trial_draw(struct session *s, int y)
{
        const struct watch_step *step = watch_trial(s->watch);
        const struct record *call = plan_call(&s->plan, "nas-net", "static");
        const char *address = call ? record_str(call, "address") : "";
        int n = (int)strcspn(address, "/");
        _cleanup_free_ char *question = xasprintf(_("The address %.*s works. Keep it?"), n, address),
                            *left = xasprintf("%u s", (unsigned)(step->total - MIN2(step->done, step->total))),
                            *words = xasprintf(_("You came over the network, so nothing goes on before you say so. Without an answer the "
                                                 "old settings come back, and no disk is touched. If this terminal hangs, connect to "
                                                 "%.*s and start nas-setup there while the time runs."),
                                               n, address);

        ui_put_n(2, 2, 60, R_HEADING, question);
        ui_put_right(2, 77, R_BOLD, left);
        y += ui_wrap(y, 2, 76, 4, R_TEXT, words) + 1;
        int x = form_button(s, ID_KEEP_IT, y, 2, _("Keep"));
        form_button(s, ID_TAKE_BACK, y, x + 3, _("Take it back"));
        page_message(s, NULL);
}

bool trial_can_undo(const struct session *s)
{
        const struct watch_step *failed = watch_failed(s->watch);

        return failed && !s->saying.is_undone && s->has_plan && apply_can_undo(&s->plan, failed->failed);
}

/* Keeping takes a moment; taking back may wait minutes for a lease, and comes to its end without us. */
void trial_free(struct saying *t)
{
        _cleanup_record_ struct record *error = NULL;
        bool is_over = false;

        for (uint64_t until = now_ms() + LEAVE_MS; t->is_running && !is_over && now_ms() < until;)
                is_over = run_poll(&t->run, 1, POLL_MS) == 0;
        if (is_over)
                (void)apply_said(t->word, &t->run, &error);
        else if (t->is_running)
                apply_leave(&t->run);
        *t = (struct saying){0};
}

void trial_say(struct session *s, enum apply_word word)
{
        struct saying *t = &s->saying;

        if (t->is_running)
                return;
        t->word = word;
        t->is_running = !s->o->machine;
        if (t->is_running)
                apply_say(word, &t->run);
        session_say(s, false, "%s", word == APPLY_KEEP ? _("Keeping the address …") : _("Putting the old network settings back …"));
}

/* That it is kept, or taken back in its trial, the steps tell. */
static void over(struct session *s)
{
        struct saying *t = &s->saying;
        _cleanup_record_ struct record *error = NULL;

        t->is_running = false;
        if (apply_said(t->word, &t->run, &error) != HELPER_DONE) {
                _cleanup_free_ char *words = message_text(error);
                session_say(s, true, "%s", words);
        } else if (watch_failed(s->watch)) {
                t->is_undone = true;
                session_say(s, false, "%s", _("The network is as it was before. No disk was touched."));
        }
}

void trial_tick(struct session *s)
{
        if (s->saying.is_running && run_poll(&s->saying.run, 1, 0) == 0)
                over(s);
}

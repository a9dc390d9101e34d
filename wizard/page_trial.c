#include "wizard/page.h"

#include <errno.h>

#include "helpers/lib/helper.h"
#include "wizard/apply.h"
#include "wizard/messages.h"
#include "wizard/watch.h"

#define UNDO_MS 90000 /* the old settings may ask for an address by DHCP */

/* --- a new address that waits for a yes --- */

void trial_draw(struct session *s, int y)
{
        const char *address = record_str(s->watch->trial, "address");
        int n = (int)strcspn(address, "/");
        _cleanup_free_ char *question = xasprintf(_("The address %.*s works. Keep it?"), n, address),
                            *left = xasprintf("%u s", watch_trial_left(s->watch)),
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

void trial_answer(struct session *s, int id)
{
        int r = s->o->machine ? 0 : apply_answer(id == ID_KEEP_IT);

        if (r < 0)
                session_say(s, true, _("The answer could not be kept (%s). Without one, the old settings come back."), strerror(-r));
        else
                session_say(s, false, "%s", id == ID_KEEP_IT ? _("Keeping the address …") : _("Taking the address back …"));
}

/* --- a step that failed half way --- */

bool undo_is_possible(const struct session *s)
{
        const struct watch_step *failed = watch_failed(s->watch);
        static const char *const back[] = {"not-confirmed", "taken-back"}; /* it was put back already */

        if (!failed || !streq(failed->name, "network") || record_u64(failed->failed, "status") != HELPER_FAILED || s->undo.is_done)
                return false;
        for (size_t i = 0; i < ELEMENTSOF(back); i++)
                if (record_is(failed->failed, "code", back[i]))
                        return false;
        return true;
}

void undo_free(struct undo *u)
{
        if (u->argv)
                run_free(&u->run);
        strv_free(u->argv);
        *u = (struct undo){0};
}

void undo_begin(struct session *s)
{
        _cleanup_record_ struct record *call = record_new("nas-net");

        if (s->undo.argv)
                return;
        record_set(call, "verb", "undo");
        s->undo.argv = call_argv(call);
        s->undo.run = (struct run){.argv = s->undo.argv, .deadline_ms = UNDO_MS};
        int r = s->o->machine ? -EROFS : run_begin(&s->undo.run);
        if (r == 0)
                return;
        undo_free(&s->undo);
        session_say(s, true, _("The old settings could not be put back: %s"), strerror(-r));
}

/* What the helper said where it did not work. */
static char *undo_words(const struct run *run)
{
        _cleanup_records_ struct records said = {0};
        struct record_error error;

        if (run->out.buf && records_parse(run->out.buf, &said, &error) == 0) {
                const struct record *r = records_find(&said, "error", NULL, NULL);
                if (r)
                        return message_text(r);
        }
        return xstrdup(_("The old settings could not be put back. Try again."));
}

void undo_tick(struct session *s)
{
        if (!s->undo.argv)
                return;
        if (run_poll(&s->undo.run, 1, 0) > 0) {
                session_say(s, false, "%s", _("Putting the old network settings back …"));
                return;
        }
        bool is_done = s->undo.run.status == 0;
        _cleanup_free_ char *words = is_done ? xstrdup(_("The network is as it was before. No disk was touched."))
                                             : undo_words(&s->undo.run);
        session_say(s, !is_done, "%s", words);
        undo_free(&s->undo);
        s->undo.is_done = is_done;
}

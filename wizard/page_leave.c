#include "helpers/lib/helper.h"
#include "wizard/messages.h"
#include "wizard/page.h"
#include "wizard/watch.h"

#define POWER_MS 10000

enum { ID_STAY, ID_LEAVE, ID_RESTART, ID_OFF };

static bool is_finished(const struct session *s)
{
        return s->end == WIZARD_FINISHED;
}

static bool is_applying(const struct session *s)
{
        return !is_finished(s) && s->watch && watch_is_running(s->watch);
}

static void draw(struct session *s)
{
        const char *question = _("Leave NAS setup?"),
                   *words = _("Nothing on this computer has been changed. What you entered here is not kept.");

        if (is_applying(s)) {
                question = _("Leave, while the NAS is being set up?");
                words = _("The set-up goes on by itself, also when you leave. Start nas-setup again to watch "
                          "it.");
        } else if (is_finished(s)) {
                question = _("Your NAS is ready. Leave?");
                words = _("After a restart the NAS is there again by itself. Turned off, it keeps all its files.");
        }
        ui_title(_("NAS setup"), NULL);
        ui_put_n(2, 2, 76, R_HEADING, question);
        ui_wrap(4, 2, 76, 3, R_TEXT, words);
        int x = form_button(s, ID_STAY, 8, 2, is_finished(s) ? _("Back") : _("Stay"));
        x = form_button(s, ID_LEAVE, 8, x + 3, _("Leave"));
        x = form_button(s, ID_RESTART, 8, x + 6, _("Restart"));
        form_button(s, ID_OFF, 8, x + 3, _("Turn off"));
        page_message(s, NULL);
}

/* Its error record in words, NULL: it obeyed. */
static char *order(const char *verb)
{
        _cleanup_free_ char *folder = own_folder(), *helper = path_join(folder, "nas-system");
        _cleanup_(run_free) struct run r = {.argv = STRV(helper, (char *)verb), .deadline_ms = POWER_MS};
        _cleanup_records_ struct records said = {0};
        struct record_error bad;

        run_one(&r);
        if (r.status == HELPER_DONE)
                return NULL;
        if (r.out.buf && records_parse(r.out.buf, &said, &bad) == 0)
                RECORDS_FOREACH(e, &said)
                if (streq(e->word, "error"))
                        return message_text(e);
        return xstrdup(_("The computer does not obey. Leave, and type: reboot, or poweroff"));
}

enum go page_power(struct session *s, bool off)
{
        if (is_applying(s)) {
                session_say(s, true, _("Not now: the NAS is being set up, and that must not be cut off."));
                return GO_STAY;
        }
        if (s->o->machine)
                return GO_END;
        _cleanup_free_ char *words = order(off ? "off" : "restart");
        if (!words)
                return GO_END;
        session_say(s, true, "%s", words);
        return GO_STAY;
}

static enum go enter(struct session *s, int id)
{
        if (id == ID_RESTART || id == ID_OFF)
                return page_power(s, id == ID_OFF);
        if (id != ID_LEAVE)
                return GO_BACK;
        if (!is_finished(s))
                s->end = is_applying(s) ? WIZARD_APPLYING : WIZARD_LEFT;
        return GO_END;
}

static void opened(struct session *s)
{
        session_form(s)->focus = is_finished(s) ? ID_LEAVE : ID_STAY;
}

static const struct ui_hint hints[] = {
    {N_("Enter"), N_("choose"), 0},
    {"LeftRight", N_("move"), 0},
    {N_("Esc"), N_("back"), 0},
    {0},
};

const struct page page_leave = {
    .id = P_LEAVE,
    .name = "leave",
    .hints = hints,
    .open = opened,
    .draw = draw,
    .enter = enter,
};

#include "wizard/page.h"
#include "wizard/watch.h"

enum { ID_STAY, ID_LEAVE };

static bool is_applying(const struct session *s)
{
        return s->watch && watch_is_running(s->watch);
}

static void draw(struct session *s)
{
        ui_title(_("NAS setup"), NULL);
        if (is_applying(s)) {
                ui_put_n(2, 2, 76, R_HEADING, _("Leave, while the NAS is being set up?"));
                ui_wrap(4, 2, 76, 3, R_TEXT,
                        _("The set-up goes on by itself, also when you leave. Start nas-setup again to watch "
                          "it."));
        } else {
                ui_put_n(2, 2, 76, R_HEADING, _("Leave NAS setup?"));
                ui_wrap(4, 2, 76, 3, R_TEXT,
                        _("Nothing on this computer has been changed. What you entered here is not kept."));
        }
        int x = form_button(s, ID_STAY, 8, 2, _("Stay"));
        form_button(s, ID_LEAVE, 8, x + 3, _("Leave"));
        page_message(s, NULL);
}

static enum go enter(struct session *s, int id)
{
        if (id != ID_LEAVE)
                return GO_BACK;
        s->end = is_applying(s) ? WIZARD_APPLYING : WIZARD_LEFT;
        return GO_END;
}

static void opened(struct session *s)
{
        session_form(s)->focus = ID_STAY;
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

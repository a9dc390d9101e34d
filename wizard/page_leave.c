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

/* --- a set-up that was cut off --- */

static void draw_resume(struct session *s)
{
        struct answers a = {0};
        int y = 6;

        ui_title(_("NAS setup"), NULL);
        ui_put_n(2, 2, 76, R_HEADING, _("A set-up was cut off. Go on with it?"));
        y = 4 +
            ui_wrap(4, 2, 76, 4, R_TEXT,
                    _("The plan that you confirmed is still here. Each step first looks what is done "
                      "already, so it "
                      "can go on where it was. Nothing is erased that you did not agree to.")) +
            1;
        if (s->has_plan) {
                struct step step;
                ui_put(y++, 2, R_LABEL, _("Steps"));
                for (size_t i = 0; plan_step(&s->plan, i, &step); i++)
                        ui_put_n(y++, 4, 40, R_TEXT, step_title(step.name));
        }
        answers_free(&a);
        int x = form_button(s, ID_STAY, page_body_end(), 2, _("Go on"));
        form_button(s, ID_LEAVE, page_body_end(), x + 3, _("Leave"));
        page_message(s, NULL);
}

static enum go enter_resume(struct session *s, int id)
{
        if (id == ID_LEAVE)
                return GO_END;
        apply_follow(s);
        return GO_STAY;
}

static enum go key_resume(struct session *s, int k)
{
        if (k == K_F3 && s->has_plan)
                session_view(s, _("The plan"), plan_text(&s->plan));
        return GO_STAY;
}

static const struct ui_hint resume_hints[] = {
    {N_("Enter"), N_("choose"), 0}, {"LeftRight", N_("move"), 0}, {"F3", N_("exact commands"), 0},
    {"F1", N_("help"), 0},          {"F10", N_("leave"), 0},      {0},
};

const struct page page_resume = {
    .id = P_RESUME,
    .name = "resume",
    .hints = resume_hints,
    .draw = draw_resume,
    .enter = enter_resume,
    .key = key_resume,
    .help = N_("The last set-up did not come to its end: the power failed, or a step did not work.\n\n"
               "Going on finishes it. To begin anew with other answers, leave and start \"nas-setup "
               "--forget\"; what "
               "was done already stays done."),
};

#include "wizard/page.h"

/* What can be set on Welcome: the language at once; time zone and keyboard by the plan, as everything else. */

#define FIELD_X 20

enum { ID_ZONE = 100, ID_KEYBOARD, MAX_LANGUAGES = 8 };

static size_t languages(struct language *ret)
{
        return i18n_languages(ret, MAX_LANGUAGES);
}

static const struct record *known(const struct session *s, const char *word)
{
        return records_find(&s->facts->records, word, NULL, NULL);
}

static char *get(struct session *s, int id)
{
        const struct record *r = known(s, id == ID_ZONE ? "clock" : "keyboard");
        const char *said = s->answers.v[id == ID_ZONE ? A_ZONE : A_KEYBOARD];

        return xstrdup(said ? said : r ? record_str(r, id == ID_ZONE ? "zone" : "layout") : "");
}

static void set(struct session *s, int id, const char *text)
{
        answers_set(&s->answers, id == ID_ZONE ? A_ZONE : A_KEYBOARD, text);
        session_changed(s);
}

static void draw_field(struct session *s, int id, int y, const char *label, const char *example)
{
        _cleanup_free_ char *text = get(s, id);

        ui_put_n(y, 2, FIELD_X - 3, R_LABEL, label);
        form_field(s, id, y, FIELD_X, 26, text);
        ui_put_n(y, FIELD_X + 29, 29, R_QUIET, example);
}

static const char *fault(const struct session *s)
{
        const char *zone = fault_of(&s->faults, A_ZONE);

        return zone ? zone : fault_of(&s->faults, A_KEYBOARD);
}

static void draw(struct session *s)
{
        struct language l[MAX_LANGUAGES];
        size_t n = languages(l);
        int y = 4;

        page_frame(s, P_WELCOME, _("Which language do you read best?"), NULL);
        for (size_t i = 0; i < n; i++, y++) {
                form_radio(s, (int)i, y, streq(l[i].code, i18n_current()));
                ui_put(y, 6, R_TEXT, l[i].name);
        }
        if (known(s, "clock"))
                draw_field(s, ID_ZONE, ++y, _("Time zone"), _("such as Europe/Berlin"));
        if (known(s, "keyboard"))
                draw_field(s, ID_KEYBOARD, ++y, _("Keyboard"), _("its country: de, us, gb …"));
        if (known(s, "clock"))
                ui_put_n(y + 2, 2, 76, R_QUIET, _("Time zone and keyboard are set when all is set up, after Review."));
        page_message(s, fault(s));
}

static void choose(struct session *s, int id)
{
        struct language l[MAX_LANGUAGES];

        if (id >= 0 && (size_t)id < languages(l))
                i18n_choose(l[id].code);
        session_changed(s);
}

static enum go enter(struct session *s, int id _unused_)
{
        if (!fault(s))
                return GO_BACK;
        session_say(s, true, "%s", fault(s));
        form_focus(s, fault_of(&s->faults, A_ZONE) ? ID_ZONE : ID_KEYBOARD);
        return GO_STAY;
}

static void opened(struct session *s)
{
        struct language l[MAX_LANGUAGES];
        size_t n = languages(l);

        for (size_t i = 0; i < n; i++)
                if (streq(l[i].code, i18n_current()))
                        session_form(s)->focus = (int)i;
}

static const struct ui_hint hints[] = {
    {N_("Enter"), N_("go on"), 0}, {"UpDown", N_("choose"), 0}, {N_("Esc"), N_("back"), 0}, {"F10", N_("leave"), 0}, {0},
};

const struct page page_language = {
    .id = P_LANGUAGE,
    .name = "language",
    .hints = hints,
    .open = opened,
    .draw = draw,
    .choose = choose,
    .enter = enter,
    .get = get,
    .set = set,
    .follows = true,
};

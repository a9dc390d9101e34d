#include "wizard/page.h"

/* What is set less often: how the share is found, and things for Macs. */

#define FIELD_X 30
#define BACKUPS_UNKNOWN 100 /* GB, where it is not known how much room there will be */

enum { ID_ANNOUNCE, ID_GREET, ID_SUMMARY, ID_MACS, ID_BACKUPS, ID_SIZE };

static bool has_backups(const struct session *s)
{
        return s->answers.v[A_TIMEMACHINE] != NULL;
}

static bool is_on(const struct session *s, int id)
{
        const struct choices *c = &s->choices;
        const bool on[] = {c->announces, c->greets, c->leaves_summary, c->for_macs || has_backups(s), has_backups(s)};

        return on[id];
}

static const struct {
        const char *head, *words;
} rows[] = {
    [ID_ANNOUNCE] = {N_("How it is found"), N_("Shown by itself in Windows' \"Network\" and in the Mac's Finder")},
    [ID_GREET] = {NULL, N_("Told on this computer's own login screen")},
    [ID_SUMMARY] = {NULL, N_("Told in a text file on the share itself")},
    [ID_MACS] = {N_("Macs"), N_("Keeps what Macs have beside their files (tags, colours)")},
    [ID_BACKUPS] = {NULL, N_("Time Machine: a place for the backups of Macs")},
};

static void draw(struct session *s)
{
        int y = 4;

        page_frame(s, P_SHARE, _("More about the share: good as it is"), NULL);
        for (size_t i = 0; i < ELEMENTSOF(rows); i++, y++) {
                if (rows[i].head) {
                        y += i > 0;
                        ui_put_n(y++, 2, 76, R_HEADING, _(rows[i].head));
                }
                form_check(s, (int)i, y, 2, is_on(s, (int)i));
                ui_put_n(y, 6, 72, R_TEXT, _(rows[i].words));
        }
        if (has_backups(s)) {
                ui_put_n(y, 6, FIELD_X - 7, R_LABEL, _("At most"));
                form_field(s, ID_SIZE, y++, FIELD_X, 12, s->answers.v[A_TIMEMACHINE]);
                _cleanup_free_ char *room = size_words(s->choices.files), *text = xasprintf(_("All there is: %s."), room);
                ui_put_n(y++, 6, 72, R_QUIET, text);
        }
        ui_wrap(y + 1, 2, 76, 3, R_QUIET,
                has_backups(s) ? _("Backups belong to the user with the password, whose name and password stand on the screen before.")
                               : "");
        page_message(s, fault_of(&s->faults, A_TIMEMACHINE));
}

/* Half of all, in round GB: the rest is for files. */
static char *backups_advised(const struct session *s)
{
        uint64_t half = s->choices.files / 2 / GB;

        if (s->choices.files == 0)
                half = BACKUPS_UNKNOWN;
        return xasprintf("%llu GB", (unsigned long long)(half >= 10 ? half / 10 * 10 : MAX2(half, UINT64_C(1))));
}

static void toggle_backups(struct session *s)
{
        _cleanup_free_ char *advice = backups_advised(s);

        answers_set(&s->answers, A_TIMEMACHINE, has_backups(s) ? NULL : advice);
        session_changed(s);
        if (has_backups(s) && !s->answers.v[A_USER])
                answers_set(&s->answers, A_USER, s->choices.user);
}

static void toggle(struct session *s, enum answer a, bool on, bool by_itself)
{
        answers_set(&s->answers, a, on == by_itself ? NULL : on ? "yes" : "no");
}

static void choose(struct session *s, int id)
{
        if (id == ID_ANNOUNCE)
                toggle(s, A_ANNOUNCE, !is_on(s, id), true);
        else if (id == ID_GREET)
                toggle(s, A_GREET, !is_on(s, id), true);
        else if (id == ID_SUMMARY)
                toggle(s, A_SUMMARY, !is_on(s, id), false);
        else if (id == ID_MACS && has_backups(s))
                session_say(s, false, _("Time Machine needs it."));
        else if (id == ID_MACS)
                toggle(s, A_MACS, !is_on(s, id), false);
        else if (id == ID_BACKUPS)
                toggle_backups(s);
        session_changed(s);
}

static enum go enter(struct session *s, int id _unused_)
{
        const char *fault = fault_of(&s->faults, A_TIMEMACHINE);

        if (!fault)
                return GO_BACK;
        session_say(s, true, "%s", fault);
        form_focus(s, ID_SIZE);
        return GO_STAY;
}

static char *get(struct session *s, int id _unused_)
{
        return xstrdup(has_backups(s) ? s->answers.v[A_TIMEMACHINE] : "");
}

static void set(struct session *s, int id _unused_, const char *text)
{
        answers_set(&s->answers, A_TIMEMACHINE, text);
        session_changed(s);
}

static const struct ui_hint hints[] = {
    {N_("Enter"), N_("done"), 0}, {N_("Space"), N_("choose"), 1}, {N_("Esc"), N_("back"), 0},
    {"F1", N_("help"), 0},        {"F10", N_("leave"), 0},        {0},
};

const struct page page_share_more = {
    .id = P_SHARE_MORE,
    .name = "share-more",
    .hints = hints,
    .draw = draw,
    .choose = choose,
    .enter = enter,
    .get = get,
    .set = set,
    .help = N_("Shown by itself: wsdd2 tells Windows, Avahi tells Macs and Linux. Without it, type the share's name or address.\n\n"
               "Login screen: whoever switches this computer's screen on sees how to reach the share.\n\n"
               "Macs: the share works with Macs as it is. This keeps tags, colours and the like, which Macs store beside a file; it "
               "makes small files a little slower for everyone.\n\n"
               "Time Machine: a second share, \"Time Machine\", only for the user with the password, up to the size that you give "
               "it. It lies in the same room as the files. On the Mac: System Settings, General, Time Machine."),
};

#include "wizard/page.h"

#define FIELD_X 16
#define FIELD_WIDTH 26
#define SIDE_X 46

/* TRANSLATORS: Share name, Comment, Workgroup: 13 columns wide. */
static const struct {
        enum answer answer;
        const char *label;
} fields[] = {{A_SHARE, N_("Share name")}, {A_COMMENT, N_("Comment")}, {A_WORKGROUP, N_("Workgroup")}};

static const char *settled(const struct session *s, enum answer a)
{
        const struct choices *c = &s->choices;

        if (s->answers.v[a])
                return s->answers.v[a];
        return a == A_SHARE ? c->share : a == A_COMMENT ? c->comment : c->workgroup;
}

static void draw_side(struct session *s, size_t i, int y)
{
        const char *fault = fault_of(&s->faults, fields[i].answer);

        if (fault) {
                ui_put_n(y, SIDE_X, 32, R_WARN, ui_width(fault) <= 32 ? fault : _("! see the line below"));
        } else if (fields[i].answer == A_WORKGROUP) {
                if (*s->facts->workgroup && streq(s->facts->workgroup, s->choices.workgroup))
                        ui_put_n(y, SIDE_X, 32, R_GOOD, _("found on this computer"));
        }
}

static const char *first_fault(const struct session *s)
{
        for (size_t i = 0; i < ELEMENTSOF(fields); i++)
                if (fault_of(&s->faults, fields[i].answer))
                        return fault_of(&s->faults, fields[i].answer);
        return NULL;
}

static void draw(struct session *s)
{
        int y = 4;

        page_frame(s, P_SHARE, _("What should people see on the network?"), NULL);
        for (size_t i = 0; i < ELEMENTSOF(fields); i++, y++) {
                ui_put_n(y, 2, 13, R_LABEL, _(fields[i].label));
                form_field(s, (int)i, y, FIELD_X, FIELD_WIDTH, settled(s, fields[i].answer));
                draw_side(s, i, y);
        }
        ui_put_n(y + 1, 2, 76, R_HEADING, _("Who may use it"));
        _cleanup_free_ char *who =
            xasprintf(_("Everyone on %s, without a password. Everyone may read and write."),
                      *s->choices.subnet ? s->choices.subnet : _("your network"));
        y += 3 + ui_wrap(y + 3, 2, 76, 2, R_TEXT, who) + 1;
        y += ui_wrap(y, 2, 76, 3, R_QUIET,
                     _("Windows 11 (24H2) and Windows Server refuse shares without a password unless their "
                       "policy is "
                       "changed; F1 tells how.")) +
             1;
        _cleanup_free_ char *address = page_address(s);
        if (!first_fault(s)) {
                ui_put_n(y, 2, 76, R_HEADING, _("Where it is seen"));
                page_paths(y + 2, fault_of(&s->faults, A_ADDRESS) ? "" : address, s->choices.netbios,
                           s->choices.share);
        }
        page_message(s, first_fault(s));
}

static enum go enter(struct session *s, int id _unused_)
{
        for (size_t i = 0; i < ELEMENTSOF(fields); i++) {
                const char *fault = fault_of(&s->faults, fields[i].answer);
                if (!fault)
                        continue;
                session_say(s, true, "%s", fault);
                form_focus(s, (int)i);
                return GO_STAY;
        }
        return GO_NEXT;
}

static char *get(struct session *s, int id)
{
        return xstrdup(settled(s, fields[id].answer));
}

static void set(struct session *s, int id, const char *text)
{
        answers_set(&s->answers, fields[id].answer, text);
        session_changed(s);
}

/* An emptied field gets its advice back once it is left; a comment may be empty. */
static void tick(struct session *s)
{
        for (size_t i = 0; i < ELEMENTSOF(fields); i++) {
                enum answer a = fields[i].answer;
                if (a != A_COMMENT && s->answers.v[a] && !*s->answers.v[a] && form_focused(s) != (int)i) {
                        answers_set(&s->answers, a, NULL);
                        session_changed(s);
                }
        }
}

static enum go key(struct session *s _unused_, int k)
{
        return k == K_ESC ? GO_BACK : GO_STAY;
}

static void opened(struct session *s)
{
        session_form(s)->cursor = FIELD_MAX;
}

static const struct ui_hint hints[] = {
    {N_("Enter"), N_("next"), 0}, {N_("Tab"), N_("field"), 1}, {N_("Esc"), N_("back"), 0},
    {"F1", N_("help"), 0},        {"F10", N_("leave"), 0},     {0},
};

const struct page page_share = {
    .id = P_SHARE,
    .name = "share",
    .hints = hints,
    .open = opened,
    .draw = draw,
    .enter = enter,
    .get = get,
    .set = set,
    .tick = tick,
    .key = key,
    .help =
        N_("Share name: the folder that people see on the network.\n\n"
           "Comment: shown beside it by some programs. It may be empty.\n\n"
           "Workgroup: keep it, unless your computers say another one.\n\n"
           "Everyone in your network may read, change and delete the files, without a password. That suits a "
           "home; it does not suit a network that strangers use.\n\n"
           "Windows 11 (24H2), Pro or Enterprise, says \"your organization's security policies block "
           "unauthenticated guest access\". On that computer, as administrator in PowerShell:\n\n"
           "  Set-SmbClientConfiguration -EnableInsecureGuestLogons $true\n"
           "  Set-SmbClientConfiguration -RequireSecuritySignature $false\n\n"
           "On a Mac: Finder, Go, Connect to Server, and smb:// before the address; choose Guest."),
};

#include "wizard/page.h"

#include "helpers/lib/password.h"

#define FIELD_X 16
#define FIELD_WIDTH 26
#define SIDE_X 46
#define PASSWORD_WIDTH 28

enum { ID_EVERYONE = 10, ID_BOTH, ID_USER_ONLY, ID_USER, ID_PASSWORD, ID_FIREWALL };

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
        return a == A_SHARE ? c->share : a == A_COMMENT ? c->comment : a == A_USER ? c->user : c->workgroup;
}

/* --- the password --- */

char *share_get_password(const struct session *s)
{
        return xstrdup(s->password ? s->password : "");
}

void share_set_password(struct session *s, const char *text)
{
        char *copy = xstrdup(text);

        password_free(&s->password);
        s->password = copy;
}

const char *share_password_fault(const struct session *s)
{
        enum password_fault fault = password_check(s->password ? s->password : "");

        return fault == PASSWORD_FINE ? NULL : _(password_message(fault));
}

int share_draw_password(struct session *s, int id, int y, int x, const char *label)
{
        const char *fault;

        if (!s->password)
                s->password = s->choices.keeps_password ? xstrdup("") : password_new();
        fault = s->choices.keeps_password ? NULL : share_password_fault(s);
        x = ui_put(y, x, R_LABEL, label) + 2;
        form_field(s, id, y, x, MIN2(PASSWORD_WIDTH, 78 - x), s->password);
        ui_put_n(y + 1, 6, 72, fault ? R_WARN : R_TEXT,
                 fault                          ? fault
                 : s->choices.keeps_password ? _("Left empty, the password stays as it is.")
                                             : _("Write it down now: it is not shown again. You can type one of your own."));
        return 2;
}

/* --- what is wrong --- */

const char *share_fault(const struct session *s, int *ret_id)
{
        static const struct {
                enum answer answer;
                int id;
        } asked[] = {{A_SHARE, 0},          {A_COMMENT, 1},      {A_WORKGROUP, 2},      {A_ACCESS, ID_USER_ONLY},
                     {A_USER, ID_USER},     {A_TIMEMACHINE, -1}, {A_FIREWALL, ID_FIREWALL}};
        const char *fault = NULL;
        size_t i = 0;
        int id = ID_PASSWORD;

        for (; i < ELEMENTSOF(asked) && !fault; i++) {
                if (asked[i].answer == A_ACCESS && !s->facts->has_samba)
                        continue; /* which is Review's to tell */
                fault = fault_of(&s->faults, asked[i].answer);
                id = asked[i].id;
        }
        if (!fault && s->choices.has_user && !s->choices.keeps_password && s->password && share_password_fault(s)) {
                fault = share_password_fault(s);
                id = ID_PASSWORD;
        }
        if (fault && ret_id)
                *ret_id = id;
        return fault;
}

/* --- drawing --- */

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

static int who(const struct session *s)
{
        return streq(s->choices.access, "user") ? ID_USER_ONLY : s->choices.has_user ? ID_BOTH : ID_EVERYONE;
}

static int draw_who(struct session *s, int y)
{
        const char *subnet = *s->choices.subnet ? s->choices.subnet : _("your network");
        _cleanup_free_ char *everyone = xasprintf(_("everyone on %s, without a password"), subnet);
        const char *const words[] = {everyone, _("the same, and a user with a password for Windows that insists on one"),
                                     _("only a user with a password")};

        ui_put_n(y++, 2, 76, R_HEADING, _("Who may read and write"));
        for (size_t i = 0; i < ELEMENTSOF(words); i++, y++) {
                form_radio(s, ID_EVERYONE + (int)i, y, who(s) == ID_EVERYONE + (int)i);
                ui_put_n(y, 6, 72, R_TEXT, words[i]);
        }
        if (!s->choices.has_user)
                return y + ui_wrap(y, 6, 72, 1, R_QUIET, _("Windows 11 (24H2), Enterprise and Server may insist: see F1."));
        int x = ui_put(y, 6, R_LABEL, _("User")) + 2;
        form_field(s, ID_USER, y, x, 20, settled(s, A_USER));
        return y + share_draw_password(s, ID_PASSWORD, y, x + 23, _("Password"));
}

static unsigned harms(const struct session *s)
{
        unsigned n = 0;

        RECORDS_FOREACH(r, &s->facts->records)
        n += streq(r->word, "harm");
        return n;
}

static int draw_firewall(struct session *s, int y)
{
        const struct choices *c = &s->choices;

        if (!*c->firewall)
                return y;
        if (streq(c->firewall, "rules"))
                return y + ui_wrap(y, 2, 76, 2, R_WARN,
                                   _("FIREWALL: this computer has rules of somebody's own, which are left alone. Let TCP port 445 in "
                                     "there."));
        form_check(s, ID_FIREWALL, y, 2, c->opens);
        _cleanup_free_ char *text = xasprintf(_("Open this computer's firewall (%s) for %s"), c->firewall, c->subnet);
        ui_put_n(y, 6, 72, R_TEXT, text);
        return y + 1;
}

/* What harms, and what is missing for being found. */
static int draw_notes(struct session *s, int y)
{
        _cleanup_strv_ char **missing = choices_share_packages(s->facts, &s->choices);
        unsigned n = harms(s);

        if (n > 0) {
                _cleanup_free_ char *text =
                    xasprintf(Q_("HARMFUL: %u old setting of Samba. F3 tells which, and what it costs.",
                                 "HARMFUL: %u old settings of Samba. F3 tells which, and what they cost.", n),
                              n);
                y += ui_wrap(y, 2, 76, 2, R_WARN, text);
        }
        if (missing && s->facts->has_samba) {
                _cleanup_free_ char *list = strv_join(missing, ", ");
                _cleanup_free_ char *text = xasprintf(_("Not installed: %s. The share works, but is not found by itself."), list);
                y += ui_wrap(y, 2, 76, 2, R_WARN, text);
        }
        return y;
}

static void draw_paths(struct session *s, int y)
{
        const struct record *call = s->changes_share ? plan_call(&s->plan, "nas-share", "set") : NULL;
        _cleanup_free_ char *now = page_address(s);
        const char *address = call ? record_str(call, "address") : fault_of(&s->faults, A_ADDRESS) ? "" : now,
                   *host = call ? record_str(call, "netbios") : s->choices.netbios;

        int end = ui_lines() - 3; /* the message may take two rows */
        if (share_fault(s, NULL) || y + 3 > end)
                return;
        bool is_spaced = y + 4 <= end;
        if (is_spaced)
                ui_put_n(y++, 2, 76, R_HEADING, _("Where it is seen"));
        page_paths(y, address, host, s->choices.share);
}

static void draw_none(struct session *s)
{
        page_frame(s, P_SHARE, _("No share: this computer has no network"), NULL);
        ui_wrap(4, 2, 76, 4, R_TEXT,
                _("Nobody could find it. Your disks are put together and mounted all the same. Connect a network port later (USB "
                  "ones will do) and start nas-setup again."));
        page_message(s, NULL);
}

static void draw(struct session *s)
{
        int y = 4;

        if (s->choices.is_offline)
                return draw_none(s);
        page_frame(s, P_SHARE, _("What should people see on the network?"), NULL);
        for (size_t i = 0; i < ELEMENTSOF(fields); i++, y++) {
                ui_put_n(y, 2, 13, R_LABEL, _(fields[i].label));
                form_field(s, (int)i, y, FIELD_X, FIELD_WIDTH, settled(s, fields[i].answer));
                draw_side(s, i, y);
        }
        y = draw_who(s, y + 1) + 1;
        int notes = draw_notes(s, draw_firewall(s, y));
        draw_paths(s, notes > y ? notes + 1 : y);
        page_message(s, share_fault(s, NULL));
}

/* --- keys --- */

/* Nothing is opened that nobody said yes to; that it stays closed is to be said too. */
static bool must_ask_firewall(struct session *s)
{
        const struct choices *c = &s->choices;

        if (!*c->firewall || c->job != JOB_SETUP || streq(c->firewall, "rules") || s->answers.v[A_FIREWALL])
                return false;
        if (session_asked(s, "firewall")) {
                answers_set(&s->answers, A_FIREWALL, "leave");
                session_changed(s);
                return false;
        }
        form_focus(s, ID_FIREWALL);
        session_say(s, true, _("The firewall (%s) keeps everyone out. Space opens it for %s, Enter leaves it closed."), c->firewall,
                    c->subnet);
        return true;
}

static enum go enter(struct session *s, int id _unused_)
{
        int wrong = -1;
        const char *fault = share_fault(s, &wrong);

        if (s->choices.is_offline)
                return GO_NEXT;
        if (!fault)
                return must_ask_firewall(s) ? GO_STAY : GO_NEXT;
        if (wrong < 0)
                session_push(s, &page_share_more);
        else
                form_focus(s, wrong);
        session_say(s, true, "%s", fault);
        return GO_STAY;
}

static void choose_who(struct session *s, int id)
{
        answers_set(&s->answers, A_ACCESS, id == ID_USER_ONLY ? "user" : NULL);
        if (id == ID_EVERYONE) {
                answers_set(&s->answers, A_USER, NULL);
                answers_set(&s->answers, A_TIMEMACHINE, NULL); /* which is a user's */
        } else if (!s->choices.has_user) {
                answers_set(&s->answers, A_ACCESS, "user");
                session_changed(s); /* advises a name */
                answers_set(&s->answers, A_USER, s->choices.user);
                answers_set(&s->answers, A_ACCESS, id == ID_USER_ONLY ? "user" : NULL);
        } else if (!s->answers.v[A_USER]) {
                answers_set(&s->answers, A_USER, s->choices.user);
        }
}

static void choose(struct session *s, int id)
{
        if (id >= ID_EVERYONE && id <= ID_USER_ONLY)
                choose_who(s, id);
        if (id == ID_FIREWALL)
                answers_set(&s->answers, A_FIREWALL, s->choices.opens ? "leave" : "open");
        session_changed(s);
}

static enum answer answer_of(int id)
{
        return id == ID_USER ? A_USER : fields[id].answer;
}

static char *get(struct session *s, int id)
{
        return id == ID_PASSWORD ? share_get_password(s) : xstrdup(settled(s, answer_of(id)));
}

static void set(struct session *s, int id, const char *text)
{
        if (id == ID_PASSWORD && s->choices.job)
                answers_set(&s->answers, A_PASSWORD, *text ? "new" : NULL);
        if (id == ID_PASSWORD)
                share_set_password(s, text);
        else
                answers_set(&s->answers, answer_of(id), text);
        session_changed(s);
}

static void advise_again(struct session *s, enum answer a, int id)
{
        if (!s->answers.v[a] || *s->answers.v[a] || form_focused(s) == id)
                return;
        answers_set(&s->answers, a, NULL);
        session_changed(s);
        if (a == A_USER) /* without a name nobody would come in */
                choose_who(s, streq(s->choices.access, "user") ? ID_USER_ONLY : ID_BOTH);
        session_changed(s);
}

/* An emptied field gets its advice back once it is left; a comment may be empty. */
static void tick(struct session *s)
{
        for (size_t i = 0; i < ELEMENTSOF(fields); i++)
                if (fields[i].answer != A_COMMENT)
                        advise_again(s, fields[i].answer, (int)i);
        advise_again(s, A_USER, ID_USER);
        if (s->password && !*s->password && form_focused(s) != ID_PASSWORD)
                password_free(&s->password);
}

static void details(struct session *s)
{
        static const char *const words[] = {"samba", "share", "announcer", "firewall"};
        struct buf b = {0};

        RECORDS_FOREACH(r, &s->facts->records)
        if (streq(r->word, "harm"))
                buf_printf(&b, "smb.conf: %s = %s\n%s\n\n", record_str(r, "key"), record_str(r, "value"), _(record_str(r, "text")));
        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                RECORDS_FOREACH(r, &s->facts->records)
                if (streq(r->word, words[i])) {
                        _cleanup_free_ char *text = record_text(r);
                        buf_printf(&b, "%s\n\n", text);
                }
        session_view(s, _("Sharing on this computer"), b.buf ? b.buf : xstrdup(""));
}

static enum go key(struct session *s, int k)
{
        if (k == K_F3)
                details(s);
        if (k == K_F4)
                session_push(s, &page_share_more);
        if (k != K_ESC)
                return GO_STAY;
        if (!s->changes_share)
                return GO_BACK;
        s->changes_share = false;
        session_load_plan(s);
        session_show(s, &page_resume);
        return GO_STAY;
}

static void opened(struct session *s)
{
        session_form(s)->cursor = FIELD_MAX;
}

void share_change(struct session *s)
{
        const struct record *call = plan_call(&s->plan, "nas-share", "set"), *array = plan_call(&s->plan, "nas-raid", "create");

        if (!call)
                return;
        answers_free(&s->answers);
        plan_answers(&s->plan, &s->answers);
        answers_set(&s->answers, A_MOUNT, record_str(call, "path"));
        if (array)
                answers_set(&s->answers, A_SLUG, record_str(array, "name"));
        s->changes_share = true;
        session_changed(s);
        session_show(s, &page_share);
}

static const struct ui_hint hints[] = {
    {N_("Enter"), N_("next"), 0},   {N_("Tab"), N_("field"), 2}, {N_("Space"), N_("choose"), 3}, {"F4", N_("more"), 4},
    {"F3", N_("details"), 1},       {N_("Esc"), N_("back"), 0},  {"F1", N_("help"), 0},          {"F10", N_("leave"), 0},
    {0},
};

const struct page page_share = {
    .id = P_SHARE,
    .name = "share",
    .hints = hints,
    .open = opened,
    .draw = draw,
    .choose = choose,
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
           "A user with a password: Windows 11 (24H2), Enterprise and Server often refuse shares without one (\"your "
           "organization's security policies block unauthenticated guest access\"). With a user beside the guests, type the user's "
           "name and the password there, in these two lines:\n\n"
           "  User name   family\n"
           "  Password    the one that is shown on this screen\n\n"
           "The password is kept by Samba alone: no plan, report or log has it. After a power cut it is asked for again.\n\n"
           "Without such a user, that Windows can be told to accept guests, as administrator in PowerShell:\n\n"
           "  Set-SmbClientConfiguration -EnableInsecureGuestLogons $true\n"
           "  Set-SmbClientConfiguration -RequireSecuritySignature $false\n\n"
           "On a Mac: Finder, Go, Connect to Server, and smb:// before the address; choose Guest.\n\n"
           "F4 has what is set less often: how the share is found, and things for Macs."),
};

#include "wizard/page.h"

#include "helpers/lib/password.h"
#include "wizard/choices_later.h"
#include "wizard/journal.h"
#include "wizard/messages.h"
#include "wizard/watch.h"

#define LABEL_X 2
#define TEXT_X 15
#define LOOK_MS 3000 /* arrays are listed anew so often, */
#define ALL_EVERY 10 /* and what costs more every so many times */
#define SAY_MS 60000

/* What can be done; an id is one of these and the place of the record that it is about. */
enum act {
        ACT_START,
        ACT_REPLACE,
        ACT_ADD,
        ACT_FURTHER,
        ACT_TAKE_OVER,
        ACT_NETWORK,
        ACT_SHARE,
        ACT_SPEED,
        ACT_BACK,
        ACT_RESTART,
        ACT_OFF,
        ACT_LEAVE,
};
#define ACT_STEP 10000

struct actions {
        struct {
                int id;
                char *words;
                bool is_advised;
        } v[24];
        int n;
};

bool nas_is_here(const struct facts *f)
{
        return next_share(f, -1) >= 0;
}

/* --- what can be done --- */

static void add(struct actions *a, enum act act, size_t record, bool is_advised, char *words)
{
        if (a->n == (int)ELEMENTSOF(a->v)) {
                free(words);
                return;
        }
        a->v[a->n].id = (int)act * ACT_STEP + (int)record;
        a->v[a->n].is_advised = is_advised;
        a->v[a->n++].words = words;
}

/* RAID 0 grows no way at all. */
static bool has_growth(const struct facts *f)
{
        RECORDS_FOREACH(r, &f->records)
        if (streq(r->word, "growth") && !record_is(r, "refused", "same") && !record_is(r, "refused", "level"))
                return true;
        return false;
}

static bool has_free_disks(const struct facts *f)
{
        for (size_t i = 0; i < f->n_disks; i++)
                if (is_choosable(&f->disks[i]) && is_blank(&f->disks[i]))
                        return true;
        return false;
}

static bool can_replace(const struct facts *f, const struct record *a)
{
        return !record_is(a, "state", "inactive") && !nas_is_syncing(a) && nas_bad_member(f, a);
}

static void add_of_array(struct actions *a, const struct facts *f, size_t i)
{
        const struct record *r = f->records.v[i];
        const char *name = array_name(record_str(r, "name"));
        const struct record *bad = nas_bad_member(f, r);

        if (array_can_start(f, r))
                add(a, ACT_START, i, true,
                    xasprintf(record_is(r, "state", "inactive") ? _("Start the array \"%s\"") : _("Mount the files of \"%s\" again"),
                              name));
        if (can_replace(f, r))
                add(a, ACT_REPLACE, i, true,
                    xasprintf(record_is(bad, "state", "missing")  ? _("Put another disk in the place that is empty in \"%s\"")
                              : record_is(bad, "state", "faulty") ? _("Replace the failed disk of \"%s\"")
                                                                  : _("Replace the failing disk of \"%s\""),
                              name));
}

static void add_shares(struct actions *a, const struct facts *f)
{
        bool is_only = next_share(f, next_share(f, -1)) < 0;

        for (int i = next_share(f, -1); i >= 0; i = next_share(f, i))
                add(a, ACT_SHARE, (size_t)i, false,
                    is_only ? xstrdup(_("Change the share"))
                            : xasprintf(_("Change the share \"%s\""), record_str(f->records.v[i], "name")));
}

static void make_actions(const struct session *s, struct actions *a)
{
        const struct facts *f = s->facts;
        for (size_t i = 0; i < f->records.n; i++)
                if (streq(f->records.v[i]->word, "array"))
                        add_of_array(a, f, i);
        if (has_growth(f))
                add(a, ACT_ADD, 0, false, xstrdup(_("Add disks to an array: more room, or a spare")));
        if (has_free_disks(f))
                add(a, ACT_FURTHER, 0, false, xstrdup(_("Set up a further share on free disks")));
        if (s->choices.n_keepable > 0)
                add(a, ACT_TAKE_OVER, 0, false, xstrdup(_("Take over disks of another computer, with their files")));
        add(a, ACT_NETWORK, 0, false, xstrdup(_("Change the network address or the name")));
        add_shares(a, f);
        add(a, ACT_SPEED, 0, false, xstrdup(_("Test the speed")));
        if (s->nas.has_back)
                add(a, ACT_BACK, 0, false, xstrdup(_("Take back the last change to the configuration")));
}

static void free_actions(struct actions *a)
{
        for (int i = 0; i < a->n; i++)
                free(a->v[i].words);
}

/* --- drawing --- */

static char *address_of(const struct facts *f)
{
        const struct port *best = NULL;

        for (size_t i = 0; i < f->n_ports; i++)
                if (f->ports[i].addresses && (!best || streq(f->ports[i].ours, "lan")))
                        best = &f->ports[i];
        return best ? xstrndup(best->addresses[0], strcspn(best->addresses[0], "/")) : xstrdup(f->host);
}

static bool is_shown(const struct facts *f, const struct record *array)
{
        return record_is(array, "ours", "yes") || array_files(f, array);
}

static int draw_members(const struct facts *f, const struct record *array, int y, int end)
{
        RECORDS_FOREACH(r, &f->records)
        {
                enum role role;
                if (!streq(r->word, "member") || !uuid_equal(record_str(r, "array"), record_str(array, "uuid")) || y >= end)
                        continue;
                const char *word = nas_member_word(f, r, &role), *place = record_str(r, "place"), *disk = record_str(r, "disk");
                if (*place)
                        ui_putf(y, TEXT_X, R_QUIET, "%u", (unsigned)record_u64(r, "place") + 1);
                ui_put_n(y, TEXT_X + 4, 9, R_TEXT, *disk ? disk : "-");
                ui_put_end(y, TEXT_X + 14, 20, R_TEXT, record_str(r, "serial"));
                ui_putf(y, TEXT_X + 36, role, role == R_BADGE ? " %s " : "%s", word);
                y++;
        }
        return y;
}

/* The ways to all shares that lie in it. */
static int draw_shares(const struct facts *f, const struct record *array, int y)
{
        const struct record *files = array_files(f, array);
        _cleanup_free_ char *address = address_of(f);

        for (int i = next_share(f, -1); files && i >= 0; i = next_share(f, i)) {
                const struct record *r = f->records.v[i];
                if (!record_is(r, "path", record_str(files, "mount")))
                        continue;
                _cleanup_free_ char *path = page_share_path(address, record_str(r, "name")),
                                    *url = page_share_url(address, record_str(r, "name"));
                int x = TEXT_X + ui_width(path) + 3;
                if (x + ui_width(url) <= 78) {
                        ui_put(y, TEXT_X, R_ACCENT, path);
                        ui_put(y++, x, R_ACCENT, url);
                } else {
                        y += page_path(y, TEXT_X, 78 - TEXT_X, path);
                }
        }
        return y;
}

static int draw_array(const struct facts *f, const struct record *a, int y, int end)
{
        enum role role;
        _cleanup_free_ char *kind = nas_kind_words(f, a), *state = nas_array_words(f, a, &role);
        int top = y;

        ui_put_n(y, LABEL_X, TEXT_X - LABEL_X - 1, R_LABEL, array_name(record_str(a, "name")));
        y = draw_shares(f, a, y);
        y += ui_wrap(y, TEXT_X, 78 - TEXT_X, 2, R_TEXT, kind);
        y += ui_wrap(y, TEXT_X, 78 - TEXT_X, 3, role, state);
        if (nas_bad_member(f, a))
                y = draw_members(f, a, y, end);
        return MAX2(y, top + 1) + 1;
}

static bool is_troubled(const struct facts *f, const struct record *a)
{
        enum role role;
        _cleanup_free_ char *words = nas_array_words(f, a, &role);

        return role == R_WARN;
}

/* What is wrong comes first. */
static int draw_arrays(const struct facts *f, int y, int end)
{
        size_t left = 0;

        for (int calm = 0; calm < 2; calm++)
                RECORDS_FOREACH(r, &f->records)
                {
                        if (!streq(r->word, "array") || !is_shown(f, r) || is_troubled(f, r) != !calm)
                                continue;
                        if (y > end - 3)
                                left++;
                        else
                                y = draw_array(f, r, y, end);
                }
        if (left > 0)
                ui_putf(MIN2(y - 1, end - 1), TEXT_X, R_LABEL, _("%s %zu more"), ui_glyph_text(G_DOWN), left);
        return y;
}

static int draw_missing(const struct facts *f, int y)
{
        RECORDS_FOREACH(r, &f->records)
        if (streq(r->word, "missing") && y < ui_lines() - 7) {
                _cleanup_free_ char *why = message_text(r), *text = xasprintf("%s: %s", record_str(r, "helper"), why);
                ui_put_n(y++, TEXT_X, 78 - TEXT_X, R_WARN, text);
        }
        return y;
}

static void draw_heading(const struct facts *f)
{
        bool trouble = false;
        int x = 2;

        RECORDS_FOREACH(r, &f->records)
        trouble |= streq(r->word, "array") && is_shown(f, r) && is_troubled(f, r);
        if (trouble)
                x = ui_put(2, 2, R_BADGE, " ! ") + 1;
        ui_put_n(2, x, 78 - x, R_HEADING, trouble ? _("This NAS needs you.") : _("This NAS works."));
}

static void draw_actions(struct session *s, const struct actions *a, int y)
{
        if (s->nas.chosen >= a->n)
                s->nas.chosen = 0;
        for (int i = 0; i < a->n; i++, y++) {
                form_radio(s, a->v[i].id, y, i == s->nas.chosen);
                ui_put_n(y, 6, 60, R_TEXT, a->v[i].words);
                if (a->v[i].is_advised)
                        ui_put_right(y, 77, R_GOOD, _("advised"));
        }
        int x = form_button(s, ACT_RESTART * ACT_STEP, ++y, 2, _("Restart"));
        x = form_button(s, ACT_OFF * ACT_STEP, y, x + 3, _("Turn off"));
        form_button(s, ACT_LEAVE * ACT_STEP, y, x + 3, _("Leave"));
}

static const struct record *first_sync(const struct facts *f)
{
        RECORDS_FOREACH(r, &f->records)
        if (streq(r->word, "array") && nas_is_syncing(r))
                return r;
        return NULL;
}

static void draw(struct session *s)
{
        const struct facts *f = s->facts;
        _cleanup_(free_actions) struct actions a = {0};
        _cleanup_free_ char *address = address_of(f), *who = xasprintf("%s   %s", f->host, address);

        make_actions(s, &a);
        int end = ui_lines() - 4 - a.n - 2;
        ui_title(_("This NAS"), who);
        draw_heading(f);
        int y = draw_missing(f, draw_arrays(f, 4, end));
        draw_actions(s, &a, MIN2(y, end));
        page_message(s, !first_sync(f) ? NULL
                        : s->nas.is_fast ? _("It takes all that the disks give. F5 leaves room for others.")
                                         : _("It leaves room for others. F5 lets it go faster, and the share slower."));
}

/* --- doing it --- */

static void choose(struct session *s, int id)
{
        const struct form *form = session_form(s);

        for (int i = 0; i < form->n; i++)
                if (form->items[i].id == id && form->items[i].kind == ITEM_RADIO)
                        s->nas.chosen = i;
}

static enum go begin_job(struct session *s, enum job job, enum answer which, const char *value)
{
        answers_free(&s->answers);
        password_free(&s->password);
        answers_set(&s->answers, A_DO, job_name(job));
        if (value)
                answers_set(&s->answers, which, value);
        session_changed(s);
        return GO_NEXT;
}

static enum go take_back(struct session *s)
{
        answers_free(&s->answers);
        answers_copy(&s->nas.back, &s->answers);
        session_changed(s);
        session_show(s, &page_review);
        return GO_STAY;
}

/* A helper or the system is told something; what it answers is said when it has. */
static void tell(struct session *s, char **argv)
{
        if (s->nas.argv || s->o->machine) {
                strv_free(argv);
                return;
        }
        s->nas.argv = argv;
        s->nas.run = (struct run){.argv = argv, .deadline_ms = SAY_MS};
        if (run_begin(&s->nas.run) < 0)
                session_say(s, true, _("%s can't be started."), argv[0]);
}

static void power(struct session *s, bool off)
{
        const char *question = off ? _("Enter once more turns this computer off. What goes on in the background goes on afterwards.")
                                   : _("Enter once more restarts this computer. What goes on in the background goes on afterwards.");

        if (!session_asked(s, question))
                session_say(s, true, "%s", question);
        else
                tell(s, strv_copy(STRV((char *)"systemctl", (char *)(off ? "poweroff" : "reboot"))));
}

static enum go enter(struct session *s, int id)
{
        const struct records *rs = &s->facts->records;
        const struct record *r = id >= 0 && (size_t)(id % ACT_STEP) < rs->n ? rs->v[id % ACT_STEP] : NULL;

        switch (id < 0 ? ACT_LEAVE : (enum act)(id / ACT_STEP)) {
        case ACT_START:
                return begin_job(s, JOB_START, A_ARRAY, r ? record_str(r, "uuid") : NULL);
        case ACT_REPLACE:
                return begin_job(s, JOB_REPLACE, A_ARRAY, r ? record_str(r, "uuid") : NULL);
        case ACT_ADD:
                return begin_job(s, JOB_ADD, A_ARRAY, NULL);
        case ACT_FURTHER:
        case ACT_TAKE_OVER:
                session_show(s, &page_disks);
                return GO_STAY;
        case ACT_NETWORK:
                return begin_job(s, JOB_NETWORK, A_DO, NULL);
        case ACT_SHARE:
                return begin_job(s, JOB_SHARE, A_OF, r ? record_str(r, "name") : NULL);
        case ACT_SPEED:
                return begin_job(s, JOB_SPEED, A_DO, NULL);
        case ACT_BACK:
                return take_back(s);
        case ACT_RESTART:
        case ACT_OFF:
                power(s, id / ACT_STEP == ACT_OFF);
                return GO_STAY;
        case ACT_LEAVE:
                break;
        }
        return GO_END;
}

/* --- keys --- */

static void details(struct session *s)
{
        static const char *const words[] = {"share", "array", "member", "task", "growth", "filesystem", "port", "samba"};
        struct buf b = {0};

        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                RECORDS_FOREACH(r, &s->facts->records)
                if (streq(r->word, words[i])) {
                        _cleanup_free_ char *text = record_text(r);
                        buf_printf(&b, "%s\n\n", text);
                }
        session_view(s, _("This NAS"), b.buf ? b.buf : xstrdup(""));
}

static bool is_good_member(const struct facts *f, const struct record *array, const struct record *member)
{
        enum role role;

        if (!streq(member->word, "member") || !uuid_equal(record_str(member, "array"), record_str(array, "uuid")))
                return false;
        (void)nas_member_word(f, member, &role);
        return *record_str(member, "disk") && role != R_BADGE && role != R_WARN;
}

/* A failing disk is not read to make its lamp blink: it is the one that stays dark. */
static void blink(struct session *s)
{
        const struct facts *f = s->facts;
        _cleanup_strv_ char **keys = NULL;

        RECORDS_FOREACH(a, &f->records)
        {
                if (!streq(a->word, "array") || !nas_bad_member(f, a))
                        continue;
                RECORDS_FOREACH(r, &f->records)
                if (is_good_member(f, a, r)) {
                        const struct disk *d = facts_disk_of(f, record_str(r, "disk"));
                        if (d && !strv_has(keys, disk_key(f, d)))
                                strv_add(&keys, disk_key(f, d));
                }
        }
        _cleanup_free_ char *list = keys ? list_join(keys) : NULL;
        if (!list) {
                session_say(s, false, _("All disks are good: none is looked for."));
                return;
        }
        session_say(s, false, _("The good disks blink now: look for the one that stays dark."));
        blink_keys(s, "nas-disk", "disk", list);
}

static void pace(struct session *s)
{
        const struct record *r = first_sync(s->facts);
        _cleanup_record_ struct record *call = record_new("nas-raid");

        if (!r)
                return;
        s->nas.is_fast = !s->nas.is_fast;
        record_set(call, "verb", "pace");
        record_set(call, "uuid", record_str(r, "uuid"));
        record_set(call, "rate", s->nas.is_fast ? "fast" : "leave");
        tell(s, call_argv(call));
}

static enum go key(struct session *s, int k)
{
        if (k == K_F2)
                blink(s);
        if (k == K_F3)
                details(s);
        if (k == K_F4)
                session_push(s, &page_language);
        if (k == K_F5)
                pace(s);
        return k == K_ESC ? GO_END : GO_STAY;
}

/* --- what goes on beside --- */

static void tick_told(struct session *s)
{
        struct nas *n = &s->nas;
        _cleanup_records_ struct records said = {0};
        struct record_error error;

        if (!n->argv || run_poll(&n->run, 1, 0) > 0)
                return;
        if (n->run.status != 0) {
                bool spoke = n->run.out.buf && records_parse(n->run.out.buf, &said, &error) == 0;
                const struct record *r = spoke ? records_find(&said, "error", NULL, NULL) : NULL;
                _cleanup_free_ char *words = r ? message_text(r) : NULL;
                session_say(s, true, "%s", words ? words : _("That did not work."));
        }
        run_free(&n->run);
        strv_free(n->argv);
        n->argv = NULL;
}

static void tick(struct session *s)
{
        blink_tick(s);
        tick_told(s);
        if (now_ms() - s->nas.looked < LOOK_MS)
                return;
        s->nas.looked = now_ms();
        look_again(s->look, s->nas.looks++ % ALL_EVERY == 0);
}

/* What the last job changed, as it was: in the plan that is kept. */
static void find_back(struct session *s)
{
        _cleanup_plan_ struct plan plan = {0};
        struct record_error error;
        const struct records *rs = &s->facts->records;

        answers_free(&s->nas.back);
        s->nas.has_back = false;
        if (!s->o->machine) {
                if (journal_plan(&plan, &error) < 0)
                        return;
                rs = &plan.records;
        }
        const struct record *before = records_find(rs, "before", NULL, NULL);
        if (!before)
                return;
        const char *job = record_str(before, "do");
        answers_set(&s->nas.back, A_DO, job);
        answers_set(&s->nas.back, A_OF, record_get(before, "share"));
        for (int i = 0; i < N_ANSWERS; i++)
                if (streq(answer_word((enum answer)i), job))
                        answers_set(&s->nas.back, (enum answer)i, record_get(before, answer_key((enum answer)i)));
        s->nas.has_back = true;
}

static void opened(struct session *s)
{
        if (s->answers.v[A_DO]) {
                answers_free(&s->answers);
                session_changed(s);
        }
        find_back(s);
}

void nas_show(struct session *s)
{
        watch_free(s->watch);
        s->watch = NULL;
        if (s->has_plan)
                plan_free(&s->plan);
        s->has_plan = false;
        answers_free(&s->answers);
        session_changed(s);
        s->nas.looked = s->nas.looks = 0;
        s->nas.chosen = 0;
        session_show(s, &page_nas);
        session_say(s, false, _("It is begun, and goes on by itself: you may leave, log out and restart."));
}

void nas_free(struct nas *n)
{
        if (n->argv) {
                run_let_go(&n->run);
                run_free(&n->run);
        }
        strv_free(n->argv);
        answers_free(&n->back);
}

static const struct ui_hint *hints_now(struct session *s)
{
        static const struct ui_hint still[] = {
                {N_("Enter"), N_("choose"), 0},   {"UpDown", N_("move"), 4}, {"F2", N_("light"), 3}, {"F3", N_("details"), 1},
                {"F4", N_("language"), 2}, {"F1", N_("help"), 0},     {"F10", N_("leave"), 0}, {0},
        };
        static const struct ui_hint slow[] = {
                {N_("Enter"), N_("choose"), 0}, {"F2", N_("light"), 3}, {"F3", N_("details"), 1}, {"F4", N_("language"), 4},
                {"F5", N_("faster"), 2},        {"F1", N_("help"), 0},  {"F10", N_("leave"), 0}, {0},
        };
        static const struct ui_hint fast[] = {
                {N_("Enter"), N_("choose"), 0}, {"F2", N_("light"), 3}, {"F3", N_("details"), 1}, {"F4", N_("language"), 4},
                {"F5", N_("slower"), 2},        {"F1", N_("help"), 0},  {"F10", N_("leave"), 0}, {0},
        };

        return !first_sync(s->facts) ? still : s->nas.is_fast ? fast : slow;
}

const struct page page_nas = {
    .id = P_NAS,
    .name = "nas",
    .hints_now = hints_now,
    .open = opened,
    .draw = draw,
    .choose = choose,
    .enter = enter,
    .key = key,
    .tick = tick,
    .follows = true,
    .help = N_("nas-setup made this computer a NAS. This screen shows how it is, and what can be done. Nothing is changed before "
               "you confirm it in Review.\n\n"
               "What goes on in the background (protection that is being built, an array that grows, a disk that is being filled) "
               "goes on when you leave, log out or restart. Files can be used meanwhile.\n\n"
               "A disk that is missing is mostly a loose cable. Turn the computer off before you touch one. F2 makes the good "
               "disks blink: the one that stays dark is the one to look for. Compare its serial number.\n\n"
               "A further share takes free blank disks for an array of their own. What is there stays as it is.\n\n"
               "No array replaces a backup: a file that was deleted is deleted on all disks."),
};

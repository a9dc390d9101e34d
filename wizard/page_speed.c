#include "wizard/page.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>

#include "helpers/lib/file.h"
#include "helpers/lib/verdict.h"
#include "wizard/watch.h"

#define LABEL_LEAST 16 /* columns; a language with longer words moves the bars */
#define MB UINT64_C(1000000)

static const struct {
        const char *what, *words;
        int group;
} rows[] = {
    {"disk-outer", N_("Disk, fast part"), 0}, {"disk-inner", N_("Disk, slow part"), 0},
    {"array-read", N_("Array, reading"), 1},   {"array-write", N_("Array, writing"), 1},
    {"share-read", N_("Share, reading"), 2},   {"share-write", N_("Share, writing"), 2},
};

/* Of the latest test: one that was made here, else the one of the set-up. */
static const struct records *figures(const struct session *s)
{
        static const struct records none;

        return s->speeding.records.n ? &s->speeding.records : s->watch ? &s->watch->speeds : &none;
}

static unsigned count_of(const struct session *s, const char *what)
{
        const struct records *rs = figures(s);
        unsigned n = 0;

        RECORDS_FOREACH(r, rs)
        n += record_is(r, "what", what) && record_u64(r, "rate") > 0;
        return n;
}

static uint64_t rate_of(const struct session *s, const char *what)
{
        return verdict_rate(figures(s), what);
}

static bool is_from_memory(const struct session *s, const char *what)
{
        return rate_of(s, what) == 0 && verdict_has_note(figures(s), what, "memory");
}

/* TRANSLATORS: at most 30 columns wide. */
static const char *row_words(const struct session *s, size_t i)
{
        if (count_of(s, rows[i].what) > 1 && streq(rows[i].what, "disk-outer"))
                return _("Slowest disk, fast part");
        if (count_of(s, rows[i].what) > 1 && streq(rows[i].what, "disk-inner"))
                return _("Slowest disk, slow part");
        return _(rows[i].words);
}

static bool has_rates(const struct session *s)
{
        for (size_t i = 0; i < ELEMENTSOF(rows); i++)
                if (rate_of(s, rows[i].what))
                        return true;
        return false;
}

/* What nas-speed noted beside a figure; what explains other notes too comes first. */
static const struct {
        const char *slug, *words;
} notes[] = {
    {"sync", N_("Measured while full protection is being built: it will be faster.")},
    {"slowed", N_("The building of full protection waited while this was measured.")},
    {"lazy", N_("The new file system is still being filled in: it will be faster.")},
    {"cached", N_("Part of it came from memory: the disks alone are slower.")},
    {"empty", N_("Where nothing was ever written, a disk's speed can't be measured.")},
    {"full", N_("There was too little free room to measure everything.")},
    {"no-program", N_("smbclient is missing, so the share was not measured.")},
    {"closed", N_("The share lets no guests in: only its disks were measured.")},
    {"slow", N_("Something took too long to be measured.")},
    {"failed", N_("Something could not be measured; F3 shows what.")},
};

static uint64_t limit_of(const struct session *s)
{
        return verdict_limit(figures(s));
}

/* Of the share as the plan has it: name, address, netbios. */
static const char *share_str(const struct session *s, const char *key)
{
        const struct record *r = s->has_plan ? plan_call(&s->plan, "nas-share", "set") : NULL,
                            *speed = s->has_plan ? plan_call(&s->plan, "nas-speed", "run") : NULL;

        if (!r && speed)
                return streq(key, "name") ? record_str(speed, "share") : record_str(speed, key);
        return r ? record_str(r, key) : "";
}

/* Whether full protection is still to come: at first it is, unless the array was found to have it. */
static bool has_sync(const struct session *s)
{
        const struct record *r = s->has_plan ? plan_call(&s->plan, "nas-raid", "create") : NULL;
        const struct record *found =
            r ? records_find(&s->facts->records, "array", "uuid", record_str(r, "uuid")) : NULL;
        const struct level *l = r ? level_find(record_str(r, "level")) : NULL;
        _cleanup_strv_ char **members = r ? record_get_list(r, "members") : NULL;
        unsigned n = (unsigned)strv_len(members);

        return l && n > 1 && level_survives(l, n) > 0 && (!found || !record_is(found, "sync", "idle"));
}

static int number_end(const struct session *s)
{
        int width = MAX2(LABEL_LEAST, ui_width(_("Network limit")));

        for (size_t i = 0; i < ELEMENTSOF(rows); i++)
                width = MAX2(width, ui_width(row_words(s, i)));
        return 4 + MIN2(width, 30) + 5; /* two blanks, four digits */
}

static int bar_x(const struct session *s)
{
        return number_end(s) + 4;
}

static int bar_width(const struct session *s, uint64_t rate, uint64_t most)
{
        return most ? MAX2((int)((double)MIN2(rate, most) * (76 - bar_x(s)) / (double)most), 1) : 0;
}

static void draw_row(const struct session *s, int y, const char *words, uint64_t rate, uint64_t most)
{
        _cleanup_free_ char *number = xasprintf("%" PRIu64, (rate + MB / 2) / MB);

        ui_put_n(y, 4, number_end(s) - 9, R_TEXT, words);
        if (rate == 0) {
                ui_put(y, bar_x(s), R_QUIET, _("from memory, so it tells nothing"));
                return;
        }
        ui_put_right(y, number_end(s), R_BOLD, number);
        ui_fill(y, bar_x(s), bar_width(s, rate, most), R_BAR1, G_FILLED);
}

/* The port's limit is a line across the bars of the share. */
static int draw_limit(const struct session *s, int y, int share_rows, uint64_t limit, uint64_t most)
{
        int x = bar_x(s) + bar_width(s, limit, most);

        draw_row(s, y, _("Network limit"), limit, 0);
        ui_fill(y, bar_x(s), x - bar_x(s), R_BOLD, G_RULE);
        ui_glyph(y, x, R_BOLD, G_CORNER);
        for (int i = 1; i <= share_rows; i++)
                ui_glyph(y - i, x, R_BOLD, G_LIMIT);
        return y + 1;
}

/* What the longest bar stands for: bars are true to scale, and the number stands beside each. */
static uint64_t most_of(const struct session *s)
{
        uint64_t most = limit_of(s);

        for (size_t i = 0; i < ELEMENTSOF(rows); i++)
                most = MAX2(most, rate_of(s, rows[i].what));
        return most;
}

/* Blank rows between the groups, where there is room. */
static int draw_bars(struct session *s, int y, bool spaced)
{
        uint64_t most = most_of(s), limit = limit_of(s);
        int group = 0, share_rows = 0, top = y;

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                uint64_t rate = rate_of(s, rows[i].what);
                if (rate == 0 && !is_from_memory(s, rows[i].what))
                        continue;
                if (rows[i].group != group && y > top && spaced)
                        y++;
                group = rows[i].group;
                share_rows += group == 2;
                draw_row(s, y++, row_words(s, i), rate, most);
        }
        return limit ? draw_limit(s, y, share_rows, limit, most) : y;
}

static void judge(const struct session *s, struct verdict *ret)
{
        verdict_make(figures(s), i18n_text, ret);
        if (*ret->limit)
                return;
        free(ret->text);
        if (s->has_plan && !plan_call(&s->plan, "nas-fs", "mount") && !plan_call(&s->plan, "nas-speed", "run"))
                ret->text = xstrdup("");
        else
                ret->text = s->watch && !s->watch->finished ? xstrdup(_("What the speed test measured is gone since the restart."))
                                                            : xstrdup(_("The speed was not measured."));
}

/* What is said below the bars, the most important first. */
static char **sentences(const struct session *s, bool with_live)
{
        _cleanup_verdict_ struct verdict v = {0};
        char **list = NULL;

        judge(s, &v);
        bool has_share = *share_str(s, "name");
        _cleanup_free_ char *text = v.advice ? xasprintf("%s %s", v.text, v.advice) : xstrdup(v.text),
                            *live = with_live && has_share ? speed_live_words(s) : NULL;
        /* It says so in words of its own. */
        const char *windows = with_live && has_share && !*share_str(s, "user")
                                  ? _("If Windows says that it blocks guest access: F1 tells what to type there.") : NULL;
        bool is_news = s->speeding.now && record_get(s->speeding.now, "client");
        const char *all[] = {text, v.disk, v.change, is_news ? live : windows, is_news ? windows : live};
        for (size_t i = 0; i < ELEMENTSOF(all); i++)
                if (all[i] && *all[i])
                        strv_add(&list, all[i]);
        for (size_t i = 0; i < ELEMENTSOF(notes); i++)
                if (verdict_has_note(figures(s), NULL, notes[i].slug))
                        strv_add(&list, _(notes[i].words));
        return list;
}

static int rows_of(char *const *list)
{
        int n = 0;

        STRV_FOREACH(t, list)
        n += (ui_width(*t) + 75) / 76;
        return n;
}

static void draw_sentences(char *const *list, int y)
{
        STRV_FOREACH(t, list)
        if (y < ui_lines() - 3)
                y += ui_wrap(y, 2, 76, MIN2(2, ui_lines() - 3 - y), t == list ? R_TEXT : R_QUIET, *t);
}

/* What df says; of a file system that was taken over part is in use. */
static int draw_df(const struct session *s, int y)
{
        uint64_t all = s->watch ? s->watch->room : 0, left = s->watch ? s->watch->free : 0;
        _cleanup_free_ char *room = size_words(all), *rest = size_words(left);

        if (all == 0)
                return y;
        /* TRANSLATORS: 12 columns wide, as "By name". */
        ui_put_n(y, 2, 12, R_LABEL, _("Room"));
        if (left > 0 && left < all / 10 * 9)
                ui_putf(y, 15, R_TEXT, _("%s for files, %s of it free"), room, rest);
        else
                ui_putf(y, 15, R_TEXT, _("%s for files"), room);
        return y + 1;
}

/* The password itself was shown once, and stands nowhere. */
static char *user_words(const struct session *s)
{
        const char *user = share_str(s, "user");
        bool is_locked = streq(share_str(s, "access"), "user");

        return xasprintf(is_locked ? _("%s, and the password that you wrote down")
                                   : _("%s, with the password that you wrote down, if Windows asks"),
                         user);
}

static int draw_user(const struct session *s, int y)
{
        if (!*share_str(s, "user"))
                return y;
        _cleanup_free_ char *words = user_words(s);
        /* TRANSLATORS: 12 columns wide, as "By name". */
        ui_put_n(y, 2, 12, R_LABEL, _("User"));
        return y + ui_wrap(y, 15, 63, 2, R_TEXT, words);
}

static void draw(struct session *s)
{
        _cleanup_strv_ char **list = sentences(s, true);
        int room = ui_lines() - 3 - rows_of(list);

        page_frame(s, P_APPLY, NULL, NULL);
        bool is_alone = !*share_str(s, "name"); /* this computer has no network */
        ui_put_n(2, 2, 76, R_HEADING, is_alone ? _("Your disks are ready. There is no share: this computer has no network.")
                                               : _("Your NAS is ready. Open it from another computer:"));
        int y = is_alone ? 4 : page_paths(4, share_str(s, "address"), share_str(s, "netbios"), share_str(s, "name"));
        y = draw_df(s, draw_user(s, y));
        if (has_rates(s)) {
                ui_put_n(++y, 2, number_end(s) - 9, R_LABEL, _("Speed"));
                ui_put_right(y, number_end(s), R_LABEL, "MB/s");
                y = draw_bars(s, y + 1, y + 11 <= room);
        }
        y += y < room;
        draw_sentences(list, y);
        _cleanup_free_ char *going = speed_going_words(s);
        page_message(s, going          ? going
                        : has_sync(s) ? _("Full protection comes in the background; the NAS can be used meanwhile.")
                                      : NULL);
        ui_cursor(ui_lines() - 2, 0);
}

/* nas-speed tells the limit of the port; a set-up by an older one, or one without the test, did not. */
static void add_limit(struct session *s)
{
        const struct record *net = s->has_plan ? plan_call(&s->plan, "nas-net", "static") : NULL;
        const struct port *p = net ? facts_port(s->facts, record_str(net, "port")) : s->choices.port;
        struct record *r = record_new("limit");

        record_set_u64(r, "smb", p ? (uint64_t)p->speed * MB / 8 * 944 / 1000 : 0);
        records_add(&s->watch->speeds, r);
}

/* Where the summary is what a run begins with, the figures are in what the apply left. */
static void opened(struct session *s)
{
        if (!s->watch && s->has_plan) {
                s->watch = watch_new(s->progress, &s->plan);
                watch_look(s->watch);
        }
        if (s->watch && !records_find(&s->watch->speeds, "limit", NULL, NULL))
                add_limit(s);
        s->end = WIZARD_FINISHED;
}

static enum go enter(struct session *s _unused_, int id _unused_)
{
        return GO_END;
}

static void add_rate(struct buf *b, const char *words, uint64_t rate)
{
        _cleanup_free_ char *number = xasprintf("%6.1f", (double)rate / (double)MB);

        i18n_decimal(number);
        buf_printf(b, "%s%*s %s MB/s\n", words, MAX2(24 - ui_width(words), 0), "", number);
}

static void add_records(struct buf *b, const struct records *rs)
{
        RECORDS_FOREACH(r, rs) {
                _cleanup_free_ char *line = record_text(r);
                buf_printf(b, "%s\n", line);
        }
}

static char *report(struct session *s)
{
        struct buf b = {0};
        _cleanup_strv_ char **list = sentences(s, false);
        _cleanup_free_ char *table = speed_table_words(s);

        buf_printf(&b, _("Share \\\\%s\\%s\n\n"), share_str(s, "address"), share_str(s, "name"));
        if (*share_str(s, "user")) {
                _cleanup_free_ char *user = user_words(s);
                buf_printf(&b, "%s: %s\n\n", _("User"), user);
        }
        for (size_t i = 0; i < ELEMENTSOF(rows); i++)
                if (rate_of(s, rows[i].what))
                        add_rate(&b, row_words(s, i), rate_of(s, rows[i].what));
        if (limit_of(s))
                add_rate(&b, _("Network limit"), limit_of(s));
        buf_puts(&b, "\n");
        STRV_FOREACH(t, list)
        buf_printf(&b, "%s\n", *t);
        buf_printf(&b, "\n%s", table);
        add_records(&b, figures(s));
        return b.buf;
}

static enum go key(struct session *s, int k)
{
        const char *home = getenv("HOME");
        _cleanup_free_ char *path = path_join(home && *home == '/' ? home : "/root", "nas-setup.report"),
                            *text = NULL;

        if (k == K_ESC && speed_is_measuring(s))
                speed_stop(s);
        else if (k == K_ESC)
                return GO_END;
        if (k == K_F6 || k == K_F4) {
                speed_measure(s, k == K_F4);
        } else if (k == K_F3) {
                session_view(s, _("Speed"), report(s));
        } else if (k == K_F5) {
                text = report(s);
                int r = s->o->machine ? -EROFS : file_save(path, text, 0644);
                if (r < 0)
                        session_say(s, true, _("%s could not be written: %s"), path, strerror(-r));
                else
                        session_say(s, false, _("Saved as %s."), path);
        }
        return GO_STAY;
}

static const struct ui_hint hints[] = {
    {N_("Enter"), N_("finish"), 0},
    {"F6", N_("again"), 4},
    {"F4", N_("table"), 1},
    {"F5", N_("save"), 2},
    {"F3", N_("details"), 3},
    {"F1", N_("help"), 0},
    {"F10", N_("leave"), 0},
    {0},
};

const struct page page_speed = {
    .id = P_SPEED,
    .name = "speed",
    .hints = hints,
    .open = opened,
    .draw = draw,
    .enter = enter,
    .key = key,
    .tick = speed_tick,
    .help = N_(
        "To open the share:\n\n"
        "  Windows   type the first line into the Explorer's address line\n"
        "  Mac       Finder, Go, Connect to Server: the second line\n"
        "  Linux     the file manager's address line (Ctrl L): the second line\n\n"
        "Windows that blocks guests (11 24H2, Enterprise, Server) wants a user: type the user's name and password that were set on "
        "the screen Share. Without such a user, as administrator in PowerShell:\n\n"
        "  Set-SmbClientConfiguration -EnableInsecureGuestLogons $true\n"
        "  Set-SmbClientConfiguration -RequireSecuritySignature $false\n\n"
        "The figures were measured on this NAS a moment ago, in millions of bytes a second.\n\n"
        "A turning disk is faster at its outer edge, where the first files lie, than at its inner one.\n\n"
        "Whatever the disks can do, over the network no more goes through than the port carries: about 118 "
        "MB/s with 1 gigabit Ethernet.\n\n"
        "F6 measures again, in about 16 s: each disk at its outer, middle and inner tracks and with all others, the file "
        "system, and the share as a guest. F3 then shows every figure with how far it may be off, and what earlier "
        "tests found. F4 writes and reads files of 32 MB to 1 GB, as iozone's tables show them. Nothing of it is left.\n\n"
        "Copy a file from another computer, or run iperf3 -c with this NAS's address there: who it is and how fast is shown "
        "here while it goes on."),
};

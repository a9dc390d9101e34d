#include "wizard/page.h"

#include <inttypes.h>

#include "wizard/messages.h"

#define MB UINT64_C(1000000)
#define TEST_MS 60000
#define TABLE_MS (UINT64_C(7200) * 1000)
#define LIVE_SECONDS 3600
#define END_MS 1500
#define LIVELY (200 * UINT64_C(1000)) /* bytes per second: what less than that is, is no copying */

/* Of the share that was set up, or whose speed was asked for: mount, share, address; "": there is none. */
static const char *target(const struct session *s, const char *key)
{
        const struct record *set = s->has_plan ? plan_call(&s->plan, "nas-share", "set") : NULL,
                            *speed = s->has_plan ? plan_call(&s->plan, "nas-speed", "run") : NULL;

        if (!set)
                return speed ? record_str(speed, key) : "";
        return record_str(set, streq(key, "mount") ? "path" : streq(key, "share") ? "name" : key);
}

/* Asked to end it clears up, and is not waited for beyond that. */
static void end(struct run *r, char ***argv)
{
        uint64_t until = now_ms() + END_MS;

        run_end(r);
        while (run_poll(r, 1, 50) > 0 && now_ms() < until)
                ;
        run_let_go(r);
        run_free(r);
        strv_free(*argv);
        *argv = NULL;
        *r = (struct run){0};
}

/* --- a test --- */

static void take_test(void *ctx, const char *line)
{
        struct session *s = ctx;
        struct speeding *t = &s->speeding;
        struct record *r = NULL;
        struct record_error error;

        if (record_parse(line, &r, &error) < 0 || !r)
                return;
        if (streq(r->word, "progress")) {
                t->done = record_u64(r, "done");
                t->total = record_u64(r, "total");
        } else if (streq(r->word, "error")) {
                _cleanup_free_ char *words = message_text(r);
                session_say(s, true, "%s", words);
        } else if (streq(r->word, "estimate")) {
                t->seconds = (unsigned)record_u64(r, "seconds");
        } else {
                records_add(&t->coming, r);
                return;
        }
        record_free(r);
}

static void begin(struct session *s, const char *verb, const char *key, const char *value, uint64_t ms)
{
        _cleanup_record_ struct record *call = record_new("nas-speed");
        struct speeding *t = &s->speeding;

        record_set(call, "verb", verb);
        record_set(call, "mount", target(s, "mount"));
        if (streq(verb, "run")) {
                record_set(call, "share", target(s, "share"));
                record_set(call, "address", target(s, "address"));
        }
        record_set(call, key, value);
        t->test_argv = call_argv(call);
        t->test = (struct run){.argv = t->test_argv, .deadline_ms = ms, .on_line = take_test, .ctx = s};
        t->done = t->total = 0;
        t->is_measuring = run_begin(&t->test) == 0;
        if (!t->is_measuring)
                end(&t->test, &t->test_argv);
}

/* How long the table takes is asked first: it may be much longer than one would wait. */
static unsigned table_seconds(struct session *s)
{
        struct speeding *t = &s->speeding;

        if (t->seconds > 0)
                return t->seconds;
        begin(s, "table", "only", "estimate", END_MS);
        if (t->is_measuring)
                while (run_poll(&t->test, 1, 50) > 0)
                        ;
        t->is_measuring = false;
        end(&t->test, &t->test_argv);
        records_free(&t->coming);
        t->coming = (struct records){0};
        return t->seconds;
}

void speed_measure(struct session *s, bool table)
{
        if (s->speeding.is_measuring)
                return;
        if (s->o->machine || !*target(s, "mount")) {
                session_say(s, false, s->o->machine ? _("This is a recorded computer: it has no speed.")
                                                    : _("There is no share of this set-up to be measured."));
                return;
        }
        if (table) {
                _cleanup_free_ char *time = duration_words(table_seconds(s)), *question = NULL;
                question = xasprintf(_("The table takes about %s. F4 once more begins; Esc ends it."), time);
                if (!session_asked(s, question))
                        return;
        }
        s->speeding.is_table = table;
        begin(s, table ? "table" : "run", table ? NULL : "test", table ? NULL : "full", table ? TABLE_MS : TEST_MS);
}

bool speed_is_measuring(const struct session *s)
{
        return s->speeding.is_measuring;
}

void speed_stop(struct session *s)
{
        struct speeding *t = &s->speeding;

        end(&t->test, &t->test_argv);
        t->is_measuring = false;
        records_free(&t->coming);
        t->coming = (struct records){0};
        session_say(s, false, _("The test was ended; nothing of it is left."));
}

static void tick_test(struct session *s)
{
        struct speeding *t = &s->speeding;

        if (!t->is_measuring || run_poll(&t->test, 1, 0) > 0)
                return;
        bool done = t->test.status == 0;
        struct records *to = t->is_table ? &t->table : &t->records;
        end(&t->test, &t->test_argv);
        t->is_measuring = false;
        if (done) {
                records_free(to);
                *to = t->coming;
        } else {
                records_free(&t->coming);
        }
        t->coming = (struct records){0};
        if (done && t->is_table) {
                _cleanup_free_ char *title = xstrdup(_("Speed by file size"));
                session_view(s, title, speed_table_words(s));
        }
}

char *speed_going_words(const struct session *s)
{
        const struct speeding *t = &s->speeding;
        unsigned percent = t->total ? (unsigned)(t->done * 100 / t->total) : 0;

        return t->is_measuring ? xasprintf(_("Measuring: %u %%. Esc ends it; nothing of it will be left."), percent) : NULL;
}

char *speed_table_words(const struct session *s)
{
        const struct records *rs = &s->speeding.table;
        struct buf b = {0};

        buf_puts(&b, "");
        if (rs->n > 0)
                buf_printf(&b, "%s\n\n", _("Files of that size in records of 64 KB, in MB/s. What fits into memory is read from there (*)."));
        RECORDS_FOREACH(r, rs)
        if (streq(r->word, "table"))
                buf_printf(&b, _("%5u MB   writing %7.1f   reading %7.1f%s\n"), (unsigned)(record_u64(r, "size") / MIB),
                           (double)record_u64(r, "write") / (double)MB, (double)record_u64(r, "read") / (double)MB,
                           record_is(r, "note", "cached") ? " *" : "");
        return b.buf;
}

/* --- who copies --- */

static void take_live(void *ctx, const char *line)
{
        struct speeding *t = ctx;
        struct record *r = NULL;
        struct record_error error;

        if (record_parse(line, &r, &error) < 0 || !r)
                return;
        if (!streq(r->word, "live")) {
                record_free(r);
                return;
        }
        record_free(t->now);
        t->now = r;
}

static void begin_live(struct session *s)
{
        struct speeding *t = &s->speeding;
        _cleanup_record_ struct record *call = record_new("nas-speed");

        t->was_live = true;
        if (s->o->machine || !*target(s, "address"))
                return;
        record_set(call, "verb", "live");
        record_set(call, "address", target(s, "address"));
        record_set_u64(call, "seconds", LIVE_SECONDS);
        t->live_argv = call_argv(call);
        t->live = (struct run){.argv = t->live_argv, .on_line = take_live, .forgets = true, .ctx = t};
        t->is_live = run_begin(&t->live) == 0;
}

void speed_tick(struct session *s)
{
        struct speeding *t = &s->speeding;

        tick_test(s);
        if (!t->is_live && !t->was_live)
                begin_live(s);
        if (t->is_live && run_poll(&t->live, 1, 0) == 0) {
                end(&t->live, &t->live_argv);
                t->is_live = false;
        }
}

char *speed_live_words(const struct session *s)
{
        const struct record *r = s->speeding.now;
        uint64_t rx = r ? record_u64(r, "rx") : 0, tx = r ? record_u64(r, "tx") : 0;
        _cleanup_strv_ char **clients = r ? record_get_list(r, "client") : NULL;
        _cleanup_free_ char *who = strv_join(clients, ", ");

        if (!clients)
                return xstrdup(_("Try it now: copy a file to the share from another computer."));
        if (MAX2(rx, tx) < LIVELY)
                return xasprintf(_("%s is at the share."), who);
        if (rx >= tx)
                return xasprintf(_("%s is writing at %u MB/s."), who, (unsigned)((rx + MB / 2) / MB));
        return xasprintf(_("%s is reading at %u MB/s."), who, (unsigned)((tx + MB / 2) / MB));
}

void speeding_free(struct speeding *t)
{
        if (t->test_argv)
                end(&t->test, &t->test_argv);
        if (t->live_argv)
                end(&t->live, &t->live_argv);
        records_free(&t->records);
        records_free(&t->coming);
        records_free(&t->table);
        record_free(t->now);
}

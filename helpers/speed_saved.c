#include "helpers/speed_saved.h"

#include <time.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"

#define KEPT 24
#define DOUBT 20 /* per cent: what was less sure than that is compared with nothing */
#define PLAN_FILE "/var/lib/nas-setup/plan"

void saved_read(struct records *ret)
{
        _cleanup_free_ char *path = helper_path(SPEED_SAVED);
        struct record_error error;

        if (records_read(path, ret, &error) < 0)
                *ret = (struct records){0};
}

static bool is_same(const struct record *a, const struct record *b)
{
        static const char *const keys[] = {"what", "block", "depth"};
        const char *serial = record_str(a, "serial"), *by = *serial ? "serial" : "name";

        for (size_t i = 0; i < ELEMENTSOF(keys); i++)
                if (!record_is(b, keys[i], record_str(a, keys[i])))
                        return false;
        return streq(b->word, "speed") && record_is(b, by, record_str(a, by)) && record_u64(b, "error") <= DOUBT;
}

void saved_compare(const struct records *saved, const char *mount, struct record *r)
{
        const struct record *test = NULL, *best = NULL, *of = NULL;

        RECORDS_FOREACH(s, saved) {
                if (streq(s->word, "tested"))
                        test = s;
                else if (test && record_is(test, "mount", mount) && is_same(r, s) && record_u64(s, "rate") > 0) {
                        best = s;
                        of = test;
                }
        }
        if (!best)
                return;
        record_set_u64(r, "before", record_u64(best, "rate"));
        record_set(r, "since", record_str(of, "at"));
}

uint64_t saved_rate(const struct records *saved, const char *mount, const char *what)
{
        const struct record *test = NULL;
        uint64_t rate = 0;

        RECORDS_FOREACH(s, saved) {
                if (streq(s->word, "tested"))
                        test = s;
                else if (test && record_is(test, "mount", mount) && record_is(s, "what", what) && record_u64(s, "rate") > 0)
                        rate = record_u64(s, "rate");
        }
        return rate;
}

/* The plan that the NAS was made by, if it was made by one: its identity. */
static char *plan_id(void)
{
        _cleanup_free_ char *path = helper_path(PLAN_FILE);
        _cleanup_records_ struct records plan = {0};
        struct record_error error;
        const struct record *head = records_read(path, &plan, &error) == 0 ? records_find(&plan, "plan", NULL, NULL) : NULL;

        return head && record_get(head, "id") ? xstrdup(record_str(head, "id")) : NULL;
}

static char *head_of(const char *mount, const char *test)
{
        _cleanup_record_ struct record *r = record_new("tested");
        _cleanup_free_ char *plan = plan_id();
        char at[32];
        time_t now = time(NULL);
        struct tm tm;

        strftime(at, sizeof at, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
        record_set(r, "at", at);
        record_set(r, "mount", mount);
        record_set(r, "test", test);
        record_set(r, "plan", plan);
        return record_text(r);
}

static void add_text(struct buf *b, const struct record *r)
{
        _cleanup_free_ char *line = record_text(r);

        buf_printf(b, "%s\n", line);
}

int saved_add(const char *mount, const char *test, const struct records *rs)
{
        _cleanup_free_ char *path = helper_path(SPEED_SAVED), *head = head_of(mount, test);
        _cleanup_records_ struct records old = {0};
        _cleanup_buf_ struct buf b = {0};
        size_t tests = 0, seen = 0;

        saved_read(&old);
        RECORDS_FOREACH(r, &old)
        tests += streq(r->word, "tested");
        RECORDS_FOREACH(r, &old) {
                seen += streq(r->word, "tested");
                if (seen + KEPT > tests + 1)
                        add_text(&b, r);
        }
        buf_printf(&b, "%s\n", head);
        RECORDS_FOREACH(r, rs)
        add_text(&b, r);
        return file_replace(path, b.buf, 0644);
}

#include "helpers/speed_plain.h"

#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#include "helpers/lib/helper.h"
#include "helpers/lib/verdict.h"

#define BAR 30

static const struct {
        const char *what, *words;
} rows[] = {
    {"disk-outer", "outer tracks"}, {"disk-middle", "middle"},         {"disk-inner", "inner tracks"},
    {"disk-seek", "a seek"},        {"disk-together", "all together"}, {"array-read", "reading"},
    {"array-write", "writing"},     {"share-read", "reading"},         {"share-write", "writing"},
};

static const char *words_of(const struct record *r)
{
        for (size_t i = 0; i < ELEMENTSOF(rows); i++)
                if (record_is(r, "what", rows[i].what))
                        return rows[i].words;
        return record_str(r, "what");
}

static uint64_t most_of(const struct records *rs)
{
        uint64_t most = verdict_limit(rs);

        RECORDS_FOREACH(r, rs)
        if (streq(r->word, "speed"))
                most = MAX2(most, record_u64(r, "rate"));
        return most;
}

static void add_bar(struct buf *b, uint64_t rate, uint64_t most)
{
        for (uint64_t i = 0; most && i < MAX2(rate * BAR / most, (uint64_t)1); i++)
                buf_puts(b, "#");
}

static void add_speed(struct buf *b, const struct record *r, uint64_t most)
{
        uint64_t rate = record_u64(r, "rate"), us = record_u64(r, "us"), block = record_u64(r, "block");
        _cleanup_free_ char *name = xstrdup(record_str(r, "name"));

        defuse(name);
        buf_printf(b, "%-14s %-17s", name, words_of(r));
        if (us)
                buf_printf(b, " %7.1f ms  ", (double)us / 1000);
        else if (rate)
                buf_printf(b, " %7.1f MB/s", (double)rate / 1e6);
        else
                buf_printf(b, " %12s", "-");
        if (rate || us)
                buf_printf(b, " +- %2" PRIu64 " %%  %" PRIu64 " %s x %" PRIu64 "  ", record_u64(r, "error"),
                           block >= MIB ? block / MIB : block / KIB, block >= MIB ? "MiB" : "KiB", record_u64(r, "depth"));
        if (record_get(r, "core"))
                buf_printf(b, "core %" PRIu64 " %%  ", record_u64(r, "core"));
        if (rate)
                add_bar(b, rate, most);
        if (record_get(r, "note"))
                buf_printf(b, "  (%s)", record_str(r, "note"));
        buf_puts(b, "\n");
}

static void add_table(struct buf *b, const struct record *r)
{
        buf_printf(b, "%6" PRIu64 " MiB  %9.1f %9.1f MB/s%s\n", record_u64(r, "size") / MIB, (double)record_u64(r, "write") / 1e6,
                   (double)record_u64(r, "read") / 1e6, record_get(r, "note") ? "  (reading: memory)" : "");
}

static const char *as_it_is(const char *english)
{
        return english;
}

static void add_line(struct buf *b, const char *text)
{
        if (text && *text)
                buf_printf(b, "%s\n", text);
}

char *plain_text(const struct records *rs)
{
        _cleanup_verdict_ struct verdict v = {0};
        struct buf b = {0};
        bool has_table = false;

        buf_puts(&b, "");
        RECORDS_FOREACH(r, rs) {
                if (streq(r->word, "speed"))
                        add_speed(&b, r, most_of(rs));
                if (streq(r->word, "limit") && record_u64(r, "smb"))
                        buf_printf(&b, "%-14s %-17s %7.1f MB/s\n", record_str(r, "name"), "network limit",
                                   (double)record_u64(r, "smb") / 1e6);
                if (!streq(r->word, "table"))
                        continue;
                if (!has_table)
                        buf_puts(&b, "\n      file      write      read   (64 KiB records)\n");
                has_table = true;
                add_table(&b, r);
        }
        if (!records_find(rs, "speed", NULL, NULL))
                return b.buf;
        verdict_make(rs, as_it_is, &v);
        buf_puts(&b, "\n");
        add_line(&b, v.text);
        add_line(&b, v.advice);
        add_line(&b, v.disk);
        add_line(&b, v.change);
        return b.buf;
}

/* --- the command line --- */

int speed_plain_fd = -1;

void plain_begin(void)
{
        _cleanup_close_ int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

        speed_plain_fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
        if (null >= 0)
                dup2(null, STDOUT_FILENO);
}

/* What nas-share says of our share: mount= (if none was named) and share=. */
static void add_share(char ***call, const char *mount, bool with_share)
{
        _cleanup_free_ char *out = NULL;
        _cleanup_records_ struct records shares = {0};
        struct record_error error;

        if (helper_ask(STRV("nas-share", "list"), &out) < 0 || records_parse(out, &shares, &error) < 0)
                return;
        RECORDS_FOREACH(r, &shares) {
                if (!streq(r->word, "share") || (mount ? !record_is(r, "path", mount) : !record_is(r, "ours", "yes")))
                        continue;
                if (!mount)
                        strv_take(call, xasprintf("mount=%s", record_str(r, "path")));
                if (with_share)
                        strv_take(call, xasprintf("share=%s", record_str(r, "name")));
                return;
        }
}

bool plain_args(char **argv, char ***ret_call)
{
        bool plain = false, table = false, quick = false;
        const char *mount = NULL;

        for (char **a = argv + 1; *a; a++) {
                if (streq(*a, "--plain"))
                        plain = true;
                else if (streq(*a, "--table"))
                        table = true;
                else if (streq(*a, "--quick"))
                        quick = true;
                else if (**a == '/')
                        mount = *a;
                else
                        return false;
        }
        if (!plain && !table && !quick)
                return false;
        strv_add(ret_call, argv[0]);
        strv_add(ret_call, table ? "table" : "run");
        if (mount)
                strv_take(ret_call, xasprintf("mount=%s", mount));
        add_share(ret_call, mount, !table);
        if (!table)
                strv_take(ret_call, xasprintf("test=%s", quick ? "quick" : "full"));
        return true;
}

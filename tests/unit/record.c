/* The grammar: print → parse → print is the identity, and what is refused says why and where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "helpers/lib/record.h"

static void one(const char *line, const char *printed)
{
        struct record *r = NULL;
        struct record_error e;

        assert_int_equal(record_parse(line, &r, &e), 0);
        assert_non_null(r);
        char *text = record_text(r);
        assert_string_equal(text, printed);
        record_free(r);
        assert_int_equal(record_parse(text, &r, &e), 0);
        char *again = record_text(r);
        assert_string_equal(again, text);
        free(text);
        free(again);
        record_free(r);
}

static void prints_canonically(void **state _unused_)
{
        one("disk name=sda", "disk name=sda");
        one("  disk\tname=sda   # comment", "disk name=sda");
        one("share comment=\"Files for everyone\"", "share comment=\"Files for everyone\"");
        one("share comment='it'\\''s'", "share comment=\"it's\"");
        one("share comment=\"a \\\"b\\\" \\$c \\\\\"", "share comment=\"a \\\"b\\\" \\$c \\\\\"");
        one("share comment=$'two\\nlines'", "share comment=$'two\\x0alines'");
        one("share comment=$'\\x1b[31m'", "share comment=$'\\x1b[31m'");
        one("share comment='grün'", "share comment=\"grün\"");
        one("share comment=$'\\xff'", "share comment=$'\\xff'");
        one("share comment=", "share comment=\"\"");
        one("share comment=a'b'\"c\"", "share comment=abc");
        one("disk model=~x", "disk model=\"~x\"");
        one("disk model='#1'", "disk model=\"#1\"");
}

static void refuses(void **state _unused_)
{
        static const struct {
                const char *line;
                unsigned column;
        } bad[] = {
                {"Disk name=a", 1},        {"disk name", 10},          {"disk name='a", 13},
                {"disk =a", 6},            {"disk name=a name=b", 17}, {"disk name=$(reboot)", 11},
                {"disk name=a;b", 12},     {"disk name=`a`", 11},      {"disk name=$'\\x00'", 14},
                {"disk name=$'\\q'", 14},  {"disk name=a\\", 13},      {"9disk", 1},
                {"disk name=a|b", 12},     {"disk-name=b", 10},
        };

        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                struct record *r = NULL;
                struct record_error e = {0};
                if (record_parse(bad[i].line, &r, &e) != -74 || e.column != bad[i].column)
                        fail_msg("%s: column %u, not %u", bad[i].line, e.column, bad[i].column);
                assert_null(r);
                assert_non_null(e.why);
        }
}

static void comments_are_nothing(void **state _unused_)
{
        struct record *r = (void *)1;
        struct record_error e;

        assert_int_equal(record_parse("", &r, &e), 0);
        assert_null(r);
        assert_int_equal(record_parse("   # disk name=a", &r, &e), 0);
        assert_null(r);
}

static void every_byte_survives(void **state _unused_)
{
        for (unsigned a = 1; a < 256; a++)
                for (unsigned b = 1; b < 256; b += 7) {
                        char value[] = {(char)a, (char)b, (char)a, '\0'};
                        struct record *r = record_new("x"), *back = NULL;
                        struct record_error e;
                        record_set(r, "v", value);
                        char *text = record_text(r);
                        assert_int_equal(record_parse(text, &back, &e), 0);
                        assert_string_equal(record_get(back, "v"), value);
                        assert_null(strchr(text, '\n'));
                        free(text);
                        record_free(r);
                        record_free(back);
                }
}

static void lists_keep_commas(void **state _unused_)
{
        char *joined = list_join(STRV("a,b", "c\\d", "", "e"));
        char **v = list_split(joined);

        assert_int_equal(strv_len(v), 4);
        assert_string_equal(v[0], "a,b");
        assert_string_equal(v[1], "c\\d");
        assert_string_equal(v[2], "");
        free(joined);
        strv_free(v);
        assert_null(list_split(""));
}

static void a_text_names_its_bad_line(void **state _unused_)
{
        struct records rs = {0};
        struct record_error e = {0};

        assert_int_equal(records_parse("disk name=a\r\n\n# no\nport mac=b\n", &rs, &e), 0);
        assert_int_equal(rs.n, 2);
        assert_int_equal(rs.v[1]->line, 4);
        records_free(&rs);
        assert_int_equal(records_parse("disk name=a\n\nport mac='b\n", &rs, &e), -74);
        assert_int_equal(e.line, 3);
}

static void sizes_and_numbers(void **state _unused_)
{
        uint64_t n;

        assert_int_equal(parse_size("64KiB", &n), 0);
        assert_int_equal(n, 65536);
        assert_int_equal(parse_size("4TB", &n), 0);
        assert_true(n == UINT64_C(4000000000000));
        assert_int_equal(parse_size("4 TB", &n), -22);
        assert_int_equal(parse_size("-1", &n), -22);
        assert_int_equal(parse_size("99999999999999999999", &n), -34);
        assert_int_equal(parse_size("18446744073709551615T", &n), -34);
        assert_int_equal(parse_u64("0x10", &n), -22);
        assert_true(uuid_equal("6af70970:0de3460c:11112222:33334444", "6AF70970-0de3-460c-1111-222233334444"));
        assert_false(uuid_equal("6af70970", "6af70970"));
        assert_false(uuid_equal("6af70970:0de3460c:11112222:33334445", "6AF70970-0de3-460c-1111-222233334444"));
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(prints_canonically), cmocka_unit_test(refuses),
                cmocka_unit_test(comments_are_nothing), cmocka_unit_test(every_byte_survives),
                cmocka_unit_test(lists_keep_commas), cmocka_unit_test(a_text_names_its_bad_line),
                cmocka_unit_test(sizes_and_numbers),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}

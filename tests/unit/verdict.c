/* What the records of a speed test come to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "helpers/lib/verdict.h"
#include "helpers/speed_zones.h"

static const char *as_it_is(const char *english)
{
        return english;
}

#define LIMIT "limit smb=118000000\n"
#define ARRAY(n) "speed what=array-read rate=" n "000000\nspeed what=array-write rate=" n "000000\n"
#define SHARE(n, core) "speed what=share-read rate=" n "000000 core=" core "\nspeed what=share-write rate=" n "000000 core=3\n"

static void limits(void **state _unused_)
{
        static const struct {
                const char *records, *limit, *words;
        } cases[] = {
            {"", "", "not measured"},
            {LIMIT ARRAY("300") SHARE("200", "40"), "faster", "1 gigabit"},
            {"limit smb=295000000\n" ARRAY("400") SHARE("300", "40"), "faster", "2.5 gigabit"},
            {LIMIT ARRAY("300") SHARE("112", "40"), "network", "94 % of 1 gigabit"},
            {"limit smb=11800000\n" ARRAY("300") SHARE("100", "40"), "port", "slow one"},
            {LIMIT ARRAY("60") SHARE("50", "40") "slow name=sdc rate=20000000 median=100000000\n", "slow-disk", "slow disk"},
            {LIMIT "speed what=array-read rate=60000000 note=sync\n" SHARE("50", "40"), "sync", "being built"},
            {LIMIT "speed what=array-write rate=60000000 note=falling\n" SHARE("50", "40"), "cache", "first seconds"},
            {LIMIT ARRAY("60") SHARE("50", "40"), "disks", "disks"},
            {LIMIT ARRAY("300") SHARE("50", "97"), "processor", "processor"},
            {LIMIT ARRAY("300") SHARE("50", "40"), "samba", "file service"},
            {LIMIT ARRAY("300"), "disks", "disks"},
            {ARRAY("300"), "unknown", ""},
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_records_ struct records rs = {0};
                _cleanup_verdict_ struct verdict v = {0};
                struct record_error error;
                assert_int_equal(records_parse(cases[i].records, &rs, &error), 0);
                verdict_make(&rs, as_it_is, &v);
                assert_string_equal(v.limit, cases[i].limit);
                assert_non_null(strstr(v.text, cases[i].words));
                assert_true(v.advice != NULL || !*v.limit || streq(v.limit, "unknown") || streq(v.limit, "faster") || streq(v.limit, "network"));
        }
}

static void changes(void **state _unused_)
{
        static const char text[] =
            "speed what=disk-outer name=sda rate=100000000 error=3 before=105000000 since=2026-03-01T10:00:00Z\n"
            "speed what=disk-outer name=sdb rate=60000000 error=60 before=100000000 since=2026-03-01T10:00:00Z\n"
            "speed what=disk-outer name=sdc serial=A7 rate=60000000 error=3 before=100000000 since=2026-03-01T10:00:00Z\n"
            "slow name=sdc serial=A7 rate=60000000 median=100000000\n";
        _cleanup_records_ struct records rs = {0};
        _cleanup_verdict_ struct verdict v = {0};
        struct record_error error;

        assert_int_equal(records_parse(text, &rs, &error), 0);
        verdict_make(&rs, as_it_is, &v);
        assert_string_equal(v.change, "sdc reads 40 % slower than on 2026-03-01.");
        assert_string_equal(v.disk, "Disk sdc (A7) reads 60 MB/s where the others read 100.");
}

static void slow_disk(void **state _unused_)
{
        uint64_t rates[] = {180, 190, 120, 185, 0}, median;

        assert_true(is_rate_slow(rates, 5, 2, 0, &median));
        assert_int_equal(median, 185);
        assert_false(is_rate_slow(rates, 5, 2, 15, &median)); /* it may be as fast as 138 */
        assert_false(is_rate_slow(rates, 5, 0, 0, &median));
        assert_false(is_rate_slow(rates, 5, 4, 0, &median));  /* not measured is not slow */
        assert_false(is_rate_slow(rates, 1, 0, 0, &median));  /* it has no siblings */
}

static void doubt(void **state _unused_)
{
        struct rate steady = {.batch = {100, 101, 99, 100, 100, 101, 99, 100}, .n = 8}, few = {.batch = {100, 100}, .n = 2},
                    falling = {.batch = {200, 200, 190, 100, 60, 50, 50, 50, 50}, .n = 9};

        assert_in_range(rate_error(&steady), 1, 1);
        assert_int_equal(rate_error(&few), 100);
        assert_in_range(rate_error(&falling), 40, 60);
        assert_in_range(rate_kept(&falling), 20, 30);
        assert_int_equal(rate_kept(&few), 100);
}

int main(void)
{
        const struct CMUnitTest tests[] = {cmocka_unit_test(limits), cmocka_unit_test(changes), cmocka_unit_test(slow_disk),
                                           cmocka_unit_test(doubt)};

        cmocka_set_message_output(CM_OUTPUT_TAP);
        return cmocka_run_group_tests(tests, NULL, NULL);
}

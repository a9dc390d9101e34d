#include "helpers/lib/password.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>
#include <cmocka.h>

#define X40 "0123456789012345678901234567890123456789"

static void checks(void **state _unused_)
{
        static const struct {
                const char *password;
                enum password_fault fault;
        } cases[] = {
                {"12345678", PASSWORD_FINE},
                {"a b\"'`$;%\\", PASSWORD_FINE},
                {"", PASSWORD_SHORT},
                {"1234567", PASSWORD_SHORT},
                {X40 X40 X40 "1234567", PASSWORD_FINE},
                {X40 X40 X40 "12345678", PASSWORD_LONG},
                {"\303\204pfelundBirnen", PASSWORD_CHARACTER},
                {"abcd\tefgh", PASSWORD_CHARACTER},
                {" 12345678", PASSWORD_EDGE},
                {"12345678 ", PASSWORD_EDGE},
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                assert_int_equal(password_check(cases[i].password), cases[i].fault);
                assert_int_equal(!*password_message(cases[i].fault), cases[i].fault == PASSWORD_FINE);
        }
}

static void made(void **state _unused_)
{
        unsigned seen[256] = {0};

        for (int i = 0; i < 2000; i++) {
                _cleanup_password_ char *p = password_new();
                assert_int_equal(password_check(p), PASSWORD_FINE);
                assert_int_equal(strlen(p), 19);
                for (const char *c = p; *c; c++)
                        seen[(uint8_t)*c]++;
        }
        /* 32000 letters of 29 kinds: some 1103 of each. */
        for (const char *c = "abcdefghjkmnpqrstuvwx23456789"; *c; c++)
                assert_in_range(seen[(uint8_t)*c], 900, 1300);
        assert_int_equal(seen['-'], 6000);
        assert_int_equal(seen['0'] + seen['O'] + seen['l'] + seen['1'] + seen['i'] + seen['o'] + seen['y'] + seen['z'], 0);
}

static int read_from(const char *text, size_t n, char **ret)
{
        int fds[2];

        assert_int_equal(pipe(fds), 0);
        assert_int_equal(write(fds[1], text, n), n);
        close(fds[1]);
        int r = password_read(fds[0], ret);
        close(fds[0]);
        return r;
}

static void comes_through_a_descriptor(void **state _unused_)
{
        _cleanup_password_ char *a = NULL, *b = NULL;
        char *c = NULL, big[1100];

        memset(big, 'x', sizeof big);
        assert_int_equal(read_from("geheim 1\nmore\n", 14, &a), 0);
        assert_string_equal(a, "geheim 1");
        assert_int_equal(read_from("geheim 2", 8, &b), 0);
        assert_string_equal(b, "geheim 2");
        assert_int_equal(read_from("", 0, &c), -ENODATA);
        assert_int_equal(read_from("\n", 1, &c), -ENODATA);
        assert_int_equal(read_from("a\0b\n", 4, &c), -EBADMSG);
        assert_int_equal(read_from(big, sizeof big, &c), -E2BIG);
        assert_int_equal(password_read(999, &c), -EBADF);
        assert_null(c);
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(checks),
                cmocka_unit_test(made),
                cmocka_unit_test(comes_through_a_descriptor),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}

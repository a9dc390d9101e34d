/* run.h: a program that says too much is not believed; what fits comes whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "helpers/lib/run.h"

/* It ends by itself, so nothing hangs where its output is not read any more. */
static void says(const char *to, const char *bytes, int status)
{
        _cleanup_free_ char *of = xasprintf("of=%s", to), *count = xasprintf("count=%s", bytes);
        _cleanup_(run_free) struct run r = {.argv = STRV("dd", "if=/dev/zero", of, "bs=1048576", count, "status=none"), .deadline_ms = 60000};

        assert_int_equal(run_one(&r), status);
        assert_int_equal(r.status, status);
        assert_int_equal(r.err.buf && strstr(r.err.buf, "more than 4 MiB") != NULL, status != 0);
}

static void test_too_much(void **state)
{
        (void)state;
        says("/dev/stdout", "4", 0);
        says("/dev/stdout", "5", -E2BIG);
        says("/dev/stderr", "9", -E2BIG);
}

static void count(void *ctx, const char *line)
{
        (void)line;
        ++*(size_t *)ctx;
}

/* 5 MiB of short lines, told as they come and kept no longer. */
static void test_told(void **state)
{
        size_t n = 0;
        _cleanup_(run_free) struct run r = {.argv = STRV("seq", "700000"), .deadline_ms = 60000, .on_line = count, .ctx = &n, .forgets = true};

        (void)state;
        assert_int_equal(run_one(&r), 0);
        assert_int_equal(r.status, 0);
        assert_int_equal(n, 700000);
}

static void tick(void *ctx)
{
        ++*(size_t *)ctx;
}

/* Also beside one that does not care, and while it says nothing. */
static void test_waiting(void **state)
{
        size_t n = 0;
        struct run runs[] = {{.argv = STRV("sleep", "1.2"), .on_wait = tick, .ctx = &n}, {.argv = STRV("true")}};

        (void)state;
        assert_int_equal(run_all(runs, 2), 0);
        assert_in_range(n, 1, 3);
        run_free(&runs[0]);
        run_free(&runs[1]);
}

/* Who leaves waits for nothing, and what was begun comes to its end. */
static void test_left(void **state _unused_)
{
        char folder[] = "/tmp/nas-run.XXXXXX";
        assert_non_null(mkdtemp(folder));
        _cleanup_free_ char *file = path_join(folder, "done"), *gate = path_join(folder, "gate");
        assert_int_equal(mkfifo(gate, 0600), 0);
        _cleanup_free_ char *command = xasprintf("trap '' PIPE; <%s cat >/dev/null; echo heard by nobody; >%s", gate, file);
        char *argv[] = {"sh", "-c", command, NULL};
        struct run r = {.argv = argv, .deadline_ms = 60000};

        assert_int_equal(run_begin(&r), 0);
        run_leave(&r);
        run_free(&r);
        assert_true(access(file, F_OK) < 0);
        close(open(gate, O_WRONLY));
        for (int i = 0; i < 500 && access(file, F_OK) < 0; i++)
                usleep(10000);
        assert_int_equal(access(file, F_OK), 0);
        unlink(file);
        unlink(gate);
        rmdir(folder);
}

int main(void)
{
        const struct CMUnitTest tests[] = {cmocka_unit_test(test_left), cmocka_unit_test(test_too_much), cmocka_unit_test(test_told),
                                           cmocka_unit_test(test_waiting)};

        return cmocka_run_group_tests(tests, NULL, NULL);
}

/* trial.h: what a trial left is removed, a file of a person's with such a name stays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <sys/stat.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "helpers/lib/trial.h"

static char folder[] = "/tmp/nas-setup-trial.XXXXXX";

static char *put(const char *name, const char *text)
{
        char *path = path_join(folder, name);

        assert_int_equal(file_replace(path, text, 0644), 0);
        return path;
}

static void is_there(const char *path, bool wanted)
{
        assert_int_equal(access(path, F_OK) == 0, wanted);
        unlink(path);
}

static void test_sweep(void **state)
{
        _cleanup_free_ char *name = trial_name(), *other = trial_name(), *third = trial_name(), *head = trial_head(name);
        _cleanup_free_ char *link = trial_name(), *link_path = path_join(folder, link);
        _cleanup_free_ char *cut = xasprintf("%s0123", head);
        _cleanup_free_ char *left = put(name, cut), *empty = put(third, ""), *persons = put(other, "my photo"),
                            *foreign = put(".nas-setup-test-1", head), *old = put(".nas-setup-speed-a", "");

        (void)state;
        assert_int_equal(symlink(persons, link_path), 0);
        trial_sweep(folder);
        is_there(left, false);
        is_there(empty, false);
        is_there(link_path, true);
        is_there(persons, true);
        is_there(foreign, true);
        is_there(old, true);
}

static int begin(void **state)
{
        (void)state;
        return !mkdtemp(folder);
}

static int end(void **state)
{
        (void)state;
        return rmdir(folder);
}

int main(void)
{
        const struct CMUnitTest tests[] = {cmocka_unit_test(test_sweep)};

        return cmocka_run_group_tests(tests, begin, end);
}

/* file_replace where others may write: a link that they put there leads nowhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <sys/stat.h>
#include <errno.h>
#include <unistd.h>

#include "helpers/lib/file.h"

static char folder[] = "/tmp/nas-setup-file.XXXXXX";

static char *in(const char *name)
{
        return path_join(folder, name);
}

static void is_text(const char *path, const char *wanted)
{
        _cleanup_free_ char *text = NULL;

        assert_int_equal(file_text(path, &text), 0);
        assert_string_equal(text, wanted);
}

static int begin(void **state)
{
        _cleanup_free_ char *target = in("target"), *link = in("link");

        (void)state;
        return file_replace(target, "old\n", 0600) < 0 || symlink(target, link) < 0;
}

static int end(void **state)
{
        _cleanup_free_ char *target = in("target"), *link = in("link");

        (void)state;
        unlink(link);
        return unlink(target);
}

static void own_link_is_followed(void **state)
{
        _cleanup_free_ char *target = in("target"), *link = in("link");
        struct stat st;

        (void)state;
        assert_int_equal(file_replace(link, "new\n", 0644), 0);
        is_text(target, "new\n");
        assert_int_equal(lstat(link, &st), 0);
        assert_true(S_ISLNK(st.st_mode));
        assert_int_equal(stat(target, &st), 0);
        assert_int_equal(st.st_mode & 07777, 0600);
}

static void a_saved_file_goes_through_no_link(void **state)
{
        _cleanup_free_ char *link = in("link"), *target = in("target");

        (void)state;
        unlink(link);
        assert_int_equal(file_replace(target, "theirs", 0644), 0);
        assert_int_equal(symlink("target", link), 0);
        assert_int_equal(file_save(link, "ours", 0600), -ELOOP);
        is_text(target, "theirs");
        assert_int_equal(unlink(link), 0);
        assert_int_equal(file_save(link, "ours", 0600), 0);
        is_text(link, "ours");
}

static void link_of_others_is_not(void **state)
{
        _cleanup_free_ char *target = in("target"), *link = in("link");
        struct stat st;

        (void)state;
        assert_int_equal(chmod(folder, 01777), 0);
        assert_int_equal(file_replace(link, "new\n", 0644), 0);
        assert_int_equal(chmod(folder, 0700), 0);
        is_text(target, "old\n");
        is_text(link, "new\n");
        assert_int_equal(lstat(link, &st), 0);
        assert_true(S_ISREG(st.st_mode));
        assert_int_equal(st.st_mode & 07777, 0644);
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test_setup_teardown(own_link_is_followed, begin, end),
                cmocka_unit_test_setup_teardown(link_of_others_is_not, begin, end),
                cmocka_unit_test_setup_teardown(a_saved_file_goes_through_no_link, begin, end),
        };

        if (!mkdtemp(folder))
                return 1;
        int failed = cmocka_run_group_tests(tests, NULL, NULL);
        rmdir(folder);
        return failed;
}

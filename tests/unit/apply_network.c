/* What a page is told of a network step: on trial, failed, to be taken back or not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "wizard/apply.h"
#include "wizard/watch.h"

#define HEAD "plan version=1 id=x made=y\nstep name=network\nnas-net verb=static port=m address=192.168.77.10/24"

static struct plan plan_of(const char *text)
{
        struct records rs = {0};
        struct record_error error;
        struct plan p = {0};

        assert_int_equal(records_parse(text, &rs, &error), 0);
        assert_int_equal(plan_from_records(&rs, &p, &error), 0);
        return p;
}

static struct record *line(const char *text)
{
        struct record *r = NULL;
        struct record_error error;

        assert_int_equal(record_parse(text, &r, &error), 0);
        return r;
}

static void what_failed_here_may_be_taken_back(void **state _unused_)
{
        static const struct {
                const char *failed;
                bool plain, trial; /* with such a plan */
        } cases[] = {
                {"failed step=network status=1 code=not-set", true, false},
                {"failed step=network status=1 code=taken-back", false, false},
                {"failed step=network status=3 code=address-taken", false, false},
                {"failed step=disks status=1 code=disk-error", false, false},
        };
        _cleanup_plan_ struct plan plain = plan_of(HEAD), trial = plan_of(HEAD " trial=60\nnas-net verb=wait");

        assert_false(plan_has_trial(&plain));
        assert_true(plan_has_trial(&trial));
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_record_ struct record *failed = line(cases[i].failed);
                assert_int_equal(apply_can_undo(&plain, failed), cases[i].plain);
                assert_int_equal(apply_can_undo(&trial, failed), cases[i].trial);
                assert_int_equal(apply_takes_itself_back(&trial, failed), cases[i].plain);
                assert_int_equal(apply_takes_itself_back(&plain, failed), false);
        }
}

static void a_trial_is_seen(void **state _unused_)
{
        char path[] = "/tmp/nas-watch.XXXXXX";
        _cleanup_close_ int fd = mkstemp(path);
        _cleanup_plan_ struct plan p = plan_of(HEAD " trial=60\nnas-net verb=wait");
        const char *lines[] = {"begun step=network\nprogress done=1 total=9 step=network\n",
                               "progress done=12 total=60 what=trial step=network\n",
                               "done step=network ms=1\n"};
        struct watch *w = watch_new(path, &p);

        for (size_t i = 0; i < ELEMENTSOF(lines); i++) {
                assert_int_equal(write_fully(fd, lines[i], strlen(lines[i]), (uint64_t)lseek(fd, 0, SEEK_END)), 0);
                assert_true(watch_look(w));
                assert_int_equal(w->steps[0].state == STEP_RUNNING && w->steps[0].trial, i == 1);
        }
        watch_free(w);
        unlink(path);
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(what_failed_here_may_be_taken_back),
                cmocka_unit_test(a_trial_is_seen),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}

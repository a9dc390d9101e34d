/* Looking beside the screens: what is made of a watch that tells nonsense. Its helpers are scripts beside this program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "helpers/lib/file.h"
#include "wizard/look.h"

#define WHOLE "echo disk name=sda serial=A holds=blank state=good; echo listed\n"
#define BAD "echo disk name=sda serial=A holds=data state=good; echo 'set type=md members=sda level=\"raid'; echo listed\n"
#define STAYS "exec sleep 20\n"

static void put(const char *name, const char *script)
{
        _cleanup_free_ char *folder = own_folder(), *path = path_join(folder, name), *text = xasprintf("#!/bin/sh\n%s", script);

        assert_int_equal(file_save(path, text, 0755), 0);
}

/* Looks until there is a disk that holds this, or a part is missing where that is NULL; at most 5 s. */
static bool comes(struct look *l, struct facts *f, const char *holds)
{
        for (unsigned i = 0; i < 500; i++) {
                struct facts seen = {0};
                if (look_next(l, f, &seen)) {
                        facts_free(f);
                        *f = seen;
                }
                if (holds ? records_find(&f->records, "disk", "holds", holds) != NULL
                          : records_find(&f->records, "missing", "helper", "nas-disk") != NULL)
                        return true;
                usleep(10000);
        }
        return false;
}

static void a_bad_block_is_not_used(void **state _unused_)
{
        struct facts f = {0};

        put("nas-disk", BAD BAD WHOLE BAD STAYS);
        struct look *l = look_new();

        look_begin(l);
        assert_true(comes(l, &f, "blank"));
        assert_null(records_find(&f.records, "disk", "holds", "data"));
        look_free(l);
        facts_free(&f);
}

static void after_three_it_is_given_up(void **state _unused_)
{
        struct facts f = {0};

        put("nas-disk", WHOLE BAD BAD BAD STAYS);
        struct look *l = look_new();

        look_begin(l);
        assert_true(comes(l, &f, NULL));
        assert_true(record_is(records_find(&f.records, "missing", "helper", "nas-disk"), "code", "unclear"));
        assert_true(comes(l, &f, "blank")); /* what was told before stays */
        assert_false(is_awaited(&f, "nas-disk"));
        look_free(l);
        facts_free(&f);
}

int main(void)
{
        static const char *const others[] = {"nas-net", "nas-raid", "nas-fs", "nas-share", "nas-speed"};
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_bad_block_is_not_used),
                cmocka_unit_test(after_three_it_is_given_up),
        };

        for (size_t i = 0; i < ELEMENTSOF(others); i++)
                put(others[i], "echo result changed=no\n");
        return cmocka_run_group_tests(tests, NULL, NULL);
}

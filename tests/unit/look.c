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

        look_begin(l, true);
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

        look_begin(l, true);
        assert_true(comes(l, &f, NULL));
        assert_true(record_is(records_find(&f.records, "missing", "helper", "nas-disk"), "code", "unclear"));
        assert_true(comes(l, &f, "blank")); /* what was told before stays */
        assert_false(is_awaited(&f, "nas-disk"));
        look_free(l);
        facts_free(&f);
}

#define PORTS(carrier) "echo port name=enp3s0 mac=52:54:00:00:00:03 kind=wired carrier=" carrier "; echo listed\n"

static struct facts ports(const char *text)
{
        struct records rs = {0};
        struct record_error error;
        struct facts f;

        assert_int_equal(records_parse(text, &rs, &error), 0);
        facts_from_records(&rs, &f);
        return f;
}

/* Until the port has the carrier; at most 5 s. */
static bool port_is(struct look *l, struct facts *f, enum tri carrier)
{
        for (unsigned i = 0; i < 500; i++) {
                struct facts seen = {0};
                if (look_next(l, f, &seen)) {
                        facts_free(f);
                        *f = seen;
                }
                if (f->n_ports == 1 && f->ports[0].carrier == carrier)
                        return true;
                usleep(10000);
        }
        return false;
}

static void a_cable_is_seen(void **state _unused_)
{
        struct facts f = {0};

        put("nas-net", PORTS("no") "sleep 0.2\n" PORTS("yes") STAYS);
        struct look *l = look_new();

        look_begin(l, true);
        assert_true(port_is(l, &f, NO));
        assert_true(port_is(l, &f, YES));
        look_free(l);
        facts_free(&f);
}

static void ports_are_listed_at_least(void **state _unused_)
{
        struct facts f = {0};

        put("nas-net", "[ $1 = list ] || exit 2\necho port name=enp3s0 mac=52:54:00:00:00:03 kind=wired carrier=yes\n");
        struct look *l = look_new();

        look_begin(l, true);
        assert_true(port_is(l, &f, YES));
        look_network(l, true);
        assert_null(records_find(&f.records, "missing", "helper", "nas-net"));
        look_free(l);
        facts_free(&f);
}

/* What holds the ports up has put them back when that returns; what it saw stays known, and it can begin again. */
static void ports_are_let_go(void **state _unused_)
{
        _cleanup_free_ char *folder = own_folder(), *mark = path_join(folder, "put-back"),
                            *script = xasprintf("trap 'sleep 0.3; echo x >>%s; exit 0' TERM\n" PORTS("yes") "sleep 20 & wait\n", mark);
        struct facts f = {0}, seen;

        unlink(mark);
        put("nas-net", script);
        struct look *l = look_new();

        look_begin(l, true);
        assert_true(port_is(l, &f, YES));
        look_network(l, false);
        assert_int_equal(access(mark, F_OK), 0);
        look_network(l, false);
        while (look_next(l, &f, &seen)) {
                facts_free(&f);
                f = seen;
        }
        assert_true(f.n_ports == 1 && !records_find(&f.records, "missing", "helper", "nas-net"));
        put("nas-net", PORTS("no") STAYS);
        look_network(l, true);
        assert_true(port_is(l, &f, NO));
        look_free(l);
        facts_free(&f);
}

static void what_came_and_went(void **state _unused_)
{
        static const struct {
                const char *before, *after, *words;
        } cases[] = {
                {"port name=a mac=1 kind=wired carrier=no\n", "port name=a mac=1 kind=wired carrier=yes\n", "a has a cable now."},
                {"port name=a mac=1 kind=wired carrier=yes\n", "port name=a mac=1 kind=wired carrier=no\n",
                 "a has no cable any more."},
                {"port name=a mac=1 kind=wired carrier=unknown\n", "port name=a mac=1 kind=wired carrier=yes\n", NULL},
                {"port name=a mac=1 kind=wired carrier=yes\nport name=b mac=2 kind=wired carrier=no\n",
                 "port name=a mac=1 kind=wired carrier=no\nport name=b mac=2 kind=wired carrier=yes\n",
                 "a has no cable any more. b has a cable now."},
                {"port name=a mac=1 kind=wired carrier=yes\n",
                 "port name=br0 mac=1 kind=bridge carrier=no\nport name=a mac=1 kind=wired carrier=yes\n", NULL},
                {"", "port name=a mac=1 kind=wired carrier=no\n", "A new port is here: a."},
                {"port name=a mac=1 kind=wired\nport name=b mac=2 kind=wired\n", "", "The ports a, b were unplugged."},
                {"looking helper=nas-net\n", "port name=a mac=1 kind=wired carrier=no\n", NULL},
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                struct facts before = ports(cases[i].before), after = ports(cases[i].after);
                bool is_loss;
                _cleanup_free_ char *words = look_news(&before, &after, &is_loss);
                if (!streq_null(words, cases[i].words))
                        fail_msg("%zu: '%s'", i, words ? words : "(null)");
                facts_free(&before);
                facts_free(&after);
        }
}

int main(void)
{
        static const char *const others[] = {"nas-net", "nas-raid", "nas-fs", "nas-share", "nas-speed"};
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_bad_block_is_not_used),
                cmocka_unit_test(after_three_it_is_given_up),
                cmocka_unit_test(what_came_and_went),
                cmocka_unit_test(a_cable_is_seen),
                cmocka_unit_test(ports_are_let_go),
                cmocka_unit_test(ports_are_listed_at_least),
        };

        for (size_t i = 0; i < ELEMENTSOF(others); i++)
                put(others[i], "echo result changed=no\n");
        return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Answers, and what facts and answers give together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "wizard/choices.h"
#include "wizard/plan.h"

static void facts_of(const char *text, struct facts *ret)
{
        struct records rs;
        struct record_error e;

        assert_int_equal(records_parse(text, &rs, &e), 0);
        facts_from_records(&rs, ret);
}

static int answers_of(const char *text, struct answers *ret, struct record_error *e)
{
        struct records rs;

        assert_int_equal(records_parse(text, &rs, e), 0);
        int r = answers_from_records(&rs, ret, e);
        records_free(&rs);
        return r;
}

#define PORTS                                                                                                 \
        "host name=nas\nsamba version=4.17\n"                                                                 \
        "port name=eth0 mac=52:54:00:00:00:01 kind=wired speed=100 carrier=yes address=10.0.0.5/24 gateway=10.0.0.1\n"  \
        "port name=eth1 mac=52:54:00:00:00:02 kind=wired speed=1000 carrier=no\n"
#define DISK(name, more) "disk name=" name " serial=S-" name " size=4000787030016 kind=disk state=good " more "\n"
#define BLANKS PORTS DISK("sdb", "holds=blank") DISK("sdc", "holds=blank") DISK("sdd", "holds=blank")

static void reading(void **state _unused_)
{
        static const struct {
                const char *text;
                unsigned line;
        } bad[] = {{"netwrok port=a\n", 1}, {"network port=a\nnetwork portt=b\n", 2}, {"network port=a\n\nnetwork port=b\n", 3}};
        struct answers a = {0}, b = {0};
        struct record_error e;

        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                assert_int_equal(answers_of(bad[i].text, &a, &e), -74);
                assert_int_equal(e.line, bad[i].line);
        }
        assert_int_equal(answers_of("", &a, &e), 0);
        assert_int_equal(answers_of("share name=x comment=\"a b\"\nnetwork dns=1.1.1.1,9.9.9.9", &b, &e), 0);
        assert_false(answers_equal(&a, &b));
        struct records rs = {0};
        answers_records(&b, &rs);
        answers_free(&a);
        assert_int_equal(answers_from_records(&rs, &a, &e), 0);
        assert_true(answers_equal(&a, &b));
        records_free(&rs);
        answers_free(&a);
        answers_free(&b);
}

static void nothing_said_is_a_good_nas(void **state _unused_)
{
        struct facts f;
        struct answers a = {0};
        struct choices c;
        struct faults faults;

        facts_of(BLANKS, &f);
        assert_int_equal(choices_make(&f, &a, &c, &faults), 0);
        assert_string_equal(c.port->name, "eth0");
        assert_string_equal(c.address, "10.0.0.5/24");
        assert_string_equal(c.dns, "10.0.0.1");
        assert_string_equal(c.subnet, "10.0.0.0/24");
        assert_int_equal(strv_len(c.off), 1);
        assert_string_equal(c.level->name, "raid5");
        assert_int_equal(c.n_disks, 3);
        assert_int_equal(c.n_erased, 0);
        assert_string_equal(c.mount, "/srv/public");
        assert_string_equal(c.netbios, "NAS");
        assert_null(choices_unforgiven(&f, &a, &c, A_ERASE));
        choices_free(&c);
        facts_free(&f);
}

/* What is not surely empty is never taken without a word, and what is protected not with one. */
static void disks_with_something_on_them(void **state _unused_)
{
        static const struct {
                const char *more;
                bool choosable;
        } rows[] = {
                {"holds=data found=ntfs@3", true},       {"holds=unknown found=unknown@0", true},
                {"holds=blank found=ext4@1080", true},   {"", true},
                {"holds=system protected=system", false}, {"holds=blank protected=small", false},
                {"holds=member found=md@4096 protected=array", false},
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                _cleanup_free_ char *text = xasprintf(BLANKS DISK("sde", "%s"), rows[i].more);
                struct facts f;
                struct answers a = {0};
                struct choices c;
                struct faults faults;
                facts_of(text, &f);
                assert_int_equal(choices_make(&f, &a, &c, &faults), 0);
                assert_int_equal(c.n_disks, 3);
                choices_free(&c);
                answers_set(&a, A_USE, "S-sdb,S-sdc,S-sde");
                int r = choices_make(&f, &a, &c, &faults);
                char **unforgiven = choices_unforgiven(&f, &a, &c, A_ERASE);
                if (rows[i].choosable) {
                        assert_int_equal(r, 0);
                        assert_int_equal(strv_len(unforgiven), 1);
                        assert_string_equal(unforgiven[0], "S-sde");
                } else {
                        assert_int_equal(r, -22);
                        assert_non_null(fault_of(&faults, A_USE));
                }
                strv_free(unforgiven);
                faults_free(&faults);
                choices_free(&c);
                answers_set(&a, A_ERASE, "S-sde");
                if (rows[i].choosable) {
                        assert_int_equal(choices_make(&f, &a, &c, &faults), 0);
                        assert_null(choices_unforgiven(&f, &a, &c, A_ERASE));
                        choices_free(&c);
                }
                answers_free(&a);
                facts_free(&f);
        }
}

static void two_disks_with_one_serial(void **state _unused_)
{
        struct facts f;
        struct answers a = {0};
        struct choices c;
        struct faults faults;

        facts_of(PORTS "disk name=sdb serial=X bypath=usb-1 size=4000787030016 kind=disk state=good holds=blank\n"
                       "disk name=sdc serial=X bypath=usb-2 size=4000787030016 kind=disk state=good holds=blank\n",
                 &f);
        assert_int_equal(choices_make(&f, &a, &c, &faults), 0);
        assert_int_equal(c.n_disks, 2);
        assert_string_equal(disk_key(&f, c.disks[1]), "usb-2");
        choices_free(&c);
        answers_set(&a, A_USE, "X");
        assert_int_equal(choices_make(&f, &a, &c, &faults), -22);
        assert_non_null(strstr(fault_of(&faults, A_USE), "usb-1, usb-2"));
        faults_free(&faults);
        choices_free(&c);
        answers_free(&a);
        facts_free(&f);
}

static void faults_name_the_answer(void **state _unused_)
{
        static const struct {
                enum answer which;
                const char *value;
        } bad[] = {
                {A_PORT, "00:00:00:00:00:99"}, {A_ADDRESS, "10.0.0.300/24"}, {A_ADDRESS, "10.1.0.5"},
                {A_GATEWAY, "10.0.1.1"},       {A_GATEWAY, "10.0.0.5"},      {A_DNS, "x"},
                {A_NAME, "my nas"},            {A_NAME, "averyveryverylongname"}, {A_OTHERS, "maybe"},
                {A_USE, "S-nope"},             {A_USE, ""},                  {A_USE, "S-sdb,S-sdb"},
                {A_ERASE, "S-nope"},           {A_LEVEL, "raid7"},           {A_LEVEL, "raid6"},
                {A_CHUNK, "60KiB"},            {A_CHUNK, "big"},             {A_SPARES, "-1"},
                {A_SPARES, "9"},               {A_SLUG, "Public"},           {A_SLUG, "-a"},
                {A_TYPE, "ntfs"},              {A_MOUNT, "/etc"},            {A_MOUNT, "/srv/../etc"},   {A_MOUNT, "/srv/a/b"},
                {A_SHARE, "a/b"},              {A_SHARE, "global"},          {A_SHARE, ""},
                {A_WORKGROUP, "a b/c"},        {A_WORKGROUP, "nas"},         {A_ACCESS, "nobody"},
                {A_TEST, "long"},              {A_COMMENT, "a\nb"},
        };

        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                struct facts f;
                struct answers a = {0};
                struct choices c;
                struct faults faults;
                facts_of(BLANKS, &f);
                answers_set(&a, bad[i].which, bad[i].value);
                int r = choices_make(&f, &a, &c, &faults);
                if (r != -22 || !fault_of(&faults, bad[i].which))
                        fail_msg("%s=%s was taken", answer_key(bad[i].which), bad[i].value);
                faults_free(&faults);
                choices_free(&c);
                answers_free(&a);
                facts_free(&f);
        }
}

static void a_plan_reads_back(void **state _unused_)
{
        struct facts f;
        struct answers a = {0}, back = {0};
        struct choices c;
        struct faults faults;
        struct plan p = {0}, q = {0};
        struct records rs;
        struct record_error e;

        facts_of(BLANKS, &f);
        answers_set(&a, A_SHARE, "Dad's \"files\" ünd");
        choices_make(&f, &a, &c, &faults);
        plan_make(&f, &a, &c, 0, &p);
        _cleanup_free_ char *text = plan_text(&p);
        assert_int_equal(records_parse(text, &rs, &e), 0);
        assert_int_equal(plan_from_records(&rs, &q, &e), 0);
        _cleanup_free_ char *again = plan_text(&q);
        assert_string_equal(text, again);
        plan_answers(&q, &back);
        assert_true(answers_equal(&a, &back));
        /* No identity stands for two things. */
        const char *u[] = {record_str(plan_call(&p, "nas-raid", "create"), "uuid"), record_str(plan_call(&p, "nas-fs", "format"), "uuid"),
                           record_str(plan_call(&p, "nas-disk", "partition"), "guid"), record_str(plan_call(&p, "nas-disk", "partition"), "part")};
        for (size_t i = 0; i < ELEMENTSOF(u); i++) {
                assert_true(is_uuid(u[i]));
                for (size_t k = 0; k < i; k++)
                        assert_string_not_equal(u[i], u[k]);
        }
        faults_free(&faults);
        choices_free(&c);
        plan_free(&p);
        plan_free(&q);
        answers_free(&a);
        answers_free(&back);
        facts_free(&f);
}

static void a_bad_plan_is_refused(void **state _unused_)
{
        static const char *const bad[] = {
                "network port=a\n", "plan version=2\n", "plan version=1\nnas-net verb=static\n",
                "plan version=1\nstep name=a\nrm verb=all\n", "plan version=1\nstep\n", "plan version=1\nstep name=a\nnas-fs a=b\n",
        };

        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                struct records rs;
                struct plan p = {0};
                struct record_error e = {0};
                assert_int_equal(records_parse(bad[i], &rs, &e), 0);
                assert_int_equal(plan_from_records(&rs, &p, &e), -74);
                assert_non_null(e.why);
                records_free(&rs);
        }
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(reading),
                cmocka_unit_test(nothing_said_is_a_good_nas),
                cmocka_unit_test(disks_with_something_on_them),
                cmocka_unit_test(two_disks_with_one_serial),
                cmocka_unit_test(faults_name_the_answer),
                cmocka_unit_test(a_plan_reads_back),
                cmocka_unit_test(a_bad_plan_is_refused),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}

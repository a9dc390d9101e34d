/* nas-disk: what smartctl's JSON means. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "helpers/disk_smart.h"

/* Cut down from the form of smartctl 7.3 and 7.4 (-j -i -H -A -l selftest); values invented. said: state, why and figure. */
#define PASSED "\"smart_status\":{\"passed\":true}"
#define NVME(s) "{" PASSED ",\"nvme_smart_health_information_log\":{" s "}}"
#define TABLE(s) "{" PASSED ",\"ata_smart_attributes\":{\"table\":[" s "]}}"
#define TESTS(s) "{" PASSED ",\"ata_smart_self_test_log\":{\"standard\":{\"table\":[" s "]}}}"
static const struct {
        const char *json, *said;
} cases[] = {
        {"", "unknown no-smart"},
        {"{", "unknown no-smart"},
        {"[]", "unknown no-smart"},
        {"{\"smartctl\":{\"exit_status\":1,\"messages\":[{\"string\":\"Unable to detect device type\"}]}}", "unknown no-smart"},
        {"{\"smartctl\":{\"exit_status\":2}}", "unknown no-smart"},
        {"{\"smartctl\":{\"exit_status\":0,\"messages\":[7,{\"string\":\"Device is in STANDBY mode, exit(0)\"}]}}", "unknown asleep"},
        {"{" PASSED "}", "good"},
        {"{\"smart_status\":{\"passed\":false}}", "failing status"},
        {"{\"smartctl\":{\"exit_status\":8}," PASSED "}", "failing status"},
        {"{\"smartctl\":{\"exit_status\":16}," PASSED "}", "failing prefail"},
        {"{\"smartctl\":{\"exit_status\":224}," PASSED "}", "good"},
        {TABLE("{\"id\":1,\"raw\":{\"value\":99}},{\"id\":5,\"raw\":{\"value\":30}},{\"id\":9,\"raw\":{\"value\":1}}"),
         "worn reallocated 30"},
        {TABLE("{\"id\":5,\"raw\":{\"value\":30}},{\"id\":197,\"raw\":{\"value\":8}},{\"id\":198,\"raw\":{\"value\":9}}"),
         "worn pending 8"},
        {TABLE("{\"id\":198,\"raw\":{\"value\":30064771079}}"), "worn uncorrectable 7"},
        {TABLE("{\"id\":5,\"raw\":{\"value\":-4}},{\"id\":\"5\"},7"), "good"},
        {TABLE("{\"id\":5,\"raw\":{\"value\":4000},\"when_failed\":\"now\",\"flags\":{\"prefailure\":true}}"),
         "failing reallocated 4000"},
        {TABLE("{\"id\":10,\"raw\":{\"value\":3},\"when_failed\":\"now\",\"flags\":{\"prefailure\":true}}"),
         "failing prefail 10"},
        {TABLE("{\"id\":190,\"raw\":{\"value\":3},\"when_failed\":\"now\",\"flags\":{\"prefailure\":false}}"), "good"},
        {TABLE("{\"id\":3,\"raw\":{\"value\":3},\"when_failed\":\"past\",\"flags\":{\"prefailure\":true}}"), "good"},
        {TESTS("{\"status\":{\"value\":25}},{\"status\":{\"value\":0,\"passed\":true}},{\"status\":{\"passed\":false}}"),
         "good"},
        {TESTS("{\"status\":{\"value\":249}},{\"status\":{\"value\":121,\"passed\":false}}"), "failing self-test"},
        {"{" PASSED ",\"scsi_grown_defect_list\":3}", "worn defects 3"},
        {"{" PASSED ",\"scsi_percentage_used_endurance_indicator\":100}", "worn wear 100"},
        {"{" PASSED ",\"scsi_self_test_0\":{\"result\":{\"value\":5}}}", "failing self-test"},
        {"{" PASSED ",\"scsi_self_test_0\":{\"result\":{\"value\":1}}}", "good"},
        {NVME("\"percentage_used\":101"), "worn wear 101"},
        {NVME("\"percentage_used\":99,\"media_errors\":0"), "good"},
        {NVME("\"media_errors\":2,\"percentage_used\":101"), "worn media 2"},
        {NVME("\"critical_warning\":2"), "good"},
        {NVME("\"critical_warning\":8"), "failing status"},
        {"{" PASSED ",\"nvme_self_test_log\":{\"table\":[{\"self_test_result\":{\"value\":1}},{\"self_test_result\":{\"value\":7}}]}}",
         "failing self-test"},
        {"{" PASSED ",\"nvme_self_test_log\":{\"table\":[{\"self_test_result\":{\"value\":0}},{\"self_test_result\":{\"value\":7}}]}}",
         "good"},
};

static char *words(const struct smart *s)
{
        _cleanup_free_ char *figure = s->has_figure ? xasprintf(" %llu", (unsigned long long)s->figure) : NULL;

        return xasprintf("%s%s%s%s", s->state, s->why ? " " : "", s->why ? s->why : "", figure ? figure : "");
}

static void test_states(void **state)
{
        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                struct smart s;
                smart_parse(cases[i].json, &s);
                _cleanup_free_ char *said = words(&s);
                assert_string_equal(said, cases[i].said);
        }
}

static void test_machines(void **state)
{
        static const struct {
                const char *name, *said;
                unsigned temperature, hours;
        } machines[] = {
                {"hitachi-usb", "failing reallocated 1975", 25, 65592},
                {"samsung-970-evo", "worn media 7", 35, 12798},
                {"seagate-sas", "good", 31, 5675},
                {"hp-parallel", "good", 28, 0},
                {"self-test", "failing self-test", 0, 0},
                {"made-standby", "unknown asleep", 0, 0},
                {"made-bridge", "unknown no-smart", 0, 0},
                {"made-good", "good", 34, 26000},
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(machines); i++) {
                _cleanup_free_ char *path = xasprintf("tests/machines/smart/%s.json", machines[i].name), *json = NULL;
                struct smart s;
                assert_int_equal(read_text(path, MIB, &json), 0);
                smart_parse(json, &s);
                _cleanup_free_ char *said = words(&s);
                assert_string_equal(said, machines[i].said);
                assert_int_equal(s.temperature, machines[i].temperature);
                assert_int_equal(s.hours, machines[i].hours);
        }
}

static void test_values(void **state)
{
        static const struct {
                const char *json;
                unsigned temperature, hours;
        } values[] = {
                {"{" PASSED ",\"temperature\":{\"current\":34},\"power_on_time\":{\"hours\":25000}}", 34, 25000},
                {"{" PASSED ",\"temperature\":{\"current\":255},\"power_on_time\":{\"hours\":94489280512}}", 0, 0},
                {"{" PASSED ",\"temperature\":{\"current\":-3},\"power_on_time\":7}", 0, 0},
                {"{\"temperature\":{\"current\":30}}", 30, 0},
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(values); i++) {
                struct smart s;
                smart_parse(values[i].json, &s);
                assert_int_equal(s.temperature, values[i].temperature);
                assert_int_equal(s.hours, values[i].hours);
        }
}

static void test_bridge(void **state)
{
        (void)state;
        assert_true(is_unknown_bridge("{\"smartctl\":{\"messages\":[{\"string\":\"/dev/sdb: Unknown USB bridge "
                                      "[0x0bda:0x9201 (0xf200)]\",\"severity\":\"error\"}]}}"));
        assert_false(is_unknown_bridge("{" PASSED "}"));
}

int main(void)
{
        const struct CMUnitTest tests[] = {cmocka_unit_test(test_states), cmocka_unit_test(test_machines), cmocka_unit_test(test_values),
                                           cmocka_unit_test(test_bridge)};

        return cmocka_run_group_tests(tests, NULL, NULL);
}

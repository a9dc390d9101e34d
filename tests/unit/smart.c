/* nas-disk: what smartctl's JSON means. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "helpers/disk_smart.h"

/* Cut down from the form of smartctl 7.3 (-j -i -H -A); values invented. */
static const struct {
        const char *json, *state;
        uint64_t bad;
} cases[] = {
        {"", "unknown", 0},
        {"{", "unknown", 0},
        {"[]", "unknown", 0},
        {"{\"smartctl\":{\"exit_status\":1,\"messages\":[{\"string\":\"Unable to detect device type\"}]}}", "unknown", 0},
        {"{\"smartctl\":{\"exit_status\":2}}", "unknown", 0},
        {"{\"smart_status\":{\"passed\":true}}", "good", 0},
        {"{\"smart_status\":{\"passed\":false}}", "failing", 0},
        {"{\"smartctl\":{\"exit_status\":8},\"smart_status\":{\"passed\":true}}", "failing", 0},
        {"{\"smartctl\":{\"exit_status\":64},\"smart_status\":{\"passed\":true}}", "good", 0},
        {"{\"smart_status\":{\"passed\":true},\"ata_smart_attributes\":{\"table\":[{\"id\":1,\"raw\":{\"value\":99}},"
         "{\"id\":5,\"raw\":{\"value\":30}},{\"id\":197,\"raw\":{\"value\":8}},{\"id\":9,\"raw\":{\"value\":1}}]}}",
         "worn", 38},
        {"{\"smart_status\":{\"passed\":true},\"ata_smart_attributes\":{\"table\":[{\"id\":5,\"raw\":{\"value\":-4}},"
         "{\"id\":\"5\"},7]}}",
         "good", 0},
        {"{\"smart_status\":{\"passed\":true},\"scsi_grown_defect_list\":3}", "worn", 3},
        {"{\"smart_status\":{\"passed\":true},\"nvme_smart_health_information_log\":{\"percentage_used\":101}}", "worn", 0},
        {"{\"smart_status\":{\"passed\":true},\"nvme_smart_health_information_log\":{\"critical_warning\":2}}", "good", 0},
        {"{\"smart_status\":{\"passed\":true},\"nvme_smart_health_information_log\":{\"critical_warning\":8}}", "failing", 0},
};

static void test_states(void **state)
{
        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                struct smart s;
                smart_parse(cases[i].json, &s);
                assert_string_equal(s.state, cases[i].state);
                assert_int_equal(s.bad, cases[i].bad);
        }
}

int main(void)
{
        const struct CMUnitTest tests[] = {cmocka_unit_test(test_states)};

        return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "helpers/disk_smart.h"

#include <jansson.h>

#include "helpers/lib/helper.h"

#define DEADLINE_MS 10000
#define TEMPERATURE_MAX 150     /* °C; more is a sensor that is not there */
#define HOURS_MAX 1000000       /* 114 years: what some makers pack into the high bytes */

/* smartctl(8), EXIT STATUS: a mask of findings */
#define EXIT_FAILING (1 << 3)
#define EXIT_PREFAIL_NOW (1 << 4)

static void json_freep(json_t **j)
{
        json_decref(*j);
}
#define _cleanup_json_ _cleanup_(json_freep)

/* --- finding one's way in it: whatever is not there, or of another kind, is NULL or 0 --- */

static const json_t *in(const json_t *j, const char *key, const char *key2)
{
        const json_t *k = json_object_get(j, key);

        return key2 ? json_object_get(k, key2) : k;
}

static uint64_t number(const json_t *j)
{
        return json_is_integer(j) && json_integer_value(j) > 0 ? (uint64_t)json_integer_value(j) : 0;
}

static bool is_text(const json_t *j, const char *text)
{
        return streq_null(json_string_value(j), text);
}

/* A message of smartctl itself with this in it. */
static bool has_message(const json_t *root, const char *part)
{
        const json_t *m;
        size_t i;

        json_array_foreach((json_t *)in(root, "smartctl", "messages"), i, m)
        {
                const char *s = json_string_value(json_object_get(m, "string"));
                if (s && strstr(s, part))
                        return true;
        }
        return false;
}

/* --- ATA's table of attributes --- */

static const struct {
        unsigned id;
        const char *why;
} counts[] = {{197, "pending"}, {198, "uncorrectable"}, {5, "reallocated"}}; /* the worst first */

static const json_t *attribute(const json_t *root, unsigned id)
{
        const json_t *a;
        size_t i;

        json_array_foreach((json_t *)in(root, "ata_smart_attributes", "table"), i, a)
        if (number(json_object_get(a, "id")) == id)
                return a;
        return NULL;
}

static uint64_t raw(const json_t *attribute)
{
        return number(in(attribute, "raw", "value")) & UINT32_MAX;
}

static bool foretells_failure(const json_t *attribute)
{
        return is_text(json_object_get(attribute, "when_failed"), "now") &&
               json_is_true(in(attribute, "flags", "prefailure"));
}

/* --- verdicts: each fills in s and returns true where it applies --- */

static bool say(struct smart *s, const char *state, const char *why, bool has_figure, uint64_t figure)
{
        s->state = state;
        s->why = why;
        s->has_figure = has_figure;
        s->figure = figure;
        return true;
}

static bool is_prefail(const json_t *root, struct smart *s)
{
        const json_t *a;
        size_t i;

        for (i = 0; i < ELEMENTSOF(counts); i++) {
                a = attribute(root, counts[i].id);
                if (foretells_failure(a) && raw(a) > 0)
                        return say(s, "failing", counts[i].why, true, raw(a));
        }
        json_array_foreach((json_t *)in(root, "ata_smart_attributes", "table"), i, a)
        if (foretells_failure(a))
                return say(s, "failing", "prefail", true, number(json_object_get(a, "id")));
        if (number(in(root, "smartctl", "exit_status")) & EXIT_PREFAIL_NOW)
                return say(s, "failing", "prefail", false, 0);
        return false;
}

static bool is_said(const json_t *root, struct smart *s)
{
        uint64_t warning = number(in(root, "nvme_smart_health_information_log", "critical_warning"));

        if (json_is_false(in(root, "smart_status", "passed")) ||
            (number(in(root, "smartctl", "exit_status")) & EXIT_FAILING) ||
            (warning & (1 << 0 | 1 << 2 | 1 << 3)))
                return say(s, "failing", "status", false, 0);
        return false;
}

/* The tables begin with the newest; what was broken off, or still runs, found out nothing. */
static bool is_test_failed(const json_t *root, struct smart *s)
{
        /* SCSI: SPC-5 7.3.20, self-test results; NVMe base specification, log 06h */
        uint64_t scsi = number(in(in(root, "scsi_self_test_0", "result"), "value", NULL)), nvme;
        const json_t *t;
        size_t i;

        json_array_foreach((json_t *)json_object_get(in(root, "ata_smart_self_test_log", "standard"), "table"), i, t)
        {
                const json_t *passed = in(t, "status", "passed");
                if (json_is_false(passed))
                        return say(s, "failing", "self-test", false, 0);
                if (json_is_true(passed))
                        break;
        }
        json_array_foreach((json_t *)in(root, "nvme_self_test_log", "table"), i, t)
        {
                nvme = number(in(t, "self_test_result", "value"));
                if (nvme >= 5 && nvme <= 7)
                        return say(s, "failing", "self-test", false, 0);
                if (nvme == 0)
                        break;
        }
        return scsi >= 4 && scsi <= 7 ? say(s, "failing", "self-test", false, 0) : false;
}

static bool has_bad_sectors(const json_t *root, struct smart *s)
{
        for (size_t i = 0; i < ELEMENTSOF(counts); i++) {
                uint64_t n = raw(attribute(root, counts[i].id));
                if (n > 0)
                        return say(s, "worn", counts[i].why, true, n);
        }
        return false;
}

static bool is_worn(const json_t *root, struct smart *s)
{
        uint64_t media = number(in(root, "nvme_smart_health_information_log", "media_errors"));
        uint64_t defects = number(json_object_get(root, "scsi_grown_defect_list"));
        const json_t *used[] = {in(root, "nvme_smart_health_information_log", "percentage_used"),
                                in(root, "endurance_used", "current_percent"),
                                json_object_get(root, "scsi_percentage_used_endurance_indicator")};

        if (media > 0)
                return say(s, "worn", "media", true, media);
        if (defects > 0)
                return say(s, "worn", "defects", true, defects);
        for (size_t i = 0; i < ELEMENTSOF(used); i++)
                if (number(used[i]) >= 100)
                        return say(s, "worn", "wear", true, number(used[i]));
        return false;
}

static bool has_no_verdict(const json_t *root, struct smart *s)
{
        if (has_message(root, "Device is in "))
                return say(s, "unknown", "asleep", false, 0);
        if (!json_is_true(in(root, "smart_status", "passed")))
                return say(s, "unknown", "no-smart", false, 0);
        return false;
}

void smart_parse(const char *json, struct smart *ret)
{
        static bool (*const verdicts[])(const json_t *, struct smart *) = {
                is_prefail, is_said, is_test_failed, has_bad_sectors, is_worn, has_no_verdict};
        _cleanup_json_ json_t *root = json_loads(json, 0, NULL);
        uint64_t temperature = number(in(root, "temperature", "current"));
        uint64_t hours = number(in(root, "power_on_time", "hours"));
        struct smart s = {.state = "good"};

        for (size_t i = 0; i < ELEMENTSOF(verdicts) && !verdicts[i](root, &s); i++)
                ;
        if (temperature <= TEMPERATURE_MAX)
                s.temperature = (unsigned)temperature;
        if (hours <= HOURS_MAX)
                s.hours = hours;
        *ret = s;
}

bool is_unknown_bridge(const char *json)
{
        _cleanup_json_ json_t *root = json_loads(json, 0, NULL);

        return has_message(root, "Unknown USB bridge");
}

/* --- asking --- */

/* The exit status does not count: the JSON is there in any case. */
static char *ask(const struct disk *d, bool is_careful, bool is_sat)
{
        char *argv[12] = {(char *)"smartctl", (char *)"-j", (char *)"-i", (char *)"-H", (char *)"-A", (char *)"-l",
                          (char *)"selftest"};
        size_t n = 7;

        if (is_careful)
                argv[n++] = (char *)"-nstandby,0";
        if (is_sat)
                argv[n++] = (char *)"-dsat";
        argv[n] = d->path;
        _cleanup_(run_free) struct run r = {.argv = argv, .deadline_ms = DEADLINE_MS};
        run_one(&r);
        return r.out.buf ? TAKE_PTR(r.out.buf) : xstrdup("");
}

/* Some SSDs say for ever that they sleep, and waking them costs nothing. */
static bool can_sleep(const struct disk *d)
{
        return !streq(d->kind, "ssd") && !streq(d->kind, "nvme");
}

void smart_look(const struct disk *d, bool is_awake, struct smart *ret)
{
        bool is_careful = !is_awake && can_sleep(d);

        if (helper_has_root() || streq(d->kind, "virtual") || streq(d->kind, "sd")) {
                *ret = (struct smart){.state = "unknown", .why = "no-smart"};
                return;
        }
        if (!has_program("smartctl")) {
                *ret = (struct smart){.state = "unknown", .why = "no-program"};
                return;
        }
        _cleanup_free_ char *json = ask(d, is_careful, false);
        if (is_unknown_bridge(json)) {
                free(json);
                json = ask(d, is_careful, true);
        }
        smart_parse(json, ret);
}

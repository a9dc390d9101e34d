#include "helpers/disk_smart.h"

#include <jansson.h>

#include "helpers/lib/helper.h"

#define DEADLINE_MS 10000

/* smartctl(8), EXIT STATUS */
#define EXIT_FAILING (1 << 3)
#define EXIT_PREFAIL_NOW (1 << 4)

static void json_freep(json_t **j)
{
        json_decref(*j);
}

static uint64_t number(const json_t *j)
{
        return json_is_integer(j) && json_integer_value(j) > 0 ? (uint64_t)json_integer_value(j) : 0;
}

static uint64_t count_ata(const json_t *root)
{
        const json_t *table = json_object_get(json_object_get(root, "ata_smart_attributes"), "table");
        const json_t *a;
        size_t i;
        uint64_t bad = 0;

        json_array_foreach((json_t *)table, i, a)
        {
                uint64_t id = number(json_object_get(a, "id"));
                if (id == 5 || id == 197 || id == 198)
                        bad += MIN2(number(json_object_get(json_object_get(a, "raw"), "value")), UINT32_MAX);
        }
        return bad;
}

static bool is_failing(const json_t *root, const json_t *nvme)
{
        uint64_t status = number(json_object_get(json_object_get(root, "smartctl"), "exit_status"));

        return json_is_false(json_object_get(json_object_get(root, "smart_status"), "passed")) ||
               (status & (EXIT_FAILING | EXIT_PREFAIL_NOW)) ||
               (number(json_object_get(nvme, "critical_warning")) & (1 << 0 | 1 << 2 | 1 << 3));
}

void smart_parse(const char *json, struct smart *ret)
{
        _cleanup_(json_freep) json_t *root = json_loads(json, 0, NULL);
        const json_t *nvme = json_object_get(root, "nvme_smart_health_information_log");
        const json_t *passed = json_object_get(json_object_get(root, "smart_status"), "passed");
        struct smart s = {.state = "unknown"};

        s.bad = count_ata(root) + number(json_object_get(root, "scsi_grown_defect_list")) +
                number(json_object_get(nvme, "media_errors"));
        if (root && is_failing(root, nvme))
                s.state = "failing";
        else if (s.bad > 0 || number(json_object_get(nvme, "percentage_used")) >= 100)
                s.state = "worn";
        else if (json_is_true(passed))
                s.state = "good";
        *ret = s;
}

static bool can_have_smart(const struct disk *d)
{
        return !streq(d->kind, "virtual") && !streq(d->kind, "sd");
}

void smart_look(const struct disks *ds, struct smart *ret)
{
        _cleanup_free_ struct run *runs = xmalloc((ds->n + 1) * sizeof *runs);
        _cleanup_free_ char *(*argv)[8] = xmalloc((ds->n + 1) * sizeof *argv);
        bool can = !helper_has_root() && has_program("smartctl");
        size_t n = 0;

        for (size_t i = 0; i < ds->n; i++) {
                /* a sleeping disk is left asleep */
                char *const words[8] = {"smartctl", "-j", "-nstandby,0", "-i", "-H", "-A", ds->v[i]->path, NULL};
                ret[i] = (struct smart){.state = "unknown"};
                memcpy(argv[n], words, sizeof words);
                if (can && can_have_smart(ds->v[i])) {
                        runs[n] = (struct run){.argv = argv[n], .deadline_ms = DEADLINE_MS};
                        n++;
                }
        }
        if (n == 0)
                return;
        run_all(runs, n); /* the exit status is a mask of findings; the JSON is there in any case */
        for (size_t i = 0, k = 0; i < ds->n; i++)
                if (can_have_smart(ds->v[i])) {
                        smart_parse(runs[k].out.buf ? runs[k].out.buf : "", &ret[i]);
                        run_free(&runs[k++]);
                }
}

#include "helpers/speed_load.h"

#include "helpers/lib/helper.h"

void load_look(struct load *ret)
{
        _cleanup_free_ char *path = helper_path("/proc/stat"), *text = NULL;

        *ret = (struct load){0};
        if (read_text(path, MIB, &text) < 0)
                return;
        char *rest = text, *line;
        while ((line = strsep(&rest, "\n")) && has_prefix(line, "cpu") && ret->n <= LOAD_CPUS) {
                uint64_t v[8] = {0}; /* user nice system idle iowait irq softirq steal */
                char *p = line + strcspn(line, " ");
                for (size_t i = 0; i < ELEMENTSOF(v); i++)
                        v[i] = strtoull(p, &p, 10);
                for (size_t i = 0; i < ELEMENTSOF(v); i++)
                        ret->all[ret->n] += v[i];
                ret->busy[ret->n] = ret->all[ret->n] - v[3] - v[4];
                ret->n++;
        }
}

static unsigned percent(const struct load *a, const struct load *b, size_t i)
{
        uint64_t all = b->all[i] - a->all[i];

        return all ? (unsigned)((b->busy[i] - a->busy[i]) * 100 / all) : 0;
}

void load_since(const struct load *before, unsigned *ret_all, unsigned *ret_core)
{
        struct load now;
        unsigned core = 0;

        load_look(&now);
        for (size_t i = 1; i < MIN2(now.n, before->n); i++)
                core = MAX2(core, percent(before, &now, i));
        *ret_all = now.n && before->n ? percent(before, &now, 0) : 0;
        *ret_core = core;
}

#include "wizard/plan_private.h"

static void add_computer(struct making *m)
{
        const struct choices *c = m->c;

        if (!c->syncs && !c->zone && !c->keyboard && !c->wakes)
                return;
        plan_add_step(m, "system");
        if (c->syncs || c->zone) {
                struct record *r = plan_add_call(m, "nas-system", "clock");
                record_set(r, "zone", c->zone);
                record_set(r, "sync", c->syncs ? "yes" : NULL);
        }
        if (c->keyboard)
                record_set(plan_add_call(m, "nas-system", "keyboard"), "layout", c->keyboard);
        if (c->wakes)
                record_set(plan_add_call(m, "nas-system", "sleep"), "allowed", "no");
}

static void add_packages(struct making *m)
{
        const struct choices *c = m->c;

        if (!c->needed && !c->wished)
                return;
        plan_add_step(m, "packages");
        struct record *r = plan_add_call(m, "nas-system", "install");
        if (c->needed)
                record_set_list(r, "packages", c->needed);
        if (c->wished)
                record_set_list(r, "wished", c->wished);
}

/* The clock before the programs: a mirror's signature is not valid in the past. */
void plan_add_system(struct making *m)
{
        add_computer(m);
        add_packages(m);
}

/* What the parts of a plan are made with. */
#pragma once

#include "wizard/plan.h"

struct making {
        const struct facts *f;
        const struct choices *c;
        struct records *rs;
        uint64_t seed;
        char **members; /* GUIDs of the partitions that were planned so far */
};

char *plan_new_uuid(uint64_t *seed) _must_check_;
struct record *plan_add_step(struct making *m, const char *name);
struct record *plan_add_call(struct making *m, const char *helper, const char *verb);
void plan_add_network(struct making *m);
void plan_add_system(struct making *m); /* plan_system.c: clock, keyboard, sleep, and the programs that are missing */
void plan_add_clear(struct making *m);
void plan_add_disks(struct making *m);
void plan_add_share(struct making *m, const char *uuid); /* the call alone */
void plan_set_share(struct record *r, const struct choices *c); /* what the person chose of it */
void plan_add_speed(struct making *m);
void plan_add_later(struct making *m); /* plan_later.c: all of a job */

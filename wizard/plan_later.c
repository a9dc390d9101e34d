#include "wizard/choices_later.h"
#include "wizard/plan_private.h"

/* --- what was before, for whoever wants it back --- */

static struct record *add_before(struct making *m)
{
        struct record *r = record_new("before");

        record_set(r, "do", job_name(m->c->job));
        records_add(m->rs, r);
        return r;
}

static void add_network_before(struct making *m)
{
        const struct port *p = m->c->port;
        _cleanup_free_ char *dns = p->dns ? list_join(p->dns) : xstrdup("");

        if (!p->addresses)
                return;
        struct record *r = add_before(m);
        record_set(r, "port", p->mac);
        record_set(r, "address", p->addresses[0]);
        record_set(r, "gateway", p->gateway);
        record_set(r, "dns", dns);
        record_set(r, "name", m->f->host);
}

static void add_share_before(struct making *m)
{
        struct record *r = add_before(m);

        record_set(r, "share", m->c->share);
        record_set(r, "name", record_str(m->c->today, "name"));
        record_set(r, "comment", record_str(m->c->today, "comment"));
        record_set(r, "workgroup", *m->f->workgroup ? m->f->workgroup : NULL);
        record_set(r, "access", record_is(m->c->today, "guest", "no") ? "user" : "everyone");
        record_set(r, "user", record_get(m->c->today, "user"));
}

/* --- the network and the shares --- */

/* Whoever may use them follows the address, and each is tried over it. */
static void add_all_shares(struct making *m)
{
        struct choices c = *m->c;
        struct making with = *m;

        with.c = &c;
        for (int i = next_share(m->f, -1); i >= 0; i = next_share(m->f, i)) {
                const struct record *share = m->f->records.v[i],
                                    *room = records_find(&m->f->records, "filesystem", "mount", record_str(share, "path"));
                c.share = (char *)record_str(share, "name");
                c.comment = (char *)record_str(share, "comment");
                c.mount = (char *)record_str(share, "path");
                c.access = (char *)(record_is(share, "guest", "no") ? "user" : "everyone");
                c.user = (char *)record_str(share, "user");
                c.has_user = c.keeps_password = *c.user;
                c.backups = record_u64(share, "timemachine");
                if (room)
                        plan_add_share(&with, record_str(room, "uuid"));
        }
}

static void add_network(struct making *m)
{
        add_network_before(m);
        plan_add_network(m);
        plan_add_step(m, "share");
        add_all_shares(m);
}

static void add_share(struct making *m)
{
        add_share_before(m);
        plan_add_step(m, "share");
        plan_add_share(m, record_str(m->c->room, "uuid"));
}

/* --- disks --- */

/* What is begun here ends in the background, after a restart too; then the file system gets the room. */
static struct record *add_change(struct making *m, const char *step, const char *verb)
{
        plan_add_step(m, step);
        plan_add_call(m, "nas-raid", "monitor");
        struct record *r = plan_add_call(m, "nas-raid", verb);
        record_set(r, "uuid", record_str(m->c->array, "uuid"));
        return r;
}

static void add_members(struct making *m)
{
        if (m->c->n_disks == 0)
                return;
        plan_add_clear(m);
        plan_add_disks(m);
}

static void add_grow(struct making *m)
{
        bool is_size = record_is(m->c->growth, "as", "size");

        add_members(m);
        struct record *r = add_change(m, "grow", "grow");
        record_set(r, "level", is_size ? NULL : record_get(m->c->growth, "level"));
        if (!is_size)
                record_set_u64(r, "devices", m->c->devices);
        if (m->members)
                record_set_list(r, "add", m->members);
        record_set(r, "size", is_size ? "max" : NULL);
}

/* A place that is empty, or whose disk failed, is found by the helper. */
static void add_replace(struct making *m)
{
        const struct record *old = m->c->old;
        bool reads = old && !record_is(old, "state", "missing") && !record_is(old, "state", "faulty");

        add_members(m);
        struct record *r = add_change(m, "replace", "replace");
        record_set(r, "old", reads ? record_str(old, "partition") : NULL);
        record_set(r, "new", m->members ? m->members[0] : NULL);
}

static void add_start(struct making *m)
{
        const struct record *array = m->c->array;
        struct record *r;

        plan_add_step(m, "start");
        if (record_is(array, "state", "inactive")) {
                r = plan_add_call(m, "nas-raid", "start");
                record_set(r, "uuid", record_str(array, "uuid"));
                record_set(r, "force", record_is(array, "start", "force") ? "yes" : NULL);
        }
        if (!m->c->room)
                return;
        r = plan_add_call(m, "nas-fs", "check");
        record_set(r, "array", record_str(array, "uuid"));
        record_set(r, "uuid", record_str(m->c->room, "uuid"));
        r = plan_add_call(m, "nas-fs", "mount");
        record_set(r, "array", record_str(array, "uuid"));
        record_set(r, "uuid", record_str(m->c->room, "uuid"));
        record_set(r, "type", record_str(m->c->room, "type"));
        record_set(r, "mount", record_str(m->c->room, "mount"));
        record_set(r, "files", "kept");
}

void plan_add_later(struct making *m)
{
        static void (*const parts[N_JOBS])(struct making *) = {
                [JOB_NETWORK] = add_network, [JOB_SHARE] = add_share,     [JOB_SPEED] = plan_add_speed,
                [JOB_ADD] = add_grow,        [JOB_REPLACE] = add_replace, [JOB_START] = add_start,
        };

        parts[m->c->job](m);
        strv_free(m->members);
}

/* --- plans that are there --- */

/* The plan's answers of the share, as they are now. */
static void add_share_answers(const struct answers *a, struct records *to)
{
        _cleanup_records_ struct records said = {0};

        answers_records(a, &said);
        for (size_t i = 0; i < said.n; i++)
                if (streq(said.v[i]->word, "share"))
                        records_add(to, record_copy(said.v[i]));
}

void plan_change_share(const struct plan *old, const struct answers *a, const struct choices *c, struct plan *ret)
{
        struct records rs = {0};
        bool told = false;

        for (size_t i = 0; i < old->records.n; i++) {
                const struct record *r = old->records.v[i];
                if (!told && (streq(r->word, "share") || streq(r->word, "speed") || streq(r->word, "step"))) {
                        add_share_answers(a, &rs);
                        told = true;
                }
                if (streq(r->word, "share"))
                        continue;
                struct record *copy = record_copy(r);
                records_add(&rs, copy);
                if (streq(r->word, "nas-share"))
                        plan_set_share(copy, c);
                if (streq(r->word, "nas-speed"))
                        record_set(copy, "share", c->share);
        }
        ret->records = rs;
}

bool plan_wants_password(const struct plan *p)
{
        const struct record *r = plan_call(p, "nas-share", "set");

        return r && record_get(r, PASSWORD_KEY);
}

bool plan_is_change(const struct plan *p)
{
        return records_find(&p->records, "change", NULL, NULL) != NULL;
}

bool plan_has_summary(const struct plan *p)
{
        return plan_call(p, "nas-share", "set") || plan_call(p, "nas-speed", "run") || plan_call(p, "nas-fs", "mount");
}

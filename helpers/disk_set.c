#include "helpers/disk_set.h"

/* --- content records --- */

static const char *name_of(const struct looked *l)
{
        return l->disk ? l->disk->name : l->layer->name;
}

/* Partitions are named after the kernel's name: sda1, md127p1. */
static char *place_of(const struct looked *l, unsigned part)
{
        const char *kernel = l->disk ? l->disk->name : l->layer->kernel;

        return part ? partition_name(kernel, part) : xstrdup(name_of(l));
}

/* FAT has three signatures, a file system several superblocks; they are one content. */
static bool is_told(const struct contents *c, size_t i)
{
        for (size_t k = 0; k < i; k++)
                if (c->v[k].part == c->v[i].part && streq(c->v[k].type, c->v[i].type) &&
                    streq_null(c->v[k].uuid, c->v[i].uuid))
                        return true;
        return false;
}

static bool has_only_tables(const struct contents *c)
{
        for (size_t i = 0; i < c->n; i++)
                if (!c->v[i].is_table)
                        return false;
        return true;
}

static uint64_t room_of(const struct looked *l, unsigned part)
{
        for (size_t i = 0; i < l->contents->n_parts; i++)
                if (part && l->contents->parts[i].number == part)
                        return l->contents->parts[i].size;
        return l->disk ? l->disk->size : l->layer->size;
}

static struct record *content_record(const struct looked *l, const struct finding *f)
{
        _cleanup_free_ char *on = place_of(l, f->part);
        struct record *r = record_new("content");
        const char *set = f->member ? f->member->set : NULL;

        record_set(r, "disk", l->disk ? l->disk->name : NULL);
        record_set(r, "on", on);
        record_set(r, "type", f->type);
        record_set(r, "label", f->label);
        record_set(r, "uuid", f->uuid);
        record_set_u64(r, "size", f->size ? f->size : room_of(l, f->part));
        if (f->size && f->used != UINT64_MAX)
                record_set_u64(r, "used", f->used);
        if (has_windows(l->contents) && streq(f->type, "ntfs"))
                record_set(r, "system", "windows");
        record_set(r, "set", l->disk ? set : l->layer->set);
        record_set(r, "of", l->disk ? NULL : set);
        return r;
}

void contents_records(const struct looked *l, struct records *out)
{
        bool tables = l->contents && has_only_tables(l->contents);

        for (size_t i = 0; l->contents && i < l->contents->n; i++)
                if (l->contents->v[i].is_table == tables && !is_told(l->contents, i))
                        records_add(out, content_record(l, &l->contents->v[i]));
}

/* --- members --- */

/* A superblock that was found, and where. */
struct entry {
        const struct looked *where;
        const struct finding *f;
        const struct member *m;
        const char *set; /* m->set, or what another member knows */
        char *on;
        bool is_taken;   /* its set was told */
};

struct entries {
        struct entry *v;
        size_t n;
};

static void entries_free(struct entries *es)
{
        for (size_t i = 0; i < es->n; i++)
                free(es->v[i].on);
        free(es->v);
}

static bool is_array(const struct member *m)
{
        return streq(m->type, "md") || streq(m->type, "imsm") || streq(m->type, "ddf");
}

/* An array whose data begin where the region does (md 1.0, 0.90, Intel) lets what is inside it be seen in each of its
 * members; that belongs to the array. */
static bool is_inside_array(const struct contents *c, const struct finding *f)
{
        for (size_t i = 0; i < c->n && !is_array(f->member); i++)
                if (c->v[i].part == f->part && c->v[i].member && is_array(c->v[i].member))
                        return true;
        return false;
}

/* The end of a disk may also be the end of its last partition, and each copy of a superblock tells the same. */
static bool is_same_thing(const struct entry *e, const struct looked *l, const struct finding *f)
{
        const struct member *a = e->m, *b = f->member;

        if (e->where != l || !streq(a->type, b->type) || !streq_null(a->set, b->set))
                return false;
        return e->f->offset == f->offset || (e->f->part == f->part && streq_null(a->self, b->self));
}

static void take_entry(struct entries *es, const struct looked *l, const struct finding *f)
{
        for (size_t i = 0; i < es->n; i++) {
                struct entry *e = &es->v[i];
                if (!is_same_thing(e, l, f))
                        continue;
                if (e->f->part == 0 && f->part) { /* the partition is meant, not the disk that it ends with */
                        free(e->on);
                        e->f = f;
                        e->m = f->member;
                        e->set = f->member->set;
                        e->on = place_of(l, f->part);
                }
                return;
        }
        es->v = xreallocarray(es->v, es->n + 1, sizeof *es->v);
        es->v[es->n++] = (struct entry){l, f, f->member, f->member->set, place_of(l, f->part), false};
}

/* What lies on the device of another entry and tells the same shows it anew: a mapping of a whole disk, several paths to
 * one. The upper one counts. */
static bool is_shown_above(const struct entries *es, const struct entry *e)
{
        for (size_t i = 0; i < es->n; i++) {
                const struct entry *u = &es->v[i];
                if (u->where->layer && strv_has(u->where->layer->on, e->on) && streq(u->m->type, e->m->type) && e->m->self &&
                    streq_null(u->m->self, e->m->self))
                        return true;
        }
        return false;
}

static void drop_shown(struct entries *es)
{
        for (size_t i = es->n; i > 0; i--)
                if (is_shown_above(es, &es->v[i - 1])) {
                        free(es->v[i - 1].on);
                        memmove(&es->v[i - 1], &es->v[i], (es->n - i) * sizeof *es->v);
                        es->n--;
                }
}

/* A physical volume without metadata of its own is known to the group's others. */
static void adopt(struct entries *es)
{
        for (size_t i = 0; i < es->n; i++)
                for (size_t k = 0; k < es->n && !es->v[i].set; k++)
                        if (es->v[i].m->self && es->v[k].m->set && strv_has(es->v[k].m->all, es->v[i].m->self))
                                es->v[i].set = es->v[k].m->set;
}

static struct entries gather(const struct looked *v, size_t n)
{
        struct entries es = {0};

        for (size_t i = 0; i < n; i++)
                for (size_t k = 0; v[i].contents && k < v[i].contents->n; k++) {
                        const struct finding *f = &v[i].contents->v[k];
                        if (f->member && !is_inside_array(v[i].contents, f))
                                take_entry(&es, &v[i], f);
                }
        drop_shown(&es);
        adopt(&es);
        return es;
}

/* --- one set --- */

struct set {
        const struct member *newest;
        struct entry **members, **stale; /* members by their places */
        size_t n_members, n_stale;
        bool is_doubtful; /* copies, or a checksum that is wrong */
};

static bool is_of_set(const struct entry *e, const struct entry *first)
{
        return e->set && streq(e->m->type, first->m->type) && streq(e->set, first->set);
}

static const struct member *find_newest(const struct entries *es, const struct entry *first)
{
        const struct member *newest = NULL;

        for (size_t i = 0; i < es->n; i++) {
                const struct member *m = es->v[i].m;
                if (is_of_set(&es->v[i], first) && !m->is_unsound && m->set && (!newest || m->events > newest->events))
                        newest = m;
        }
        return newest;
}

static bool is_current(const struct member *m, const struct member *newest)
{
        if (m->is_unsound || m->role == ROLE_OUT)
                return false;
        if (newest->all && m->self && !strv_has(newest->all, m->self))
                return false;
        return newest->events <= m->events || newest->events - m->events <= m->margin;
}

/* Two that say they are the same one: a copied disk, and nobody can tell which to believe. */
static bool is_copy(const struct member *a, const struct member *b)
{
        if (a->self && b->self && streq(a->self, b->self))
                return true;
        return streq(a->type, "md") && a->role == ROLE_ACTIVE && b->role == ROLE_ACTIVE && a->place == b->place;
}

static void add_member(struct set *s, struct entry *e)
{
        size_t at = s->n_members++;

        for (size_t i = 0; i < at; i++)
                s->is_doubtful |= is_copy(s->members[i]->m, e->m);
        for (; at > 0 && s->members[at - 1]->m->role == ROLE_ACTIVE && e->m->role == ROLE_ACTIVE &&
               s->members[at - 1]->m->place > e->m->place;
             at--)
                s->members[at] = s->members[at - 1];
        s->members[at] = e;
}

static struct set make_set(struct entries *es, struct entry *first)
{
        struct set s = {.newest = find_newest(es, first)};

        s.members = xreallocarray(NULL, es->n + 1, sizeof *s.members);
        s.stale = xreallocarray(NULL, es->n + 1, sizeof *s.stale);
        for (size_t i = 0; i < es->n; i++) {
                struct entry *e = &es->v[i];
                if (!is_of_set(e, first))
                        continue;
                e->is_taken = true;
                s.is_doubtful |= e->m->is_unsound;
                if (s.newest && is_current(e->m, s.newest))
                        add_member(&s, e);
                else
                        s.stale[s.n_stale++] = e;
        }
        return s;
}

/* Whether a member has this place and all its data. */
static bool is_filled(const struct set *s, unsigned place)
{
        for (size_t i = 0; i < s->n_members; i++) {
                const struct member *m = s->members[i]->m;
                if (m->role == ROLE_ACTIVE && m->place == place && !m->is_filling)
                        return true;
        }
        return false;
}

/* raid10: the same data lie on neighbours, the last and the first among them unless the copies divide the disks evenly
 * ("near"); too strict for "far" is what this may be, never too mild. */
static bool has_lost_all_copies(const struct set *s)
{
        unsigned n = s->newest->devices, copies = s->newest->copies, run = 0;

        for (unsigned i = 0; i < 2 * n; i++) {
                run = is_filled(s, i % n) ? 0 : run + 1;
                if (run >= MAX2(copies, 1U))
                        return true;
        }
        return false;
}

static unsigned count_present(const struct set *s)
{
        unsigned present = 0;

        if (!streq(s->newest->type, "md"))
                return (unsigned)s->n_members;
        for (unsigned i = 0; i < s->newest->devices; i++)
                present += is_filled(s, i);
        return present;
}

static const char *state_of_known(const struct set *s)
{
        const struct member *m = s->newest;

        if (!m || s->is_doubtful || m->devices == 0 || (streq(m->type, "md") && !m->level))
                return "unknown";
        unsigned present = count_present(s);
        if (present >= m->devices)
                return "whole";
        if (m->is_mixed)
                return "unknown";
        if (m->level && streq(m->level, "raid10"))
                return has_lost_all_copies(s) ? "broken" : "degraded";
        return m->devices - present <= m->spareable ? "degraded" : "broken";
}

/* What the disks that are not known may add. */
static const char *state_of(const struct set *s, const struct looked *v, size_t n)
{
        const char *state = state_of_known(s);

        for (size_t i = 0; i < n; i++) {
                if (v[i].is_looking && !streq(state, "whole"))
                        return "unknown";
                if (v[i].disk && !v[i].contents && streq(state, "broken"))
                        return "unknown";
        }
        return state;
}

/* --- its record --- */

static void add_disks(char ***disks, const struct looked *l)
{
        char *const one[] = {l->disk ? l->disk->name : NULL, NULL};

        STRV_FOREACH(d, l->disk ? one : l->layer->disks)
                if (!strv_has(*disks, *d))
                        strv_add(disks, *d);
}

static void set_entries(struct record *r, const char *key, struct entry **v, size_t n, char ***disks)
{
        _cleanup_strv_ char **names = NULL;

        for (size_t i = 0; i < n; i++) {
                strv_add(&names, v[i]->on);
                add_disks(disks, v[i]->where);
        }
        if (names)
                record_set_list(r, key, names);
}

static bool is_made_of(const struct layer *l, const struct set *s, const char *uuid)
{
        if (l->set && (streq(l->set, uuid) || (is_uuid(uuid) && uuid_equal(l->set, uuid))))
                return true;
        for (size_t i = 0; i < s->n_members && streq(l->type, "md") && is_array(s->newest); i++)
                if (strv_has(l->on, s->members[i]->on))
                        return true;
        return false;
}

static void set_running(struct record *r, const struct set *s, const char *uuid, const struct layers *layers)
{
        _cleanup_strv_ char **names = NULL;

        for (size_t i = 0; layers && i < layers->n; i++)
                if (layers->v[i].kernel && is_made_of(&layers->v[i], s, uuid))
                        strv_add(&names, layers->v[i].kernel);
        if (names)
                record_set_list(r, "running", names);
}

static struct record *set_record(const struct set *s, const struct entry *first, const char *state, const struct layers *layers)
{
        const struct member *m = s->newest ? s->newest : first->m;
        struct record *r = record_new("set");
        _cleanup_strv_ char **disks = NULL;

        record_set(r, "type", m->type);
        record_set(r, "uuid", first->set);
        record_set(r, "name", m->name);
        record_set(r, "level", m->level);
        if (m->devices)
                record_set_u64(r, "devices", m->devices);
        set_entries(r, "members", s->members, s->n_members, &disks);
        set_entries(r, "stale", s->stale, s->n_stale, &disks);
        record_set_list(r, "disks", disks);
        record_set(r, "state", state);
        if (m->is_reshaping)
                record_set(r, "reshape", "yes");
        set_running(r, s, first->set, layers);
        if (m->size)
                record_set_u64(r, "size", m->size);
        return r;
}

void sets_records(const struct looked *v, size_t n, const struct layers *layers, struct records *out)
{
        _cleanup_(entries_free) struct entries es = gather(v, n);

        for (size_t i = 0; i < es.n; i++) {
                if (es.v[i].is_taken || !es.v[i].set)
                        continue;
                struct set s = make_set(&es, &es.v[i]);
                records_add(out, set_record(&s, &es.v[i], state_of(&s, v, n), layers));
                free(s.members);
                free(s.stale);
        }
}

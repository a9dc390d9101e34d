#include "wizard/choices_private.h"

#include "wizard/i18n.h"

/* --- advice --- */

static bool is_fixed(const struct disk *d)
{
        return streq(d->kind, "disk") || streq(d->kind, "ssd") || streq(d->kind, "nvme") || streq(d->kind, "virtual");
}

static bool is_advised(const struct disk *d)
{
        return is_choosable(d) && !*d->protected && is_blank(d) && is_fixed(d) &&
               (streq(d->state, "good") || streq(d->state, "unknown"));
}

static bool is_flash(const struct disk *d)
{
        return streq(d->kind, "ssd") || streq(d->kind, "nvme");
}

static int by_size_falling(const void *a, const void *b)
{
        uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

        return x < y ? 1 : x > y ? -1 : 0;
}

/* Of these many, the largest: what they give under the level that is advised for them, in bytes. */
static uint64_t room_of(const uint64_t *sizes, unsigned n)
{
        struct capacity c;

        return capacity_of(level_advised(n, false), CHUNK_DEFAULT, sizes, n, 0, &c) < 0 ? 0 : c.array;
}

/* How many of these disks, the largest first, to take: all disks of an array are used as if they were the smallest of
 * them. Of what has at least nine tenths of the most room, that which survives most; of that, what has most room, where
 * a disk is worth its place if it adds a tenth of its own size. */
static unsigned how_many(const uint64_t *sizes, unsigned n)
{
        _cleanup_free_ uint64_t *rooms = xmalloc((n + 1) * sizeof *rooms);
        uint64_t most = 0, used = sizes[0] / 10, best_score = 0;
        unsigned best = MIN2(n, 1u), best_survives = 0;

        for (unsigned k = 2; k <= n; k++) {
                rooms[k] = room_of(sizes, k);
                most = MAX2(most, rooms[k]);
        }
        for (unsigned k = 2; k <= n; k++) {
                unsigned survives = level_survives(level_advised(k, false), k);
                used += sizes[k - 1] / 10;
                uint64_t score = rooms[k] - MIN2(rooms[k], used);
                if (rooms[k] == 0 || rooms[k] < most / 10 * 9 || survives < best_survives)
                        continue;
                if (survives == best_survives && score <= best_score)
                        continue;
                best = k;
                best_survives = survives;
                best_score = score;
        }
        return best;
}

/* Where a disk is still being looked at, what is best may change with it. */
static bool is_waited_for(const struct disk *d)
{
        return is_being_looked_at(d) && is_fixed(d) && is_choosable(d) && !*d->protected;
}

/* Flash and turning disks are not mixed: the kind that offers more room is taken. */
static void advise_disks(struct making *m)
{
        _cleanup_free_ uint64_t *sizes = xmalloc((m->f->n_disks + 1) * sizeof *sizes);
        uint64_t room[2] = {0};
        unsigned n = 0;

        for (size_t i = 0; i < m->f->n_disks; i++) {
                m->c->looking |= is_waited_for(&m->f->disks[i]);
                if (is_advised(&m->f->disks[i]))
                        room[is_flash(&m->f->disks[i])] += m->f->disks[i].size;
        }
        bool flash = room[1] > room[0];
        for (size_t i = 0; i < m->f->n_disks; i++)
                if (is_advised(&m->f->disks[i]) && is_flash(&m->f->disks[i]) == flash)
                        sizes[n++] = m->f->disks[i].size;
        if (n == 0 || m->c->looking)
                return;
        qsort(sizes, n, sizeof *sizes, by_size_falling);
        unsigned take = how_many(sizes, n);
        for (size_t i = 0; i < m->f->n_disks && m->c->n_disks < take; i++)
                if (is_advised(&m->f->disks[i]) && is_flash(&m->f->disks[i]) == flash &&
                    m->f->disks[i].size >= sizes[take - 1])
                        m->c->disks[m->c->n_disks++] = &m->f->disks[i];
}

/* --- what was said --- */

static const struct disk *find_disk(struct making *m, enum answer which, const char *name)
{
        size_t n;
        const struct disk *d = facts_disk(m->f, name, &n);
        _cleanup_strv_ char **paths = NULL;

        if (d)
                return d;
        for (size_t i = 0; i < m->f->n_disks; i++)
                if (n == 0 ? is_choosable(&m->f->disks[i]) : streq(m->f->disks[i].serial, name))
                        strv_add(&paths, *m->f->disks[i].bypath ? m->f->disks[i].bypath : m->f->disks[i].name);
        _cleanup_free_ char *list = strv_join(paths, ", ");
        if (n == 0)
                add_fault(m, which, _("No disk here has the name \"%s\". There are: %s."), name, list);
        else
                add_fault(m, which, _("\"%s\" fits more than one disk. Use one of these names: %s."), name, list);
        return NULL;
}

bool has_disk(const struct choices *c, const struct disk *d)
{
        for (unsigned i = 0; i < c->n_disks; i++)
                if (c->disks[i] == d)
                        return true;
        return false;
}

static void take_disk(struct making *m, const struct disk *d)
{
        _cleanup_free_ char *why = is_choosable(d) ? NULL : protected_words(d);

        if (why)
                add_fault(m, A_USE, "%s", why);
        else if (is_being_looked_at(d))
                add_fault(m, A_USE, _("%s is still being looked at. Wait a moment, then choose it."), d->name);
        else if (has_disk(m->c, d))
                add_fault(m, A_USE, _("%s is named twice."), d->name);
        else
                m->c->disks[m->c->n_disks++] = d;
}

static void take_disks(struct making *m)
{
        _cleanup_strv_ char **names = list_split(m->a->v[A_USE]);

        STRV_FOREACH(name, names) {
                const struct disk *d = find_disk(m, A_USE, *name);
                if (d)
                        take_disk(m, d);
        }
}

static void take_kept(struct making *m)
{
        for (size_t i = 0; i < m->f->n_disks; i++) {
                const struct disk *d = &m->f->disks[i];
                bool is_member = false;
                STRV_FOREACH(name, m->c->keep->set->members)
                        is_member |= facts_disk_of(m->f, *name) == d;
                if (is_member)
                        m->c->disks[m->c->n_disks++] = d;
        }
}

/* --- consent --- */

static bool is_any(const struct disk *d, enum answer which)
{
        return which == A_ERASE ? !is_blank(d) : which == A_FAILING ? is_failing(d) : d->letgo;
}

struct consent {
        enum answer which;
        const struct disk ***list;
        unsigned *n;
};

/* A word of consent for a disk that is not there, or not chosen, is a mistake worth stopping for. */
static void check_consent(struct making *m, enum answer which)
{
        _cleanup_strv_ char **names = m->a->v[which] ? list_split(m->a->v[which]) : NULL;
        const char *words = which == A_ERASE     ? _("%s (%s) is to be erased, but it is not among the disks in use.")
                            : which == A_FAILING ? _("%s (%s) may be failing, but it is not among the disks in use.")
                                                 : _("%s (%s) is to be unmounted, but it is not among the disks in use.");

        STRV_FOREACH(name, names) {
                const struct disk *d = find_disk(m, which, *name);
                if (d && (m->c->keep || !has_disk(m->c, d)))
                        add_fault(m, which, words, *name, d->name);
        }
}

static void make_consent(struct making *m, const struct consent *c)
{
        *c->list = xreallocarray(NULL, m->f->n_disks + 1, sizeof **c->list);
        for (unsigned i = 0; i < m->c->n_disks && !m->c->keep; i++)
                if (is_any(m->c->disks[i], c->which))
                        (*c->list)[(*c->n)++] = m->c->disks[i];
        check_consent(m, c->which);
}

static struct consent consent_for(struct choices *c, enum answer which)
{
        if (which == A_FAILING)
                return (struct consent){which, &c->failing, &c->n_failing};
        if (which == A_LETGO)
                return (struct consent){which, &c->letgo, &c->n_letgo};
        return (struct consent){A_ERASE, &c->erased, &c->n_erased};
}

char **choices_unforgiven(const struct facts *f, const struct answers *a, const struct choices *c, enum answer which)
{
        _cleanup_strv_ char **names = a->v[which] ? list_split(a->v[which]) : NULL;
        struct consent consent = consent_for((struct choices *)c, which);
        char **missing = NULL;

        for (unsigned i = 0; i < *consent.n; i++) {
                const struct disk *d = (*consent.list)[i];
                bool forgiven = false;
                STRV_FOREACH(name, names)
                        forgiven |= facts_disk(f, *name, NULL) == d;
                if (!forgiven)
                        strv_add(&missing, disk_key(f, d));
        }
        return missing;
}

bool any_usb(const struct disk *const *disks, unsigned n)
{
        for (unsigned i = 0; i < n; i++)
                if (streq(disks[i]->kind, "usb") || streq(disks[i]->kind, "sd"))
                        return true;
        return false;
}

void make_disks(struct making *m)
{
        static const enum answer consents[] = {A_ERASE, A_FAILING, A_LETGO};
        struct choices *c = m->c;

        c->disks = xreallocarray(NULL, m->f->n_disks + 1, sizeof *c->disks);
        if (c->keep)
                take_kept(m);
        else if (m->a->v[A_USE])
                take_disks(m);
        else if (!m->a->v[A_KEEP])
                advise_disks(m);
        for (size_t i = 0; i < ELEMENTSOF(consents); i++) {
                struct consent consent = consent_for(c, consents[i]);
                make_consent(m, &consent);
        }
        c->usb = any_usb(c->disks, c->n_disks);
        if (c->n_disks > 0 || c->keep || m->a->v[A_KEEP])
                return;
        if (c->looking)
                add_fault(m, A_USE, "%s", _("The disks are still being looked at. Wait a moment."));
        else
                add_fault(m, A_USE, "%s", _("No disk is chosen. Mark at least one with Space."));
}

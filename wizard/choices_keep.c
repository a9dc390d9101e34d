#include "wizard/choices_private.h"

#include "wizard/i18n.h"

/* What the kernel mounts without a word and a share can be put on. */
static bool is_servable(const struct content *c)
{
        return streq(c->type, "ext4") || streq(c->type, "xfs") || streq(c->type, "btrfs");
}

/* One disk that is not free, or not known yet, and the array stays whose it is. */
static bool is_free(const struct facts *f, const struct set *set)
{
        STRV_FOREACH(name, set->members) {
                const struct disk *d = facts_disk_of(f, *name);
                if (!d || *d->protected || is_being_looked_at(d))
                        return false;
        }
        return set->members != NULL;
}

/* A layer on top means that somebody uses it: then it is protected or more than a file system. */
static bool is_topmost(const struct facts *f, const struct set *set)
{
        for (size_t i = 0; i < f->n_layers; i++)
                if (strv_has(f->layers[i].on, set->running))
                        return false;
        return true;
}

/* Its data are being moved, and where they are is known only to whoever began it. */
static bool is_reshaped(const struct facts *f, const struct set *set)
{
        const struct record *array = records_find(&f->records, "array", "uuid", set->uuid);

        return set->reshape || (array && record_is(array, "sync", "reshape"));
}

static const struct content *keepable_files(const struct facts *f, const struct set *set)
{
        const struct content *c = set_content(f, set);

        if (!streq(set->type, "md") || !streq(set->state, "whole") || !*set->uuid || !level_find(set->level) || is_reshaped(f, set))
                return NULL;
        return c && is_servable(c) && *c->uuid && is_free(f, set) && is_topmost(f, set) ? c : NULL;
}

static void find_keepable(struct making *m)
{
        struct choices *c = m->c;

        c->keepable = xreallocarray(NULL, m->f->n_sets + 1, sizeof *c->keepable);
        for (size_t i = 0; i < m->f->n_sets; i++) {
                const struct content *files = keepable_files(m->f, &m->f->sets[i]);
                if (files)
                        c->keepable[c->n_keepable++] = (struct keepable){.set = &m->f->sets[i], .files = files};
        }
}

/* What an array that is there has already is not chosen. */
static void refuse_others(struct making *m)
{
        static const enum answer others[] = {A_USE, A_LEVEL, A_CHUNK, A_SPARES, A_TYPE};

        for (size_t i = 0; i < ELEMENTSOF(others); i++)
                if (m->a->v[others[i]])
                        add_fault(m, others[i], "%s",
                                  _("An array that is taken over stays as it is: with keep= this is not chosen."));
}

void make_keep(struct making *m)
{
        const char *uuid = m->a->v[A_KEEP];
        struct choices *c = m->c;
        _cleanup_strv_ char **known = NULL;

        find_keepable(m);
        if (!uuid)
                return;
        refuse_others(m);
        for (unsigned i = 0; i < c->n_keepable; i++) {
                strv_add(&known, c->keepable[i].set->uuid);
                if (uuid_equal(c->keepable[i].set->uuid, uuid))
                        c->keep = &c->keepable[i];
        }
        _cleanup_free_ char *list = strv_join(known, ", ");
        if (!c->keep && known)
                add_fault(m, A_KEEP, _("No array with the UUID %s can be taken over with its files. There are: %s."), uuid, list);
        else if (!c->keep)
                add_fault(m, A_KEEP, "%s",
                          _("No array here can be taken over: it must run, be whole, and hold nothing but an ext4, XFS or "
                            "Btrfs file system that nobody uses."));
}

#include "wizard/choices_private.h"

#include "helpers/lib/usable.h"
#include "wizard/i18n.h"

static unsigned members(const struct choices *c)
{
        return c->n_disks - MIN2(c->spares, c->n_disks);
}

static uint64_t *sizes_of(const struct choices *c)
{
        uint64_t *sizes = xreallocarray(NULL, c->n_disks + 1, sizeof *sizes);

        for (unsigned i = 0; i < c->n_disks; i++)
                sizes[i] = c->disks[i]->size;
        return sizes;
}

static void make_level(struct making *m)
{
        struct choices *c = m->c;
        const char *name = m->a->v[A_LEVEL], *spares = m->a->v[A_SPARES], *chunk = m->a->v[A_CHUNK];

        if (spares && parse_uint(spares, c->n_disks, &c->spares) < 0)
                add_fault(m, A_SPARES, _("The number of spares is a number up to %u, not \"%s\"."), c->n_disks, spares);
        c->level = name ? level_find(name) : level_advised(members(c), c->usb);
        if (c->spares > 0 && c->level && c->level->number == 0)
                add_fault(m, A_SPARES, "%s", _("A stripe has no use for a spare: with the first disk that fails its files are lost."));
        else if (c->spares > 0 && members(c) < 2)
                add_fault(m, A_SPARES, "%s", _("A spare needs at least two disks at work beside it."));
        if (name && !c->level)
                add_fault(m, A_LEVEL, _("\"%s\" is no level. It can be: raid0, raid1, raid5, raid6, raid10."), name);
        c->chunk = CHUNK_DEFAULT;
        if (chunk && parse_size(chunk, &c->chunk) < 0)
                add_fault(m, A_CHUNK, _("\"%s\" is no size. Chunks are 64KiB, 128KiB, 256KiB or 512KiB."), chunk);
}

static void make_capacity(struct making *m)
{
        struct choices *c = m->c;
        _cleanup_free_ uint64_t *sizes = sizes_of(c);

        if (!c->level || c->n_disks == 0)
                return;
        if (members(c) < c->level->fewest) {
                add_fault(m, A_LEVEL, Q_("%s needs %u disk.", "%s needs %u disks.", c->level->fewest), c->level->term,
                          c->level->fewest);
                return;
        }
        if (capacity_of(c->level, c->chunk, sizes, c->n_disks, c->spares, &c->capacity) < 0) {
                add_fault(m, A_CHUNK, "%s",
                          _("With this chunk these disks give no array. Chunks are a power of two from 4KiB to 8MiB."));
                return;
        }
        c->files = fs_usable(c->type, c->capacity.array);
        if (c->capacity.array >= fs_least(c->type))
                return;
        _cleanup_free_ char *least = size_words(fs_least(c->type)), *room = size_words(c->capacity.array);
        add_fault(m, A_TYPE, _("%s needs at least %s; these disks give %s."), c->type, least, room);
}

static int by_size_falling(const void *a, const void *b)
{
        const struct disk *x = *(const struct disk *const *)a, *y = *(const struct disk *const *)b;

        return x->size < y->size ? 1 : x->size > y->size ? -1 : 0;
}

/* What the k largest would hold under their level; 0 where all n of them would hold as much: then it is the level alone
 * that makes the difference. */
static uint64_t room_without(const struct choices *c, const struct level *l, const uint64_t *sizes, unsigned k)
{
        struct capacity less, all;

        if (!l || capacity_of(l, c->chunk, sizes, k, 0, &less) < 0)
                return 0;
        if (l != c->level && capacity_of(l, c->chunk, sizes, c->n_disks, 0, &all) == 0 && all.array >= less.array)
                return 0;
        return less.array;
}

/* All members are used as if they were the smallest: without that one the rest may hold more, under the same level or,
 * where they are too few for it, the one that is advised for them. A gain below a hundredth is not worth a word. */
static void make_better(struct choices *c)
{
        _cleanup_free_ const struct disk **sorted = xreallocarray(NULL, c->n_disks + 1, sizeof *sorted);
        _cleanup_free_ uint64_t *sizes = xreallocarray(NULL, c->n_disks + 1, sizeof *sizes);
        uint64_t most = c->capacity.array + c->capacity.array / 100;
        unsigned take = c->n_disks;

        if (!c->level || c->capacity.array == 0 || c->spares > 0)
                return;
        memcpy(sorted, c->disks, c->n_disks * sizeof *sorted);
        qsort(sorted, c->n_disks, sizeof *sorted, by_size_falling);
        for (unsigned i = 0; i < c->n_disks; i++)
                sizes[i] = sorted[i]->size;
        for (unsigned k = c->n_disks - 1; k >= 2; k--) {
                const struct level *l = k >= c->level->least ? c->level : level_advised(k, any_usb(sorted, k));
                uint64_t room = room_without(c, l, sizes, k);
                if (room > most) {
                        most = room;
                        take = k;
                        c->better_level = l;
                }
        }
        c->better = xreallocarray(NULL, c->n_disks + 1, sizeof *c->better);
        for (unsigned i = take; i < c->n_disks; i++)
                c->better[c->n_better++] = sorted[i];
        c->better_by = c->n_better ? most - c->capacity.array : 0;
}

char *choices_why_not(const struct choices *c, const struct level *l)
{
        _cleanup_free_ uint64_t *sizes = sizes_of(c);
        struct capacity room;

        if (members(c) < l->least)
                return xasprintf(Q_("needs %u disk", "needs %u disks", l->least), l->least);
        if (c->spares > 0 && l->number == 0)
                return xstrdup(_("a stripe has no spares"));
        if (capacity_of(l, c->chunk, sizes, c->n_disks, c->spares, &room) < 0)
                return xstrdup(_("these disks are too small"));
        return NULL;
}

static void make_type(struct making *m)
{
        struct choices *c = m->c;

        c->type = said_or(m, A_TYPE, "ext4");
        if (!is_one_of(m, A_TYPE, c->type, STRV("ext4", "xfs", "btrfs")))
                return;
        if (streq(c->type, "xfs") && m->f->memory > 0 && m->f->memory < LITTLE_MEMORY)
                add_fault(m, A_TYPE, "%s", _("XFS needs at least 512 MB of memory. Take ext4."));
}

/* Level and sizes are those of what is there. */
static void make_kept(struct choices *c)
{
        c->level = level_find(c->keep->set->level);
        c->type = xstrdup(c->keep->files->type);
        c->capacity.array = c->keep->set->size;
        c->files = c->keep->files->size;
}

static void warn_of_level(struct making *m)
{
        const struct level *l = m->c->level;

        if (!l || !level_has_parity(l))
                return;
        if (m->c->usb)
                add_warning(m, WARN_PARITY, NULL, NULL);
        if (m->f->memory > 0 && m->f->memory < LITTLE_MEMORY)
                add_warning(m, WARN_MEMORY, NULL, NULL);
}

void make_array(struct making *m)
{
        if (m->c->keep) {
                make_kept(m->c);
                return;
        }
        make_type(m);
        make_level(m);
        make_capacity(m);
        make_better(m->c);
        warn_of_level(m);
}

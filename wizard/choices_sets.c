#include "wizard/choices_private.h"

#include "wizard/i18n.h"

/* --- words --- */

static const struct {
        const char *type, *named, *nameless;
} words[] = {
        {"md", N_("the array \"%s\""), N_("the array on %s")},
        {"lvm", N_("the volume group \"%s\""), N_("the volume group on %s")},
        {"btrfs", N_("the file system \"%s\""), N_("the file system on %s")},
        {"zfs", N_("the ZFS pool \"%s\""), N_("the ZFS pool on %s")},
        {"imsm", N_("the BIOS RAID \"%s\""), N_("the BIOS RAID on %s")},
        {"ddf", N_("the BIOS RAID \"%s\""), N_("the BIOS RAID on %s")},
};

const char *array_name(const char *name)
{
        const char *colon = strchr(name, ':');
        return colon && colon[1] ? colon + 1 : name;
}

char *set_words(const struct set *set)
{
        _cleanup_free_ char *disks = strv_join(set->disks, ", ");

        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if (streq(words[i].type, set->type))
                        return *set->name ? xasprintf(_(words[i].named), set->name) : xasprintf(_(words[i].nameless), disks);
        return xstrdup(*set->name ? set->name : disks);
}

static char *files_words(const struct content *c)
{
        _cleanup_free_ char *used = c->used_known ? size_words(c->used) : NULL;

        return used ? xasprintf(_("%s, %s used"), c->type, used) : xstrdup(c->type);
}

char *warning_words(const struct facts *f, const struct warning *w)
{
        _cleanup_free_ char *set = w->set ? set_words(w->set) : NULL;
        const struct content *content = w->set ? set_content(f, w->set) : NULL;
        _cleanup_free_ char *files = content ? files_words(content) : NULL;

        switch (w->kind) {
        case WARN_WHOLE:
                return files ? xasprintf(_("All files in %s (%s) will be lost. They are all still there."), set, files)
                             : xasprintf(_("All that is in %s will be lost. It is all still there."), set);
        case WARN_DEGRADED:
                return xasprintf(_("Not all disks of %s are here or in order. Its files may still be saved; once its disks are "
                                   "erased they are lost."),
                                 set);
        case WARN_BROKEN:
                return xasprintf(_("Not enough disks of %s are here to read it. Once these are erased, the others don't bring its "
                                   "files back."),
                                 set);
        case WARN_UNSURE:
                return xasprintf(_("All that is in %s will be lost. Whether it is whole is not known."), set);
        case WARN_KEEPABLE:
                return xasprintf(_("All files in %s (%s) will be lost. You can keep them instead: go back and take it over."),
                                 set, files);
        case WARN_GIVEN:
                return xstrdup(_("Everyone on your network can then read and change all files in it, without a password. Who "
                                 "owned them is forgotten for good."));
        case WARN_LOCKED:
                return xstrdup(_("Whoever knows the share's password can then read and change all files in it. Who owned them is "
                                 "forgotten for good."));
        case WARN_LEFT:
                return xasprintf(_("%s is not chosen and keeps an outdated copy of %s."), w->disk->name, set);
        case WARN_FAILING:
                return xasprintf(_("%s is failing: files on it may get lost soon. Better leave it out."), w->disk->name);
        case WARN_WORN:
                return xasprintf(_("%s is worn. Have a copy of your files elsewhere."), w->disk->name);
        case WARN_TWIN:
                return xasprintf(_("%s has the serial number of another disk, as docks give it. Leave it in its place until all is "
                                   "set up."),
                                 w->disk->name);
        case WARN_PARITY:
                return xstrdup(_("Over USB a disk may drop out any moment, and with this level all is then calculated anew. A "
                                 "mirror is safer."));
        case WARN_MEMORY:
                return xstrdup(_("This computer has little memory: writing to this array will be slower than it could be."));
        }
        return xstrdup("");
}

/* --- what lies on the chosen disks --- */

void add_warning(struct making *m, enum warning_kind kind, const struct set *set, const struct disk *disk)
{
        struct choices *c = m->c;

        c->warnings = xreallocarray(c->warnings, c->n_warnings + 1, sizeof *c->warnings);
        c->warnings[c->n_warnings++] = (struct warning){.kind = kind, .set = set, .disk = disk};
}

/* How a disk takes part in a set: an outdated member is no longer part of it. */
static bool is_current(const struct facts *f, const struct set *set, const struct disk *d)
{
        bool stale = false;

        STRV_FOREACH(name, set->members)
                if (facts_disk_of(f, *name) == d)
                        return true;
        STRV_FOREACH(name, set->stale)
                stale |= facts_disk_of(f, *name) == d;
        return !stale && set_has_disk(set, d);
}

static bool is_keepable(const struct choices *c, const struct set *set)
{
        for (unsigned i = 0; i < c->n_keepable; i++)
                if (c->keepable[i].set == set)
                        return true;
        return false;
}

/* What erasing it means. */
static enum warning_kind loss_of(const struct choices *c, const struct set *set)
{
        if (streq(set->state, "degraded"))
                return WARN_DEGRADED;
        if (streq(set->state, "broken"))
                return WARN_BROKEN;
        if (!streq(set->state, "whole"))
                return WARN_UNSURE;
        return is_keepable(c, set) ? WARN_KEEPABLE : WARN_WHOLE;
}

struct parts {
        const struct disk *chosen, *other; /* one of each, or NULL: current members that are chosen, and that are not */
        const struct disk *left;           /* an outdated one that is not */
        unsigned n_chosen;
};

static struct parts parts_of(const struct making *m, const struct set *set)
{
        struct parts p = {0};

        for (size_t i = 0; i < m->f->n_disks; i++) {
                const struct disk *d = &m->f->disks[i];
                if (!set_has_disk(set, d))
                        continue;
                if (!is_current(m->f, set, d))
                        p.left = has_disk(m->c, d) ? p.left : d;
                else if (has_disk(m->c, d))
                        p.n_chosen++, p.chosen = p.chosen ? p.chosen : d;
                else
                        p.other = p.other ? p.other : d;
        }
        return p;
}

/* Whether the rest of it would still have all files. */
static bool survives(const struct set *set, unsigned n_lost)
{
        const struct level *l = streq(set->type, "md") && streq(set->state, "whole") ? level_find(set->level) : NULL;
        unsigned n = (unsigned)strv_len(set->members);

        return l && n > n_lost && n_lost <= level_survives(l, n);
}

static void check_set(struct making *m, const struct set *set)
{
        struct parts p = parts_of(m, set);
        _cleanup_free_ char *name = set_words(set);

        if (!p.chosen)
                return;
        if (p.other) {
                add_fault(m, A_USE,
                          survives(set, p.n_chosen)
                                  ? _("%s belongs to %s together with %s. Choose both or neither, or the array loses its protection.")
                                  : _("%s belongs to %s together with %s. Choose both or neither, or what is on the other is destroyed."),
                          p.chosen->name, name, p.other->name);
                return;
        }
        add_warning(m, loss_of(m->c, set), set, NULL);
        if (p.left)
                add_warning(m, WARN_LEFT, set, p.left);
}

/* Taken down is what lies on chosen disks alone. */
static void check_layer(struct making *m, const struct layer *l)
{
        const struct disk *chosen = NULL;
        const char *other = NULL;

        STRV_FOREACH(name, l->disks) {
                const struct disk *d = facts_disk_of(m->f, *name);
                if (d && has_disk(m->c, d))
                        chosen = d;
                else
                        other = *name;
        }
        if (!chosen)
                return;
        if (other)
                add_fault(m, A_USE,
                          _("What runs on %s (%s) lies on %s too. Choose both or neither, or what is on the other is destroyed."),
                          chosen->name, l->name, other);
        else
                m->c->release[m->c->n_release++] = l;
}

static bool is_twin(const struct facts *f, const struct disk *d)
{
        for (size_t i = 0; i < f->n_disks; i++)
                if (&f->disks[i] != d && streq(f->disks[i].serial, d->serial))
                        return true;
        return false;
}

static void warn_of_disks(struct making *m)
{
        for (unsigned i = 0; i < m->c->n_disks; i++) {
                const struct disk *d = m->c->disks[i];
                if (is_failing(d))
                        add_warning(m, WARN_FAILING, NULL, d);
                else if (streq(d->state, "worn"))
                        add_warning(m, WARN_WORN, NULL, d);
                if (*d->serial && is_twin(m->f, d))
                        add_warning(m, WARN_TWIN, NULL, d);
        }
}

void make_sets(struct making *m)
{
        m->c->release = xreallocarray(NULL, m->f->n_layers + 1, sizeof *m->c->release);
        warn_of_disks(m);
        if (m->c->keep) {
                add_warning(m, streq(m->c->access, "user") ? WARN_LOCKED : WARN_GIVEN, m->c->keep->set, NULL);
                return;
        }
        for (size_t i = 0; i < m->f->n_sets; i++)
                check_set(m, &m->f->sets[i]);
        for (size_t i = 0; i < m->f->n_layers; i++)
                check_layer(m, &m->f->layers[i]);
}

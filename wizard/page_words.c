/* Disks, what they hold and how they are, in a reader's words. */
#include "wizard/page.h"

#include <limits.h>

char *disk_words(const struct disk *d)
{
        _cleanup_free_ char *size = size_words(d->size);
        struct buf b = {0};

        buf_printf(&b, "%s", *d->model ? d->model : d->name);
        if (*d->serial)
                buf_printf(&b, _(", serial %s"), d->serial);
        buf_printf(&b, ", %s", size);
        if (d->rpm)
                buf_printf(&b, _(", %u turns a minute"), d->rpm);
        return b.buf;
}

char *disk_names(const struct disk *const *disks, unsigned n)
{
        _cleanup_strv_ char **names = NULL;

        for (unsigned i = 0; i < n; i++)
                strv_add(&names, disks[i]->name);
        return names ? strv_join(names, ", ") : xstrdup("");
}

/* --- contents --- */

/* Types as blkid names them. brief stands in the table, 7 columns; without one it is files. */
static const struct {
        const char *type, *name, *brief;
        bool is_files; /* a file system; else a phrase of its own */
} types[] = {
        {"ntfs", "NTFS", NULL, true},
        {"vfat", "FAT", NULL, true},
        {"exfat", "exFAT", NULL, true},
        {"xfs", "XFS", NULL, true},
        {"btrfs", "Btrfs", NULL, true},
        {"hfs", "HFS", NULL, true},
        {"hfsplus", "HFS+", NULL, true},
        {"apfs", "APFS", NULL, true},
        {"ext2", "ext2", NULL, true},
        {"ext3", "ext3", NULL, true},
        {"ext4", "ext4", NULL, true},
        {"iso9660", N_("the image of a CD or DVD (ISO)"), N_("image"), false},
        {"udf", N_("the image of a DVD (UDF)"), N_("image"), false},
        {"swap", N_("swap space of a Linux system"), "swap", false},
        {"swsuspend", N_("a sleeping Linux, in its swap space"), "swap", false},
        {"crypto_LUKS", N_("encrypted (LUKS)"), N_("locked"), false},
        {"BitLocker", N_("encrypted by Windows (BitLocker)"), N_("locked"), false},
        {"LVM2_member", N_("part of a volume group (LVM)"), "LVM", false},
        {"LVM1_member", N_("part of a volume group (LVM)"), "LVM", false},
        {"zfs_member", N_("part of a ZFS pool"), "ZFS", false},
        {"bcache", N_("part of a cached disk (bcache)"), N_("array"), false},
        {"linux_raid_member", N_("part of a Linux array (RAID)"), N_("array"), false},
        {"isw_raid_member", N_("part of a mainboard (Intel) RAID"), N_("array"), false},
        {"ddf_raid_member", N_("part of a RAID controller's array (DDF)"), N_("array"), false},
        {"unknown", N_("something unknown: counts as data"), N_("unsure"), false},
};

static size_t type_index(const char *type)
{
        size_t i = 0;

        while (i < ELEMENTSOF(types) && !streq(types[i].type, type))
                i++;
        return i;
}

static void add_room(struct buf *b, const struct content *c)
{
        _cleanup_free_ char *used = size_words(c->used), *size = size_words(c->size);

        if (c->used_known)
                buf_printf(b, _(", %s of files on it"), used);
        else if (c->size)
                buf_printf(b, _(", %s; how full is not known"), size);
}

/* A thing that is no file system: what it is, its name. */
static void add_phrase(struct buf *b, const struct content *c, size_t type)
{
        _cleanup_free_ char *size = size_words(c->size);

        if (type < ELEMENTSOF(types))
                buf_puts(b, _(types[type].name));
        else
                buf_puts(b, _("part of a mainboard's or controller's RAID"));
        if (*c->label)
                buf_printf(b, " \"%s\"", array_name(c->label));
        if (c->size)
                buf_printf(b, ", %s", size);
}

char *contents_words(const struct content *c)
{
        size_t type = type_index(c->type);
        bool is_known = type < ELEMENTSOF(types);
        struct buf b = {0};

        if (is_known ? !types[type].is_files : has_suffix(c->type, "_raid_member")) {
                add_phrase(&b, c, type);
                return b.buf;
        }
        if (streq(c->system, "windows"))
                buf_puts(&b, "Windows ");
        else if (*c->system)
                buf_printf(&b, "%s ", c->system);
        if (*c->label)
                buf_printf(&b, "\"%s\" ", c->label);
        if (!*c->type)
                buf_printf(&b, _("something unknown on %s"), c->on);
        else
                buf_printf(&b, b.len ? "(%s)" : "%s", is_known ? _(types[type].name) : c->type);
        add_room(&b, c);
        return b.buf;
}

/* Traces of several things in the same place: which of them counts can't be told. */
static char *several_words(const struct disk *d)
{
        _cleanup_strv_ char **names = NULL;

        for (size_t i = 0; i < d->n_contents; i++)
                for (size_t k = 0; k < d->n_contents; k++)
                        if (i != k && streq(d->contents[i].on, d->contents[k].on)) {
                                size_t type = type_index(d->contents[i].type);
                                const char *name = type < ELEMENTSOF(types) ? _(types[type].name) : d->contents[i].type;
                                if (!strv_has(names, name))
                                        strv_add(&names, name);
                        }
        if (strv_len(names) < 2)
                return NULL;
        _cleanup_free_ char *list = strv_join(names, ", ");
        return xasprintf(_("Several things at once (%s), not sure: counts as data"), list);
}

/* "blank" only where that is sure. */
const char *holds_word(const struct disk *d)
{
        if (streq(d->holds, "looking"))
                return _("looking");
        if (*d->protected && streq(d->holds, "system"))
                return _("system");
        if (is_blank(d))
                return _("blank");
        _cleanup_free_ char *several = streq(d->holds, "member") ? NULL : several_words(d);
        if (several)
                return _("unsure");
        for (size_t i = 0; i < d->n_contents; i++)
                if (streq(d->contents[i].system, "windows"))
                        return "Windows";
        if (streq(d->holds, "system"))
                return _("system");
        for (size_t i = 0; i < d->n_contents; i++) {
                size_t type = type_index(d->contents[i].type);
                if (type < ELEMENTSOF(types) && types[type].brief)
                        return _(types[type].brief);
        }
        if (streq(d->holds, "member"))
                return _("array");
        if (streq(d->holds, "data"))
                return _("files");
        return _("unsure");
}

/* --- sets --- */

/* RAID 1 "photos"; LVM "data". */
static char *set_title(const struct set *set)
{
        static const struct {
                const char *type, *name;
        } kinds[] = {{"md", N_("Linux RAID")},          {"lvm", N_("LVM group")},
                     {"btrfs", "Btrfs"},                {"zfs", N_("ZFS pool")},
                     {"imsm", N_("mainboard (Intel) RAID")}, {"ddf", N_("controller's RAID (DDF)")}};
        const struct level *l = level_find(set->level);
        const char *kind = set->type;

        for (size_t i = 0; i < ELEMENTSOF(kinds); i++)
                if (streq(kinds[i].type, set->type))
                        kind = _(kinds[i].name);
        if (streq(set->type, "md") && l)
                kind = l->term;
        return *set->name ? xasprintf("%s \"%s\"", kind, array_name(set->name)) : xstrdup(kind);
}

static void add_others(struct buf *b, const struct set *set, const struct disk *but)
{
        _cleanup_strv_ char **others = NULL;

        STRV_FOREACH(name, set->disks)
                if (!but || !streq(*name, but->name))
                        strv_add(&others, *name);
        _cleanup_free_ char *list = others ? strv_join(others, ", ") : NULL;
        if (list)
                buf_printf(b, but ? _(" with %s") : _(" on %s"), list);
}

static bool is_stale(const struct facts *f, const struct set *set, const struct disk *d)
{
        STRV_FOREACH(name, set->stale)
                if (facts_disk_of(f, *name) == d)
                        return true;
        return false;
}

static void add_state(struct buf *b, const struct set *set)
{
        unsigned here = (unsigned)strv_len(set->members), all = set->devices;

        if (streq(set->state, "whole"))
                buf_puts(b, _(": whole"));
        else if (streq(set->state, "degraded") && all > here)
                buf_printf(b, Q_(": %u of its %u disks IS MISSING, the files are there", ": %u of its %u disks ARE MISSING, the files are there", all - here),
                           all - here, all);
        else if (streq(set->state, "degraded"))
                buf_puts(b, _(": a part IS MISSING, the files are there"));
        else if (streq(set->state, "broken") && all > here)
                buf_printf(b, _(": %u of its %u disks ARE MISSING, too many to read it"), all - here, all);
        else if (streq(set->state, "broken"))
                buf_puts(b, _(": NOT ENOUGH of its disks are here to read it"));
        else
                buf_puts(b, _(": whether it is whole is NOT KNOWN"));
}

/* What lies in the set itself or in its volumes, as far as it could be seen. */
static void add_inside(struct buf *b, const struct facts *f, const struct set *set)
{
        for (size_t i = 0; i < f->n_contents; i++)
                if (*set->uuid && streq(f->contents[i].set, set->uuid)) {
                        _cleanup_free_ char *words = contents_words(&f->contents[i]);
                        buf_printf(b, "; %s", words);
                }
}

char *set_sentence(const struct facts *f, const struct set *set, const struct disk *d, bool inside)
{
        _cleanup_free_ char *title = set_title(set);
        struct buf b = {0};

        buf_puts(&b, title);
        add_others(&b, set, d);
        if (d && is_stale(f, set, d))
                buf_puts(&b, _(": an OUTDATED part, the others went on without it"));
        else
                add_state(&b, set);
        if (inside)
                add_inside(&b, f, set);
        return b.buf;
}

const struct set *disk_set(const struct facts *f, const struct disk *d)
{
        for (size_t i = 0; i < f->n_sets; i++)
                if (set_has_disk(&f->sets[i], d))
                        return &f->sets[i];
        return NULL;
}

static char *set_or_less(const struct facts *f, const struct set *set, const struct disk *d)
{
        char *all = set_sentence(f, set, d, true);

        if (ui_width(all) <= 76)
                return all;
        free(all);
        return set_sentence(f, set, d, false);
}

static char *holding(const struct facts *f, const struct disk *d)
{
        const struct set *set = disk_set(f, d);

        if (streq(d->holds, "looking"))
                return xstrdup(_("Looking at what is on it …"));
        if (is_blank(d))
                return xstrdup(_("Blank: nothing was found on it."));
        char *several = set ? NULL : several_words(d);
        if (several)
                return several;
        if (d->n_contents > 0) {
                _cleanup_free_ char *first = set ? set_or_less(f, set, d) : contents_words(&d->contents[0]);
                if (d->n_contents == 1)
                        return TAKE_PTR(first);
                size_t more = d->n_contents - 1;
                return xasprintf(Q_("%s; and %zu more (F3)", "%s; and %zu more (F3)", more), first, more);
        }
        if (*d->found && !streq(d->holds, "unknown"))
                return xasprintf(_("Not blank. Found on it: %s"), d->found);
        return xstrdup(_("It could not be looked through: it may hold something."));
}

char *holds_sentence(const struct facts *f, const struct disk *d)
{
        _cleanup_free_ char *words = holding(f, d);

        return d->letgo ? xasprintf(_("%s; in use (%s)"), words, d->protectedby) : TAKE_PTR(words);
}

/* --- health --- */

/* A why of nas-disk that comes with a figure. */
static char *figure_words(const char *why, unsigned n)
{
        if (streq(why, "reallocated"))
                return xasprintf(Q_("%u sector went bad so far.", "%u sectors went bad so far.", n), n);
        if (streq(why, "pending"))
                return xasprintf(Q_("%u sector can't be read now.", "%u sectors can't be read now.", n), n);
        if (streq(why, "uncorrectable"))
                return xasprintf(Q_("%u error could not be corrected.", "%u errors could not be corrected.", n), n);
        if (streq(why, "media"))
                return xasprintf(Q_("%u error of its memory.", "%u errors of its memory.", n), n);
        if (streq(why, "defects"))
                return xasprintf(Q_("%u defect came up since it was made.", "%u defects came up since it was made.", n), n);
        if (streq(why, "wear"))
                return xasprintf(_("%u %% of its life is used up."), n);
        return NULL;
}

static const struct {
        const char *why, *words;
} whys[] = {
        {"self-test", N_("Its last test of itself failed.")},
        {"prefail", N_("It expects to fail soon.")},
        {"status", N_("It says itself that it fails.")},
        {"silent", N_("It does not answer.")},
        {"unreadable", N_("It can't be read.")},
        {"asleep", N_("It sleeps and was not woken to be asked.")},
        {"no-smart", N_("It tells nothing of its health.")},
        {"no-program", N_("Not tested: smartctl is missing (apt install smartmontools).")},
};

static char *why_words(const struct disk *d)
{
        for (size_t i = 0; i < ELEMENTSOF(whys); i++)
                if (streq(whys[i].why, d->why))
                        return xstrdup(_(whys[i].words));
        return d->figure ? figure_words(d->why, (unsigned)MIN2(d->figure, UINT64_C(4000000000))) : NULL;
}

/* 3 years, 5 months, 12 days; NULL: not known. */
static char *age_words(uint64_t hours)
{
        unsigned years = (unsigned)((hours + 4383) / 8766), months = (unsigned)(hours / 730), days = (unsigned)(hours / 24);

        if (hours == 0)
                return NULL;
        if (months >= 18)
                return xasprintf(Q_("%u year in use", "%u years in use", years), years);
        if (months >= 2)
                return xasprintf(Q_("%u month in use", "%u months in use", months), months);
        return days ? xasprintf(Q_("%u day in use", "%u days in use", days), days) : xstrdup(_("new"));
}

const char *state_word(const struct disk *d, enum role *ret_role)
{
        *ret_role = R_WARN;
        if (streq(d->why, "silent"))
                return _("SILENT");
        if (streq(d->state, "worn"))
                return _("WORN!");
        if (is_failing(d))
                return _("BAD!");
        *ret_role = streq(d->state, "good") ? R_GOOD : R_QUIET;
        if (streq(d->state, "looking"))
                return _("asking");
        return streq(d->state, "good") ? _("good") : "?";
}

static char *verdict(const struct disk *d)
{
        _cleanup_free_ char *why = why_words(d);

        if (streq(d->state, "looking"))
                return xstrdup(_("Asking it how healthy it is …"));
        if (streq(d->state, "good"))
                return xstrdup(_("Healthy, as far as the disk itself knows."));
        if (streq(d->state, "worn"))
                return why ? xasprintf(_("WORN: %s Better not used."), why)
                           : xstrdup(_("WORN: it has bad sectors or is near its end. Better not used."));
        if (is_failing(d))
                return why ? xasprintf(_("BAD: %s Do not use it."), why)
                           : xstrdup(_("BAD: the disk itself expects to fail soon. Do not use it."));
        return why ? TAKE_PTR(why) : xstrdup(_("How healthy it is could not be tested."));
}

char *state_sentence(const struct disk *d, int width)
{
        _cleanup_free_ char *said = verdict(d), *age = age_words(d->hours);
        struct buf b = {0};

        int rest = d->temperature != INT_MIN ? 9 : 2; /* " 44 °C, ." */

        if (age && width && ui_width(said) + ui_width(age) + rest > width)
                freep(&age), age = NULL;
        buf_puts(&b, said);
        if (d->temperature != INT_MIN)
                buf_printf(&b, " %d °C%s", d->temperature, age ? "," : ".");
        if (age)
                buf_printf(&b, " %s.", age);
        return b.buf;
}

/* --- what should be known beside --- */

static char *same_serial(const struct facts *f, const struct disk *d)
{
        for (size_t i = 0; *d->serial && i < f->n_disks; i++)
                if (&f->disks[i] != d && streq(f->disks[i].serial, d->serial))
                        return xasprintf(_("%s and %s report the same serial number. Look at the cable or the dock between."),
                                         d->name, f->disks[i].name);
        return NULL;
}

char *disk_note(const struct facts *f, const struct disk *d)
{
        char *same = same_serial(f, d);

        if (same)
                return same;
        if (streq(d->kind, "sd"))
                return xasprintf(_("%s is a memory card: it wears out soon when many files are written."), d->name);
        if (streq(d->kind, "usb"))
                return xasprintf(_("%s is on USB: a plug that comes loose takes it out of the array."), d->name);
        return NULL;
}

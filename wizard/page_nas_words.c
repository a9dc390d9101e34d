#include "wizard/choices_later.h"
#include "wizard/page.h"

#define NEARLY_FULL 95 /* percent */

/* --- members --- */

static bool is_of(const struct record *member, const struct record *array)
{
        return streq(member->word, "member") && uuid_equal(record_str(member, "array"), record_str(array, "uuid"));
}

static const struct record *member_in(const struct facts *f, const struct record *array, const char *state)
{
        RECORDS_FOREACH(r, &f->records)
        if (is_of(r, array) && record_is(r, "state", state))
                return r;
        return NULL;
}

const struct record *nas_bad_member(const struct facts *f, const struct record *array)
{
        const struct record *failed = member_in(f, array, "faulty"), *gone = member_in(f, array, "missing");

        if (failed || gone)
                return failed ? failed : gone;
        RECORDS_FOREACH(r, &f->records)
        if (is_of(r, array) && is_member_failing(f, r))
                return r;
        return NULL;
}

const char *nas_member_word(const struct facts *f, const struct record *member, enum role *ret_role)
{
        /* TRANSLATORS: how a disk of an array is: up to 20 columns. */
        static const struct {
                const char *state, *words;
                enum role role;
        } words[] = {
                {"faulty", N_("FAILED"), R_BADGE},         {"missing", N_("MISSING"), R_WARN},
                {"filling", N_("is being filled"), R_TEXT}, {"spare", N_("stands by"), R_QUIET},
                {"replaced", N_("is being replaced"), R_TEXT},
        };

        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if (record_is(member, "state", words[i].state)) {
                        *ret_role = words[i].role;
                        return _(words[i].words);
                }
        *ret_role = is_member_failing(f, member) ? R_WARN : R_GOOD;
        return is_member_failing(f, member) ? _("FAILING") : _("good");
}

/* sdc, serial WCC4E7654321 */
static char *member_words(const struct record *member)
{
        const char *disk = record_str(member, "disk"), *serial = record_str(member, "serial");

        if (*disk && *serial)
                return xasprintf(_("%s, serial number %s"), disk, serial);
        if (*serial)
                return xasprintf(_("serial number %s"), serial);
        return xstrdup(*disk ? disk : _("its name is not known"));
}

/* --- what goes on --- */

bool nas_is_syncing(const struct record *a)
{
        static const char *const kinds[] = {"resync", "recover", "reshape", "check"};

        for (size_t i = 0; i < ELEMENTSOF(kinds); i++)
                if (record_is(a, "sync", kinds[i]))
                        return true;
        return false;
}

static const struct record *task_of(const struct facts *f, const struct record *a)
{
        RECORDS_FOREACH(r, &f->records)
        if (streq(r->word, "task") && uuid_equal(record_str(r, "array"), record_str(a, "uuid")))
                return r;
        return NULL;
}

static const char *sync_what(const struct facts *f, const struct record *a)
{
        const struct record *task = task_of(f, a);

        if (record_is(a, "sync", "check"))
                return _("All disks are being read through");
        if (record_is(a, "sync", "reshape"))
                return _("The array is being changed");
        if (task && record_is(task, "step", "repair"))
                return _("The new disk is in; its protection is being made right");
        if (member_in(f, a, "replaced"))
                return _("A disk is being copied to the one that takes its place");
        if (record_u64(a, "degraded") > 0)
                return _("The new disk is being filled; until then a second failure may lose the files");
        return _("Full protection is being built");
}

static char *sync_words(const struct facts *f, const struct record *a)
{
        uint64_t done = record_u64(a, "done"), total = record_u64(a, "total"), speed = record_u64(a, "speed");
        struct buf b = {0};

        buf_puts(&b, sync_what(f, a));
        if (total > 0)
                buf_printf(&b, ": %u %%", (unsigned)((double)MIN2(done, total) * 100 / (double)total));
        if (total > done && speed > 0) {
                _cleanup_free_ char *left = duration_words((total - done) / speed), *rate = size_words(speed);
                buf_printf(&b, _(", about %s left (%s a second)"), left, rate);
        }
        buf_printf(&b, ". %s", _("Files can be used; leaving and restarting are safe."));
        return b.buf;
}

/* --- an array --- */

static const struct record *files_of(const struct facts *f, const struct record *array)
{
        return array_files(f, array);
}

static char *inactive_words(const struct facts *f, const struct record *a)
{
        const struct record *gone = member_in(f, a, "missing");
        _cleanup_free_ char *who = gone ? member_words(gone) : xstrdup(_("its name is not known"));
        unsigned lacks = (unsigned)MAX2(record_u64(a, "lacks"), UINT64_C(1));

        if (record_is(a, "start", "whole"))
                return xstrdup(_("IT DOES NOT RUN, though all its disks are here. It can be started."));
        if (record_is(a, "start", "degraded"))
                return xasprintf(_("IT DOES NOT RUN: a disk is missing (%s). Check its cable and its power. It can also be started "
                                   "without it."),
                                 who);
        if (record_is(a, "start", "force"))
                return xasprintf(_("IT DOES NOT RUN: a disk is missing (%s) and it was cut off while written to. Started now, "
                                   "what was being written then may be damaged."),
                                 who);
        if (record_is(a, "start", "no"))
                return xasprintf(Q_("IT DOES NOT RUN, and can't while %u disk more is missing. Check cables and power; nothing is "
                                    "lost as long as they come back.",
                                    "IT DOES NOT RUN, and can't while %u disks more are missing. Check cables and power; nothing "
                                    "is lost as long as they come back.",
                                    lacks),
                                 lacks);
        return xstrdup(_("IT DOES NOT RUN. Check the cables and the power of its disks, then restart."));
}

static char *degraded_words(const struct facts *f, const struct record *a)
{
        unsigned places = (unsigned)record_u64(a, "devices"), missing = (unsigned)record_u64(a, "degraded");
        const struct record *bad = nas_bad_member(f, a);
        const struct level *l = level_find(record_str(a, "level"));
        bool is_last = !l || level_survives(l, places) <= missing;

        if (!bad || missing > 1)
                return xasprintf(Q_("%u of %u disks IS MISSING. The files are there; when another disk fails, they may be "
                                    "lost. Check cables and power.",
                                    "%u of %u disks ARE MISSING. The files are there; when another disk fails, they may be "
                                    "lost. Check cables and power.",
                                    missing),
                                 missing, places);
        _cleanup_free_ char *who = member_words(bad);
        const char *words = record_is(bad, "state", "faulty") ? _("A DISK HAS FAILED: %s. %s") : _("A DISK IS MISSING: %s. %s");
        return xasprintf(words, who,
                         is_last ? _("The files are there; a second failure loses them.")
                                 : _("The files are there, and one more disk may fail."));
}

static bool is_nearly_full(const struct record *fs)
{
        uint64_t size = record_u64(fs, "size");

        return size > 0 && record_u64(fs, "used") >= size / 100 * NEARLY_FULL;
}

/* What a person should do something about, or NULL. */
static char *trouble_words(const struct facts *f, const struct record *a)
{
        const struct record *fs = files_of(f, a), *bad = nas_bad_member(f, a);

        if (record_is(a, "state", "inactive"))
                return inactive_words(f, a);
        if (record_u64(a, "degraded") > 0 && !nas_is_syncing(a) && !record_is(a, "sync", "delayed"))
                return degraded_words(f, a);
        if (fs && record_is(fs, "mounted", "no"))
                return xstrdup(_("IT IS NOT MOUNTED, so its files can't be reached."));
        if (bad && is_member_failing(f, bad) && !member_in(f, a, "replaced")) {
                _cleanup_free_ char *who = member_words(bad);
                return xasprintf(_("A DISK IS FAILING: %s. Replace it while it can still be read."), who);
        }
        if (fs && is_nearly_full(fs))
                return xstrdup(_("IT IS NEARLY FULL. Delete something, or add disks."));
        return NULL;
}

char *nas_array_words(const struct facts *f, const struct record *a, enum role *ret_role)
{
        const struct level *l = level_find(record_str(a, "level"));
        const struct record *task = task_of(f, a);
        unsigned places = (unsigned)record_u64(a, "devices");
        char *trouble = trouble_words(f, a);

        *ret_role = trouble ? R_WARN : R_TEXT;
        if (trouble)
                return trouble;
        if (record_is(a, "sync", "delayed"))
                return xstrdup(_("It waits for another array, and is not yet protected."));
        if (nas_is_syncing(a))
                return sync_words(f, a);
        if (record_is(a, "reshape", "yes"))
                return xstrdup(_("A change of the array was cut off; it goes on with the first file that is written."));
        if (record_is(a, "sync", "pending"))
                return xstrdup(_("Full protection was cut off; it goes on with the first file that is written."));
        if (task)
                return xstrdup(record_is(task, "step", "fill") ? _("The array is larger now; the files get the room in a moment.")
                                                               : _("The last steps of a change go on in a moment."));
        if (!l || places < 2 || level_survives(l, places) == 0)
                return xstrdup(_("It works. It has no protection: a disk that fails takes the files with it."));
        *ret_role = R_GOOD;
        if (record_is(a, "auto", "yes"))
                return xasprintf(Q_("All %u disks are here; nothing was written since the start.",
                                    "All %u disks are here; nothing was written since the start.", places),
                                 places);
        return xasprintf(Q_("It works: all %u disks take part.", "It works: all %u disks take part.", places), places);
}

char *nas_kind_words(const struct facts *f, const struct record *a)
{
        const struct record *fs = files_of(f, a);
        const struct level *l = level_find(record_str(a, "level"));
        unsigned places = (unsigned)record_u64(a, "devices");
        _cleanup_free_ char *level = l ? level_words_on(l, places) : xstrdup(record_str(a, "level")),
                            *size = size_words(record_u64(a, "size"));
        struct buf b = {0};

        buf_printf(&b, Q_("%s, %u disk", "%s, %u disks", places), level, places);
        if (!record_is(a, "ours", "yes"))
                buf_puts(&b, _(", made elsewhere"));
        if (fs && record_is(fs, "mounted", "yes")) {
                _cleanup_free_ char *used = size_words(record_u64(fs, "used")), *all = size_words(record_u64(fs, "size"));
                buf_printf(&b, _(", %s of %s are used"), used, all);
        } else if (record_u64(a, "size") > 0) {
                buf_printf(&b, ", %s", size);
        }
        return b.buf;
}

const char *nas_done_words(const char *step)
{
        static const struct {
                const char *step, *words;
        } done[] = {
                {"grow", N_("the change goes on in the background")},
                {"replace", N_("the new disk is being filled in the background")},
                {"start", N_("the array runs, and its files are there")},
        };

        for (size_t i = 0; i < ELEMENTSOF(done); i++)
                if (streq(done[i].step, step))
                        return _(done[i].words);
        return NULL;
}

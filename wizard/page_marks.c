#include "wizard/page_disks.h"

static char **answer_list(const struct session *s, enum answer which)
{
        return s->answers.v[which] ? list_split(s->answers.v[which]) : NULL;
}

static void set_list(struct session *s, enum answer which, char *const *list, bool empty_counts)
{
        _cleanup_free_ char *text = list ? list_join(list) : NULL;

        answers_set(&s->answers, which, text ? text : empty_counts ? "" : NULL);
}

static bool is_in(const struct facts *f, char *const *list, const struct disk *d)
{
        STRV_FOREACH(name, list)
        if (facts_disk(f, *name, NULL) == d)
                return true;
        return false;
}

/* The list with that disk in it, or without it, in the order of the facts; what stands for disks that are not here stays,
 * but not a name that has come to fit several. */
static void put_in(struct session *s, enum answer which, const struct disk *d, bool in, bool empty_counts)
{
        _cleanup_strv_ char **before = answer_list(s, which), **after = NULL;
        size_t n;

        for (size_t i = 0; i < s->facts->n_disks; i++) {
                const struct disk *one = &s->facts->disks[i];
                if (one == d ? in : is_in(s->facts, before, one))
                        strv_add(&after, disk_key(s->facts, one));
        }
        STRV_FOREACH(name, before)
        if (!facts_disk(s->facts, *name, &n) && n == 0)
                strv_add(&after, *name);
        set_list(s, which, after, empty_counts);
}

bool disks_is_marked(const struct session *s, const struct disk *d)
{
        _cleanup_strv_ char **list = answer_list(s, A_USE);

        if (s->choices.keep || s->answers.v[A_KEEP])
                return false;
        if (s->answers.v[A_USE])
                return is_in(s->facts, list, d);
        for (unsigned i = 0; i < s->choices.n_disks; i++)
                if (s->choices.disks[i] == d)
                        return true;
        return false;
}

/* What was said of arrays that are made anew says nothing of one that is there. */
void disks_keep(struct session *s, const struct keepable *k)
{
        static const enum answer others[] = {A_USE, A_ERASE, A_FAILING, A_LETGO, A_LEVEL, A_CHUNK, A_SPARES, A_TYPE};

        for (size_t i = 0; k && i < ELEMENTSOF(others); i++)
                answers_set(&s->answers, others[i], NULL);
        answers_set(&s->answers, A_KEEP, k ? k->set->uuid : NULL);
        session_changed(s);
}

/* --- Space --- */

static char *letgo_question(const struct disk *d)
{
        _cleanup_free_ char *by = protectedby_words(d);

        return streq(d->protected, "swap")
                   ? xasprintf(_("%s is in use: this computer swaps to it. Space again: that would be ended at the start."), d->name)
                   : xasprintf(_("%s is in use (%s). Space again: it would be unmounted at the start."), d->name, by);
}

/* Whether there is more to say first: each question is asked once, and the same key is the yes. */
static bool asks(struct session *s, const struct disk *d)
{
        static const struct {
                enum answer answer;
                const char *name;
        } consents[] = {{A_FAILING, "failing"}, {A_LETGO, "letgo"}};

        for (size_t i = 0; i < ELEMENTSOF(consents); i++) {
                _cleanup_strv_ char **given = answer_list(s, consents[i].answer);
                bool failing = consents[i].answer == A_FAILING;
                if ((failing ? !is_failing(d) : !d->letgo) || is_in(s->facts, given, d))
                        continue;
                _cleanup_free_ char *question = xasprintf("%s %s", consents[i].name, disk_key(s->facts, d));
                if (session_asked(s, question)) {
                        put_in(s, consents[i].answer, d, true, false);
                        continue;
                }
                _cleanup_free_ char *letgo = failing ? NULL : letgo_question(d);
                if (failing)
                        session_say(s, true, _("%s is BAD: your files may be lost soon. Space again uses it all the same."), d->name);
                else
                        session_say(s, true, "%s", letgo);
                return true;
        }
        return false;
}

/* From here on the whole list is said, so that what is marked no longer hangs on advice. */
static void say_list(struct session *s)
{
        _cleanup_strv_ char **use = NULL;

        if (s->answers.v[A_USE])
                return;
        for (unsigned i = 0; i < s->choices.n_disks && !s->choices.keep && !s->answers.v[A_KEEP]; i++)
                strv_add(&use, disk_key(s->facts, s->choices.disks[i]));
        set_list(s, A_USE, use, true);
}

void disks_forget_consents(struct session *s)
{
        static const enum answer consents[] = {A_FAILING, A_LETGO};
        _cleanup_strv_ char **use = answer_list(s, A_USE);

        answers_set(&s->answers, A_ERASE, NULL);
        for (size_t i = 0; i < ELEMENTSOF(consents); i++) {
                _cleanup_strv_ char **given = answer_list(s, consents[i]), **kept = NULL;
                STRV_FOREACH(name, given) {
                        const struct disk *d = facts_disk(s->facts, *name, NULL);
                        if (strv_has(use, *name) || (d && is_in(s->facts, use, d)))
                                strv_add(&kept, *name);
                }
                set_list(s, consents[i], kept, false);
        }
}

/* Levels and spares were for the disks before. */
static void forget_level(struct session *s)
{
        disks_forget_consents(s);
        session_changed(s);
        if (!fault_of(&s->faults, A_LEVEL) && !fault_of(&s->faults, A_SPARES))
                return;
        answers_set(&s->answers, A_LEVEL, NULL);
        answers_set(&s->answers, A_SPARES, NULL);
        session_changed(s);
}

static void mark(struct session *s, const struct disk *d, bool on)
{
        say_list(s);
        answers_set(&s->answers, A_KEEP, NULL);
        put_in(s, A_USE, d, on, true);
        forget_level(s);
        const char *fault = fault_of(&s->faults, A_USE);
        if (on && fault && s->choices.n_disks > 0)
                session_say(s, true, "%s", fault);
}

void disks_choose(struct session *s, int id)
{
        const struct keepable *k = keepable_of_id(s, id);
        const struct disk *d = disks_of_id(s, id);

        if (k) {
                disks_keep(s, s->choices.keep == k ? NULL : k);
                return;
        }
        if (!d)
                return;
        _cleanup_free_ char *why = is_choosable(d) ? NULL : protected_words(d);
        bool on = !disks_is_marked(s, d);
        if (why)
                session_say(s, true, "%s", why);
        else if (on && is_being_looked_at(d)) {
                session_say(s, true, _("%s is still being looked at. Wait a moment, then choose it."), d->name);
                session_wait(s);
        } else if (!on || !asks(s, d))
                mark(s, d, on);
}

/* --- Enter --- */

/* Chosen disks that are not here now. */
static char **gone_disks(const struct session *s)
{
        _cleanup_strv_ char **list = answer_list(s, A_USE);
        char **gone = NULL;
        size_t n;

        STRV_FOREACH(name, list)
        if (!facts_disk(s->facts, *name, &n) && n == 0)
                strv_add(&gone, *name);
        return gone;
}

static bool asks_for_gone(struct session *s)
{
        _cleanup_strv_ char **gone = gone_disks(s), **list = answer_list(s, A_USE), **left = NULL;

        if (!gone)
                return false;
        _cleanup_free_ char *names = strv_join(gone, ", "), *question = xasprintf("gone %s", names);
        if (!session_asked(s, question)) {
                session_say(s, true, Q_("The chosen disk %s is gone. Plug it in again, or press Enter again to go on without it.",
                                        "The chosen disks %s are gone. Plug them in again, or press Enter again to go on without "
                                        "them.",
                                        strv_len(gone)),
                            names);
                return true;
        }
        STRV_FOREACH(name, list)
        if (!strv_has(gone, *name))
                strv_add(&left, *name);
        set_list(s, A_USE, left, true);
        forget_level(s);
        return true;
}

/* A disk that was chosen before it was known to fail. */
static bool asks_for_consent(struct session *s)
{
        static const enum answer consents[] = {A_FAILING, A_LETGO};

        for (size_t i = 0; i < ELEMENTSOF(consents); i++) {
                _cleanup_strv_ char **missing = choices_unforgiven(s->facts, &s->answers, &s->choices, consents[i]);
                const struct disk *d = missing ? facts_disk(s->facts, missing[0], NULL) : NULL;
                if (!d)
                        continue;
                _cleanup_free_ char *question = xasprintf("enter %d %s", (int)consents[i], missing[0]);
                if (session_asked(s, question)) {
                        put_in(s, consents[i], d, true, false);
                        session_changed(s);
                        return asks_for_consent(s);
                }
                session_say(s, true,
                            consents[i] == A_FAILING
                                ? _("%s is BAD: your files may be lost soon. Enter again uses it all the same.")
                                : _("%s is in use. Enter again: that would be ended at the start."),
                            d->name);
                return true;
        }
        return false;
}

static char *being_looked_at(const struct session *s)
{
        _cleanup_strv_ char **names = NULL;

        for (size_t i = 0; i < s->facts->n_disks; i++) {
                const struct disk *d = &s->facts->disks[i];
                bool counts = s->answers.v[A_USE] ? disks_is_marked(s, d) : s->choices.looking;
                if (counts && is_being_looked_at(d) && is_choosable(d))
                        strv_add(&names, d->name);
        }
        return names ? strv_join(names, ", ") : NULL;
}

enum go disks_go_on(struct session *s)
{
        _cleanup_free_ char *looking = s->choices.keep ? NULL : being_looked_at(s);
        const char *fault;

        if (is_awaited(s->facts, "nas-disk")) {
                session_say(s, true, "%s", _("The disks are still being looked for. Wait a moment."));
                session_wait(s);
                return GO_STAY;
        }
        if (looking) {
                session_say(s, true, _("%s: still being looked at. Wait a moment, or choose disks with Space."), looking);
                session_wait(s);
                return GO_STAY;
        }
        if (asks_for_gone(s) || asks_for_consent(s))
                return GO_STAY;
        fault = fault_of(&s->faults, A_USE);
        fault = fault ? fault : fault_of(&s->faults, A_KEEP);
        if (fault) {
                session_say(s, true, "%s", fault);
                return GO_STAY;
        }
        if (!s->answers.v[A_USE] && !s->choices.keep) {
                _cleanup_strv_ char **use = NULL;
                for (unsigned i = 0; i < s->choices.n_disks; i++)
                        strv_add(&use, disk_key(s->facts, s->choices.disks[i]));
                free(s->advised_use);
                s->advised_use = use ? list_join(use) : NULL;
        }
        return GO_NEXT;
}

#include "wizard/choices_private.h"

#include "wizard/i18n.h"

#define ZONE_LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-/"

/* Whether this NAS can't be without what the program is for. */
static bool is_wanted(const struct choices *c, const char *purpose)
{
        if (streq(purpose, "xfs") || streq(purpose, "btrfs"))
                return streq_null(c->type, purpose);
        return streq(purpose, "macs") && (c->for_macs || c->backups > 0); /* nobody is let in without them */
}

static bool is_good_to_have(const struct choices *c, const char *purpose)
{
        if (streq(purpose, "windows") || streq(purpose, "mdns"))
                return c->announces;
        return streq(purpose, "check") || streq(purpose, "health");
}

void make_packages(struct making *m)
{
        RECORDS_FOREACH(r, &m->f->records) {
                const char *name = record_str(r, "name"), *purpose = record_str(r, "purpose");
                if (!streq(r->word, "package"))
                        continue;
                bool is_needed = record_is(r, "needed", "yes") || is_wanted(m->c, purpose);
                char ***list = is_needed ? &m->c->needed : is_good_to_have(m->c, purpose) ? &m->c->wished : NULL;
                if (list && !strv_has(*list, name))
                        strv_add(list, name);
        }
}

/* What is said and is not so already. */
static char *said_anew(const struct making *m, enum answer which, const char *word, const char *key)
{
        const struct record *now = records_find(&m->f->records, word, NULL, NULL);
        const char *said = m->a->v[which];

        return said && *said && !streq(said, now ? record_str(now, key) : "") ? xstrdup(said) : NULL;
}

void make_system(struct making *m)
{
        const struct record *clock = records_find(&m->f->records, "clock", NULL, NULL);
        struct choices *c = m->c;

        c->zone = said_anew(m, A_ZONE, "clock", "zone");
        if (c->zone && c->zone[strspn(c->zone, ZONE_LETTERS)])
                add_fault(m, A_ZONE, "%s", _("A time zone is written like Europe/Berlin."));
        c->keyboard = said_anew(m, A_KEYBOARD, "keyboard", "layout");
        if (c->keyboard && (c->keyboard[strspn(c->keyboard, "abcdefghijklmnopqrstuvwxyz")] || strlen(c->keyboard) > 8))
                add_fault(m, A_KEYBOARD, "%s", _("A keyboard is named by its country, such as de, us or gb."));
        _cleanup_free_ char *sleep = said_or(m, A_SLEEP, "off");
        is_one_of(m, A_SLEEP, sleep, STRV("off", "keep"));
        c->syncs = clock && record_is(clock, "sync", "no");
        c->wakes = streq(sleep, "off") && records_find(&m->f->records, "sleep", NULL, NULL);
}

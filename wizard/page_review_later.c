#include "wizard/choices_later.h"
#include "wizard/page_review_lines.h"

/* What was, where it is something else afterwards. */
static void add_was(struct lines *l, const char *was, const char *becomes)
{
        if (!streq(was, becomes))
                review_add(l, NULL, R_QUIET, xasprintf(_("until now: %s"), *was ? was : "-"));
}

static void add_network(const struct session *s, struct lines *l)
{
        const struct choices *c = &s->choices;
        const struct port *p = c->port;
        _cleanup_free_ char *was = xasprintf("%s, %s", p && p->addresses ? p->addresses[0] : "-", s->facts->host),
                            *becomes = xasprintf("%s, %s", c->address, c->host);

        review_add_network(l, s);
        add_was(l, was, becomes);
        for (int i = next_share(s->facts, -1), n = 0; i >= 0; i = next_share(s->facts, i), n++)
                review_add(l, n ? NULL : _("Share"), R_TEXT,
                           xasprintf(_("\"%s\": open to %s"), record_str(s->facts->records.v[i], "name"), c->subnet));
        review_add_firewall(l, s);
        review_add(l, _("Erased"), R_GOOD, xstrdup(_("Nothing: no disk is touched.")));
}

static void add_share(const struct session *s, struct lines *l)
{
        const struct choices *c = &s->choices;

        review_add(l, _("Share"), R_TEXT, review_share_words(c));
        if (c->today)
                add_was(l, record_str(c->today, "name"), c->share);
        review_add(l, _("Comment"), R_TEXT, xstrdup(*c->comment ? c->comment : "-"));
        if (c->today)
                add_was(l, record_str(c->today, "comment"), c->comment);
        review_add(l, NULL, R_TEXT, xasprintf(_("in the workgroup %s"), c->workgroup));
        if (c->has_user)
                review_add(l, _("Password"), R_TEXT,
                           xstrdup(c->keeps_password ? _("as it is") : _("the new one, for the user of the share")));
        review_add_firewall(l, s);
        review_add(l, _("Erased"), R_GOOD, xstrdup(_("Nothing: no disk is touched.")));
}

static void add_speed(const struct session *s, struct lines *l)
{
        review_add(l, _("Speed test"), R_TEXT, xasprintf(_("of the share \"%s\" and its disks: about 20 s"), s->choices.share));
        review_add(l, _("Erased"), R_GOOD, xstrdup(_("Nothing: disks are read, and one file is written and deleted again.")));
}

/* --- disks --- */

static void add_array(const struct session *s, struct lines *l)
{
        const struct choices *c = &s->choices;

        if (!c->array)
                return;
        _cleanup_free_ char *kind = nas_kind_words(s->facts, c->array);
        review_add(l, _("Array"), R_TEXT, xasprintf("%s: %s", array_name(record_str(c->array, "name")), kind));
}

static char *added_words(const struct choices *c)
{
        _cleanup_free_ char *names = disk_names(c->disks, c->n_disks), *room = size_words(c->grown);
        const struct level *l = c->growth ? level_find(record_str(c->growth, "level")) : NULL;
        _cleanup_free_ char *level = l ? level_words_on(l, c->devices) : xstrdup("?");

        if (c->growth && record_is(c->growth, "as", "spare"))
                return xasprintf(_("%s stands by for a disk that fails"), names);
        if (c->growth && record_is(c->growth, "as", "size"))
                return xasprintf(_("uses all of its disks: %s"), room);
        return xasprintf(_("with %s it becomes %s on %u disks: %s"), names, level, c->devices, room);
}

static void add_time(const struct session *s, struct lines *l)
{
        uint64_t seconds = estimate_later(s);
        _cleanup_free_ char *time = duration_words(seconds);

        review_add(l, _("Time"), R_TEXT,
                   seconds ? xasprintf(_("about %s in the background; files can be used, leaving and restarting are safe"), time)
                           : xstrdup(_("a few seconds")));
}

static void add_disks(const struct session *s, struct lines *l)
{
        const struct choices *c = &s->choices;

        if (c->n_disks > 0)
                review_add_losses(l, s);
        add_array(s, l);
        review_add(l, _("Change"), R_TEXT, added_words(c));
        review_add(l, _("Kept"), R_GOOD, xstrdup(_("All files that are there.")));
        add_time(s, l);
}

static void add_replaced(const struct session *s, struct lines *l)
{
        const struct choices *c = &s->choices;
        _cleanup_free_ char *names = disk_names(c->disks, c->n_disks);
        const struct record *failed = records_find(&s->facts->records, "member", "state", "faulty"),
                            *old = c->old && *record_str(c->old, "serial") ? c->old : failed;
        const char *serial = old && uuid_equal(record_str(old, "array"), record_str(c->array, "uuid")) ? record_str(old, "serial") : "";

        review_add_losses(l, s);
        add_array(s, l);
        review_add(l, _("Change"), R_TEXT,
                   *serial ? xasprintf(_("%s takes the place of the disk with the serial number %s"), names, serial)
                           : xasprintf(_("%s takes the place that is empty"), names));
        review_add(l, _("Kept"), R_GOOD, xstrdup(_("All files that are there.")));
        if (record_u64(c->array, "degraded") > 0 && streq(record_str(c->array, "level"), "raid5"))
                review_add(l, _("Mind"), R_WARN,
                           xstrdup(_("Until it is filled, a second failure loses the files; when the power fails, what is just being "
                                     "written may be damaged.")));
        add_time(s, l);
}

static void add_start(const struct session *s, struct lines *l)
{
        const struct choices *c = &s->choices;
        bool is_running = c->array && !record_is(c->array, "state", "inactive");
        bool is_forced = c->array && record_is(c->array, "start", "force");

        add_array(s, l);
        review_add(l, _("Change"), R_TEXT,
                   xstrdup(is_running ? _("its files are looked through and mounted again")
                           : is_forced ? _("it is started though it was cut off while it was written to, and its files are looked through")
                                     : _("it is started with the disks that are here, and its files are looked through")));
        if (is_forced)
                review_add(l, _("Mind"), R_WARN,
                           xstrdup(_("What was being written when the power failed may be damaged. All other files are as they were.")));
        if (!is_running && c->array && !record_is(c->array, "start", "whole"))
                review_add(l, is_forced ? NULL : _("Mind"), R_WARN,
                           xstrdup(_("Another failure may lose the files: put a disk in the empty place soon.")));
}

void review_lines_later(const struct session *s, struct lines *l)
{
        static void (*const parts[N_JOBS])(const struct session *, struct lines *) = {
                [JOB_NETWORK] = add_network, [JOB_SHARE] = add_share,      [JOB_SPEED] = add_speed,
                [JOB_ADD] = add_disks,       [JOB_REPLACE] = add_replaced, [JOB_START] = add_start,
        };

        parts[s->choices.job](s, l);
        review_add_blank(l);
        review_add_told(l, s);
}

#include "wizard/choices_private.h"

#include <strings.h>

#include "helpers/lib/sharename.h"
#include "wizard/i18n.h"

#define WORKGROUP_ADVISED "WORKGROUP"
#define SHARE_ADVISED "public"
#define USER_ADVISED "family"
#define BACKUPS "Time Machine" /* as nas-share names its share */
#define FILES_OWNER "nas" /* nas-share's: guests' files belong to it */

/* --- the names --- */

static void check_name(struct making *m, enum answer which, enum sharename_kind kind, const char *value)
{
        char character[5];
        enum sharename_fault fault = sharename_check(kind, value, character);

        if (fault != SHARENAME_FINE)
                add_fault(m, which, _(sharename_message(kind, fault)), character);
}

static bool has_share(const struct facts *f, const char *name)
{
        for (size_t i = 0; i < f->records.n; i++)
                if (streq(f->records.v[i]->word, "share") && strcasecmp(record_str(f->records.v[i], "name"), name) == 0)
                        return true;
        return false;
}

/* What is taken over keeps its name, as far as people can use it: a number says nothing. */
static char *kept_name(const struct making *m)
{
        const struct keepable *k = m->c->keep;
        const char *const names[] = {k ? k->files->label : "", k ? array_name(k->set->name) : ""};

        for (size_t i = 0; i < ELEMENTSOF(names); i++)
                if (names[i][strspn(names[i], "0123456789")] && sharename_check(SHARENAME_SHARE, names[i], NULL) == SHARENAME_FINE &&
                    !has_share(m->f, names[i]))
                        return xstrdup(names[i]);
        return NULL;
}

/* "public", or "public2" where that is there already. */
static char *share_advised(const struct making *m)
{
        char *name = kept_name(m);
        const struct facts *f = m->f;

        if (name)
                return name;
        name = xstrdup(SHARE_ADVISED);
        for (unsigned i = 2; has_share(f, name) && i < 100; i++) {
                free(name);
                name = xasprintf(SHARE_ADVISED "%u", i);
        }
        return name;
}

void check_share_folder(struct making *m)
{
        const struct choices *c = m->c;

        for (size_t i = 0; i < m->f->records.n; i++) {
                const struct record *r = m->f->records.v[i];
                bool is_same_name = strcasecmp(record_str(r, "name"), c->share) == 0, is_same_path = record_is(r, "path", c->mount);
                if (!streq(r->word, "share"))
                        continue;
                /* nas-share leaves a share of another folder alone, and renames its own of this one. */
                if (is_same_name && !is_same_path)
                        add_fault(m, A_SHARE, _("There is a share \"%s\" already, for %s. Take another name."), c->share,
                                  record_str(r, "path"));
                if (is_same_path && !is_same_name && !record_is(r, "ours", "yes"))
                        add_fault(m, A_MOUNT, _("The folder %s is shared already, as \"%s\". Take another folder."), c->mount,
                                  record_str(r, "name"));
        }
}

/* --- who may use it --- */

const struct record *choices_no_guests(const struct facts *f)
{
        return records_find(&f->records, "harm", "why", "guests");
}

static void check_guests(struct making *m)
{
        const struct record *r = choices_no_guests(m->f);

        if (r && streq(m->c->access, "everyone"))
                add_fault(m, A_ACCESS,
                          _("smb.conf here says \"%s = %s\", which turns all guests away. Choose \"only a user with a password\", or "
                            "take that line out."),
                          record_str(r, "key"), record_str(r, "value"));
}

static void make_access(struct making *m)
{
        struct choices *c = m->c;

        c->access = said_or(m, A_ACCESS, "everyone");
        is_one_of(m, A_ACCESS, c->access, STRV("everyone", "user"));
        check_guests(m);
        c->has_user = m->a->v[A_USER] || m->a->v[A_TIMEMACHINE] || streq(c->access, "user");
        c->user = c->has_user ? said_or(m, A_USER, USER_ADVISED) : xstrdup("");
        if (c->has_user)
                check_name(m, A_USER, SHARENAME_USER, c->user);
}

/* --- how it is found --- */

static bool is_yes(struct making *m, enum answer which, const char *advice)
{
        _cleanup_free_ char *said = said_or(m, which, advice);

        return is_one_of(m, which, said, STRV("yes", "no")) && streq(said, "yes");
}

static void make_firewall(struct making *m)
{
        const struct record *r = records_find(&m->f->records, "firewall", NULL, NULL);
        _cleanup_free_ char *said = said_or(m, A_FIREWALL, "leave");

        m->c->firewall = r && !record_is(r, "kind", "none") ? record_str(r, "kind") : "";
        is_one_of(m, A_FIREWALL, said, STRV("leave", "open"));
        m->c->opens = streq(said, "open") && *m->c->firewall;
        if (m->c->opens && streq(m->c->firewall, "rules"))
                add_fault(m, A_FIREWALL, "%s",
                          _("The firewall rules of this computer are somebody's own, so they are left alone: let TCP port 445 in "
                            "there."));
}

static void make_backups(struct making *m)
{
        const char *said = m->a->v[A_TIMEMACHINE];
        struct choices *c = m->c;

        if (!said)
                return;
        _cleanup_free_ char *plain = xstrdup(said);
        char *to = plain;
        for (const char *p = said; *p; p++)
                if (*p != ' ')
                        *to++ = *p;
        *to = '\0';
        if (parse_size(plain, &c->backups) < 0)
                add_fault(m, A_TIMEMACHINE, "%s", _("The size for Time Machine is a number and a unit, like 500 GB or 2 TB."));
        else if (c->backups < GB)
                add_fault(m, A_TIMEMACHINE, "%s", _("Time Machine needs at least 1 GB."));
        else if (strcasecmp(c->share, BACKUPS) == 0)
                add_fault(m, A_SHARE, _("Time Machine's own share is called \"%s\"; take another name."), BACKUPS);
        else if (streq(c->user, FILES_OWNER))
                add_fault(m, A_USER, _("Guests' files belong to \"%s\"; backups need a user of another name."), FILES_OWNER);
}

void check_backups(struct making *m)
{
        if (m->c->backups == 0 || m->c->files == 0 || m->c->backups <= m->c->files)
                return;
        _cleanup_free_ char *room = size_words(m->c->files);
        add_fault(m, A_TIMEMACHINE, _("Time Machine can have at most what there is: %s."), room);
}

static bool is_announcer_missing(const struct record *r)
{
        return streq(r->word, "announcer") && record_is(r, "installed", "no");
}

char **choices_share_packages(const struct facts *f, const struct choices *c)
{
        char **packages = NULL;

        if (!f->has_samba && !strv_has(c->needed, "samba"))
                strv_add(&packages, "samba");
        for (size_t i = 0; c->announces && i < f->records.n; i++)
                if (is_announcer_missing(f->records.v[i]) && !strv_has(c->wished, record_str(f->records.v[i], "package")))
                        strv_add(&packages, record_str(f->records.v[i], "package"));
        return packages;
}

void make_share(struct making *m)
{
        struct choices *c = m->c;

        if (!m->f->has_samba && !records_find(&m->f->records, "package", "name", "samba"))
                add_fault(m, A_ACCESS, "%s", _("The program that serves files is missing. Leave, and type: apt install samba"));
        _cleanup_free_ char *advice = share_advised(m);
        c->share = said_or(m, A_SHARE, advice);
        check_name(m, A_SHARE, SHARENAME_SHARE, c->share);
        bool is_locked = m->a->v[A_ACCESS] && streq(m->a->v[A_ACCESS], "user");
        c->comment = said_or(m, A_COMMENT, is_locked ? _("Files") : _("Files for everyone"));
        check_name(m, A_COMMENT, SHARENAME_COMMENT, c->comment);
        c->workgroup = said_or(m, A_WORKGROUP, *m->f->workgroup ? m->f->workgroup : WORKGROUP_ADVISED);
        check_name(m, A_WORKGROUP, SHARENAME_WORKGROUP, c->workgroup);
        if (sharename_workgroup_is_host(c->workgroup, c->netbios))
                add_fault(m, A_WORKGROUP, "%s", _("The workgroup and the computer need different names."));
        make_access(m);
        make_backups(m);
        make_firewall(m);
        c->announces = is_yes(m, A_ANNOUNCE, "yes");
        c->greets = is_yes(m, A_GREET, "yes");
        c->leaves_summary = is_yes(m, A_SUMMARY, "no");
        c->for_macs = is_yes(m, A_MACS, "no");
        c->test = said_or(m, A_TEST, "quick");
        is_one_of(m, A_TEST, c->test, STRV("quick", "full", "none"));
}

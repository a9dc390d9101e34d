#include "wizard/choices_later.h"

#include "helpers/lib/address.h"
#include "wizard/choices_private.h"
#include "wizard/i18n.h"

#define BACKUPS "/.time-machine" /* nas-share's own share within a share */

static const char *const jobs[N_JOBS] = {
        [JOB_NETWORK] = "network", [JOB_SHARE] = "share",     [JOB_SPEED] = "speed",
        [JOB_ADD] = "add",         [JOB_REPLACE] = "replace", [JOB_START] = "start",
};

enum job job_find(const char *name)
{
        int i = 1;

        while (i < N_JOBS && !streq(jobs[i], name))
                i++;
        return (enum job)i;
}

const char *job_name(enum job job)
{
        return jobs[job];
}

/* --- what is there --- */

/* Of an array that does not run only fstab tells, by the folder that was named like it. */
const struct record *array_files(const struct facts *f, const struct record *array)
{
        _cleanup_free_ char *folder = xasprintf("/srv/%s", array_name(record_str(array, "name")));

        RECORDS_FOREACH(r, &f->records)
        if (streq(r->word, "filesystem") && uuid_equal(record_str(r, "array"), record_str(array, "uuid")))
                return r;
        const struct record *r = records_find(&f->records, "filesystem", "mount", folder);
        return r && !*record_str(r, "array") && record_is(array, "state", "inactive") ? r : NULL;
}

bool array_can_start(const struct facts *f, const struct record *array)
{
        const struct record *files = array_files(f, array);

        if (!record_is(array, "state", "inactive"))
                return files && record_is(files, "mounted", "no") && *record_str(files, "mount");
        return record_is(array, "start", "whole") || record_is(array, "start", "degraded") || record_is(array, "start", "force");
}

int next_share(const struct facts *f, int i)
{
        for (i++; (size_t)i < f->records.n; i++)
                if (streq(f->records.v[i]->word, "share") && record_is(f->records.v[i], "ours", "yes") &&
                    !strstr(record_str(f->records.v[i], "path"), BACKUPS))
                        return i;
        return -1;
}

static const struct record *find_array(const struct facts *f, const char *uuid)
{
        RECORDS_FOREACH(r, &f->records)
        if (streq(r->word, "array") && (uuid ? uuid_equal(record_str(r, "uuid"), uuid) : record_is(r, "ours", "yes")))
                return r;
        return NULL;
}

/* --- what is not said stays --- */

static const struct port *lan_port(const struct facts *f)
{
        for (size_t i = 0; i < f->n_ports; i++)
                if (streq(f->ports[i].ours, "lan"))
                        return &f->ports[i];
        return NULL;
}

static void keep(struct answers *over, enum answer which, const char *today)
{
        if (!over->v[which])
                over->v[which] = (char *)today;
}

static bool has_wired(const struct facts *f)
{
        for (size_t i = 0; i < f->n_ports; i++)
                if (port_is_choosable(&f->ports[i]))
                        return true;
        return false;
}

/* Nothing in it is owned. */
static void keep_network(const struct facts *f, enum job job, struct answers *over)
{
        const struct port *lan = lan_port(f);
        const struct record *r = lan ? records_find(&f->records, "port", "mac", lan->mac) : NULL;
        const char *others = "keep";

        for (size_t i = 0; i < f->n_ports; i++)
                if (streq(f->ports[i].ours, "off"))
                        others = "off";
        if (job != JOB_NETWORK && !has_wired(f)) /* a NAS by Wi-Fi */
                keep(over, A_KEEP_NETWORK, "yes");
        keep(over, A_PORT, lan ? lan->mac : NULL);
        keep(over, A_OTHERS, lan ? others : NULL);
        if (r && (record_is(r, "ipv6", "off") || record_is(r, "ipv6", "fixed")))
                keep(over, A_IPV6, record_str(r, "ipv6"));
        if (*f->host && hostname_check(f->host, NULL) == 0)
                keep(over, A_NAME, f->host);
}

static void keep_share(const struct choices *c, struct answers *over)
{
        keep(over, A_SHARE, record_str(c->today, "name"));
        keep(over, A_COMMENT, record_str(c->today, "comment"));
        keep(over, A_ACCESS, record_is(c->today, "guest", "no") ? "user" : "everyone");
        keep(over, A_USER, record_get(c->today, "user"));
        keep(over, A_TIMEMACHINE, record_get(c->today, "timemachine"));
        keep(over, A_TEST, c->job == JOB_SPEED ? "quick" : "none");
}

/* --- shares and the network --- */

static void find_share(struct making *m)
{
        const char *name = m->a->v[A_OF];
        struct choices *c = m->c;

        for (int i = next_share(m->f, -1); i >= 0 && !c->today; i = next_share(m->f, i))
                if (!name || strcasecmp(record_str(m->f->records.v[i], "name"), name) == 0)
                        c->today = m->f->records.v[i];
        if (!c->today) {
                if (name)
                        add_fault(m, A_OF, _("There is no share \"%s\" here."), name);
                else
                        add_fault(m, A_DO, "%s", _("There is no share here that could be changed."));
                return;
        }
        c->room = records_find(&m->f->records, "filesystem", "mount", record_str(c->today, "path"));
        if (!c->room)
                add_fault(m, A_DO, _("What is mounted at %s is not known, so the share there can't be changed."),
                          record_str(c->today, "path"));
}

/* Another share of that name would lose it. */
static void check_name(struct making *m)
{
        for (int i = next_share(m->f, -1); i >= 0; i = next_share(m->f, i)) {
                const struct record *r = m->f->records.v[i];
                if (r != m->c->today && strcasecmp(record_str(r, "name"), m->c->share) == 0)
                        add_fault(m, A_SHARE, _("There is a share \"%s\" already, for %s. Take another name."), m->c->share,
                                  record_str(r, "path"));
        }
}

/* --- disks --- */

static const struct record *find_growth(const struct making *m, const char *as)
{
        RECORDS_FOREACH(r, &m->f->records)
        {
                _cleanup_free_ char *why = NULL;
                if (!streq(r->word, "growth") || !uuid_equal(record_str(r, "array"), record_str(m->c->array, "uuid")))
                        continue;
                if (as ? record_is(r, "as", as) : !(why = growth_refused(r)))
                        return r;
        }
        return NULL;
}

char *growth_refused(const struct record *growth)
{
        /* TRANSLATORS: why an array can't be changed so: behind the name of the change, 41 columns. */
        static const struct {
                const char *why, *words;
        } reasons[] = {
                {"degraded", N_("a disk is missing: replace it first")},
                {"syncing", N_("not while its protection is being built")},
                {"reshaping", N_("not while it is being changed")},
                {"checking", N_("not while its disks are read through")},
                {"readonly", N_("not before a file was put there")},
                {"unsafe", N_("a power cut could then lose all files")},
                {"no-room", N_("its disks have no room for that")},
                {"ppl", N_("its log (PPL) does not go with that")},
                {"level", N_("arrays of this kind can't do that")},
                {"external", N_("it belongs to the RAID of the mainboard")},
        };
        const char *why = record_str(growth, "refused");

        if (!*why)
                return NULL;
        for (size_t i = 0; i < ELEMENTSOF(reasons); i++)
                if (streq(reasons[i].why, why))
                        return xstrdup(_(reasons[i].words));
        return xstrdup(why);
}

void member_range_for(const struct disk *d, uint64_t needs, uint64_t *ret_start, uint64_t *ret_end)
{
        member_range(d->size, ret_start, ret_end);
        uint64_t least = *ret_start + (needs + MIB - 1) / MIB * MIB;

        if (*ret_end < least && least + MIB <= d->size)
                *ret_end = least;
}

char *member_refused(const struct disk *d, const struct record *growth)
{
        uint64_t start, end, needs = growth ? record_u64(growth, "needs") : 0, sector = growth ? record_u64(growth, "sector") : 0;

        if (!is_choosable(d) || *d->protected)
                return protected_words(d);
        if (is_failing(d))
                return xasprintf(_("%s is failing: an array would lose it soon."), d->name);
        if (sector > 0 && d->sector > sector)
                return xasprintf(_("%s has sectors of %u bytes, which the files on this array can't use."), d->name, d->sector);
        member_range_for(d, needs, &start, &end);
        if (end - start >= needs)
                return NULL;
        _cleanup_free_ char *lack = size_words(MAX2(needs - (end - start), MIB));
        return xasprintf(_("%s is too small by %s."), d->name, lack);
}

/* Blank ones that are large enough, the smallest first: what is larger is lost in this array. */
static char *advised_disks(const struct making *m, unsigned n, const struct record *growth)
{
        _cleanup_strv_ char **list = NULL;

        for (unsigned k = 0; k < n; k++) {
                const struct disk *best = NULL;
                for (size_t i = 0; i < m->f->n_disks; i++) {
                        const struct disk *d = &m->f->disks[i];
                        _cleanup_free_ char *why = member_refused(d, growth);
                        if (!why && is_blank(d) && !strv_has(list, disk_key(m->f, d)) && (!best || d->size < best->size))
                                best = d;
                }
                if (best)
                        strv_add(&list, disk_key(m->f, best));
        }
        return list ? list_join(list) : NULL;
}

/* Of so many disks at least, and any number more where that is of use. */
static void check_members(struct making *m, unsigned n, bool more, const struct record *growth)
{
        for (unsigned i = 0; i < m->c->n_disks; i++) {
                _cleanup_free_ char *why = member_refused(m->c->disks[i], growth);
                if (why)
                        add_fault(m, A_USE, "%s", why);
        }
        if (m->c->n_disks < n || (m->c->n_disks > n && !more))
                add_fault(m, A_USE, Q_("This takes %u disk.", "This takes %u disks.", n), n);
}

static void take_members(struct making *m, unsigned n, bool more, const struct record *growth)
{
        struct answers over = *m->a;
        struct making with = *m;
        uint64_t needs = growth ? record_u64(growth, "needs") : 0;
        _cleanup_free_ char *advice = over.v[A_USE] ? NULL : advised_disks(m, n, growth);

        if (!over.v[A_USE] && !advice) {
                _cleanup_free_ char *size = size_words(needs);
                add_fault(m, A_USE, _("No free disk here is large enough: it takes %s. Connect one, and choose it."), size);
                return;
        }
        m->c->member_least = needs;
        keep(&over, A_USE, advice);
        with.a = &over;
        make_disks(&with);
        make_sets(&with);
        check_members(m, n, more, growth);
}

static void make_add(struct making *m)
{
        const char *as = m->a->v[A_AS];
        struct choices *c = m->c;

        c->growth = find_growth(m, as);
        if (!c->growth) {
                add_fault(m, A_AS, "%s", as ? _("This array can't be changed so.") : _("No disk can be added to this array now."));
                return;
        }
        _cleanup_free_ char *why = growth_refused(c->growth);
        if (why)
                add_fault(m, A_AS, "%s", why);
        unsigned n = (unsigned)record_u64(c->growth, "add"), places = (unsigned)record_u64(c->growth, "devices");
        uint64_t more = record_u64(c->growth, "more");
        if (n > 0)
                take_members(m, n, more > 0, c->growth);
        unsigned further = c->n_disks > n ? c->n_disks - n : 0;
        c->devices = places + further;
        c->grown = record_u64(c->growth, "size") + more * further;
}

bool is_member_failing(const struct facts *f, const struct record *member)
{
        const char *name = record_str(member, "disk");
        const struct disk *d = *name ? facts_disk_of(f, name) : NULL;

        return d && is_failing(d);
}

/* The member that is meant: the first one that is lost or failing where none is named. */
static const struct record *find_old(const struct making *m)
{
        const char *name = m->a->v[A_OLD];

        RECORDS_FOREACH(r, &m->f->records)
        {
                if (!streq(r->word, "member") || !uuid_equal(record_str(r, "array"), record_str(m->c->array, "uuid")))
                        continue;
                if (name ? record_is(r, "partition", name) || record_is(r, "name", name) || record_is(r, "serial", name)
                         : record_is(r, "state", "faulty") || record_is(r, "state", "missing") || is_member_failing(m->f, r))
                        return r;
        }
        return NULL;
}

static void make_replace(struct making *m)
{
        struct choices *c = m->c;

        c->growth = find_growth(m, "spare");
        c->old = find_old(m);
        if (!c->old) {
                const char *name = m->a->v[A_OLD];
                if (name)
                        add_fault(m, A_OLD, _("\"%s\" is no disk of this array."), name);
                else
                        add_fault(m, A_OLD, "%s", _("No disk of this array has failed. Say which one is to be replaced."));
                return;
        }
        take_members(m, 1, false, c->growth);
}

static void make_array_job(struct making *m)
{
        struct choices *c = m->c;

        c->array = find_array(m->f, m->a->v[A_ARRAY]);
        if (!c->array) {
                add_fault(m, A_ARRAY, "%s", _("There is no such array here."));
                return;
        }
        c->room = array_files(m->f, c->array);
        c->n_before = (unsigned)record_u64(c->array, "devices");
        c->slug = xstrdup(array_name(record_str(c->array, "name")));
        if (c->job == JOB_ADD)
                make_add(m);
        else if (c->job == JOB_REPLACE)
                make_replace(m);
        else if (!array_can_start(m->f, c->array))
                add_fault(m, A_DO, "%s", _("This array need not be started, or can't be."));
}

/* --- all --- */

/* What screens may look at in any run. */
static void fill_in(struct choices *c)
{
        char **const texts[] = {&c->slug, &c->mount, &c->type, &c->share, &c->comment, &c->workgroup, &c->access, &c->test};

        for (size_t i = 0; i < ELEMENTSOF(texts); i++)
                if (!*texts[i])
                        *texts[i] = xstrdup("");
}

static bool is_of_disks(enum job job)
{
        return job == JOB_ADD || job == JOB_REPLACE || job == JOB_START;
}

void make_later(struct making *m)
{
        struct choices *c = m->c;
        struct answers over = *m->a;
        struct making today = *m;
        _cleanup_faults_ struct faults unused = {0};

        c->job = job_find(m->a->v[A_DO]);
        if (c->job == N_JOBS) {
                add_fault(m, A_DO, "%s", _("What is to be changed can be: network, share, speed, add, replace, start."));
                c->job = JOB_SPEED;
        }
        today.a = &over;
        if (is_of_disks(c->job)) {
                make_array_job(m);
                today.faults = &unused;
        } else {
                find_share(m);
        }
        keep_network(m->f, c->job, &over);
        make_network(&today);
        if (c->today) {
                keep_share(c, &over);
                make_share(&today);
                c->keeps_password = c->has_user && !m->a->v[A_PASSWORD] && record_is(c->today, "user", c->user);
                check_name(&today);
                c->mount = xstrdup(record_str(c->today, "path"));
        }
        fill_in(c);
}

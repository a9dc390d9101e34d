#include "wizard/plan_private.h"

#include <errno.h>
#include <time.h>

#include "wizard/choices_later.h"
#include "wizard/i18n.h"

#define PLAN_VERSION 1

static const struct {
        const char *name, *title;
        bool in_turn; /* its calls hang on each other */
} steps[] = {
        {"network", N_("Network"), true}, {"system", N_("Computer"), true}, {"packages", N_("Programs"), true}, {"clear", N_("Clearing"), true},  {"disks", N_("Disks"), false},
        {"array", N_("Protection"), false}, {"files", N_("Files"), false},    {"mount", N_("Start-up"), false},
        {"share", N_("Share"), true},       {"speed", N_("Speed test"), false},
        {"grow", N_("Growing"), true},      {"replace", N_("Replacing"), true},
        {"start", N_("Starting"), true},
};

static const char *const helpers[] = {"nas-net", "nas-system", "nas-disk", "nas-raid", "nas-fs", "nas-share", "nas-speed"};

const char *step_title(const char *name)
{
        for (size_t i = 0; i < ELEMENTSOF(steps); i++)
                if (streq(steps[i].name, name))
                        return _(steps[i].title);
        return name;
}

/* --- identities --- */

/* splitmix64 (Steele, Lea, Flood 2014): only for tests, which want the same plan twice. */
static uint64_t next(uint64_t *seed)
{
        uint64_t z = (*seed += UINT64_C(0x9e3779b97f4a7c15));

        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        return z ^ (z >> 31);
}

char *plan_new_uuid(uint64_t *seed)
{
        if (!*seed)
                return uuid_new();
        unsigned long long a = next(seed), b = next(seed);
        return xasprintf("%08llx-%04llx-4%03llx-a%03llx-%012llx", a >> 32, a >> 16 & 0xffff, a & 0xfff, b >> 48 & 0xfff,
                         b & 0xffffffffffffULL);
}

static char *time_text(uint64_t seed)
{
        char text[32];
        time_t now = seed ? 1767225600 : time(NULL);
        struct tm tm;

        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
        return xstrdup(text);
}

/* --- making --- */

static struct record *add(struct making *m, const char *word)
{
        struct record *r = record_new(word);

        records_add(m->rs, r);
        return r;
}

struct record *plan_add_step(struct making *m, const char *name)
{
        struct record *r = add(m, "step");

        record_set(r, "name", name);
        return r;
}

struct record *plan_add_call(struct making *m, const char *helper, const char *verb)
{
        struct record *r = add(m, helper);

        record_set(r, "verb", verb);
        return r;
}

static void add_head(struct making *m, const struct answers *a)
{
        struct record *r = add(m, "plan");
        _cleanup_free_ char *id = plan_new_uuid(&m->seed), *made = time_text(m->seed);

        record_set_u64(r, "version", PLAN_VERSION);
        record_set(r, "id", id);
        record_set(r, "made", made);
        answers_records(a, m->rs);
}

/* Whoever set this up over the network must be able to come back before anything else is done. */
static void add_trial(struct making *m, struct record *r)
{
        record_set_u64(r, "trial", PLAN_TRIAL_SECONDS);
        record_set(plan_add_call(m, "nas-net", "wait"), "client", *m->f->from ? m->f->from : NULL);
}

void plan_add_network(struct making *m)
{
        if (m->c->keeps_network || m->c->is_offline)
                return;
        plan_add_step(m, "network");
        struct record *r = plan_add_call(m, "nas-net", "static");
        record_set(r, "port", m->c->port->mac);
        record_set(r, "address", m->c->address);
        record_set(r, "gateway", *m->c->gateway ? m->c->gateway : NULL);
        record_set(r, "dns", *m->c->dns ? m->c->dns : NULL);
        record_set(r, "domain", *m->c->domain ? m->c->domain : NULL);
        if (!streq(m->c->ipv6, "router")) { /* which is how it is left */
                record_set(r, "ipv6", m->c->ipv6);
                record_set(r, "address6", *m->c->address6 ? m->c->address6 : NULL);
                record_set(r, "gateway6", *m->c->gateway6 ? m->c->gateway6 : NULL);
        }
        record_set(r, "name", m->c->host);
        record_set(r, "others", m->c->others_off ? "off" : "keep");
        if (m->c->off)
                record_set_list(r, "off", m->c->off);
        if (m->f->ssh)
                add_trial(m, r);
}

/* As nas-disk release calls the kinds of layers. */
static const struct {
        const char *type, *what, *words; /* words: its name, then its disks */
} layer_kinds[] = {
        {"md", "md", N_("STOPS the array %s on %s")},        {"lvm", "dm", N_("STOPS the volume %s on %s")},
        {"crypt", "dm", N_("STOPS the volume %s on %s")},    {"dm", "dm", N_("STOPS the volume %s on %s")},
        {"loop", "loop", N_("STOPS the volume %s on %s")},   {"mount", "mount", N_("UNMOUNTS %s on %s")},
        {"swap", "swap", N_("STOPS the swap space %s on %s")},
};

static const char *layer_what(const struct layer *l)
{
        for (size_t i = 0; i < ELEMENTSOF(layer_kinds); i++)
                if (streq(layer_kinds[i].type, l->type))
                        return layer_kinds[i].what;
        return l->type;
}

/* As after= of nas-disk partition names it. */
static char *layer_id(const struct layer *l)
{
        if (*l->uuid)
                return xstrdup(l->uuid);
        bool has_place = streq(l->type, "mount") || streq(l->type, "swap");
        return has_place ? xasprintf("%s:%s", l->type, l->name) : xstrdup(l->name);
}

static void add_release(struct making *m, const struct layer *l)
{
        struct record *r = plan_add_call(m, "nas-disk", "release");
        _cleanup_strv_ char **keys = NULL;

        STRV_FOREACH(name, l->disks) {
                const struct disk *d = facts_disk_of(m->f, *name);
                if (d)
                        strv_add(&keys, disk_key(m->f, d));
        }
        record_set(r, "what", layer_what(l));
        record_set(r, "uuid", *l->uuid ? l->uuid : NULL);
        record_set(r, "name", l->name);
        record_set_list(r, "disks", keys);
}

/* The array's own name says more to a person than the kernel's. */
static const char *layer_known_as(const struct facts *f, const struct layer *l)
{
        const struct set *set = streq(l->type, "md") ? facts_set(f, l->uuid) : NULL;

        return set && *set->name ? set->name : l->name;
}

void plan_add_clear(struct making *m)
{
        const struct choices *c = m->c;
        _cleanup_strv_ char **names = NULL;

        if (c->n_release == 0)
                return;
        struct record *step = plan_add_step(m, "clear");
        for (unsigned i = 0; i < c->n_release; i++) {
                strv_add(&names, layer_known_as(m->f, c->release[i]));
                add_release(m, c->release[i]);
        }
        record_set_list(step, "stops", names);
}

static void set_after(struct making *m, struct record *r, const struct disk *d)
{
        _cleanup_strv_ char **ids = NULL, **chosen = NULL;

        for (unsigned i = 0; i < m->c->n_release; i++)
                if (strv_has(m->c->release[i]->disks, d->name))
                        strv_take(&ids, layer_id(m->c->release[i]));
        if (!ids)
                return;
        record_set_list(r, "after", ids);
        for (unsigned i = 0; i < m->c->n_disks; i++)
                strv_add(&chosen, disk_key(m->f, m->c->disks[i]));
        record_set_list(r, "disks", chosen);
}

static void add_disk(struct making *m, unsigned i)
{
        const struct disk *d = m->c->disks[i];
        struct record *r = plan_add_call(m, "nas-disk", "partition");
        _cleanup_free_ char *guid = plan_new_uuid(&m->seed);
        char *part = plan_new_uuid(&m->seed);
        uint64_t start, end;

        member_range_for(d, m->c->member_least, &start, &end);
        record_set(r, "disk", disk_key(m->f, d));
        record_set(r, "serial", *d->serial ? d->serial : NULL);
        record_set_u64(r, "size", d->size);
        record_set(r, "found", *d->found ? d->found : NULL);
        record_set(r, "guid", guid);
        record_set(r, "part", part);
        record_setf(r, "name", "nas-%s-%u", m->c->slug, m->c->n_before + i + 1);
        record_set_u64(r, "start", start);
        record_set_u64(r, "end", end);
        set_after(m, r, d);
        strv_take(&m->members, part);
}

void plan_add_disks(struct making *m)
{
        struct record *step = plan_add_step(m, "disks");
        _cleanup_strv_ char **destroys = NULL;

        for (unsigned i = 0; i < m->c->n_erased; i++)
                strv_add(&destroys, disk_key(m->f, m->c->erased[i]));
        if (destroys)
                record_set_list(step, "destroys", destroys);
        for (unsigned i = 0; i < m->c->n_disks; i++)
                add_disk(m, i);
}

static void add_array(struct making *m, const char *uuid)
{
        const struct choices *c = m->c;

        record_set_u64(plan_add_step(m, "array"), "size", c->capacity.array);
        struct record *r = plan_add_call(m, "nas-raid", "create");
        record_set(r, "uuid", uuid);
        record_set(r, "name", c->slug);
        record_set(r, "level", c->level->name);
        if (c->level->chunked)
                record_set_u64(r, "chunk", c->chunk);
        record_set_list(r, "members", m->members);
        record_set_u64(r, "offset", c->capacity.offset);
        record_set(r, "bitmap", c->level->bitmap ? "internal" : "none");
        if (c->spares)
                record_set_u64(r, "spares", c->spares);
}

static void add_adopt(struct making *m)
{
        record_set_u64(plan_add_step(m, "array"), "size", m->c->capacity.array);
        struct record *r = plan_add_call(m, "nas-raid", "adopt");
        record_set(r, "uuid", m->c->keep->set->uuid);
        record_set(r, "name", m->c->slug);
}

static void add_format(struct making *m, const char *array, const char *uuid)
{
        struct record *step = plan_add_step(m, "files");
        if (m->c->files > 0)
                record_set_u64(step, "size", m->c->files);
        struct record *r = plan_add_call(m, "nas-fs", "format");
        record_set(r, "array", array);
        record_set(r, "uuid", uuid);
        record_set(r, "label", m->c->slug);
        record_set(r, "type", m->c->type);
}

static void add_mount(struct making *m, const char *array, const char *uuid)
{
        plan_add_step(m, "mount");
        struct record *r = plan_add_call(m, "nas-fs", "mount");
        record_set(r, "array", array);
        record_set(r, "uuid", uuid);
        record_set(r, "type", m->c->type);
        record_set(r, "mount", m->c->mount);
        record_set(r, "files", m->c->keep ? "kept" : NULL);
}

/* The address alone: the prefix is not part of a \\server. */
static char *host_part(const char *address)
{
        return xstrndup(address, strcspn(address, "/"));
}

/* What the person chose of it; the password comes on standard input, and is nowhere here. */
void plan_set_share(struct record *r, const struct choices *c)
{
        record_set(r, "name", c->share);
        record_set(r, "comment", c->comment);
        record_set(r, "workgroup", c->workgroup);
        record_set(r, "access", c->access);
        record_set(r, "user", c->has_user ? c->user : NULL);
        record_set(r, PASSWORD_KEY, c->has_user && !c->keeps_password ? "0" : NULL);
        record_set(r, "announce", c->announces ? "yes" : NULL);
        record_set(r, "firewall", c->opens ? "open" : NULL);
        record_set(r, "macs", c->for_macs ? "yes" : NULL);
        record_set(r, "timemachine", NULL);
        if (c->backups)
                record_set_u64(r, "timemachine", c->backups);
        record_set(r, "greet", c->greets ? "yes" : NULL);
        record_set(r, "summary", c->leaves_summary ? "yes" : NULL);
}

void plan_add_share(struct making *m, const char *uuid)
{
        const struct choices *c = m->c;
        _cleanup_free_ char *address = host_part(c->address);

        struct record *r = plan_add_call(m, "nas-share", "set");
        record_set(r, "name", c->share);
        record_set(r, "path", c->mount);
        record_set(r, "uuid", uuid);
        record_set(r, "netbios", c->netbios);
        record_set(r, "allow", c->subnet);
        record_set(r, "address", address);
        plan_set_share(r, c);
        record_set(r, "files", c->keep ? "give" : NULL);
}

void plan_add_speed(struct making *m)
{
        const struct choices *c = m->c;
        _cleanup_free_ char *address = host_part(c->address);

        if (streq(c->test, "none"))
                return;
        plan_add_step(m, "speed");
        struct record *r = plan_add_call(m, "nas-speed", "run");
        record_set(r, "mount", c->mount);
        record_set(r, "share", c->share);
        record_set(r, "address", address);
        record_set(r, "test", c->test);
}

void plan_make(const struct facts *f, const struct answers *a, const struct choices *c, uint64_t seed, struct plan *ret)
{
        struct records rs = {0};
        struct making m = {.f = f, .c = c, .rs = &rs, .seed = seed};

        add_head(&m, a);
        _cleanup_free_ char *array = plan_new_uuid(&m.seed), *fs = plan_new_uuid(&m.seed);
        const char *kept_array = c->keep ? c->keep->set->uuid : array, *kept_fs = c->keep ? c->keep->files->uuid : fs;
        if (c->job != JOB_SETUP) {
                plan_add_later(&m);
                ret->records = rs;
                return;
        }
        plan_add_network(&m);
        plan_add_system(&m);
        if (c->keep) {
                add_adopt(&m);
        } else {
                plan_add_clear(&m);
                plan_add_disks(&m);
                add_array(&m, array);
                add_format(&m, array, fs);
        }
        add_mount(&m, kept_array, kept_fs);
        if (!c->is_offline) {
                plan_add_step(&m, "share");
                plan_add_share(&m, kept_fs);
                plan_add_speed(&m);
        }
        strv_free(m.members);
        ret->records = rs;
}

/* --- reading --- */

static bool is_helper(const char *word)
{
        for (size_t i = 0; i < ELEMENTSOF(helpers); i++)
                if (streq(helpers[i], word))
                        return true;
        return false;
}

size_t plan_steps(const struct plan *p)
{
        size_t n = 0;

        for (size_t i = 0; i < p->records.n; i++)
                n += streq(p->records.v[i]->word, "step");
        return n;
}

bool plan_step(const struct plan *p, size_t wanted, struct step *ret)
{
        const struct records *rs = &p->records;
        size_t seen = 0;

        for (size_t i = 0; i < rs->n; i++) {
                if (!streq(rs->v[i]->word, "step") || seen++ != wanted)
                        continue;
                size_t end = i + 1;
                while (end < rs->n && is_helper(rs->v[end]->word))
                        end++;
                *ret = (struct step){
                        .name = record_str(rs->v[i], "name"), .calls = rs->v + i + 1, .n_calls = end - i - 1};
                for (size_t k = 0; k < ELEMENTSOF(steps); k++)
                        ret->in_turn |= streq(steps[k].name, ret->name) && steps[k].in_turn;
                return true;
        }
        return false;
}

const struct record *plan_call(const struct plan *p, const char *helper, const char *verb)
{
        return records_find(&p->records, helper, "verb", verb);
}

static bool is_answer_word(const char *word)
{
        for (int i = 0; i < N_ANSWERS; i++)
                if (streq(answer_word((enum answer)i), word))
                        return true;
        return false;
}

void plan_answers(const struct plan *p, struct answers *ret)
{
        struct records rs = {0};
        struct record_error error;

        for (size_t i = 0; i < p->records.n; i++)
                if (is_answer_word(p->records.v[i]->word))
                        records_add(&rs, record_copy(p->records.v[i]));
        if (answers_from_records(&rs, ret, &error) < 0)
                *ret = (struct answers){0};
        records_free(&rs);
}

bool is_plan(const struct records *rs)
{
        return rs->n > 0 && streq(rs->v[0]->word, "plan");
}

static const char *why_not(const struct record *r, bool in_step)
{
        if (streq(r->word, "step"))
                return *record_str(r, "name") ? NULL : N_("a step needs a name");
        if (is_helper(r->word)) {
                if (!in_step)
                        return N_("a call stands before the first step");
                return *record_str(r, "verb") ? NULL : N_("a call needs verb=");
        }
        if ((is_answer_word(r->word) || streq(r->word, "before")) && !in_step)
                return NULL;
        return N_("this word has no place in a plan");
}

int plan_from_records(struct records *rs, struct plan *ret, struct record_error *ret_error)
{
        bool in_step = false;
        const char *why = NULL;
        size_t i = 0;

        if (!is_plan(rs))
                why = N_("a plan begins with a plan record");
        else if (record_u64(rs->v[0], "version") != PLAN_VERSION)
                why = N_("this plan is of another version; make it again");
        for (i = why ? 0 : 1; !why && i < rs->n; i++) {
                in_step |= streq(rs->v[i]->word, "step");
                why = why_not(rs->v[i], in_step);
        }
        if (why) {
                *ret_error = (struct record_error){.line = rs->n ? rs->v[MAX2(i, 1u) - 1]->line : 1, .column = 1, .why = why};
                return -EBADMSG;
        }
        ret->records = *rs;
        *rs = (struct records){0};
        return 0;
}

/* --- text --- */

static void _printf_(2, 3) text_comment(struct buf *b, const char *fmt, ...)
{
        va_list ap;

        va_start(ap, fmt);
        _cleanup_free_ char *text = xvasprintf(fmt, ap);
        va_end(ap);
        buf_printf(b, "# %s\n", text);
}

static void text_release(struct buf *b, const struct record *call, const char *known_as)
{
        _cleanup_free_ char *name = quote(known_as ? known_as : record_str(call, "name"));
        _cleanup_strv_ char **disks = record_get_list(call, "disks"), **quoted = NULL;

        STRV_FOREACH(d, disks)
                strv_take(&quoted, quote(*d));
        _cleanup_free_ char *on = strv_join(quoted, ", ");

        for (size_t i = 0; i < ELEMENTSOF(layer_kinds); i++)
                if (record_is(call, "what", layer_kinds[i].what)) {
                        text_comment(b, _(layer_kinds[i].words), name, on);
                        return;
                }
}

/* What is lost or stopped, in words. Names in it are quoted: a line break in one would end the comment. */
static void text_step(struct buf *b, const struct step *step, const struct record *r, size_t number, size_t total)
{
        _cleanup_strv_ char **destroys = record_get_list(r, "destroys"), **stops = record_get_list(r, "stops");
        size_t n_stops = strv_len(stops);

        buf_puts(b, "\n");
        text_comment(b, _("Step %zu of %zu: %s"), number, total, step_title(step->name));
        for (size_t i = 0; i < step->n_calls; i++)
                if (record_is(step->calls[i], "verb", "release"))
                        text_release(b, step->calls[i], i < n_stops ? stops[i] : NULL);
                else if (record_is(step->calls[i], "verb", "adopt"))
                        text_comment(b, "%s", _("KEEPS the array that is there, with all files in it"));
        STRV_FOREACH(d, destroys) {
                _cleanup_free_ char *name = quote(*d);
                text_comment(b, _("ERASES everything on the disk %s"), name);
        }
}

char *plan_text(const struct plan *p)
{
        struct buf b = {0};
        size_t number = 0, total = plan_steps(p);
        struct step step;

        for (size_t i = 0; i < p->records.n; i++) {
                const struct record *r = p->records.v[i];
                _cleanup_free_ char *line = record_text(r);
                if (streq(r->word, "step") && plan_step(p, number, &step))
                        text_step(&b, &step, r, ++number, total);
                buf_printf(&b, "%s\n", line);
                if (i == 0)
                        text_comment(&b, "%s", _("Each line of a step can be run by hand as it stands."));
        }
        return b.buf ? b.buf : xstrdup("");
}

char **call_argv(const struct record *call)
{
        char **argv = NULL;

        _cleanup_free_ char *folder = own_folder();

        strv_take(&argv, path_join(folder, call->word));
        strv_add(&argv, record_str(call, "verb"));
        for (size_t i = 0; i < call->n; i++)
                if (!streq(call->fields[i].key, "verb"))
                        strv_take(&argv, xasprintf("%s=%s", call->fields[i].key, call->fields[i].value));
        return argv;
}

void plan_free(struct plan *p)
{
        records_free(&p->records);
}

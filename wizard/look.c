#include "wizard/look.h"

#include "helpers/lib/run.h"
#include "wizard/i18n.h"

/* The helpers themselves give up a disk that does not answer before this. */
#define LIST_MS 40000
#define BLOCK_MAX 20000 /* records */
#define REST_MS 2000    /* the ports are put back within that */
#define BAD_MAX 3       /* blocks in a row that can't be understood */

enum { NET, SYSTEM, RAID, FS, SHARE, SPEED, DISK, N_PARTS };

static const struct {
        const char *name;
        bool watches; /* tells blocks for as long as it lives, else one list */
} helpers[N_PARTS] = {
        [NET] = {"nas-net", true},     [SYSTEM] = {"nas-system", false}, [RAID] = {"nas-raid", false},   [FS] = {"nas-fs", false},
        [SHARE] = {"nas-share", false}, [SPEED] = {"nas-speed", false}, [DISK] = {"nas-disk", true},
};

struct part {
        struct run run;
        char *argv[3];
        struct records records; /* what it told last */
        bool is_running, is_known, watches;
        /* of a watch */
        struct records block; /* as far as it came */
        bool is_bad;          /* a line of it was not understood */
        unsigned bad;         /* such blocks in a row */
        bool has_news;
        bool is_resting;      /* was ended because nobody looks */
        bool only_lists;      /* watching is not possible */
};

struct look {
        struct part parts[N_PARTS];
        struct records system;
        bool has_begun, has_news;
};

/* What says how disks belong together comes last: a block that lacks anything is worse than none. */
static void take_block(struct part *p)
{
        if (p->is_bad || p->block.n >= BLOCK_MAX) {
                records_free(&p->block);
                p->is_bad = false;
                p->bad++;
                return;
        }
        p->bad = 0;
        records_free(&p->records);
        p->records = p->block;
        p->block = (struct records){0};
        p->is_known = p->has_news = true;
}

static void take_line(void *ctx, const char *line)
{
        struct part *p = ctx;
        struct record *r = NULL;
        struct record_error error;

        if (record_parse(line, &r, &error) < 0)
                p->is_bad = true;
        if (!r)
                return;
        if (streq(r->word, "listed"))
                take_block(p);
        else if (!streq(r->word, "result") && p->block.n < BLOCK_MAX) {
                records_add(&p->block, r);
                return;
        }
        record_free(r);
}

static void begin(struct look *l, int i)
{
        struct part *p = &l->parts[i];

        p->argv[1] = (char *)(p->watches ? "watch" : "list");
        p->run = (struct run){.argv = p->argv, .deadline_ms = p->watches ? 0 : LIST_MS};
        if (p->watches) {
                p->run.on_line = take_line;
                p->run.forgets = true;
                p->run.ctx = p;
        }
        p->bad = 0;
        p->is_running = run_begin(&p->run) == 0;
}

struct look *look_new(void)
{
        struct look *l = xmalloc(sizeof *l);

        facts_add_system(&l->system);
        l->has_news = true;
        return l;
}

void look_begin(struct look *l, bool holds_ports)
{
        _cleanup_free_ char *folder = own_folder();

        for (int i = 0; i < N_PARTS; i++) {
                l->parts[i].argv[0] = path_join(folder, helpers[i].name);
                l->parts[i].watches = helpers[i].watches && (i != NET || holds_ports);
                begin(l, i);
        }
        l->has_begun = true;
}

/* What the watch did not come to before it ended is unknown, and unknown is not blank. */
static void give_up(struct part *p)
{
        RECORDS_FOREACH(r, &p->records)
        {
                if (record_is(r, "holds", "looking"))
                        record_set(r, "holds", "unknown");
                if (record_is(r, "state", "looking"))
                        record_set(r, "state", "unknown");
        }
}

static void add_unclear(struct records *said)
{
        struct record *r = record_new("error");

        record_set(r, "code", "unclear");
        records_add(said, r);
}

static void ended(struct look *l, int i)
{
        struct part *p = &l->parts[i];

        p->is_running = false;
        run_let_go(&p->run);
        if (i == NET && p->watches && !p->is_known) { /* ports that stay as they are seen are better than none */
                p->watches = false;
                p->only_lists = true;
                run_free(&p->run);
                begin(l, i);
                return;
        }
        if (!p->watches) {
                records_free(&p->records);
                facts_add_list(&p->records, helpers[i].name, &p->run);
        } else {
                struct records said = p->block;
                p->block = (struct records){0};
                if (p->bad >= BAD_MAX)
                        add_unclear(&said);
                give_up(p);
                facts_add_missing(&p->records, helpers[i].name, &p->run, &said);
                records_free(&said);
        }
        p->is_known = l->has_news = true;
}

static void add_all(struct records *to, const struct records *from)
{
        for (size_t i = 0; i < from->n; i++)
                records_add(to, record_copy(from->v[i]));
}

static void add_looking(struct records *rs, const char *helper)
{
        struct record *r = record_new("looking");

        record_set(r, "helper", helper);
        records_add(rs, r);
}

/* A watch that can't be understood would be waited for without end. */
static bool has_ended(struct look *l, int i)
{
        struct part *p = &l->parts[i];

        if (!p->is_running)
                return !p->is_known && !p->is_resting;
        return run_poll(&p->run, 1, 0) == 0 || p->bad >= BAD_MAX;
}

bool look_next(struct look *l, const struct facts *now, struct facts *ret)
{
        struct records rs = {0};

        for (int i = 0; i < N_PARTS && l->has_begun; i++) {
                if (has_ended(l, i))
                        ended(l, i);
                l->has_news |= l->parts[i].has_news;
                l->parts[i].has_news = false;
        }
        if (!l->has_news)
                return false;
        l->has_news = false;
        for (int i = 0; i < N_PARTS; i++)
                if (l->parts[i].is_known)
                        add_all(&rs, &l->parts[i].records);
                else
                        add_looking(&rs, helpers[i].name);
        add_all(&rs, &l->system);
        RECORDS_FOREACH(r, &now->records)
        if (streq(r->word, "check"))
                records_add(&rs, record_copy(r));
        facts_from_records(&rs, ret);
        return true;
}

static void rest(struct part *p)
{
        uint64_t until = now_ms() + REST_MS;

        run_end(&p->run);
        while (p->is_running && run_poll(&p->run, 1, 50) > 0 && now_ms() < until)
                ;
        run_let_go(&p->run);
        run_free(&p->run);
        records_free(&p->block);
        p->run = (struct run){0};
        p->is_running = false;
}

void look_network(struct look *l, bool on)
{
        struct part *p = l ? &l->parts[NET] : NULL;

        if (!p || !l->has_begun || p->only_lists || (p->watches && !p->is_resting) == on || (on && p->is_running))
                return;
        p->is_resting = !on;
        if (!on) {
                rest(p);
                return;
        }
        p->watches = true;
        begin(l, NET);
}

void look_again(struct look *l, bool all)
{
        static const int parts[] = {RAID, FS, SHARE};

        for (size_t i = 0; l && l->has_begun && i < (all ? ELEMENTSOF(parts) : 1); i++) {
                struct part *p = &l->parts[parts[i]];
                if (p->is_running || !p->is_known)
                        continue;
                run_free(&p->run);
                begin(l, parts[i]);
        }
}

void look_free(struct look *l)
{
        if (!l)
                return;
        for (int i = 0; i < N_PARTS; i++) {
                struct part *p = &l->parts[i];
                run_let_go(&p->run);
                run_free(&p->run);
                records_free(&p->records);
                records_free(&p->block);
                free(p->argv[0]);
        }
        records_free(&l->system);
        free(l);
}

bool is_awaited(const struct facts *f, const char *helper)
{
        return records_find(&f->records, "looking", helper ? "helper" : NULL, helper) != NULL;
}

/* Names of the disks in one that are not in the other; a name that fits several there is one of them. */
static char **only_in(const struct facts *one, const struct facts *other)
{
        char **list = NULL;
        size_t n;

        for (size_t i = 0; i < one->n_disks; i++)
                if (!facts_disk(other, disk_key(one, &one->disks[i]), &n) && n == 0)
                        strv_add(&list, one->disks[i].name);
        return list;
}

/* Sentences of what came and went are told one behind the other. */
static void tell(struct buf *b, char *const *names, const char *words)
{
        _cleanup_free_ char *list = names ? strv_join(names, ", ") : NULL;

        if (!list)
                return;
        if (b->len > 0)
                buf_puts(b, " ");
        buf_printf(b, words, list);
}

static void tell_disks(struct buf *b, const struct facts *before, const struct facts *after, bool *ret_is_loss)
{
        _cleanup_strv_ char **gone = only_in(before, after), **come = only_in(after, before);

        *ret_is_loss |= gone != NULL;
        tell(b, gone, Q_("%s was unplugged or lost its power.", "%s were unplugged or lost their power.", strv_len(gone)));
        tell(b, come, Q_("A new disk is here: %s.", "New disks are here: %s.", strv_len(come)));
}

static const struct port *same_port(const struct facts *f, const struct port *p)
{
        return port_is_choosable(p) && *p->mac ? facts_port(f, p->mac) : NULL;
}

static void tell_ports(struct buf *b, const struct facts *before, const struct facts *after, bool *ret_is_loss)
{
        _cleanup_strv_ char **plugged = NULL, **unplugged = NULL, **come = NULL, **gone = NULL;

        for (size_t i = 0; i < after->n_ports; i++) {
                const struct port *p = &after->ports[i], *was = same_port(before, p);
                if (port_is_choosable(p) && !was)
                        strv_add(&come, p->name);
                else if (was && was->carrier == NO && p->carrier == YES)
                        strv_add(&plugged, p->name);
                else if (was && was->carrier == YES && p->carrier == NO)
                        strv_add(&unplugged, p->name);
        }
        for (size_t i = 0; i < before->n_ports; i++)
                if (port_is_choosable(&before->ports[i]) && !same_port(after, &before->ports[i]))
                        strv_add(&gone, before->ports[i].name);
        *ret_is_loss |= gone != NULL;
        tell(b, gone, Q_("The port %s was unplugged.", "The ports %s were unplugged.", strv_len(gone)));
        tell(b, come, Q_("A new port is here: %s.", "New ports are here: %s.", strv_len(come)));
        tell(b, unplugged, Q_("%s has no cable any more.", "%s have no cable any more.", strv_len(unplugged)));
        tell(b, plugged, Q_("%s has a cable now.", "%s have a cable now.", strv_len(plugged)));
}

char *look_news(const struct facts *before, const struct facts *after, bool *ret_is_loss)
{
        struct buf b = {0};

        *ret_is_loss = false;
        if (!is_awaited(before, "nas-disk"))
                tell_disks(&b, before, after, ret_is_loss);
        if (!is_awaited(before, "nas-net"))
                tell_ports(&b, before, after, ret_is_loss);
        return b.buf;
}

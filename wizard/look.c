#include "wizard/look.h"

#include "helpers/lib/run.h"
#include "wizard/i18n.h"

/* The helpers themselves give up a disk that does not answer before this. */
#define LIST_MS 40000
#define BLOCK_MAX 20000 /* records */
#define BAD_MAX 3       /* blocks in a row that can't be understood */

enum { NET, RAID, FS, SHARE, SPEED, DISK, N_PARTS };

static const char *const names[N_PARTS] = {"nas-net", "nas-raid", "nas-fs", "nas-share", "nas-speed", "nas-disk"};

struct part {
        struct run run;
        char *argv[3];
        struct records records; /* what it told last */
        bool is_running, is_known;
};

struct look {
        struct part parts[N_PARTS];
        struct records system;
        struct records block; /* of the watch, as far as it came */
        bool is_bad;          /* a line of it was not understood */
        unsigned bad;         /* such blocks in a row */
        bool has_begun, has_news;
};

/* What says how disks belong together comes last: a block that lacks anything is worse than none. */
static void take_block(struct look *l)
{
        struct part *p = &l->parts[DISK];

        if (l->is_bad || l->block.n >= BLOCK_MAX) {
                records_free(&l->block);
                l->is_bad = false;
                l->bad++;
                return;
        }
        l->bad = 0;
        records_free(&p->records);
        p->records = l->block;
        l->block = (struct records){0};
        p->is_known = l->has_news = true;
}

static void take_line(void *ctx, const char *line)
{
        struct look *l = ctx;
        struct record *r = NULL;
        struct record_error error;

        if (record_parse(line, &r, &error) < 0)
                l->is_bad = true;
        if (!r)
                return;
        if (streq(r->word, "listed"))
                take_block(l);
        else if (!streq(r->word, "result") && l->block.n < BLOCK_MAX) {
                records_add(&l->block, r);
                return;
        }
        record_free(r);
}

struct look *look_new(void)
{
        struct look *l = xmalloc(sizeof *l);

        facts_add_system(&l->system);
        l->has_news = true;
        return l;
}

void look_begin(struct look *l)
{
        _cleanup_free_ char *folder = own_folder();

        for (int i = 0; i < N_PARTS; i++) {
                struct part *p = &l->parts[i];
                p->argv[0] = path_join(folder, names[i]);
                p->argv[1] = (char *)(i == DISK ? "watch" : "list");
                p->run = (struct run){.argv = p->argv, .deadline_ms = i == DISK ? 0 : LIST_MS};
                if (i == DISK) {
                        p->run.on_line = take_line;
                        p->run.forgets = true;
                        p->run.ctx = l;
                }
                p->is_running = run_begin(&p->run) == 0;
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
        if (i != DISK) {
                facts_add_list(&p->records, names[i], &p->run);
        } else {
                struct records said = l->block;
                l->block = (struct records){0};
                if (l->bad >= BAD_MAX)
                        add_unclear(&said);
                give_up(p);
                facts_add_missing(&p->records, names[i], &p->run, &said);
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
                return !p->is_known;
        return run_poll(&p->run, 1, 0) == 0 || (i == DISK && l->bad >= BAD_MAX);
}

bool look_next(struct look *l, const struct facts *now, struct facts *ret)
{
        struct records rs = {0};

        for (int i = 0; i < N_PARTS && l->has_begun; i++)
                if (has_ended(l, i))
                        ended(l, i);
        if (!l->has_news)
                return false;
        l->has_news = false;
        for (int i = 0; i < N_PARTS; i++)
                if (l->parts[i].is_known)
                        add_all(&rs, &l->parts[i].records);
                else
                        add_looking(&rs, names[i]);
        add_all(&rs, &l->system);
        RECORDS_FOREACH(r, &now->records)
        if (streq(r->word, "check"))
                records_add(&rs, record_copy(r));
        facts_from_records(&rs, ret);
        return true;
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
                free(p->argv[0]);
        }
        records_free(&l->system);
        records_free(&l->block);
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

char *look_news(const struct facts *before, const struct facts *after, bool *ret_is_loss)
{
        if (is_awaited(before, "nas-disk"))
                return NULL;
        _cleanup_strv_ char **gone = only_in(before, after), **come = only_in(after, before);
        _cleanup_free_ char *g = gone ? strv_join(gone, ", ") : NULL, *c = come ? strv_join(come, ", ") : NULL;
        struct buf b = {0};

        *ret_is_loss = gone != NULL;
        if (g)
                buf_printf(&b, Q_("%s was unplugged or lost its power.", "%s were unplugged or lost their power.",
                                  strv_len(gone)), g);
        if (g && c)
                buf_puts(&b, " ");
        if (c)
                buf_printf(&b, Q_("A new disk is here: %s.", "New disks are here: %s.", strv_len(come)), c);
        return b.buf;
}

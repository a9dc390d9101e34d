#include "wizard/choices_later.h"
#include "wizard/page.h"

/* Adding disks to an array, and putting one in the place of another. */

#define TOP 4
#define ID_DISK 100  /* and the disk's place in the facts */
#define ID_ARRAY 900
#define NAME_X 6
#define ROOM_END 60
#define TIME_END 77

/* TRANSLATORS: what becomes of an array: 44 columns wide. */
static const struct {
        const char *as, *words, *more;
} ways[] = {
        {"grow", N_("More room"), N_("More room for files; as many disks may fail as before.")},
        {"level5", N_("More room: parity (RAID 5)"), N_("The mirror becomes an array with parity: more room, and any 1 disk may fail.")},
        {"mirror", N_("A mirror: all files on both disks"), N_("All files are on two disks then; one of them may fail.")},
        {"copy", N_("One more copy of all files"), N_("One disk more may fail then.")},
        {"spare", N_("A spare: takes a failed disk's place"), N_("It stands by. When a disk fails, it is filled in its place by itself.")},
        {"size", N_("The rest of the larger disks"), N_("All disks are larger than what is used of them: the rest becomes room for files.")},
        {"level6", N_("Double parity (RAID 6)"),
         N_("A power cut in the middle could lose all files, so it is not offered. Safe instead: a spare, or a new array with "
            "double parity beside this one.")},
};

static size_t way_of(const struct record *growth)
{
        size_t i = 0;

        while (i < ELEMENTSOF(ways) && !record_is(growth, "as", ways[i].as))
                i++;
        return i;
}

static const char *way_words(const struct record *growth)
{
        size_t i = way_of(growth);

        return i < ELEMENTSOF(ways) ? _(ways[i].words) : record_str(growth, "as");
}

/* The records are the form's: the next growth record of the array behind i, or -1. */
static int next_way(const struct session *s, int i)
{
        const struct records *rs = &s->facts->records;

        for (i++; s->choices.array && (size_t)i < rs->n; i++)
                if (streq(rs->v[i]->word, "growth") && !record_is(rs->v[i], "refused", "same") &&
                    uuid_equal(record_str(rs->v[i], "array"), record_str(s->choices.array, "uuid")))
                        return i;
        return -1;
}

static const struct record *way_of_id(const struct session *s, int id)
{
        int at = next_way(s, -1);

        while (id > 0 && at >= 0) {
                at = next_way(s, at);
                id--;
        }
        return id == 0 && at >= 0 ? s->facts->records.v[at] : NULL;
}

static const struct disk *disk_of_id(const struct session *s, int id)
{
        return id >= ID_DISK && (size_t)(id - ID_DISK) < s->facts->n_disks ? &s->facts->disks[id - ID_DISK] : NULL;
}

static bool is_chosen(const struct session *s, const struct disk *d)
{
        for (unsigned i = 0; i < s->choices.n_disks; i++)
                if (s->choices.disks[i] == d)
                        return true;
        return false;
}

/* --- how long --- */

/* A disk is read or written once from end to end; a reshape reads and writes every one. Rates as estimate_sync has. */
static uint64_t seconds_of(const struct session *s, const struct record *growth)
{
        bool reshapes = growth && (record_is(growth, "as", "grow") || record_is(growth, "as", "level5"));
        uint64_t rate = 150000000, size = growth ? record_u64(growth, "needs") : 0;

        if (growth && (record_is(growth, "as", "spare") || record_is(growth, "as", "size")))
                return 0;
        for (unsigned i = 0; i < s->choices.n_disks; i++)
                if (streq(s->choices.disks[i]->kind, "ssd") || streq(s->choices.disks[i]->kind, "nvme"))
                        rate = 400000000;
        return size / rate * (reshapes ? 2 : 1);
}

uint64_t estimate_later(const struct session *s)
{
        const struct choices *c = &s->choices;
        const struct record *g = c->growth;

        if (c->job == JOB_REPLACE && g)
                return record_u64(g, "needs") / 150000000;
        return c->job == JOB_ADD ? seconds_of(s, g) : 0;
}

/* --- the disks --- */

static bool is_offered(const struct disk *d)
{
        return !*d->protected || streq(d->protected, "small");
}

/* Of an array that is here already and of the system nothing is said. */
static int draw_disks(struct session *s, int y, int end, bool one)
{
        int left = 0;

        for (size_t i = 0; i < s->facts->n_disks; i++) {
                const struct disk *d = &s->facts->disks[i];
                _cleanup_free_ char *why = NULL, *size = size_words(d->size);
                if (!is_offered(d))
                        continue;
                if (y >= end) {
                        left++;
                        continue;
                }
                why = member_refused(d, s->choices.growth);
                if (why)
                        form_row(s, ID_DISK + (int)i, y);
                else if (one)
                        form_radio(s, ID_DISK + (int)i, y, is_chosen(s, d));
                else
                        form_check(s, ID_DISK + (int)i, y, 2, is_chosen(s, d));
                enum role role = why ? R_QUIET : R_TEXT;
                if (why)
                        ui_put(y, 2, role, " - ");
                ui_put_n(y, NAME_X, 8, role, d->name);
                ui_put_n(y, 15, 18, role, d->model);
                ui_put_end(y, 35, 13, role, d->serial);
                ui_put_right(y, 56, role, size);
                ui_put_n(y, 59, 18, is_blank(d) || why ? role : R_WARN, why ? _("can't be taken") : holds_word(d));
                y++;
        }
        page_more(y, G_DOWN, left);
        return y;
}

static bool has_offered(const struct session *s)
{
        for (size_t i = 0; i < s->facts->n_disks; i++)
                if (is_offered(&s->facts->disks[i]))
                        return true;
        return false;
}

static int draw_new(struct session *s, int y, bool one)
{
        ui_put_n(y, 2, 76, R_LABEL, _("New disks"));
        if (has_offered(s))
                return draw_disks(s, y + 1, ui_lines() - 8, one) + 1;
        ui_put_n(y + 1, NAME_X, 72, R_QUIET, _("No free disk is here. Connect one: it shows up by itself."));
        return y + 3;
}

/* Why the disk that has the focus can't be taken, or what it holds. */
static char *disk_said(const struct session *s, int id)
{
        const struct disk *d = disk_of_id(s, id);

        if (!d)
                return NULL;
        char *why = member_refused(d, s->choices.growth);
        return why ? why : holds_sentence(s->facts, d);
}

/* --- adding --- */

static size_t count_arrays(const struct session *s)
{
        size_t n = 0;

        for (size_t i = 0; i < s->facts->records.n; i++)
                n += streq(s->facts->records.v[i]->word, "array") && record_is(s->facts->records.v[i], "ours", "yes");
        return n;
}

static void draw_way(struct session *s, const struct record *r, int id, int y)
{
        _cleanup_free_ char *why = growth_refused(r), *room = size_words(record_u64(r, "size")), *time = NULL;
        uint64_t seconds = seconds_of(s, r);

        if (why) {
                form_row(s, id, y);
                ui_put(y, 2, R_QUIET, " - ");
                ui_put_n(y, NAME_X, 30, R_QUIET, way_words(r));
                ui_put_n(y, 37, 41, R_QUIET, why);
                return;
        }
        if (s->choices.growth == r && s->choices.grown > 0) {
                free(room);
                room = size_words(s->choices.grown);
        }
        form_radio(s, id, y, s->choices.growth == r);
        ui_put_n(y, NAME_X, 44, R_TEXT, way_words(r));
        ui_put_right(y, ROOM_END, R_TEXT, room);
        time = seconds > 0 ? duration_words(seconds) : xstrdup(_("at once"));
        ui_put_right(y, TIME_END, R_TEXT, time);
}

static char *add_said(struct session *s, int id)
{
        const struct record *r = way_of_id(s, id);
        char *words = disk_said(s, id);

        if (words)
                return words;
        if (!r || way_of(r) == ELEMENTSOF(ways))
                return NULL;
        _cleanup_free_ char *why = growth_refused(r);
        if (why)
                return xstrdup(record_is(r, "as", "level6") ? _(ways[way_of(r)].more) : why);
        return xasprintf("%s %s", _(ways[way_of(r)].more),
                         seconds_of(s, r) > 0 ? _("Files can be used meanwhile, and a power cut does no harm.") : "");
}

static void draw_add(struct session *s)
{
        const struct choices *c = &s->choices;
        const char *name = c->array ? array_name(record_str(c->array, "name")) : "";
        _cleanup_free_ char *question = xasprintf(_("What should become of new disks in \"%s\"?"), name),
                            *now = c->array ? nas_kind_words(s->facts, c->array) : NULL;
        int y = TOP, id = 0;

        page_frame(s, P_ADD, question, now);
        if (count_arrays(s) > 1) {
                form_value(s, ID_ARRAY, ++y);
                ui_put_n(y, 2, 12, R_LABEL, _("Array"));
                ui_put_n(y++, 15, 40, R_TEXT, name);
        }
        /* TRANSLATORS: heads of columns: Room and Takes 10 columns wide. */
        ui_put_right(++y, ROOM_END, R_LABEL, _("Room"));
        ui_put_right(y++, TIME_END, R_LABEL, _("Takes"));
        for (int i = next_way(s, -1); i >= 0; i = next_way(s, i))
                draw_way(s, s->facts->records.v[i], id++, y++);
        if (id == 0)
                ui_put_n(y++, NAME_X, 72, R_QUIET, _("Nothing can be added to this array."));
        draw_new(s, y + 1, false);
        _cleanup_free_ char *said = add_said(s, form_focused(s));
        const char *fault = fault_of(&s->faults, A_USE);
        page_message(s, said ? said : fault);
}

static void change_array(struct session *s, int by)
{
        const struct records *rs = &s->facts->records;
        size_t at = 0, n = 0, now = 0;
        const struct record *found[32];

        for (size_t i = 0; i < rs->n && n < ELEMENTSOF(found); i++)
                if (streq(rs->v[i]->word, "array") && record_is(rs->v[i], "ours", "yes")) {
                        now = rs->v[i] == s->choices.array ? n : now;
                        found[n++] = rs->v[i];
                }
        if (n == 0)
                return;
        at = (now + n + (size_t)by) % n;
        answers_set(&s->answers, A_ARRAY, record_str(found[at], "uuid"));
        answers_set(&s->answers, A_AS, NULL);
        answers_set(&s->answers, A_USE, NULL);
}

static void toggle(struct session *s, const struct disk *d)
{
        _cleanup_strv_ char **list = NULL;

        for (unsigned i = 0; i < s->choices.n_disks; i++)
                if (s->choices.disks[i] != d)
                        strv_add(&list, disk_key(s->facts, s->choices.disks[i]));
        if (!is_chosen(s, d))
                strv_add(&list, disk_key(s->facts, d));
        _cleanup_free_ char *text = list ? list_join(list) : NULL;
        answers_set(&s->answers, A_USE, text);
}

static void choose_add(struct session *s, int id)
{
        const struct record *r = way_of_id(s, id);
        const struct disk *d = disk_of_id(s, id);
        _cleanup_free_ char *why = r && id < ID_DISK ? growth_refused(r) : d ? member_refused(d, s->choices.growth) : NULL;

        if (why) {
                _cleanup_free_ char *said = add_said(s, id);
                session_say(s, false, "%s", said ? said : why);
                return;
        }
        if (id == ID_ARRAY) {
                change_array(s, 1);
        } else if (d) {
                toggle(s, d);
        } else if (r && r != s->choices.growth) {
                answers_set(&s->answers, A_AS, record_str(r, "as"));
                answers_set(&s->answers, A_USE, NULL);
        }
        session_changed(s);
}

static enum go enter_any(struct session *s)
{
        if (s->faults.n == 0)
                return GO_NEXT;
        session_say(s, true, "%s", s->faults.v[0].text);
        return GO_STAY;
}

/* What the focus is on is what is meant. */
static enum go enter_add(struct session *s, int id)
{
        const struct record *r = id < ID_DISK ? way_of_id(s, id) : NULL;

        if (r && r != s->choices.growth) {
                choose_add(s, id);
                if (r != s->choices.growth)
                        return GO_STAY;
        }
        return enter_any(s);
}

static enum go key(struct session *s, int k)
{
        const struct disk *d = disk_of_id(s, form_focused(s));

        if ((k == K_LEFT || k == K_RIGHT) && form_focused(s) == ID_ARRAY) {
                change_array(s, k == K_LEFT ? -1 : 1);
                session_changed(s);
        }
        if (k == K_F2 && d && !is_failing(d))
                blink_key(s, "nas-disk", "disk", disk_key(s->facts, d));
        if (k == K_F3 && d) {
                _cleanup_free_ char *words = disk_words(d), *state = state_sentence(d, 0), *holds = holds_sentence(s->facts, d);
                session_view(s, d->name, xasprintf("%s\n\n%s\n\n%s\n", words, state, holds));
        }
        return k == K_ESC ? GO_BACK : GO_STAY;
}

/* --- replacing --- */

static char *replace_explain(const struct session *s)
{
        const struct record *old = s->choices.old;
        const char *serial = old ? record_str(old, "serial") : "", *disk = old ? record_str(old, "disk") : "";

        if (!old)
                return NULL;
        if (record_is(old, "state", "missing"))
                return *serial ? xasprintf(_("The disk that was there has the serial number %s."), serial)
                               : xstrdup(_("Which disk was there is not known any more."));
        if (record_is(old, "state", "faulty"))
                return xasprintf(_("%s, serial number %s, has failed. Take it out afterwards, with the power off."), disk, serial);
        return xasprintf(_("%s, serial number %s, is copied while it can still be read, and taken out afterwards."), disk, serial);
}

static bool computes(const struct session *s)
{
        const struct record *old = s->choices.old;

        return !old || record_is(old, "state", "missing") || record_is(old, "state", "faulty");
}

/* Parity and a missing disk go badly with a power cut. */
static const char *replace_said(const struct session *s)
{
        const struct level *l = s->choices.array ? level_find(record_str(s->choices.array, "level")) : NULL;

        if (!computes(s))
                return _("The array stays protected while the disk is copied. A power cut does no harm.");
        if (l && level_has_parity(l))
                return _("Files can be used meanwhile. When the power fails meanwhile, what is just being written may be damaged.");
        return _("Files can be used meanwhile, and a power cut does no harm.");
}

static void draw_replace(struct session *s)
{
        const struct choices *c = &s->choices;
        const char *name = c->array ? array_name(record_str(c->array, "name")) : "";
        _cleanup_free_ char *question = xasprintf(_("Which disk is to take the place in \"%s\"?"), name), *explain = replace_explain(s),
                            *time = duration_words(estimate_later(s)), *said = NULL;

        page_frame(s, P_REPLACE, question, explain);
        int y = draw_new(s, TOP + 1, true);
        if (c->n_disks > 0 && estimate_later(s) > 0)
                ui_putf(y, 2, R_TEXT, _("Filling it takes about %s, in the background."), time);
        said = disk_said(s, form_focused(s));
        const char *fault = fault_of(&s->faults, A_USE);
        bool is_good = disk_of_id(s, form_focused(s)) && is_chosen(s, disk_of_id(s, form_focused(s)));
        page_message(s, is_good || !said ? (fault ? fault : replace_said(s)) : said);
}

static void choose_replace(struct session *s, int id)
{
        const struct disk *d = disk_of_id(s, id);
        _cleanup_free_ char *why = d ? member_refused(d, s->choices.growth) : NULL;

        if (why)
                session_say(s, false, "%s", why);
        else if (d)
                answers_set(&s->answers, A_USE, disk_key(s->facts, d));
        session_changed(s);
}

static enum go enter_replace(struct session *s, int id)
{
        const struct disk *d = disk_of_id(s, id);

        if (d && !is_chosen(s, d)) {
                choose_replace(s, id);
                if (!is_chosen(s, d))
                        return GO_STAY;
        }
        return enter_any(s);
}

static void tick(struct session *s)
{
        blink_tick(s);
}

static const struct ui_hint hints[] = {
        {N_("Enter"), N_("next"), 0}, {N_("Space"), N_("choose"), 1}, {"F2", N_("light"), 2}, {"F3", N_("details"), 3},
        {N_("Esc"), N_("back"), 0},   {"F1", N_("help"), 0},          {"F10", N_("leave"), 0}, {0},
};

const struct page page_add = {
        .id = P_ADD,
        .name = "add",
        .hints = hints,
        .draw = draw_add,
        .choose = choose_add,
        .enter = enter_add,
        .key = key,
        .tick = tick,
        .help = N_("New disks can make an array larger, make it survive more, or stand by. The room is what all files together can "
                   "take afterwards.\n\n"
                   "Files can be read and written all the while. It goes on by itself, also after a restart or a power cut; the "
                   "files get the new room when it has ended.\n\n"
                   "A new disk has to be as large as what is used of each of the others. What a larger one has more is not used.\n\n"
                   "What would be dangerous when the power fails is shown and not offered."),
};

const struct page page_replace = {
        .id = P_REPLACE,
        .name = "replace",
        .hints = hints,
        .draw = draw_replace,
        .choose = choose_replace,
        .enter = enter_replace,
        .key = key,
        .tick = tick,
        .help = N_("The new disk is filled with what the old one held: copied from it while it can be read, else computed from "
                   "the other disks. It may be larger, but not smaller than what is used of the others.\n\n"
                   "Take the old disk out only with the power off, unless your computer is made for it, and compare the serial "
                   "number on its label: a good disk that is pulled by mistake is one failure more."),
};

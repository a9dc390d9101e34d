#include "wizard/page.h"

#include <inttypes.h>

#include "helpers/lib/usable.h"

enum { ID_CHUNK, ID_SPARES, ID_TYPE, ID_MOUNT };
#define VALUE_X 24

static const uint64_t chunks[] = {64 * KIB, 128 * KIB, 256 * KIB, 512 * KIB};

/* TRANSLATORS: each at most 52 columns wide. */
static const struct {
        const char *type, *words;
} types[] = {
        {"ext4", N_("proven for many years; repairs itself best")},
        {"xfs", N_("fast with very large files; can't be made smaller")},
        {"btrfs", N_("notices damaged files by itself; slower on an array")},
};

static const struct {
        enum answer answer;
        int id;
} mine[] = {{A_MOUNT, ID_MOUNT}, {A_CHUNK, ID_CHUNK}, {A_SPARES, ID_SPARES}, {A_TYPE, ID_TYPE}};

static unsigned members(const struct choices *c)
{
        return c->n_disks - MIN2(c->spares, c->n_disks);
}

static const char *my_fault(const struct session *s, int *ret_id)
{
        for (size_t i = 0; i < ELEMENTSOF(mine); i++) {
                const char *fault = fault_of(&s->faults, mine[i].answer);
                if (!fault)
                        continue;
                if (ret_id)
                        *ret_id = mine[i].id;
                return fault;
        }
        return NULL;
}

static size_t type_index(const struct choices *c)
{
        size_t i = ELEMENTSOF(types) - 1;

        while (i > 0 && !streq(types[i].type, c->type))
                i--;
        return i;
}

/* What each file system is good for, and how much goes onto it. */
static void draw_types(const struct choices *c, int y)
{
        /* TRANSLATORS: heads of columns: Room 9 columns wide. */
        ui_put_n(y, 2, 14, R_LABEL, _("File system"));
        ui_put_right(y, 23, R_LABEL, _("Room"));
        for (size_t i = 0; i < ELEMENTSOF(types); i++) {
                enum role role = streq(types[i].type, c->type) ? R_BOLD : R_TEXT;
                _cleanup_free_ char *room = size_words(fs_usable(types[i].type, c->capacity.array));
                ui_put(++y, 4, role, types[i].type);
                ui_put_right(y, 23, role, c->capacity.array ? room : "?");
                ui_put_n(y, 26, 52, role, _(types[i].words));
        }
}

static void draw(struct session *s)
{
        const struct choices *c = &s->choices;
        const char *mount = s->answers.v[A_MOUNT] ? s->answers.v[A_MOUNT] : c->mount;
        int y = 5;

        page_frame(s, P_PROTECTION, _("Advanced: good as they are"),
                   _("These are for people who know why they change them."));
        _cleanup_free_ char *level = c->level ? level_words_on(c->level, members(c)) : xstrdup("?");
        ui_put_n(y, 2, 20, R_LABEL, _("Level"));
        ui_put_n(y++, VALUE_X, 50, R_TEXT, level);
        form_value(s, ID_CHUNK, y);
        ui_put_n(y, 2, 20, R_LABEL, _("Chunk"));
        if (c->level && c->level->chunked)
                ui_putf(y++, VALUE_X, R_TEXT, "%" PRIu64 " KiB", c->chunk / KIB);
        else
                ui_put(y++, VALUE_X, R_QUIET, _("none: a mirror has no chunks"));
        form_value(s, ID_SPARES, y);
        ui_put_n(y, 2, 20, R_LABEL, _("Spare disks"));
        if (c->level && c->level->number == 0 && c->spares == 0)
                ui_put(y++, VALUE_X, R_QUIET, _("none: a stripe has no spares"));
        else
                ui_putf(y++, VALUE_X, R_TEXT, "%u", c->spares);
        form_value(s, ID_TYPE, y);
        ui_put_n(y, 2, 20, R_LABEL, _("File system"));
        ui_put(y++, VALUE_X, R_TEXT, c->type);
        ui_put_n(y, 2, 20, R_LABEL, _("Folder"));
        form_field(s, ID_MOUNT, y, VALUE_X, 40, mount);
        draw_types(c, y + 2);
        page_message(s, my_fault(s, NULL));
}

static void change_chunk(struct session *s, int by)
{
        size_t i = 0;

        if (!s->choices.level || !s->choices.level->chunked)
                return;
        while (i < ELEMENTSOF(chunks) - 1 && chunks[i] < s->choices.chunk)
                i++;
        i = (i + ELEMENTSOF(chunks) + (size_t)by) % ELEMENTSOF(chunks);
        _cleanup_free_ char *text = xasprintf("%" PRIu64 "KiB", chunks[i] / KIB);
        answers_set(&s->answers, A_CHUNK, chunks[i] == CHUNK_DEFAULT ? NULL : text);
}

/* At least two disks stay at work. */
static void change_spares(struct session *s, int by)
{
        const struct level *before = s->choices.level;
        unsigned n = MAX2(s->choices.n_disks, 2U) - 1;

        if (before && before->number == 0 && s->choices.spares == 0)
                return;
        unsigned spares = (s->choices.spares + n + (unsigned)by) % n;
        _cleanup_free_ char *text = xasprintf("%u", spares);

        answers_set(&s->answers, A_SPARES, spares ? text : NULL);
        session_changed(s);
        if (protection_settle(s) || before != s->choices.level)
                protection_say(s);
}

static void change_type(struct session *s, int by)
{
        size_t n = ELEMENTSOF(types), i = (type_index(&s->choices) + n + (size_t)by) % n;

        answers_set(&s->answers, A_TYPE, i == 0 ? NULL : types[i].type);
}

static void change(struct session *s, int id, int by)
{
        if (id == ID_CHUNK)
                change_chunk(s, by);
        else if (id == ID_SPARES)
                change_spares(s, by);
        else if (id == ID_TYPE)
                change_type(s, by);
        session_changed(s);
}

static void choose(struct session *s, int id)
{
        change(s, id, 1);
}

static enum go key(struct session *s, int k)
{
        if (k == K_ESC)
                return GO_BACK;
        if (k == K_LEFT || k == K_RIGHT)
                change(s, form_focused(s), k == K_LEFT ? -1 : 1);
        return GO_STAY;
}

static enum go enter(struct session *s, int id _unused_)
{
        int wrong;
        const char *fault = my_fault(s, &wrong);

        if (!fault)
                return GO_BACK;
        session_say(s, true, "%s", fault);
        form_focus(s, wrong);
        return GO_STAY;
}

/* An emptied folder gets its advice back once it is left. */
static void tick(struct session *s)
{
        if (s->answers.v[A_MOUNT] && !*s->answers.v[A_MOUNT] && form_focused(s) != ID_MOUNT) {
                answers_set(&s->answers, A_MOUNT, NULL);
                session_changed(s);
        }
}

static char *get(struct session *s, int id _unused_)
{
        return xstrdup(s->answers.v[A_MOUNT] ? s->answers.v[A_MOUNT] : s->choices.mount);
}

static void set(struct session *s, int id _unused_, const char *text)
{
        answers_set(&s->answers, A_MOUNT, text);
        session_changed(s);
}

static const struct ui_hint hints[] = {
    {N_("Enter"), N_("go on"), 0},
    {"LeftRight", N_("change"), 1},
    {N_("Tab"), N_("field"), 2},
    {N_("Esc"), N_("back"), 0},
    {"F1", N_("help"), 0},
    {"F10", N_("leave"), 0},
    {0},
};

const struct page page_advanced = {
    .id = P_ADVANCED,
    .name = "advanced",
    .hints = hints,
    .draw = draw,
    .choose = choose,
    .enter = enter,
    .key = key,
    .tick = tick,
    .get = get,
    .set = set,
    .help =
        N_("Chunk: how much goes to one disk before the next one has its turn. 64 KiB serves large and small "
           "files well.\n\n"
           "Spare disks: disks that stand by and take the place of one that fails.\n\n"
           "File system: how files are kept on the array. ext4 has been in use on Linux for many years. Room is what is "
           "left for files.\n\n"
           "Folder: where the files are found on this computer itself, below /srv."),
};

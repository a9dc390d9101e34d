#include "helpers/share_conf.h"

#include <errno.h>
#include <strings.h>

#include "helpers/lib/edit.h"
#include "helpers/share_settings.h"

#define MARK_GLOBAL SHARE_MARK " what the share needs; lines of yours count where they stand"
#define LINES_OFF "# nas-setup switched this off, for nobody uses it\n   available = no\n"
#define MARK_SHARE SHARE_MARK " this share was set up by nas-setup, which keeps the lines below"

/* --- what nobody uses --- */

static const char *const offers[] = {"homes", "printers", "print$"};

/* What somebody decided about it, and what guests may use, stays. */
static bool is_to_be_off(const struct ini *ini, const struct share_wanted *w, const char *offer)
{
        bool is_used = streq(offer, "homes") ? w->has_homes : w->prints;

        return !is_used && ini_has_section(ini, offer) && !ini_get(ini, offer, "available") &&
               !ini_is_yes(ini_get(ini, offer, "guest ok"));
}

static bool is_off(const struct ini *ini, const char *offer)
{
        const char *available = ini_get(ini, offer, "available");

        return available && ini_is_value(available, "no");
}

char **share_conf_off(const struct ini *before, const struct ini *after)
{
        char **off = NULL;

        for (size_t i = 0; i < ELEMENTSOF(offers); i++)
                if (is_off(after, offers[i]) && !is_off(before, offers[i]))
                        strv_add(&off, offers[i]);
        return off;
}

/* --- what is ours --- */

static bool has_mark(const struct ini *ini, const char *section)
{
        for (size_t i = 0; i < ini->n; i++) {
                const struct ini_line *l = &ini->v[i];
                if (!l->key && l->value && strcasecmp(l->section, section) == 0 &&
                    has_prefix(l->value, SHARE_MARK))
                        return true;
        }
        return false;
}

bool share_conf_is_ours(const struct ini *ini, const char *section)
{
        return strcasecmp(section, GLOBAL) != 0 && has_mark(ini, section);
}

const char *share_conf_ours(const struct ini *ini, const char *path)
{
        for (size_t i = 0; i < ini->n; i++) {
                const struct ini_line *l = &ini->v[i];
                if (l->key && streq(l->key, "path") && streq(l->value, path) &&
                    share_conf_is_ours(ini, l->section))
                        return l->section;
        }
        return NULL;
}

char **share_conf_paths(const struct ini *ini)
{
        char **paths = NULL;

        for (size_t i = 0; i < ini->n; i++) {
                const struct ini_line *l = &ini->v[i];
                if (l->key && streq(l->key, "path") && share_conf_is_ours(ini, l->section) &&
                    !ini_get(ini, l->section, "fruit:time machine") && !strv_has(paths, l->value))
                        strv_add(&paths, l->value);
        }
        return paths;
}

/* --- editing --- */

struct matches {
        char **v;
        int n;
};

static void matches_free(struct matches *m)
{
        for (int i = 0; i < m->n; i++)
                free(m->v[i]);
        free(m->v);
}

static struct matches match(struct edit *e, const char *path)
{
        struct matches m = {0};

        m.n = aug_match(e->aug, path, &m.v);
        return m; /* -1 for an error, as good as none */
}

/* The n-th section of this name in the tree, counted from 0; NULL where there is none. */
static char *find_target(struct edit *e, const char *section, size_t nth)
{
        _cleanup_(matches_free) struct matches m = match(e, EDIT_ROOT "/target");
        const char *name = NULL;

        for (int i = 0; i < m.n; i++)
                if (aug_get(e->aug, m.v[i], &name) == 1 && name && strcasecmp(name, section) == 0 &&
                    nth-- == 0)
                        return xstrdup(m.v[i]);
        return NULL;
}

/* The last line of this section that states key by its main name; lines with one of its other names are
 * removed where remove_others is set. */
static char *find_line(struct edit *e, const char *section, const char *key, bool remove_others)
{
        char *found = NULL, *target;
        bool opposite;

        for (size_t nth = 0; (target = find_target(e, section, nth)); nth++, free(target)) {
                _cleanup_free_ char *all = xasprintf("%s/*", target);
                _cleanup_(matches_free) struct matches m = match(e, all);
                for (int i = m.n - 1; i >= 0; i--) {
                        const char *label = NULL;
                        if (aug_label(e->aug, m.v[i], &label) != 1 || !label || *label == '#' ||
                            !ini_is_key(ini_main_key(label, &opposite), key))
                                continue;
                        if (!ini_is_key(label, key)) {
                                if (remove_others)
                                        aug_rm(e->aug, m.v[i]);
                        } else if (!found) {
                                found = xstrdup(m.v[i]);
                        }
                }
        }
        return found;
}

/* Where a new line goes: behind the section's last entry, but never behind an include, whose file may open a
 * section of its own. */
struct place {
        char *path; /* NULL: the section is empty */
        bool before;
};

static void place_free(struct place *p)
{
        free(p->path);
}

static bool is_mark(struct edit *e, const char *path)
{
        const char *text = NULL;

        return aug_get(e->aug, path, &text) == 1 && text && has_prefix(text, SHARE_MARK);
}

static struct place find_place(struct edit *e, const char *target)
{
        _cleanup_free_ char *all = xasprintf("%s/*", target);
        _cleanup_(matches_free) struct matches m = match(e, all);
        struct place place = {0};

        for (int i = 0; i < m.n; i++) {
                const char *label = NULL;
                aug_label(e->aug, m.v[i], &label);
                bool is_include = label && ini_is_key(label, "include");
                if (!label || (*label == '#' && !is_mark(e, m.v[i])) || (is_include && place.path))
                        continue;
                free(place.path);
                place = (struct place){xstrdup(m.v[i]), is_include};
                if (is_include)
                        break;
        }
        return place;
}

/* To the lens a line without a value is one of NULL. */
static int put(struct edit *e, const char *path, const char *value)
{
        return aug_set(e->aug, path, *value ? value : NULL) < 0 ? -EINVAL : 0;
}

static int add_line(struct edit *e, const char *target, const char *label, const char *value)
{
        _cleanup_(place_free) struct place place = find_place(e, target);
        _cleanup_free_ char *escaped = NULL, *path = NULL;

        if (place.path && aug_insert(e->aug, place.path, label, place.before) < 0)
                return -EINVAL;
        if (!place.path && aug_escape_name(e->aug, label, &escaped) < 0)
                return -EINVAL;
        /* An insertion before a line takes its number only where the labels are equal, which these are not.
         */
        path = !place.path    ? xasprintf("%s/%s", target, escaped ? escaped : label)
               : place.before ? xasprintf("%s/preceding-sibling::*[1]", place.path)
                              : xasprintf("%s/following-sibling::*[1]", place.path);
        return put(e, path, value);
}

static bool is_kept(const struct setting *s, const struct ini *before, const struct share_wanted *w)
{
        if (s->when == ALWAYS || s->when == GONE)
                return false;
        if (s->when == AGAINST) {
                const char *own = ini_get(before, s->section, s->key),
                           *now = own ? own : ini_get(before, GLOBAL, s->key);
                return !now || ini_is_value(now, s->value);
        }
        return ini_get(before, s->section, s->key) || (s->when == IF_PRINTS && w->prints) ||
               (s->when == IF_NETBIOS && ini_get(before, GLOBAL, "disable netbios"));
}

static int apply_setting(struct edit *e, const struct setting *s)
{
        _cleanup_free_ char *line = find_line(e, s->section, s->key, true), *target = NULL;
        const char *now = NULL;

        if (s->when == GONE)
                return line && aug_rm(e->aug, line) < 0 ? -EINVAL : 0;
        if (line && aug_get(e->aug, line, &now) == 1 &&
            (s->is_loose ? ini_is_value(now ? now : "", s->value) : streq(now ? now : "", s->value)))
                return 0;
        if (line)
                return put(e, line, s->value);
        target = find_target(e, s->section, 0);
        if (!target)
                return -EINVAL;
        return add_line(e, target, s->key, s->value);
}

static int rename_section(struct edit *e, const char *from, const char *to)
{
        char *target;

        for (size_t nth = 0; (target = find_target(e, from, nth)); free(target)) {
                /* A section that only changes its case would be found for ever. */
                nth += strcasecmp(from, to) == 0;
                if (aug_set(e->aug, target, to) < 0) {
                        free(target);
                        return -EINVAL;
                }
        }
        return 0;
}

/* Refuses what we must not touch. */
static int look(const struct ini *ini, const struct share_wanted *w, const char *ours, char **ret_why)
{
        const char *role = ini_get(ini, GLOBAL, "server role"), *security = ini_get(ini, GLOBAL, "security");

        if ((role && !ini_is_value(role, "auto") && !has_prefix(role, "standalone")) ||
            (security && !ini_is_value(security, "auto") && !ini_is_value(security, "user"))) {
                *ret_why = xasprintf("\"%s\"", role ? role : security);
                return -EOPNOTSUPP;
        }
        if (ini_has_section(ini, w->name) && !(ours && strcasecmp(ours, w->name) == 0)) {
                const char *path = ini_get(ini, w->name, "path");
                *ret_why = xstrdup(path ? path : "no folder");
                return -EEXIST;
        }
        return 0;
}

/* Behind the last entry of the first [global], but before an include: where add_line will go on. */
static size_t end_of_global(const char *text)
{
        bool inside = false;
        size_t place = 0;

        for (const char *p = text, *next; *p; p = next) {
                size_t blanks = strspn(p, " \t");
                const char *word = p + blanks;
                next = strchrnul(p, '\n');
                next += *next == '\n';
                if (*word == '[') {
                        if (inside)
                                break;
                        inside = strncasecmp(word, "[" GLOBAL "]", strlen(GLOBAL) + 2) == 0;
                        place = (size_t)(next - text);
                } else if (strncasecmp(word, "include", 7) == 0) {
                        break;
                } else if (inside && !strchr("#;\r\n", *word)) {
                        place = (size_t)(next - text);
                }
        }
        return place;
}

static bool begins_section(const char *line, const char *section)
{
        size_t n = strlen(section);

        line += strspn(line, " \t");
        return *line == '[' && strncasecmp(line + 1, section, n) == 0 && line[n + 1] == ']';
}

/* Below their titles, where an include cannot take the line into another section. */
static void add_rest(struct buf *b, const char *rest, const struct ini *ini, const struct share_wanted *w)
{
        bool done[ELEMENTSOF(offers)] = {0};

        for (const char *p = rest, *next; *p; p = next) {
                next = strchrnul(p, '\n');
                next += *next == '\n';
                buf_add(b, p, (size_t)(next - p));
                for (size_t i = 0; i < ELEMENTSOF(offers); i++) {
                        if (done[i] || !begins_section(p, offers[i]) || !is_to_be_off(ini, w, offers[i]))
                                continue;
                        if (next[-1] != '\n')
                                buf_puts(b, "\n");
                        buf_puts(b, LINES_OFF);
                        done[i] = true;
                }
        }
}

/* Comments and sections that are missing, as text: the lens can make no empty line, and a comment that it
 * inserts takes the '#' of the next one. */
static char *with_marks(const char *text, const struct ini *ini, const struct share_wanted *w,
                        const char *ours, bool adds_to_global)
{
        _cleanup_free_ char *whole =
            xasprintf("%s%s", ini_has_section(ini, GLOBAL) ? "" : "[" GLOBAL "]\n", text);
        size_t place = end_of_global(whole), n = strlen(whole);
        struct buf b = {0};

        if (n > 0 && place == n && whole[n - 1] != '\n')
                whole = xrealloc(whole, n + 2), memcpy(whole + n, "\n", 2), place++;
        buf_add(&b, whole, place);
        if (adds_to_global && !has_mark(ini, GLOBAL))
                buf_puts(&b, "# " MARK_GLOBAL "\n");
        add_rest(&b, whole + place, ini, w);
        if (b.len > 0 && b.buf[b.len - 1] != '\n')
                buf_puts(&b, "\n");
        if (!ours)
                buf_printf(&b, "\n[%s]\n# " MARK_SHARE "\n", w->name);
        return b.buf;
}

static bool adds_to_global(const struct settings *s, const struct ini *before, const struct share_wanted *w)
{
        for (size_t i = 0; i < s->n; i++)
                if (streq(s->v[i].section, GLOBAL) && !is_kept(&s->v[i], before, w) &&
                    !ini_get(before, GLOBAL, s->v[i].key))
                        return true;
        return false;
}

/* --- nothing else may have changed --- */

static bool is_changeable(const struct ini_line *l, const struct settings *s, const struct share_wanted *w,
                          const char *ours)
{
        bool in_ours = ours && strcasecmp(l->section, ours) == 0,
             in_global = strcasecmp(l->section, GLOBAL) == 0;

        if (l->is_title)
                return in_ours;
        for (size_t i = 0; i < s->n && l->key; i++)
                if (ini_is_key(s->v[i].key, l->key) && ((in_ours && streq(s->v[i].section, w->name)) ||
                                                        (in_global && streq(s->v[i].section, GLOBAL))))
                        return true;
        return false;
}

static bool keeps_the_rest(const struct ini *before, const char *after, const struct settings *s,
                           const struct share_wanted *w, const char *ours)
{
        _cleanup_ini_ struct ini now;
        size_t j = 0;

        ini_read(after, &now);
        for (size_t i = 0; i < before->n; i++) {
                if (is_changeable(&before->v[i], s, w, ours))
                        continue;
                while (j < now.n && !streq(now.v[j].raw, before->v[i].raw))
                        j++;
                if (j++ >= now.n)
                        return false;
        }
        return true;
}

static int edit_all(struct edit *e, const struct settings *s, const struct ini *before,
                    const struct share_wanted *w, const char *ours)
{
        int r = ours && !streq(ours, w->name) ? rename_section(e, ours, w->name) : 0;

        for (size_t i = 0; i < s->n && r == 0; i++) {
                struct setting old = s->v[i]; /* what stood there before a renaming is somebody's own too */
                if (ours && !streq(old.section, GLOBAL))
                        old.section = ours;
                if (!is_kept(&old, before, w))
                        r = apply_setting(e, &s->v[i]);
        }
        return r;
}

static int edit(const char *whole, const struct settings *s, const struct ini *before,
                const struct share_wanted *w, const char *ours, char **ret_after, char **ret_why)
{
        _cleanup_(edit_close) struct edit e = {0};
        int r = edit_open(&e, "Samba.lns", whole, ret_why);

        if (r < 0)
                return r;
        r = edit_all(&e, s, before, w, ours);
        if (r == 0)
                return edit_text(&e, ret_after, ret_why);
        *ret_why = xstrdup(aug_error_message(e.aug));
        return -EBADMSG;
}

int share_conf_apply(const char *text, const struct share_wanted *w, char **ret_text, char **ret_why)
{
        _cleanup_ini_ struct ini before;
        _cleanup_(settings_free) struct settings s = {0};
        _cleanup_free_ char *whole = NULL, *after = NULL;

        ini_read(text, &before);
        const char *ours = share_conf_ours(&before, w->path);
        int r = look(&before, w, ours, ret_why);
        if (r < 0)
                return r;
        settings_of(w, &s);
        whole = with_marks(text, &before, w, ours, adds_to_global(&s, &before, w));
        r = edit(whole, &s, &before, w, ours, &after, ret_why);
        if (r < 0)
                return r;
        if (!keeps_the_rest(&before, after, &s, w, ours)) {
                *ret_why = xstrdup("other lines would not have stayed as they are");
                return -EBADMSG;
        }
        size_t n = strlen(text);
        bool is_same = strncmp(after, text, n) == 0 && (!after[n] || streq(after + n, "\n"));
        *ret_text = is_same ? xstrdup(text) : TAKE_PTR(after);
        return 0;
}

int share_conf_put(const char *text, const char *section, const char *key, const char *value, char **ret)
{
        const struct setting one = {.section = section, .key = key, .value = (char *)value, .when = ALWAYS};
        _cleanup_(edit_close) struct edit e = {0};
        _cleanup_free_ char *why = NULL;
        int r = edit_open(&e, "Samba.lns", text, &why);

        if (r == 0)
                r = apply_setting(&e, &one);
        return r == 0 ? edit_text(&e, ret, &why) : r;
}

/* --- checking --- */

/* What testparm does not print in a share's own section is what [global] says for all shares. */
static const char *effective_value(const struct ini *effective, const struct setting *s)
{
        const char *own = ini_get(effective, s->section, s->key);

        return own ? own : ini_get(effective, GLOBAL, s->key);
}

static bool counts(const struct setting *s, const struct ini *stated, const struct ini *effective)
{
        const char *text = ini_get(stated, s->section, s->key), *is = effective_value(effective, s);

        if (s->when == GONE)
                return !is || !*is;
        if (s->when != ALWAYS && !(text && ini_is_value(text, s->value)))
                return true; /* somebody's own */
        return is && ini_is_value(is, s->value);
}

int share_conf_check(const char *text, const char *effective, const struct share_wanted *w, char **ret_why)
{
        _cleanup_ini_ struct ini stated, is;
        _cleanup_(settings_free) struct settings s = {0};

        ini_read(text, &stated);
        ini_read(effective, &is);
        settings_of(w, &s);
        for (size_t i = 0; i < ELEMENTSOF(offers); i++)
                if (is_off(&stated, offers[i]) != is_off(&is, offers[i])) {
                        *ret_why = xasprintf("[%s] is not off", offers[i]);
                        return -EINVAL;
                }
        for (size_t i = 0; i < s.n; i++) {
                if (counts(&s.v[i], &stated, &is))
                        continue;
                const char *now = effective_value(&is, &s.v[i]);
                *ret_why = xasprintf("[%s] %s is \"%s\" instead of \"%s\"", s.v[i].section, s.v[i].key,
                                     now ? now : "", s.v[i].value ? s.v[i].value : "");
                return -EINVAL;
        }
        return 0;
}

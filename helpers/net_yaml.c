#include "helpers/net_yaml.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <strings.h>

struct line {
        size_t start, end; /* end: behind the newline */
        size_t indent;
        bool is_blank;    /* or a comment */
        bool has_tab;     /* before its text */
        char *key, *rest; /* "key: rest"; key NULL where it is no such line. rest has no comment */
};

static void line_free(struct line *l)
{
        free(l->key);
        free(l->rest);
        *l = (struct line){0};
}
#define _cleanup_line_ _cleanup_(line_free)

/* Without blanks, comment and quotes. */
static char *plain(const char *s, size_t n)
{
        char *text = xstrndup(s, n);

        for (char *c = text; *c; c++)
                if (*c == '#' && (c == text || isspace((unsigned char)c[-1])))
                        *c-- = '\0';
        char *cut = strip(text);
        size_t len = strlen(cut);
        if (len >= 2 && (*cut == '"' || *cut == '\'') && cut[len - 1] == *cut) {
                cut[len - 1] = '\0';
                cut++;
        }
        memmove(text, cut, strlen(cut) + 1);
        return text;
}

/* Colon with a blank or nothing behind it: "52:54" is no key. */
static const char *find_colon(const char *s, size_t n)
{
        for (size_t i = 0; i < n; i++)
                if (s[i] == ':' && (i + 1 == n || isspace((unsigned char)s[i + 1])))
                        return s + i;
        return NULL;
}

static struct line line_at(const char *text, size_t start)
{
        struct line l = {.start = start, .end = start + strcspn(text + start, "\n")};
        const char *s = text + start;
        size_t n = l.end - start;

        l.end += text[l.end] == '\n';
        l.indent = strspn(s, " ");
        size_t blank = strspn(s, " \t\r");
        l.has_tab = memchr(s, '\t', blank);
        l.is_blank = blank >= n || s[blank] == '#';
        if (l.is_blank)
                return l;
        const char *colon = find_colon(s + l.indent, n - l.indent);
        if (colon && s[l.indent] != '-' && s[l.indent] != '{') {
                l.key = plain(s + l.indent, (size_t)(colon - s) - l.indent);
                l.rest = plain(colon + 1, n - (size_t)(colon + 1 - s));
        }
        return l;
}

/* --- what an entry matches --- */

/* The lines below "match:", or what stands in its braces; NULL for none. */
static char *match_text(const char *body)
{
        const char *at = strstr(body, "match:");

        if (!at)
                return NULL;
        const char *value = at + strlen("match:");
        value += strspn(value, " ");
        if (*value == '{')
                return xstrndup(value + 1, strcspn(value + 1, "}"));
        size_t indent = 0, end = strcspn(value, "\n");
        while (at - indent > body && at[-1 - (ptrdiff_t)indent] == ' ')
                indent++;
        while (value[end] == '\n' && strspn(value + end + 1, " ") > indent)
                end += 1 + strcspn(value + end + 1, "\n");
        return xstrndup(value, end);
}

static int match_value(const char *match, const char *key, char **ret)
{
        const char *at = strstr(match, key);

        if (!at)
                return 0;
        at += strlen(key);
        at += strspn(at, " ");
        _cleanup_free_ char *value = plain(at, strcspn(at, ",\n"));
        if (!*value || strchr("[{*&|>", *at)) /* lists, aliases, folded text */
                return -EBADMSG;
        *ret = TAKE_PTR(value);
        return 0;
}

/* Without the lines that are comments. */
static char *body_of(const char *text, const struct netplan_entry *e)
{
        _cleanup_buf_ struct buf b = {0};

        for (size_t at = e->start; at < e->end;) {
                _cleanup_line_ struct line l = line_at(text, at);
                if (!l.is_blank)
                        buf_add(&b, text + l.start, l.end - l.start);
                at = l.end;
        }
        return b.buf ? TAKE_PTR(b.buf) : xstrdup("");
}

static int read_match(const char *text, struct netplan_entry *e)
{
        _cleanup_free_ char *body = body_of(text, e), *match = match_text(body);

        if (strstr(body, "match\"") || strstr(body, "match'"))
                return -EBADMSG;
        if (!match)
                return 0;
        e->has_match = true;
        int r = match_value(match, "macaddress:", &e->mac);
        if (r == 0)
                r = match_value(match, "name:", &e->name);
        if (r == 0)
                r = match_value(match, "driver:", &e->driver);
        /* What is there and was not understood must not read as a match for every port. */
        bool is_understood = e->mac || e->name || e->driver || !match[strspn(match, " \n")];
        return r < 0 ? r : is_understood ? 0 : -EBADMSG;
}

bool netplan_fits(const struct netplan_entry *e, const struct port *p)
{
        if (!e->has_match)
                return streq(e->id, p->name);
        return (!e->mac || strcasecmp(e->mac, p->mac) == 0) && (!e->name || fnmatch(e->name, p->name, 0) == 0) &&
               (!e->driver || (p->driver && fnmatch(e->driver, p->driver, 0) == 0));
}

/* --- the outline --- */

struct outline {
        struct netplan_file *f;
        struct buf others;
        size_t section, entry; /* their indents; 0: not seen yet */
        bool in_ethernets;
};

static int take_top(struct outline *o, const struct line *l)
{
        if (!l->key || !streq(l->key, "network") || o->f->network != SIZE_MAX)
                return -EBADMSG;
        if (!*l->rest) {
                o->f->network = l->start;
                return 0;
        }
        return strstr(l->rest, "ethernets") || l->rest[strlen(l->rest) - 1] != '}' ? -EBADMSG : 0;
}

static int take_section(struct outline *o, const struct line *l)
{
        if (!l->key)
                return -EBADMSG;
        o->section = l->indent;
        o->in_ethernets = streq(l->key, "ethernets") && !streq(l->rest, "{}");
        o->f->n_sections++;
        if (!o->in_ethernets)
                return 0;
        if (*l->rest || o->f->ethernets != SIZE_MAX)
                return -EBADMSG;
        o->f->ethernets = l->start;
        return 0;
}

static int take_entry(struct outline *o, const struct line *l)
{
        struct netplan_file *f = o->f;

        if (o->entry > 0 && l->indent > o->entry) {
                f->entries[f->n - 1].end = l->end;
                return 0;
        }
        if (!l->key || !*l->key || (o->entry > 0 && l->indent < o->entry) || (*l->rest && strchr("&*", *l->rest)))
                return -EBADMSG;
        o->entry = l->indent;
        f->entries = xreallocarray(f->entries, f->n + 1, sizeof(*f->entries));
        f->entries[f->n++] = (struct netplan_entry){.id = xstrdup(l->key), .start = l->start, .end = l->end};
        return 0;
}

static int take_line(struct outline *o, const struct line *l)
{
        const char *text = o->f->text;

        if (l->is_blank || (l->indent == 0 && has_prefix(text + l->start, "---")))
                return 0;
        if (l->has_tab)
                return -EBADMSG;
        if (l->indent == 0)
                return take_top(o, l);
        if (o->f->network == SIZE_MAX || (o->section > 0 && l->indent < o->section))
                return -EBADMSG;
        int r = 0;
        if (o->section == 0 || l->indent == o->section)
                r = take_section(o, l);
        else if (o->in_ethernets)
                return take_entry(o, l);
        buf_add(&o->others, text + l->start, l->end - l->start);
        return r;
}

static unsigned line_number(const char *text, size_t at)
{
        unsigned n = 1;

        for (size_t i = 0; i < at; i++)
                n += text[i] == '\n';
        return n;
}

int netplan_parse(const char *path, const char *text, struct netplan_file *ret, unsigned *ret_line)
{
        _cleanup_netplan_ struct netplan_file f = {.path = xstrdup(path), .text = xstrdup(text), .network = SIZE_MAX,
                                                   .ethernets = SIZE_MAX};
        struct outline o = {.f = &f};
        size_t at = 0;
        int r = 0;

        while (text[at] && r == 0) {
                _cleanup_line_ struct line l = line_at(text, at);
                r = take_line(&o, &l);
                at = r < 0 ? at : l.end;
        }
        f.others = o.others.buf ? o.others.buf : xstrdup("");
        for (size_t i = 0; i < f.n && r == 0; i++) {
                r = read_match(text, &f.entries[i]);
                at = f.entries[i].start;
        }
        if (r == 0 && f.ethernets != SIZE_MAX && f.n == 0) {
                r = -EBADMSG;
                at = f.ethernets;
        }
        if (r < 0) {
                *ret_line = line_number(text, at);
                return r;
        }
        *ret = f;
        f = (struct netplan_file){0};
        return 0;
}

void netplan_file_free(struct netplan_file *f)
{
        for (size_t i = 0; i < f->n; i++) {
                free(f->entries[i].id);
                free(f->entries[i].mac);
                free(f->entries[i].name);
                free(f->entries[i].driver);
        }
        free(f->entries);
        free(f->path);
        free(f->text);
        free(f->others);
        *f = (struct netplan_file){0};
}

static bool is_word_char(char c)
{
        return isalnum((unsigned char)c) || strchr("_-.", c);
}

bool netplan_is_used(const struct netplan_file *f, const char *id)
{
        size_t n = strlen(id);

        for (const char *at = f->others; (at = strstr(at, id)); at++)
                if ((at == f->others || !is_word_char(at[-1])) && (!at[n] || !is_word_char(at[n])))
                        return true;
        return false;
}

static bool is_out(const struct netplan_file *f, const bool *out, bool all, size_t start)
{
        if (all && (start == f->ethernets || (start == f->network && f->n_sections == 1)))
                return true;
        for (size_t i = 0; i < f->n; i++)
                if (out[i] && start >= f->entries[i].start && start < f->entries[i].end)
                        return true;
        return false;
}

char *netplan_without(const struct netplan_file *f, const bool *out)
{
        _cleanup_buf_ struct buf b = {0};
        bool all = true;

        for (size_t i = 0; i < f->n; i++)
                all = all && out[i];
        for (size_t at = 0; f->text[at];) {
                _cleanup_line_ struct line l = line_at(f->text, at);
                if (!l.is_blank && is_out(f, out, all && f->n > 0, l.start))
                        buf_puts(&b, NETPLAN_MARK);
                buf_add(&b, f->text + l.start, l.end - l.start);
                at = l.end;
        }
        return b.buf ? TAKE_PTR(b.buf) : xstrdup("");
}

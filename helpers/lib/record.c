#include "helpers/lib/record.h"

#include <ctype.h>
#include <errno.h>

#define NAME_MAX_LEN 32
#define FILE_MAX_LEN (4 * MIB)
#define N_(s) s

struct record *record_new(const char *word)
{
        struct record *r = xmalloc(sizeof *r);

        r->word = xstrdup(word);
        return r;
}

void record_free(struct record *r)
{
        if (!r)
                return;
        for (size_t i = 0; i < r->n; i++) {
                free(r->fields[i].key);
                free(r->fields[i].value);
        }
        free(r->fields);
        free(r->word);
        free(r);
}

void record_freep(struct record **r)
{
        record_free(*r);
}

struct record *record_copy(const struct record *r)
{
        struct record *copy = record_new(r->word);

        copy->line = r->line;
        for (size_t i = 0; i < r->n; i++)
                record_set(copy, r->fields[i].key, r->fields[i].value);
        return copy;
}

static struct field *find(const struct record *r, const char *key)
{
        for (size_t i = 0; i < r->n; i++)
                if (streq(r->fields[i].key, key))
                        return &r->fields[i];
        return NULL;
}

static void unset(struct record *r, const char *key)
{
        struct field *f = find(r, key);

        if (!f)
                return;
        free(f->key);
        free(f->value);
        size_t after = r->n - (size_t)(f - r->fields) - 1;
        memmove(f, f + 1, after * sizeof *f);
        r->n--;
}

void record_set(struct record *r, const char *key, const char *value)
{
        struct field *f = find(r, key);

        if (!value) {
                unset(r, key);
                return;
        }
        if (f) {
                char *copy = xstrdup(value);
                free(f->value);
                f->value = copy;
                return;
        }
        r->fields = xreallocarray(r->fields, r->n + 1, sizeof *r->fields);
        r->fields[r->n++] = (struct field){.key = xstrdup(key), .value = xstrdup(value)};
}

void record_setf(struct record *r, const char *key, const char *fmt, ...)
{
        va_list ap;

        va_start(ap, fmt);
        _cleanup_free_ char *value = xvasprintf(fmt, ap);
        va_end(ap);
        record_set(r, key, value);
}

void record_set_u64(struct record *r, const char *key, uint64_t value)
{
        record_setf(r, key, "%llu", (unsigned long long)value);
}

void record_set_list(struct record *r, const char *key, char *const *list)
{
        _cleanup_free_ char *value = list_join(list);

        record_set(r, key, value);
}

const char *record_get(const struct record *r, const char *key)
{
        const struct field *f = find(r, key);

        return f ? f->value : NULL;
}

const char *record_str(const struct record *r, const char *key)
{
        const char *value = record_get(r, key);

        return value ? value : "";
}

bool record_is(const struct record *r, const char *key, const char *value)
{
        const char *v = record_get(r, key);

        return v && streq(v, value);
}

int record_get_u64(const struct record *r, const char *key, uint64_t *ret)
{
        const char *value = record_get(r, key);

        return value ? parse_u64(value, ret) : -ENOENT;
}

uint64_t record_u64(const struct record *r, const char *key)
{
        uint64_t n = 0;

        return record_get_u64(r, key, &n) < 0 ? 0 : n;
}

char **record_get_list(const struct record *r, const char *key)
{
        const char *value = record_get(r, key);

        return value ? list_split(value) : NULL;
}

char **list_split(const char *value)
{
        char **list = NULL;
        struct buf b = {0};

        if (!*value)
                return NULL;
        buf_puts(&b, "");
        for (const char *p = value; *p; p++) {
                if (*p == ',') {
                        strv_take(&list, b.buf);
                        b = (struct buf){0};
                        buf_puts(&b, "");
                        continue;
                }
                if (*p == '\\' && p[1])
                        p++;
                buf_add(&b, p, 1);
        }
        strv_take(&list, b.buf);
        return list;
}

char *list_join(char *const *list)
{
        struct buf b = {0};

        buf_puts(&b, "");
        STRV_FOREACH(s, list) {
                if (s != list)
                        buf_puts(&b, ",");
                for (const char *p = *s; *p; p++) {
                        if (*p == ',' || *p == '\\')
                                buf_puts(&b, "\\");
                        buf_add(&b, p, 1);
                }
        }
        return b.buf;
}

/* --- parsing --- */

struct parser {
        const char *line, *p, *why;
};

static int give_up(struct parser *s, const char *why)
{
        s->why = why;
        return -EBADMSG;
}

static int parse_name(struct parser *s, char **ret)
{
        const char *begin = s->p;

        if (!islower((unsigned char)*s->p))
                return give_up(s, N_("a name begins with a letter a to z"));
        while (islower((unsigned char)*s->p) || isdigit((unsigned char)*s->p) || *s->p == '-')
                s->p++;
        if (s->p - begin > NAME_MAX_LEN)
                return give_up(s, N_("this name is too long"));
        *ret = xstrndup(begin, (size_t)(s->p - begin));
        return 0;
}

static int hex(char c)
{
        if (isdigit((unsigned char)c))
                return c - '0';
        return isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : -1;
}

static int parse_escape(struct parser *s, struct buf *b)
{
        static const char from[] = "\\'\"nrt", to[] = "\\'\"\n\r\t";
        const char *known = *s->p ? strchr(from, *s->p) : NULL;

        if (known) {
                buf_add(b, &to[known - from], 1);
                s->p++;
                return 0;
        }
        if (*s->p == 'x' && hex(s->p[1]) >= 0 && hex(s->p[2]) >= 0) {
                char c = (char)(hex(s->p[1]) * 16 + hex(s->p[2]));
                if (!c)
                        return give_up(s, N_("a value holds no NUL byte"));
                buf_add(b, &c, 1);
                s->p += 3;
                return 0;
        }
        return give_up(s, N_("unknown escape after \\"));
}

/* Behind the opening mark; c_style is $'…'. */
static int parse_quoted(struct parser *s, char mark, bool c_style, struct buf *b)
{
        while (*s->p != mark) {
                if (!*s->p)
                        return give_up(s, N_("the closing quotation mark is missing"));
                if (*s->p == '\\' && c_style) {
                        s->p++;
                        int r = parse_escape(s, b);
                        if (r < 0)
                                return r;
                        continue;
                }
                if (*s->p == '\\' && mark == '"' && s->p[1] && strchr("\"\\$`", s->p[1]))
                        s->p++;
                buf_add(b, s->p++, 1);
        }
        s->p++;
        return 0;
}

static int parse_value(struct parser *s, char **ret)
{
        _cleanup_buf_ struct buf b = {0};
        int r = 0;

        buf_puts(&b, "");
        while (*s->p && *s->p != ' ' && *s->p != '\t' && r == 0) {
                if (*s->p == '\'' || *s->p == '"') {
                        char mark = *s->p++;
                        r = parse_quoted(s, mark, false, &b);
                } else if (*s->p == '$' && s->p[1] == '\'') {
                        s->p += 2;
                        r = parse_quoted(s, '\'', true, &b);
                } else if (*s->p == '\\') {
                        if (!*++s->p)
                                return give_up(s, N_("nothing stands behind \\"));
                        buf_add(&b, s->p++, 1);
                } else if (strchr("$`;&|<>()", *s->p)) {
                        return give_up(s, N_("this character needs quotation marks around the value"));
                } else {
                        buf_add(&b, s->p++, 1);
                }
        }
        if (r == 0)
                *ret = TAKE_PTR(b.buf);
        return r;
}

static void skip_blanks(struct parser *s)
{
        while (*s->p == ' ' || *s->p == '\t')
                s->p++;
}

static int parse_field(struct parser *s, struct record *r)
{
        _cleanup_free_ char *key = NULL, *value = NULL;
        int e = parse_name(s, &key);

        if (e < 0)
                return e;
        if (*s->p != '=')
                return give_up(s, N_("'=' must follow this name"));
        if (find(r, key))
                return give_up(s, N_("this key stands twice"));
        s->p++;
        e = parse_value(s, &value);
        if (e == 0)
                record_set(r, key, value);
        return e;
}

static int parse_line(struct parser *s, struct record **ret)
{
        _cleanup_record_ struct record *r = NULL;
        _cleanup_free_ char *word = NULL;
        int e;

        if (strlen(s->line) > RECORD_LINE_MAX)
                return give_up(s, N_("this line is too long"));
        skip_blanks(s);
        if (!*s->p || *s->p == '#') {
                *ret = NULL;
                return 0;
        }
        e = parse_name(s, &word);
        if (e < 0)
                return e;
        r = record_new(word);
        for (;;) {
                if (*s->p && *s->p != ' ' && *s->p != '\t')
                        return give_up(s, N_("a blank must stand here"));
                skip_blanks(s);
                if (!*s->p || *s->p == '#')
                        break;
                e = parse_field(s, r);
                if (e < 0)
                        return e;
        }
        *ret = TAKE_PTR(r);
        return 0;
}

int record_parse(const char *line, struct record **ret, struct record_error *ret_error)
{
        struct parser s = {.line = line, .p = line};
        int e = parse_line(&s, ret);

        if (e < 0)
                *ret_error = (struct record_error){.column = (unsigned)(s.p - line) + 1, .why = s.why};
        return e;
}

int records_parse(const char *text, struct records *ret, struct record_error *ret_error)
{
        struct records rs = {0};

        for (unsigned line = 1; *text; line++) {
                size_t n = strcspn(text, "\n");
                _cleanup_free_ char *one = xstrndup(text, n);
                struct record *r = NULL;

                if (n > 0 && one[n - 1] == '\r')
                        one[n - 1] = '\0';
                int e = record_parse(one, &r, ret_error);
                if (e < 0) {
                        ret_error->line = line;
                        records_free(&rs);
                        return e;
                }
                if (r) {
                        r->line = line;
                        records_add(&rs, r);
                }
                text += n + (text[n] == '\n');
        }
        *ret = rs;
        return 0;
}

int records_read(const char *path, struct records *ret, struct record_error *ret_error)
{
        _cleanup_free_ char *text = NULL;
        int r = read_text(path, FILE_MAX_LEN, &text);

        if (r == -EBADMSG)
                *ret_error = (struct record_error){.line = 1, .column = 1, .why = N_("this is not a text file")};
        return r < 0 ? r : records_parse(text, ret, ret_error);
}

void records_add(struct records *rs, struct record *r)
{
        rs->v = xreallocarray(rs->v, rs->n + 1, sizeof *rs->v);
        rs->v[rs->n++] = r;
}

void records_free(struct records *rs)
{
        for (size_t i = 0; i < rs->n; i++)
                record_free(rs->v[i]);
        free(rs->v);
        *rs = (struct records){0};
}

const struct record *records_find(const struct records *rs, const char *word, const char *key, const char *value)
{
        for (size_t i = 0; i < rs->n; i++)
                if (streq(rs->v[i]->word, word) && (!key || record_is(rs->v[i], key, value)))
                        return rs->v[i];
        return NULL;
}

/* --- printing --- */

enum quoting { BARE, DOUBLE, ESCAPED };

/* The length of the valid UTF-8 character at s, 0 where there is none or it is a control character (C1 included,
 * and the line and paragraph separators, bidirectional marks and the like are left to whoever draws text). */
static size_t utf8_printable(const char *s)
{
        const unsigned char *u = (const unsigned char *)s;
        static const struct {
                unsigned char mask, lead;
                uint32_t least;
        } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};

        for (size_t n = 0; n < ELEMENTSOF(forms); n++) {
                if ((u[0] & forms[n].mask) != forms[n].lead)
                        continue;
                uint32_t c = u[0] & (unsigned char)~forms[n].mask;
                for (size_t i = 1; i <= n; i++) {
                        if ((u[i] & 0xc0) != 0x80)
                                return 0;
                        c = c << 6 | (u[i] & 0x3f);
                }
                bool bad = c < forms[n].least || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff) || c < 0x20 ||
                           (c >= 0x7f && c < 0xa0);
                return bad ? 0 : n + 1;
        }
        return 0;
}

static enum quoting how_to_quote(const char *value)
{
        enum quoting q = *value ? BARE : DOUBLE;

        for (const char *p = value; *p;) {
                size_t n = utf8_printable(p);
                if (n == 0)
                        return ESCAPED;
                if (n > 1 || !(isalnum((unsigned char)*p) || strchr("_./:@%+,=-", *p)))
                        q = DOUBLE;
                p += n;
        }
        return q;
}

static void quote_escaped(const char *value, struct buf *b)
{
        buf_puts(b, "$'");
        for (const char *p = value; *p;) {
                size_t n = utf8_printable(p);
                if (n == 0) {
                        buf_printf(b, "\\x%02x", (unsigned char)*p++);
                        continue;
                }
                if (*p == '\'' || *p == '\\')
                        buf_puts(b, "\\");
                buf_add(b, p, n);
                p += n;
        }
        buf_puts(b, "'");
}

static void quote_into(const char *value, struct buf *b)
{
        switch (how_to_quote(value)) {
        case BARE:
                buf_puts(b, value);
                break;
        case DOUBLE:
                buf_puts(b, "\"");
                for (const char *p = value; *p; p++) {
                        if (strchr("\"\\$`", *p))
                                buf_puts(b, "\\");
                        buf_add(b, p, 1);
                }
                buf_puts(b, "\"");
                break;
        case ESCAPED:
                quote_escaped(value, b);
                break;
        }
}

char *quote(const char *value)
{
        struct buf b = {0};

        quote_into(value, &b);
        return b.buf;
}

char *record_text(const struct record *r)
{
        struct buf b = {0};

        buf_puts(&b, r->word);
        for (size_t i = 0; i < r->n; i++) {
                buf_printf(&b, " %s=", r->fields[i].key);
                quote_into(r->fields[i].value, &b);
        }
        return b.buf;
}

void record_print(const struct record *r, FILE *f)
{
        _cleanup_free_ char *text = record_text(r);

        fprintf(f, "%s\n", text);
        fflush(f);
}

#include "helpers/net_interfaces.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <strings.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"

#define DEPTH_MAX 8   /* of files that source files */
#define FILES_MAX 256 /* together; ifupdown itself would open each */

/* --- one text --- */

/* A line with those that a backslash joins to it. */
static size_t line_end(const char *text, size_t start)
{
        size_t i = start;

        for (; text[i]; i++)
                if (text[i] == '\n' && (i == start || text[i - 1] != '\\'))
                        return i + 1;
        return i;
}

static char **words_of(const char *line, size_t n)
{
        _cleanup_free_ char *copy = xstrndup(line, n);
        char **words = NULL, *rest = NULL;

        for (size_t i = 0; i + 1 < n; i++)
                if (copy[i] == '\\' && copy[i + 1] == '\n')
                        copy[i] = ' ';
        for (char *w = strtok_r(copy, " \t\r\n", &rest); w; w = strtok_r(NULL, " \t\r\n", &rest))
                strv_add(&words, w);
        return words;
}

static bool is_auto(const char *word)
{
        return streq(word, "auto") || has_prefix(word, "allow-");
}

static bool is_head(const char *word)
{
        static const char *const heads[] = {"iface",  "mapping",          "source",     "source-directory",
                                            "rename", "no-auto-down",     "no-scripts", "template"};

        for (size_t i = 0; i < ELEMENTSOF(heads); i++)
                if (streq(word, heads[i]))
                        return true;
        return is_auto(word);
}

static void parse(struct interfaces_file *f)
{
        struct stanza *now = NULL;

        for (size_t at = 0, end; f->text[at]; at = end) {
                end = line_end(f->text, at);
                _cleanup_strv_ char **words = words_of(f->text + at, end - at);
                if (!words || words[0][0] == '#')
                        continue;
                if (is_head(words[0])) {
                        f->stanzas = xreallocarray(f->stanzas, f->n + 1, sizeof(*f->stanzas));
                        now = &f->stanzas[f->n++];
                        *now = (struct stanza){.start = at, .words = TAKE_PTR(words)};
                }
                if (now)
                        now->end = end;
        }
}

/* --- the files --- */

static int read_file(struct interfaces *all, const char *path, unsigned depth);

static bool is_read(const struct interfaces *all, const char *path)
{
        for (size_t i = 0; i < all->n; i++)
                if (streq(all->files[i].path, path))
                        return true;
        return false;
}

static char *absolute(const char *pattern, const char *from)
{
        if (*pattern == '/')
                return xstrdup(pattern);
        return xasprintf("%.*s%s", (int)(strrchr(from, '/') - from + 1), from, pattern);
}

static int read_glob(struct interfaces *all, const char *pattern, unsigned depth)
{
        _cleanup_free_ char *root = helper_path("/"), *full = helper_path(pattern);
        glob_t found;
        int r = 0;

        if (glob(full, 0, NULL, &found) != 0)
                return 0;
        for (size_t i = 0; i < found.gl_pathc && r == 0; i++)
                r = read_file(all, found.gl_pathv[i] + strlen(root) - 1, depth);
        globfree(&found);
        return r;
}

/* Only names of letters, digits, '-' and '_' count there. */
static int read_folder(struct interfaces *all, const char *folder, unsigned depth)
{
        _cleanup_free_ char *full = helper_path(folder);
        struct dirent **names = NULL;
        int n = scandir(full, &names, NULL, alphasort), r = 0;

        for (int i = 0; i < n; i++) {
                const char *s = names[i]->d_name;
                while (isalnum((unsigned char)*s) || *s == '-' || *s == '_')
                        s++;
                _cleanup_free_ char *path = path_join(folder, names[i]->d_name);
                if (!*s && r == 0)
                        r = read_file(all, path, depth);
                free(names[i]);
        }
        free(names);
        return r;
}

static int follow(struct interfaces *all, char *const *words, const char *from, unsigned depth)
{
        bool is_folder = streq(words[0], "source-directory");
        int r = 0;

        if (!is_folder && !streq(words[0], "source"))
                return 0;
        STRV_FOREACH(w, words + 1) {
                _cleanup_free_ char *pattern = absolute(*w, from), *inside = path_join(pattern, "nas-setup");
                all->sources_ours |= fnmatch(is_folder ? inside : pattern, INTERFACES_OURS, FNM_PATHNAME) == 0;
                r = is_folder ? read_folder(all, pattern, depth + 1) : read_glob(all, pattern, depth + 1);
                if (r < 0)
                        return r;
        }
        return 0;
}

static int read_file(struct interfaces *all, const char *path, unsigned depth)
{
        _cleanup_free_ char *full = helper_path(path), *text = NULL;

        if (is_read(all, path) || depth > DEPTH_MAX || all->n >= FILES_MAX)
                return 0;
        int r = file_text(full, &text);
        if (r == -EISDIR)
                return 0;
        if (r < 0)
                return r;
        all->files = xreallocarray(all->files, all->n + 1, sizeof(*all->files));
        struct interfaces_file f = {.path = xstrdup(path), .text = TAKE_PTR(text)};
        parse(&f);
        all->files[all->n++] = f;
        for (size_t i = 0; i < f.n && r == 0; i++) /* f: all->files moves when it grows */
                r = follow(all, f.stanzas[i].words, path, depth);
        return r;
}

int interfaces_read(struct interfaces *ret)
{
        _cleanup_interfaces_ struct interfaces all = {0};
        int r = read_file(&all, INTERFACES, 0);

        if (r < 0)
                return r;
        *ret = all;
        all = (struct interfaces){0};
        return 0;
}

void interfaces_free(struct interfaces *i)
{
        for (size_t k = 0; k < i->n; k++) {
                struct interfaces_file *f = &i->files[k];
                for (size_t s = 0; s < f->n; s++)
                        strv_free(f->stanzas[s].words);
                free(f->stanzas);
                free(f->path);
                free(f->text);
        }
        free(i->files);
        *i = (struct interfaces){0};
}

/* --- what they say --- */

#define STANZAS_FOREACH(s, i)                                                                                 \
        for (size_t _f = 0; _f < (i)->n; _f++)                                                                \
                for (const struct stanza *s = (i)->files[_f].stanzas; s < (i)->files[_f].stanzas + (i)->files[_f].n; s++)

/* A word of an auto line: "eth0", "eth*", "/eth*", "mac/52:54:…", each perhaps with "=logical". */
static bool is_pattern(const char *word)
{
        return word[strcspn(word, "/*?[")];
}

static bool word_fits(const char *word, const char *name, const char *mac)
{
        _cleanup_free_ char *plain = xstrndup(word, strcspn(word, "="));
        const char *address = skip_prefix(plain, "mac/");

        if (address)
                return mac && strcasecmp(address, mac) == 0;
        return fnmatch(*plain == '/' ? plain + 1 : plain, name, 0) == 0;
}

bool interfaces_is_auto(const struct interfaces *i, const char *name, const char *mac)
{
        STANZAS_FOREACH(s, i)
                if (is_auto(s->words[0]))
                        STRV_FOREACH(w, s->words + 1)
                                if (word_fits(*w, name, mac))
                                        return true;
        return false;
}

bool interfaces_has_pattern(const struct interfaces *i, const char *name)
{
        STANZAS_FOREACH(s, i)
                if (is_auto(s->words[0]))
                        STRV_FOREACH(w, s->words + 1)
                                if (is_pattern(*w) && word_fits(*w, name, NULL))
                                        return true;
        return false;
}

static bool is_iface(const struct stanza *s, const char *logical, const char *family)
{
        return strv_len(s->words) >= 4 && streq(s->words[0], "iface") && streq(s->words[1], logical) &&
               streq(s->words[2], family);
}

const char *interfaces_method(const struct interfaces *i, const char *logical)
{
        STANZAS_FOREACH(s, i)
                if (is_iface(s, logical, "inet"))
                        return s->words[3];
        return NULL;
}

char *interfaces_inet6(const struct interfaces *i, const char *logical)
{
        _cleanup_buf_ struct buf b = {0};

        STANZAS_FOREACH(s, i) {
                if (!is_iface(s, logical, "inet6"))
                        continue;
                const char *text = i->files[_f].text;
                size_t body = line_end(text, s->start);
                _cleanup_free_ char *rest = strv_join(s->words + 3, " ");
                buf_printf(&b, "iface " INTERFACES_LOGICAL " inet6 %s\n", rest);
                if (body < s->end)
                        buf_add(&b, text + body, s->end - body);
                if (b.buf[b.len - 1] != '\n')
                        buf_puts(&b, "\n");
        }
        return b.buf ? TAKE_PTR(b.buf) : xstrdup("");
}

/* --- taking ports out --- */

static bool is_one_of(const char *word, const struct interfaces_port *ports, size_t n)
{
        for (size_t i = 0; i < n; i++)
                if (word_fits(word, ports[i].name, ports[i].mac))
                        return true;
        return false;
}

/* "eth0:1" is a further address of eth0. */
static bool is_name_of(const char *word, const struct interfaces_port *ports, size_t n)
{
        _cleanup_free_ char *name = xstrndup(word, strcspn(word, ":"));

        for (size_t i = 0; i < n; i++)
                if (streq(name, ports[i].name))
                        return true;
        return false;
}

/* What stays of an auto line; NULL where it names none of them and stays as it is. */
static char *auto_rest(const struct stanza *s, const struct interfaces_port *ports, size_t n)
{
        _cleanup_strv_ char **kept = NULL;

        STRV_FOREACH(w, s->words)
                if (w == s->words || !(is_one_of(*w, ports, n) || (!is_pattern(*w) && is_name_of(*w, ports, n))))
                        strv_add(&kept, *w);
        if (strv_len(kept) == strv_len(s->words))
                return NULL;
        _cleanup_free_ char *line = strv_join(kept, " ");
        return strv_len(kept) > 1 ? xasprintf("%s\n", line) : xstrdup("");
}

static void comment_out(struct buf *b, const char *text, size_t start, size_t end)
{
        while (start < end) {
                const char *newline = memchr(text + start, '\n', end - start);
                size_t n = newline ? (size_t)(newline - (text + start)) + 1 : end - start;
                size_t blank = strspn(text + start, " \t");
                bool is_quiet = text[start + blank] == '#' || text[start + blank] == '\n';
                buf_puts(b, is_quiet ? "" : INTERFACES_MARK);
                buf_add(b, text + start, n);
                if (!newline)
                        buf_puts(b, "\n");
                start += n;
        }
}

char *interfaces_without(const struct interfaces_file *f, const struct interfaces_port *ports, size_t n)
{
        _cleanup_buf_ struct buf b = {0};
        size_t done = 0;

        for (size_t i = 0; i < f->n; i++) {
                const struct stanza *s = &f->stanzas[i];
                const char *head = s->words[0], *subject = strv_len(s->words) > 1 ? s->words[1] : "";
                _cleanup_free_ char *rest = is_auto(head) ? auto_rest(s, ports, n) : NULL;
                bool is_theirs = rest || ((streq(head, "iface") || streq(head, "mapping")) && is_name_of(subject, ports, n));
                buf_add(&b, f->text + done, s->start - done);
                if (is_theirs)
                        comment_out(&b, f->text, s->start, s->end);
                else
                        buf_add(&b, f->text + s->start, s->end - s->start);
                buf_puts(&b, rest ? rest : "");
                done = s->end;
        }
        buf_puts(&b, f->text + done);
        return TAKE_PTR(b.buf);
}

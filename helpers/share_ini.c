#include "helpers/share_ini.h"

#include <ctype.h>
#include <strings.h>

/* smb.conf(5), "synonym for"; those that our own lines may meet. */
static const struct {
        const char *name, *main;
        bool opposite;
} synonyms[] = {
    {"writable", "read only", true},       {"writeable", "read only", true},
    {"write ok", "read only", true},       {"public", "guest ok", false},
    {"browsable", "browseable", false},    {"directory", "path", false},
    {"create mode", "create mask", false}, {"directory mode", "directory mask", false},
    {"allow hosts", "hosts allow", false}, {"deny hosts", "hosts deny", false},
    {"group", "force group", false},       {"printcap", "printcap name", false},
    {"min protocol", "server min protocol", false}, {"max protocol", "server max protocol", false},
    {"protocol", "server max protocol", false},     {"smb encrypt", "server smb encrypt", false},
    {"only guest", "guest only", false},            {"exec", "preexec", false},
};

bool ini_is_key(const char *a, const char *b)
{
        for (;; a++, b++) {
                a += strspn(a, " \t");
                b += strspn(b, " \t");
                if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
                        return false;
                if (!*a)
                        return true;
        }
}

const char *ini_main_key(const char *key, bool *ret_opposite)
{
        *ret_opposite = false;
        for (size_t i = 0; i < ELEMENTSOF(synonyms); i++)
                if (ini_is_key(key, synonyms[i].name)) {
                        *ret_opposite = synonyms[i].opposite;
                        return synonyms[i].main;
                }
        return key;
}

/* 1 yes, 0 no, -1 neither. */
static int truth(const char *s)
{
        static const char *const words[][4] = {{"no", "false", "off", "0"}, {"yes", "true", "on", "1"}};

        for (int t = 0; t < 2; t++)
                for (size_t i = 0; i < ELEMENTSOF(words[t]); i++)
                        if (strcasecmp(s, words[t][i]) == 0)
                                return t;
        return -1;
}

bool ini_is_yes(const char *value)
{
        return value && truth(value) == 1;
}

static bool is_octal(const char *s)
{
        return *s && strspn(s, "01234567") == strlen(s);
}

bool ini_is_value(const char *a, const char *b)
{
        if (is_octal(a) && is_octal(b))
                return strtoul(a, NULL, 8) == strtoul(b, NULL, 8);
        if (truth(a) >= 0 && truth(a) == truth(b))
                return true;
        for (;;) {
                size_t blanks_a = strspn(a, " \t,"), blanks_b = strspn(b, " \t,");
                a += blanks_a;
                b += blanks_b;
                if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
                        return false;
                if (*a && !blanks_a != !blanks_b)
                        return false;
                if (!*a)
                        return true;
                a++;
                b++;
        }
}

static struct ini_line *add(struct ini *ini, const char *section, const char *raw)
{
        ini->v = xreallocarray(ini->v, ini->n + 1, sizeof *ini->v);
        ini->v[ini->n] = (struct ini_line){.section = xstrdup(section), .raw = xstrdup(raw)};
        return &ini->v[ini->n++];
}

static void read_entry(struct ini *ini, const char *section, const char *raw, char *line, char *eq)
{
        struct ini_line *l = add(ini, section, raw);
        bool opposite;

        *eq = '\0';
        l->key = xstrdup(ini_main_key(strip(line), &opposite));
        const char *value = strip(eq + 1);
        l->value = xstrdup(!opposite || truth(value) < 0 ? value : truth(value) ? "no" : "yes");
}

static void read_one(struct ini *ini, char **section, const char *raw)
{
        _cleanup_free_ char *copy = xstrdup(raw);
        char *line = strip(copy), *end;

        if (*line == '[' && (end = strchr(line, ']'))) {
                *end = '\0';
                free(*section);
                *section = xstrdup(strip(line + 1));
                add(ini, *section, raw)->is_title = true;
        } else if (*line == '#' || *line == ';') {
                add(ini, *section, raw)->value = xstrdup(strip(line + 1));
        } else if ((end = strchr(line, '='))) {
                read_entry(ini, *section, raw, line, end);
        }
}

void ini_read(const char *text, struct ini *ret)
{
        _cleanup_free_ char *copy = xstrdup(text), *section = xstrdup("global");

        *ret = (struct ini){0};
        for (char *p = copy; *p;) {
                char *end = p;
                while (*(end = strchrnul(end, '\n')) && end > p && end[-1] == '\\') {
                        end[-1] = end[0] = ' ';
                }
                char *next = *end ? end + 1 : end;
                *end = '\0';
                read_one(ret, &section, p);
                p = next;
        }
}

void ini_free(struct ini *ini)
{
        for (size_t i = 0; i < ini->n; i++) {
                free(ini->v[i].section);
                free(ini->v[i].key);
                free(ini->v[i].value);
                free(ini->v[i].raw);
        }
        free(ini->v);
        *ini = (struct ini){0};
}

const char *ini_get(const struct ini *ini, const char *section, const char *key)
{
        const char *found = NULL;

        for (size_t i = 0; i < ini->n; i++)
                if (ini->v[i].key && strcasecmp(ini->v[i].section, section) == 0 &&
                    ini_is_key(ini->v[i].key, key))
                        found = ini->v[i].value;
        return found;
}

bool ini_has_section(const struct ini *ini, const char *section)
{
        for (size_t i = 0; i < ini->n; i++)
                if (ini->v[i].is_title && strcasecmp(ini->v[i].section, section) == 0)
                        return true;
        return false;
}

#include "wizard/i18n.h"

#include <langinfo.h>
#include <libintl.h>
#include <locale.h>

#include "helpers/lib/util.h"
#include "wizard/catalog.h"

#define DOMAIN "nas-setup"

static struct {
        char *dir;
        bool utf8;
        struct catalog own; /* what libc won't look up */
} i18n;

static const struct language known[] = {
    {"en", "English"},  {"de", "Deutsch"},    {"es", "Español"},   {"fr", "Français"},
    {"it", "Italiano"}, {"nl", "Nederlands"}, {"pt", "Português"},
};

const char *i18n_text(const char *id)
{
        const char *text = i18n.own.data ? catalog_find(&i18n.own, id, false) : NULL;

        return text ? text : gettext(id);
}

/* The languages in the table below have one form for 1 and one for the rest, French also for 0. */
const char *i18n_plural(const char *one, const char *many, unsigned long n)
{
        const char *text = NULL;

        if (i18n.own.data)
                text = catalog_find(&i18n.own, one, n != 1 && (n > 0 || !streq(i18n_current(), "fr")));
        return text ? text : ngettext(one, many, n);
}

/* glibc looks at LANGUAGE only where LC_MESSAGES is neither "C" nor (since 2.38) "C.UTF-8"; any other locale
 * that is there will do. */
static void messages_locale(const char *code)
{
        _cleanup_free_ char *upper = xstrdup(code), *own = NULL;
        for (char *p = upper; *p; p++)
                *p = *p >= 'a' && *p <= 'z' ? *p - 32 : *p;
        own = xasprintf("%s_%s.UTF-8", code, streq(code, "en") ? "US" : upper);
        const char *tries[] = {own, "en_US.UTF-8", "en_GB.UTF-8", "de_DE.UTF-8", "C.UTF-8"};
        for (size_t i = 0; i < ELEMENTSOF(tries); i++)
                if (setlocale(LC_MESSAGES, tries[i]))
                        return;
}

void i18n_start(const char *dir)
{
        setlocale(LC_ALL, "");
        setlocale(LC_NUMERIC, "C");
        i18n.utf8 = streq(nl_langinfo(CODESET), "UTF-8");
        if (!i18n.utf8)
                setlocale(LC_CTYPE, "C.UTF-8");
        free(i18n.dir);
        i18n.dir = xstrdup(dir);
        bindtextdomain(DOMAIN, i18n.dir);
        bind_textdomain_codeset(DOMAIN, "UTF-8");
        textdomain(DOMAIN);
}

bool i18n_is_utf8(void)
{
        return i18n.utf8;
}

static char *catalog_path(const char *code)
{
        return xasprintf("%s/%s/LC_MESSAGES/" DOMAIN ".mo", i18n.dir, code);
}

void i18n_choose(const char *code)
{
        /* glibc forgets what it has looked up when the domain is bound anew. */
        setenv("LANGUAGE", code, 1);
        messages_locale(code);
        bindtextdomain(DOMAIN, i18n.dir);
        textdomain(DOMAIN);
        catalog_free(&i18n.own);
        if (streq(code, "en") || streq(i18n_current(), code))
                return;
        _cleanup_free_ char *path = catalog_path(code);
        if (catalog_read(path, &i18n.own) < 0)
                i18n.own = (struct catalog){0};
}

static bool is_installed(const char *code)
{
        _cleanup_free_ char *path = catalog_path(code);
        FILE *f = fopen(path, "re");
        if (f)
                fclose(f);
        return f;
}

size_t i18n_languages(struct language *ret, size_t max)
{
        size_t n = 0;
        for (size_t i = 0; i < ELEMENTSOF(known) && n < max; i++)
                if (i == 0 || is_installed(known[i].code))
                        ret[n++] = known[i];
        return n;
}

void i18n_decimal(char *text)
{
        /* TRANSLATORS: the mark between whole and tenths, one character: "," where 1.5 is written 1,5. */
        const char *mark = _(".");
        char *dot = strchr(text, '.');

        if (dot && strlen(mark) == 1)
                *dot = *mark;
}

const char *i18n_current(void)
{
        /* TRANSLATORS: the code of your language, such as "de"; it stays lower case. */
        const char *code = _("en");
        return streq(code, "") ? "en" : code;
}

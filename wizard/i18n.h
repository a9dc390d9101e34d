/* The user's language: gettext, domain "nas-setup". Texts in tables stand in N_() and go through _() where they are
 * shown. Whatever the locale's own encoding, translated texts are UTF-8. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define _(s) i18n_text(s)
#define N_(s) (s)
#define Q_(one, many, n) i18n_plural(one, many, n)

const char *i18n_text(const char *id) __attribute__((format_arg(1)));
const char *i18n_plural(const char *one, const char *many, unsigned long n)
        __attribute__((format_arg(1), format_arg(2)));

struct language {
        const char *code; /* "de" */
        const char *name; /* in itself: "Deutsch" */
};

/* Takes the locale of the environment and the messages below dir. A locale that is
 * not UTF-8 keeps its language, and wcwidth works all the same. Call it before any text is made. */
void i18n_start(const char *dir);
/* Whether the environment's locale is UTF-8. */
bool i18n_is_utf8(void);
/* Changes the language of everything shown from now on. */
void i18n_choose(const char *code);
/* Those that are installed, English first; how many (at most max). */
size_t i18n_languages(struct language *ret, size_t max);
void i18n_decimal(char *text);  /* puts the language's decimal mark in the place of the first '.' */
const char *i18n_current(void); /* code of the one that is shown */

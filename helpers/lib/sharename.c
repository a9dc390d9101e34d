#include "helpers/lib/sharename.h"

#include <ctype.h>
#include <strings.h>

#define N_(s) s
#define SLUG_MAX 12

struct rule {
        size_t max; /* UTF-16 units, or bytes where only ASCII is allowed */
        bool may_be_empty, is_lower; /* is_lower: no capital letters, and a letter first */
        const char *only; /* beside ASCII letters and digits; NULL: every character that is not in refused */
        const char *refused;
        const char *const *reserved;
};

/* Also what Windows makes by itself on every computer. */
static const char *const reserved_shares[] = {"con", "prn", "aux", "nul", "global", "homes", "printers", "print$",  "IPC$",
                                              "ADMIN$", "pipe",  "mailslot", NULL};
static const char *const reserved_groups[] = {"localhost", "global", "builtin", NULL};

/* What every Debian has (base-passwd), and what guests come in as. */
static const char *const reserved_users[] = {"root", "daemon", "bin", "sys", "sync", "games", "man", "lp", "mail", "news", "uucp",
                                             "proxy", "www-data", "backup", "list", "irc", "nobody", "guest", NULL};

static const struct rule rules[] = {
    [SHARENAME_SHARE] = {80, false, false, NULL, "\"\\/[]:|<>+=;,*?%#", reserved_shares},
    [SHARENAME_COMMENT] = {48, true, false, NULL, "\"\\%#;", NULL},
    [SHARENAME_WORKGROUP] = {15, false, false, "-_. ", NULL, reserved_groups},
    [SHARENAME_USER] = {20, false, true, "-_", NULL, reserved_users},
};

#define SHARE SHARENAME_SHARE
#define COMMENT SHARENAME_COMMENT
#define WORKGROUP SHARENAME_WORKGROUP
#define USER SHARENAME_USER
static const char *const messages[][SHARENAME_FAULTS] = {
    [SHARE] =
        {
            [SHARENAME_EMPTY] = N_("The share needs a name."),
            [SHARENAME_LONG] = N_("This name is too long: a share's name has at most 80 characters."),
            [SHARENAME_ENCODING] = N_("This name has bytes that are no characters."),
            [SHARENAME_CONTROL] = N_("This name has an invisible character."),
            [SHARENAME_CHARACTER] = N_("%s cannot be part of a share's name."),
            [SHARENAME_EDGE] = N_("A share's name cannot begin or end with a blank."),
            [SHARENAME_BLANKS] = N_("A share's name cannot have two blanks in a row."),
            [SHARENAME_DOTS] = N_("A share's name cannot end with a dot."),
            [SHARENAME_HIDDEN] = N_("A name that ends in $ is hidden: nobody would see the share."),
            [SHARENAME_RESERVED] = N_("Windows or Samba use this name for something else; take another one."),
        },
    [COMMENT] =
        {
            [SHARENAME_LONG] = N_("This comment is too long: 48 characters at most."),
            [SHARENAME_ENCODING] = N_("This comment has bytes that are no characters."),
            [SHARENAME_CONTROL] = N_("This comment has an invisible character."),
            [SHARENAME_CHARACTER] = N_("%s cannot be part of a comment."),
            [SHARENAME_EDGE] = N_("A comment cannot begin or end with a blank."),
            [SHARENAME_BLANKS] = N_("A comment cannot have two blanks in a row."),
        },
    [WORKGROUP] =
        {
            [SHARENAME_EMPTY] = N_("The workgroup needs a name; Windows calls it WORKGROUP."),
            [SHARENAME_LONG] = N_("This name is too long: a workgroup has at most 15 characters."),
            [SHARENAME_ENCODING] = N_("This name has bytes that are no characters."),
            [SHARENAME_CONTROL] = N_("This name has an invisible character."),
            [SHARENAME_CHARACTER] =
                N_("%s cannot be part of a workgroup: letters a to z, digits, - _ . only."),
            [SHARENAME_EDGE] = N_("A workgroup cannot begin or end with a blank."),
            [SHARENAME_BLANKS] = N_("A workgroup cannot have two blanks in a row."),
            [SHARENAME_DOTS] = N_("A workgroup cannot end with a dot."),
            [SHARENAME_RESERVED] = N_("This name is used for something else; take another one."),
            [SHARENAME_DIGITS] = N_("A workgroup needs at least one letter."),
        },
    [USER] =
        {
            [SHARENAME_EMPTY] = N_("The user needs a name."),
            [SHARENAME_LONG] = N_("This name is too long: a user has at most 20 characters."),
            [SHARENAME_ENCODING] = N_("This name has bytes that are no characters."),
            [SHARENAME_CONTROL] = N_("This name has an invisible character."),
            [SHARENAME_CHARACTER] = N_("%s cannot be part of a user's name: small letters a to z, digits, - _ only."),
            [SHARENAME_EDGE] = N_("A user's name cannot begin or end with a blank."),
            [SHARENAME_BLANKS] = N_("A user's name cannot have blanks."),
            [SHARENAME_RESERVED] = N_("This computer uses this name for itself; take another one."),
            [SHARENAME_DIGITS] = N_("A user's name begins with a letter."),
        },
};

/* The code point at s and its length; 0 bytes where it is no valid UTF-8 (overlong forms and surrogates are
 * not). */
static size_t decode(const char *s, uint32_t *ret)
{
        const unsigned char *u = (const unsigned char *)s;
        size_t n = u[0] < 0x80             ? 1
                   : (u[0] & 0xe0) == 0xc0 ? 2
                   : (u[0] & 0xf0) == 0xe0 ? 3
                   : (u[0] & 0xf8) == 0xf0 ? 4
                                           : 0;
        static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
        uint32_t c = n == 1 ? u[0] : n ? u[0] & (0xffu >> (n + 1)) : 0;

        for (size_t i = 1; i < n; i++) {
                if ((u[i] & 0xc0) != 0x80)
                        return 0;
                c = c << 6 | (u[i] & 0x3f);
        }
        if (n == 0 || c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
                return 0;
        *ret = c;
        return n;
}

/* What no eye can tell from nothing or from a blank, and what turns the direction of the text around it. */
static bool is_invisible(uint32_t c)
{
        static const uint32_t ranges[][2] = {
            {0, 0x1f},        {0x7f, 0xa0},     {0xad, 0xad},     {0x61c, 0x61c},    {0x1680, 0x1680},
            {0x180e, 0x180e}, {0x2000, 0x200f}, {0x2028, 0x202f}, {0x205f, 0x206f},  {0x3000, 0x3000},
            {0xfdd0, 0xfdef}, {0xfeff, 0xfeff}, {0xfff0, 0xffff}, {0xe0000, 0xe0fff}};

        for (size_t i = 0; i < ELEMENTSOF(ranges); i++)
                if (c >= ranges[i][0] && c <= ranges[i][1])
                        return true;
        return false;
}

static bool is_allowed(const struct rule *rule, uint32_t c)
{
        if (rule->only)
                return c < 0x80 && ((isalnum((int)c) && !(rule->is_lower && isupper((int)c))) || strchr(rule->only, (int)c));
        return c >= 0x80 || !strchr(rule->refused, (int)c);
}

static enum sharename_fault check_characters(const struct rule *rule, const char *s, char character[5])
{
        size_t units = 0;
        uint32_t c;

        for (size_t n; *s; s += n) {
                n = decode(s, &c);
                if (n == 0)
                        return SHARENAME_ENCODING;
                if (is_invisible(c))
                        return SHARENAME_CONTROL;
                if (c != ' ' && !is_allowed(rule, c)) {
                        memcpy(character, s, n);
                        return SHARENAME_CHARACTER;
                }
                units += c > 0xffff ? 2 : 1;
        }
        return units > rule->max ? SHARENAME_LONG : SHARENAME_FINE;
}

static enum sharename_fault check_form(enum sharename_kind kind, const char *s)
{
        const char last = s[strlen(s) - 1];
        if (*s == ' ' || last == ' ')
                return SHARENAME_EDGE;
        if (strstr(s, rules[kind].is_lower ? " " : "  "))
                return SHARENAME_BLANKS;
        if (kind != SHARENAME_COMMENT && last == '.')
                return SHARENAME_DOTS;
        if (rules[kind].is_lower && !islower((unsigned char)*s))
                return SHARENAME_DIGITS;
        if (kind == SHARENAME_WORKGROUP && strspn(s, "0123456789.-_ ") == strlen(s))
                return SHARENAME_DIGITS;
        for (const char *const *r = rules[kind].reserved; r && *r; r++)
                if (strcasecmp(s, *r) == 0)
                        return SHARENAME_RESERVED;
        return kind == SHARENAME_SHARE && last == '$' ? SHARENAME_HIDDEN : SHARENAME_FINE;
}

enum sharename_fault sharename_check(enum sharename_kind kind, const char *s, char ret_character[5])
{
        char character[5] = "";
        enum sharename_fault fault;

        if (!*s)
                return rules[kind].may_be_empty ? SHARENAME_FINE : SHARENAME_EMPTY;
        fault = check_characters(&rules[kind], s, character);
        if (fault == SHARENAME_FINE)
                fault = check_form(kind, s);
        if (ret_character)
                memcpy(ret_character, character, sizeof character);
        return fault;
}

const char *sharename_message(enum sharename_kind kind, enum sharename_fault fault)
{
        const char *m = messages[kind][fault];

        return m ? m : "";
}

bool sharename_workgroup_is_host(const char *workgroup, const char *netbios)
{
        return strcasecmp(workgroup, netbios) == 0;
}

/* --- slugs --- */

/* The letter below an accent for U+00C0 to U+017F, '.' where there is none. */
static const char latin[] = "aaaaaaaceeeeiiiidnooooo.ouuuuytsaaaaaaaceeeeiiiidnooooo.ouuuuyty"
                            "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll"
                            "lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

static char slug_letter(uint32_t c)
{
        if (c < 0x80)
                return isalnum((int)c) ? (char)tolower((int)c) : '-';
        return c >= 0xc0 && c <= 0x17f && latin[c - 0xc0] != '.' ? latin[c - 0xc0] : '-';
}

static void cut_dashes(char *s)
{
        for (size_t n = strlen(s); n > 0 && s[n - 1] == '-';)
                s[--n] = '\0';
}

static bool is_device_number(const char *s)
{
        const char *digits = has_prefix(s, "md") ? s + 2 : has_prefix(s, "d") ? s + 1 : s;

        return *digits && strspn(digits, "0123456789") == strlen(digits);
}

char *sharename_slug(const char *name, char *const *taken)
{
        char slug[SLUG_MAX + 1] = "";
        size_t used = 0;
        uint32_t c = 0;

        for (size_t n; *name && used < SLUG_MAX; name += n) {
                n = decode(name, &c);
                char letter = n ? slug_letter(c) : '-';
                n = MAX2(n, 1);
                if (letter != '-' || (used > 0 && slug[used - 1] != '-'))
                        slug[used++] = letter;
        }
        cut_dashes(slug);
        _cleanup_free_ char *base = !*slug                   ? xstrdup("share")
                                    : is_device_number(slug) ? xasprintf("share-%.6s", slug)
                                                             : xstrdup(slug);
        _cleanup_free_ char *found = xstrdup(base);
        for (unsigned i = 2; strv_has(taken, found); i++) {
                _cleanup_free_ char *tail = xasprintf("-%u", i);
                _cleanup_free_ char *head = xstrndup(base, SLUG_MAX - strlen(tail));
                cut_dashes(head);
                free(found);
                found = xasprintf("%s%s", head, tail);
        }
        return TAKE_PTR(found);
}

bool sharename_is_slug(const char *s)
{
        size_t n = strlen(s);

        return n >= 1 && n <= SLUG_MAX && strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == n &&
               s[0] != '-' && s[n - 1] != '-' && !is_device_number(s);
}

#include "helpers/lib/sharename.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define X10 "0123456789"
#define X40 X10 X10 X10 X10

static const struct check_case {
        enum sharename_kind kind;
        const char *name;
        enum sharename_fault fault;
        const char *character;
} check_cases[] = {
        {SHARENAME_SHARE, "public", SHARENAME_FINE, ""},
        {SHARENAME_SHARE, "Our photos 2024", SHARENAME_FINE, ""},
        {SHARENAME_SHARE, "Fotos f\303\274r alle", SHARENAME_FINE, ""},
        {SHARENAME_SHARE, "\345\206\231\347\234\237", SHARENAME_FINE, ""},
        {SHARENAME_SHARE, "a&b'c(d)!@~`{}^_-.e", SHARENAME_FINE, ""},
        {SHARENAME_SHARE, "a$b", SHARENAME_FINE, ""},
        {SHARENAME_SHARE, "", SHARENAME_EMPTY, ""},
        {SHARENAME_SHARE, X40 X40, SHARENAME_FINE, ""},
        {SHARENAME_SHARE, X40 X40 "x", SHARENAME_LONG, ""},
        {SHARENAME_SHARE, X40 X10 X10 X10 "12345678" "\360\237\230\200", SHARENAME_FINE, ""},
        {SHARENAME_SHARE, X40 X10 X10 X10 "123456789" "\360\237\230\200", SHARENAME_LONG, ""},
        {SHARENAME_SHARE, " a", SHARENAME_EDGE, ""},
        {SHARENAME_SHARE, "a ", SHARENAME_EDGE, ""},
        {SHARENAME_SHARE, " ", SHARENAME_EDGE, ""},
        {SHARENAME_SHARE, "a  b", SHARENAME_BLANKS, ""},
        {SHARENAME_SHARE, ".", SHARENAME_DOTS, ""},
        {SHARENAME_SHARE, "..", SHARENAME_DOTS, ""},
        {SHARENAME_SHARE, "a.", SHARENAME_DOTS, ""},
        {SHARENAME_SHARE, ".hidden", SHARENAME_FINE, ""},
        {SHARENAME_SHARE, "a$", SHARENAME_HIDDEN, ""},
        {SHARENAME_SHARE, "Global", SHARENAME_RESERVED, ""},
        {SHARENAME_SHARE, "HOMES", SHARENAME_RESERVED, ""},
        {SHARENAME_SHARE, "printers", SHARENAME_RESERVED, ""},
        {SHARENAME_SHARE, "ipc$", SHARENAME_RESERVED, ""},
        {SHARENAME_SHARE, "a\tb", SHARENAME_CONTROL, ""},
        {SHARENAME_SHARE, "a\nb", SHARENAME_CONTROL, ""},
        {SHARENAME_SHARE, "a\177", SHARENAME_CONTROL, ""},
        {SHARENAME_SHARE, "a\302\205", SHARENAME_CONTROL, ""},     /* U+0085 */
        {SHARENAME_SHARE, "a\302\240b", SHARENAME_CONTROL, ""},    /* no-break space */
        {SHARENAME_SHARE, "\342\200\256cod", SHARENAME_CONTROL, ""}, /* right-to-left override */
        {SHARENAME_SHARE, "a\377", SHARENAME_ENCODING, ""},
        {SHARENAME_SHARE, "a\303", SHARENAME_ENCODING, ""},
        {SHARENAME_SHARE, "\300\257", SHARENAME_ENCODING, ""},     /* '/' in two bytes */
        {SHARENAME_SHARE, "\355\240\200", SHARENAME_ENCODING, ""}, /* a surrogate */
        {SHARENAME_USER, "family", SHARENAME_FINE, ""},
        {SHARENAME_USER, "a2-b_c", SHARENAME_FINE, ""},
        {SHARENAME_USER, "", SHARENAME_EMPTY, ""},
        {SHARENAME_USER, "abcdefghijklmnopqrst", SHARENAME_FINE, ""},
        {SHARENAME_USER, "abcdefghijklmnopqrstu", SHARENAME_LONG, ""},
        {SHARENAME_USER, "Anna", SHARENAME_CHARACTER, "A"},
        {SHARENAME_USER, "j\303\266rg", SHARENAME_CHARACTER, "\303\266"},
        {SHARENAME_USER, "a.b", SHARENAME_CHARACTER, "."},
        {SHARENAME_USER, "a b", SHARENAME_BLANKS, ""},
        {SHARENAME_USER, "a ", SHARENAME_EDGE, ""},
        {SHARENAME_USER, "2nd", SHARENAME_DIGITS, ""},
        {SHARENAME_USER, "-a", SHARENAME_DIGITS, ""},
        {SHARENAME_USER, "root", SHARENAME_RESERVED, ""},
        {SHARENAME_COMMENT, "", SHARENAME_FINE, ""},
        {SHARENAME_COMMENT, "Files for everyone, 100 MB/s: ok?", SHARENAME_FINE, ""},
        {SHARENAME_COMMENT, "Dateien f\303\274r alle", SHARENAME_FINE, ""},
        {SHARENAME_COMMENT, "for %u", SHARENAME_CHARACTER, "%"},
        {SHARENAME_COMMENT, "photos #1", SHARENAME_CHARACTER, "#"},
        {SHARENAME_COMMENT, "a; b", SHARENAME_CHARACTER, ";"},
        {SHARENAME_COMMENT, "say \"hi\"", SHARENAME_CHARACTER, "\""},
        {SHARENAME_COMMENT, "ends in \\", SHARENAME_CHARACTER, "\\"},
        {SHARENAME_COMMENT, "two\nlines", SHARENAME_CONTROL, ""},
        {SHARENAME_COMMENT, X40 "12345678", SHARENAME_FINE, ""},
        {SHARENAME_COMMENT, X40 "123456789", SHARENAME_LONG, ""},
        {SHARENAME_WORKGROUP, "WORKGROUP", SHARENAME_FINE, ""},
        {SHARENAME_WORKGROUP, "my home", SHARENAME_FINE, ""},
        {SHARENAME_WORKGROUP, "", SHARENAME_EMPTY, ""},
        {SHARENAME_WORKGROUP, "abcdefghijklmno", SHARENAME_FINE, ""},
        {SHARENAME_WORKGROUP, "abcdefghijklmnop", SHARENAME_LONG, ""},
        {SHARENAME_WORKGROUP, "f\303\274r", SHARENAME_CHARACTER, "\303\274"},
        {SHARENAME_WORKGROUP, "a/b", SHARENAME_CHARACTER, "/"},
        {SHARENAME_WORKGROUP, "a%b", SHARENAME_CHARACTER, "%"},
        {SHARENAME_WORKGROUP, "...", SHARENAME_DOTS, ""},
        {SHARENAME_WORKGROUP, "123", SHARENAME_DIGITS, ""},
        {SHARENAME_WORKGROUP, "localhost", SHARENAME_RESERVED, ""},
};

static void checks(void **state _unused_)
{
        for (size_t i = 0; i < ELEMENTSOF(check_cases); i++) {
                const struct check_case *c = &check_cases[i];
                char character[5] = "?";
                enum sharename_fault fault = sharename_check(c->kind, c->name, c->name[0] ? character : NULL);
                if (fault != c->fault)
                        print_error("'%s': fault %d, wanted %d\n", c->name, fault, c->fault);
                assert_int_equal(fault, c->fault);
                if (c->name[0])
                        assert_string_equal(character, c->character);
                assert_true((fault == SHARENAME_FINE) == (*sharename_message(c->kind, fault) == '\0'));
        }
}

static void each_bad_character_is_named(void **state _unused_)
{
        for (const char *p = "\"\\/[]:|<>+=;,*?%#"; *p; p++) {
                char name[] = "aXb", character[5];
                name[1] = *p;
                assert_int_equal(sharename_check(SHARENAME_SHARE, name, character), SHARENAME_CHARACTER);
                assert_int_equal(character[0], *p);
                assert_int_equal(character[1], '\0');
        }
        assert_non_null(strstr(sharename_message(SHARENAME_SHARE, SHARENAME_CHARACTER), "%s"));
}

static const struct {
        const char *name, *slug;
} slug_cases[] = {
        {"public", "public"},
        {"Our photos 2024", "our-photos-2"},
        {"  --Movies!! & TV--  ", "movies-tv"},
        {"Fotos f\303\274r alle", "fotos-fur-al"},
        {"\303\204\303\226\303\234\303\237", "aous"},
        {"\305\201\303\263d\305\272", "lodz"},
        {"\345\206\231\347\234\237", "share"},
        {"\377\376", "share"},
        {"...", "share"},
        {"abcdefghijk-lmn", "abcdefghijk"},
        {"2024", "share-2024"},
        {"123456789", "share-123456"},
        {"md127", "share-md127"},
        {"d1", "share-d1"},
        {"mdx", "mdx"},
        {"1st", "1st"},
};

static void slugs(void **state _unused_)
{
        for (size_t i = 0; i < ELEMENTSOF(slug_cases); i++) {
                _cleanup_free_ char *slug = sharename_slug(slug_cases[i].name, NULL);
                assert_string_equal(slug, slug_cases[i].slug);
                assert_true(sharename_is_slug(slug));
        }
        assert_false(sharename_is_slug(""));
        assert_false(sharename_is_slug("-a"));
        assert_false(sharename_is_slug("A"));
        assert_false(sharename_is_slug("md7"));
        assert_false(sharename_is_slug("2024"));
        assert_false(sharename_is_slug("abcdefghijklm"));
}

static void slugs_are_unique(void **state _unused_)
{
        _cleanup_free_ char *one = sharename_slug("public", STRV("public", "public-2"));
        _cleanup_free_ char *two = sharename_slug("abcdefghijkl", STRV("abcdefghijkl"));
        _cleanup_free_ char *three = sharename_slug("abcdefghi-kl", STRV("abcdefghi-kl"));

        assert_string_equal(one, "public-3");
        assert_string_equal(two, "abcdefghij-2");
        assert_string_equal(three, "abcdefghi-2");
}

static void workgroup_and_host(void **state _unused_)
{
        assert_true(sharename_workgroup_is_host("NAS", "nas"));
        assert_false(sharename_workgroup_is_host("WORKGROUP", "nas"));
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(checks),
                cmocka_unit_test(each_bad_character_is_named),
                cmocka_unit_test(slugs),
                cmocka_unit_test(slugs_are_unique),
                cmocka_unit_test(workgroup_and_host),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}

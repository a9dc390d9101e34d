#include "wizard/ui_private.h"

#include <wctype.h>

/* look.md, "Glyphs": those of both the kernel's font and Lat15-Fixed16. The cut mark … is not in the kernel's
 * font; ASCII ".." stands in for it there. */
static const struct {
        const wchar_t *utf8, *ascii;
} glyphs[N_GLYPHS] = {
    [G_DONE] = {L"■", L"*"},
    [G_CURRENT] = {L"→", L">"},
    [G_TO_COME] = {L"·", L"."},
    [G_FAILED] = {L"×", L"x"},
    [G_RADIO] = {L"•", L"*"},
    [G_FILLED] = {L"█", L"#"},
    [G_TRACK] = {L"░", L"."},
    [G_SHADE] = {L"▒", L":"},
    [G_UP] = {L"▲", L"^"},
    [G_DOWN] = {L"▼", L"v"},
    [G_RULE] = {L"─", L"-"},
    [G_LIMIT] = {L"│", L"|"},
    [G_CORNER] = {L"┘", L"+"},
    [G_CUT] = {L"…", L".."},
    [G_UP_DOWN] = {L"↑↓", L"Up/Down"},
    [G_LEFT_RIGHT] = {L"←→", L"Left/Right"},
};

static const struct {
        wchar_t from;
        const char *to;
} translit[] = {
    {L'ä', "ae"}, {L'ö', "oe"}, {L'ü', "ue"}, {L'Ä', "Ae"}, {L'Ö', "Oe"}, {L'Ü', "Ue"}, {L'ß', "ss"},
    {L'é', "e"},  {L'è', "e"},  {L'ê', "e"},  {L'à', "a"},  {L'á', "a"},  {L'í', "i"},  {L'ó', "o"},
    {L'ú', "u"},  {L'ñ', "n"},  {L'ç', "c"},  {L'°', " "},  {L'×', "x"},  {L'≤', "<="}, {L'≥', ">="},
    {L'«', "\""}, {L'»', "\""}, {L'±', "+-"}, {L'…', ".."}, {L'„', "\""}, {L'“', "\""}, {L'”', "\""},
    {L'’', "'"},  {L'–', "-"},  {L'→', "->"}, {L'←', "<-"}, {0xa0, " "},
};

const char *ui_ascii(wchar_t c)
{
        static char one[2];
        if (c < 0x7f) {
                one[0] = (char)c;
                return one;
        }
        for (size_t i = 0; i < ELEMENTSOF(translit); i++)
                if (translit[i].from == c)
                        return translit[i].to;
        return "?";
}

wchar_t ui_glyph_char(enum glyph g, int i)
{
        return (ui_canvas.ascii ? glyphs[g].ascii : glyphs[g].utf8)[i];
}

const char *ui_glyph_text(enum glyph g)
{
        static char text[2][32];
        static int turn;
        char *s = text[turn ^= 1];
        int n = snprintf(s, 32, "%ls", ui_canvas.ascii ? glyphs[g].ascii : glyphs[g].utf8);
        return n < 0 ? "?" : s;
}

int ui_cell_width(wchar_t c)
{
        int w = wcwidth(c);
        return w < 0 ? 1 : w;
}

/* Decodes strictly: overlong forms, surrogates and what is beyond Unicode are broken bytes. */
static size_t utf8_decode(const unsigned char *s, wchar_t *ret)
{
        static const struct {
                unsigned char mask, lead;
                uint32_t least;
        } form[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
        for (size_t n = 0; n < ELEMENTSOF(form); n++) {
                if ((s[0] & form[n].mask) != form[n].lead)
                        continue;
                uint32_t c = s[0] & (unsigned char)~form[n].mask;
                for (size_t i = 1; i <= n; i++) {
                        if ((s[i] & 0xc0) != 0x80)
                                return 0;
                        c = c << 6 | (s[i] & 0x3f);
                }
                if (c < form[n].least || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
                        return 0;
                *ret = (wchar_t)c;
                return n + 1;
        }
        return 0;
}

/* Characters that move others about or hide (bidirectional controls, zero width ones, the byte order mark).
 */
static bool is_hostile(wchar_t c)
{
        return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || (c >= 0x200b && c <= 0x200f) ||
               (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || c == 0x61c ||
               (c >= 0xe0000 && c <= 0xe0fff) || wcwidth(c) < 0;
}

size_t ui_next(const char *s, wchar_t ret[8])
{
        const unsigned char *u = (const unsigned char *)s;
        wchar_t c = 0;
        if (*u == 0)
                return 0;
        size_t n = utf8_decode(u, &c);
        if (n > 0 && !is_hostile(c)) {
                if (ui_canvas.ascii && c > 0x7e) {
                        swprintf(ret, 8, L"%s", ui_ascii(c));
                } else {
                        ret[0] = c;
                        ret[1] = 0;
                }
                return n;
        }
        if (n > 1)
                swprintf(ret, 8, L"\\u%04x", (unsigned)c & 0xffff);
        else
                swprintf(ret, 8, L"\\x%02x", *u);
        return n > 1 ? n : 1;
}

int ui_width(const char *text)
{
        int width = 0;
        wchar_t w[8];
        for (size_t n; (n = ui_next(text, w)) > 0; text += n)
                for (int i = 0; w[i]; i++)
                        width += ui_cell_width(w[i]);
        return width;
}

size_t ui_next_len(const char *text)
{
        wchar_t w[8];
        return ui_next(text, w);
}

int ui_encode(int key, char ret[8])
{
        uint32_t c = (uint32_t)key;
        int n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

        if (n == 1)
                ret[0] = (char)c;
        for (int i = n - 1; n > 1 && i > 0; i--, c >>= 6)
                ret[i] = (char)(0x80 | (c & 0x3f));
        if (n > 1)
                ret[0] = (char)((0xf00 >> n & 0xff) | c);
        return n;
}

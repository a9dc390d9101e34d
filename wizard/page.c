#include "wizard/page.h"

#include <ctype.h>

/* TRANSLATORS: the row of tabs, Welcome to Apply: all of them and two blanks each fit into 65 columns. */
static const char *const tabs[N_TABS] = {
    N_("Welcome"), N_("Network"), N_("Disks"), N_("Protection"), N_("Share"), N_("Review"), N_("Apply"),
};

int page_body_end(void)
{
        return ui_lines() - 7;
}

void page_frame(struct session *s, enum page_id tab, const char *question, const char *explain)
{
        const char *names[N_TABS];

        if (s->choices.job != JOB_SETUP) {
                ui_title(_("This NAS"), s->facts->host);
                if (question)
                        ui_wrap(2, 2, 76, explain ? 1 : 2, R_HEADING, question);
                if (explain)
                        ui_wrap(3, 2, 76, 2, R_TEXT, explain);
                return;
        }
        for (int i = 0; i < N_TABS; i++)
                names[i] = _(tabs[i]);
        ui_tabs(_("NAS setup"), names, N_TABS, (int)tab);
        if (!question)
                return;
        _cleanup_free_ char *n = xasprintf(_("Step %d of %d"), (int)tab + 1, (int)N_TABS);
        ui_wrap(2, 2, 76 - ui_width(n) - 2, explain ? 1 : 2, R_HEADING, question);
        ui_put_right(2, 77, R_QUIET, n);
        if (explain)
                ui_wrap(3, 2, 76, 2, R_TEXT, explain);
}

/* A sentence that is too long for its row begins in the one above, which is blank. Where there is room, a blank row
 * keeps it from the keys. */
static void put_message(struct session *s, enum role role, const char *text)
{
        const char *said = s->message ? s->message : text;
        int y = ui_lines() - 2, x = 2;

        if (!said)
                return;
        bool alarm = s->message && s->is_alarm;
        if (ui_width(said) > (alarm ? 72 : 76))
                y--;
        if (ui_is_blank(y - 1) && ui_is_blank(y - 2))
                y--;
        if (alarm)
                x = ui_put(y, x, R_BADGE, " ! ") + 1;
        ui_wrap(y, x, 78 - x, 2, s->message ? R_BOLD : role, said);
}

void page_message(struct session *s, const char *text)
{
        put_message(s, R_QUIET, text);
}

void page_warning(struct session *s, const char *text)
{
        put_message(s, R_WARN, text);
}

void page_more(int y, enum glyph g, int n)
{
        _cleanup_free_ char *text = xasprintf(_("%s %zu more"), ui_glyph_text(g), (size_t)MAX2(n, 0));

        if (n > 0)
                ui_put_right(y, 77, R_LABEL, text);
}

char *page_address(const struct session *s)
{
        const char *a = s->choices.address ? s->choices.address : "";
        return xstrndup(a, strcspn(a, "/"));
}

char *page_share_path(const char *host, const char *share)
{
        return xasprintf("\\\\%s\\%s", host, share);
}

/* Letters of other languages stay readable: every program that takes an address takes them. */
char *page_share_url(const char *address, const char *share)
{
        struct buf b = {0};

        buf_printf(&b, "smb://%s/", address);
        for (const char *p = share; *p; p++) {
                bool is_plain = (unsigned char)*p >= 0x80 || isalnum((unsigned char)*p) || strchr("-._~$", *p);
                buf_printf(&b, is_plain ? "%c" : "%%%02X", (unsigned char)*p);
        }
        return b.buf;
}

int page_path(int y, int x, int width, const char *path)
{
        int rows = 0;

        while (*path) {
                size_t n = 0, len;
                int columns = 0;
                while ((len = ui_next_len(path + n)) > 0) {
                        _cleanup_free_ char *one = xstrndup(path + n, len);
                        columns += ui_width(one);
                        if (columns > width)
                                break;
                        n += len;
                }
                _cleanup_free_ char *row = xstrndup(path, n);
                ui_put(y + rows++, x, R_ACCENT, row);
                path += n;
        }
        return rows;
}

#define PATH_X 15

int page_paths(int y, const char *address, const char *host, const char *share)
{
        _cleanup_free_ char *windows = page_share_path(address, share), *name = page_share_path(host, share),
                            *url = page_share_url(address, share);
        /* TRANSLATORS: Windows, Mac, Linux, By name: 12 columns wide. */
        const struct {
                const char *label, *path, *how;
                bool known;
        } ways[] = {{"Windows", windows, _("in the Explorer's address line"), *address},
                    {_("Mac, Linux"), url, _("Finder: Cmd K; Linux: Ctrl L"), *address},
                    {_("By name"), name, _("where your network knows the name"), *host}};

        for (size_t i = 0; i < ELEMENTSOF(ways); i++) {
                if (!ways[i].known)
                        continue;
                ui_put_n(y, 2, PATH_X - 3, R_LABEL, ways[i].label);
                int rows = page_path(y, PATH_X, 78 - PATH_X, ways[i].path);
                int x = PATH_X + ui_width(ways[i].path) + 3;
                if (x + ui_width(ways[i].how) <= 78)
                        ui_put(y, x, R_QUIET, ways[i].how);
                y += rows;
        }
        return y;
}

size_t page_line(const char *text, int width)
{
        size_t n = 0, blank = 0;
        int columns = 0;

        while (text[n] && text[n] != '\n') {
                size_t len = ui_next_len(text + n);
                _cleanup_free_ char *one = xstrndup(text + n, len);
                columns += ui_width(one);
                if (columns > width)
                        return blank ? blank : n;
                if (text[n] == ' ')
                        blank = n;
                n += len;
        }
        return n;
}

char *level_words(const struct level *l)
{
        return xasprintf("%s (%s)", _(l->words), l->term);
}

char *level_words_on(const struct level *l, unsigned members)
{
        return members == 1 && l->number == 1 ? xstrdup(_("Single disk (RAID 1)")) : level_words(l);
}

/* --- times --- */

char *duration_words(uint64_t seconds)
{
        if (seconds < 100)
                return xasprintf("%u s", (unsigned)seconds);
        if (seconds < 100 * 60)
                return xasprintf("%u min", (unsigned)((seconds + 30) / 60));
        if (seconds < 96 * 3600)
                return xasprintf("%u h", (unsigned)((seconds + 1800) / 3600));
        unsigned days = (unsigned)((seconds + 43200) / 86400);
        return xasprintf(Q_("%u day", "%u days", days), days);
}

/* Rough: each helper's own waiting, seen on a PC; making ext4 writes little, but more on a larger array. */
unsigned estimate_setup(const struct choices *c)
{
        unsigned s = 10 + 5 + 5 + 5 + (c->needed || c->wished ? 90 : 0) + (unsigned)(c->files / (4 * TIB)) * 2;
        return (s + (streq(c->test, "none") ? 0 : streq(c->test, "full") ? 120 : 20)) / 5 * 5;
}

/* A first sync goes through each member once, at the rate of a disk's middle (150 MB/s) or an SSD's writing.
 */
#define SYNC_RATE_DISK UINT64_C(150000000)
#define SYNC_RATE_FLASH UINT64_C(400000000)

uint64_t estimate_sync(const struct choices *c)
{
        bool flash = c->n_disks > 0;
        unsigned n = c->n_disks - MIN2(c->spares, c->n_disks);

        if (c->keep || !c->level || n < 2 || level_survives(c->level, n) == 0)
                return 0;
        for (unsigned i = 0; i < c->n_disks; i++)
                flash &= streq(c->disks[i]->kind, "ssd") || streq(c->disks[i]->kind, "nvme");
        return c->capacity.used / (flash ? SYNC_RATE_FLASH : SYNC_RATE_DISK);
}

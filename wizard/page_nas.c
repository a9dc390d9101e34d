#include "wizard/page.h"

#include <ctype.h>

#include "wizard/messages.h"

#define LABEL_X 2
#define TEXT_X 15

enum { ID_LEAVE, ID_FURTHER };

bool nas_is_here(const struct facts *f)
{
        return records_find(&f->records, "share", "ours", "yes") != NULL;
}

/* --- what there is --- */

static const char *address_of(const struct facts *f)
{
        const struct port *best = NULL;

        for (size_t i = 0; i < f->n_ports; i++)
                if (f->ports[i].addresses && (!best || streq(f->ports[i].ours, "lan")))
                        best = &f->ports[i];
        return best ? best->addresses[0] : "";
}

static char *name_of(const struct facts *f)
{
        const struct record *samba = records_find(&f->records, "samba", NULL, NULL);
        const char *stated = samba ? record_str(samba, "netbios") : "";
        char *name = xstrdup(*stated ? stated : f->host);

        for (char *p = name; *p; p++)
                *p = (char)toupper((unsigned char)*p);
        return name;
}

static bool has_free_disks(const struct facts *f)
{
        for (size_t i = 0; i < f->n_disks; i++)
                if (is_choosable(&f->disks[i]) && is_blank(&f->disks[i]))
                        return true;
        return false;
}

static const struct record *filesystem_on(const struct facts *f, const struct record *array)
{
        return records_find(&f->records, "filesystem", "array", record_str(array, "uuid"));
}

/* --- in words --- */

static char *array_words(const struct record *a)
{
        const struct level *l = level_find(record_str(a, "level"));
        _cleanup_strv_ char **members = record_get_list(a, "members");
        _cleanup_free_ char *level = l ? level_words(l) : xstrdup(record_str(a, "level")),
                            *size = size_words(record_u64(a, "size")),
                            *list = members ? strv_join(members, ", ") : xstrdup("?");

        return xasprintf(_("%s, %s, on %s"), level, size, list);
}

static char *sync_words(const struct record *a)
{
        uint64_t done = record_u64(a, "done"), total = record_u64(a, "total"), speed = record_u64(a, "speed");
        bool is_building = !record_is(a, "sync", "check") && !record_is(a, "sync", "reshape");
        const char *what = is_building                    ? _("Full protection is being built")
                           : record_is(a, "sync", "check") ? _("All disks are being read through")
                                                           : _("The array is being changed");
        struct buf b = {0};

        if (record_is(a, "sync", "delayed"))
                return xstrdup(_("It waits for another array, and is not yet protected."));
        buf_puts(&b, what);
        if (total > 0)
                buf_printf(&b, ": %u %%", (unsigned)((double)MIN2(done, total) * 100 / (double)total));
        if (total > done && speed > 0) {
                _cleanup_free_ char *left = duration_words((total - done) / speed);
                buf_printf(&b, _(", about %s left"), left);
        }
        return b.buf;
}

/* First what is wrong. */
static char *state_words(const struct facts *f, const struct record *a, enum role *ret_role)
{
        const struct record *fs = filesystem_on(f, a);
        const struct level *l = level_find(record_str(a, "level"));
        unsigned places = (unsigned)record_u64(a, "devices"), missing = (unsigned)record_u64(a, "degraded");
        bool is_idle = record_is(a, "sync", "idle");

        *ret_role = R_WARN;
        if (record_is(a, "state", "inactive"))
                return xstrdup(_("IT DOES NOT RUN. Check the cables and the power of its disks, then restart."));
        if (fs && record_is(fs, "mounted", "no"))
                return xstrdup(_("IT IS NOT MOUNTED, so its files can't be reached. Restart this computer."));
        if (missing > 0 && is_idle)
                return xasprintf(Q_("%u of %u disks IS MISSING. The files are there; when another disk fails, they may be "
                                    "lost. Check cables and power.",
                                    "%u of %u disks ARE MISSING. The files are there; when another disk fails, they may be "
                                    "lost. Check cables and power.",
                                    missing),
                                 missing, places);
        *ret_role = R_TEXT;
        if (!is_idle)
                return sync_words(a);
        if (!l || places < 2 || level_survives(l, places) == 0)
                return xstrdup(_("It works. It has no protection: a disk that fails takes the files with it."));
        *ret_role = R_GOOD;
        return xasprintf(Q_("It works: all %u disks take part.", "It works: all %u disks take part.", places), places);
}

static char *room_words(const struct record *fs)
{
        _cleanup_free_ char *used = size_words(record_u64(fs, "used")), *size = size_words(record_u64(fs, "size"));
        return xasprintf(_("%s of %s are used"), used, size);
}

/* --- drawing --- */

static int draw_shares(const struct facts *f, int y)
{
        _cleanup_free_ char *address = xstrndup(address_of(f), strcspn(address_of(f), "/")), *name = name_of(f);
        size_t n = 0;

        for (size_t i = 0; i < f->records.n; i++)
                n += streq(f->records.v[i]->word, "share") && record_is(f->records.v[i], "ours", "yes");
        RECORDS_FOREACH(r, &f->records)
        {
                if (!streq(r->word, "share") || !record_is(r, "ours", "yes") || y > ui_lines() - 12)
                        continue;
                if (n == 1)
                        return page_paths(y, address, name, record_str(r, "name"));
                _cleanup_free_ char *path = page_share_path(*address ? address : name, record_str(r, "name"));
                ui_put_n(y, LABEL_X, TEXT_X - LABEL_X - 1, R_LABEL, _("Share"));
                y += page_path(y, TEXT_X, 78 - TEXT_X, path);
        }
        return y;
}

static int draw_array(const struct facts *f, const struct record *a, int y)
{
        enum role role;
        const struct record *fs = filesystem_on(f, a);
        _cleanup_free_ char *words = array_words(a), *state = state_words(f, a, &role);

        ui_put_n(y, LABEL_X, TEXT_X - LABEL_X - 1, R_LABEL, array_name(record_str(a, "name")));
        y += ui_wrap(y, TEXT_X, 78 - TEXT_X, 2, R_TEXT, words);
        y += ui_wrap(y, TEXT_X, 78 - TEXT_X, 3, role, state);
        if (fs && record_is(fs, "mounted", "yes")) {
                _cleanup_free_ char *room = room_words(fs);
                ui_put_n(y++, TEXT_X, 78 - TEXT_X, R_TEXT, room);
        }
        return y + 1;
}

static int draw_arrays(const struct facts *f, int y)
{
        size_t left = 0;

        RECORDS_FOREACH(r, &f->records)
        {
                if (!streq(r->word, "array") || !record_is(r, "ours", "yes"))
                        continue;
                if (y > ui_lines() - 11)
                        left++;
                else
                        y = draw_array(f, r, y);
        }
        if (left > 0)
                ui_putf(y - 1, TEXT_X, R_LABEL, _("%s %zu more"), ui_glyph_text(G_DOWN), left);
        return y;
}

static void draw(struct session *s)
{
        const struct facts *f = s->facts;

        ui_title(_("This NAS"), f->host);
        ui_put_n(2, 2, 76, R_HEADING, _("This computer is a NAS already."));
        int y = draw_arrays(f, draw_shares(f, 4) + 1);
        RECORDS_FOREACH(r, &f->records)
        if (streq(r->word, "missing") && y < ui_lines() - 7) {
                _cleanup_free_ char *why = message_text(r);
                _cleanup_free_ char *text = xasprintf("%s: %s", record_str(r, "helper"), why);
                ui_put_n(y++, TEXT_X, 78 - TEXT_X, R_WARN, text);
        }
        int x = form_button(s, ID_LEAVE, y, 2, _("Leave"));
        if (has_free_disks(f))
                form_button(s, ID_FURTHER, y, x + 3, _("Set up a further share on free disks"));
        page_message(s, has_free_disks(f) ? NULL
                                          : _("Connect another blank disk and start again to set up a further share."));
}

static enum go enter(struct session *s, int id)
{
        if (id != ID_FURTHER)
                return GO_END;
        session_show(s, &page_disks);
        return GO_STAY;
}

static void details(struct session *s)
{
        static const char *const words[] = {"share", "array", "filesystem", "port", "samba"};
        struct buf b = {0};

        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                RECORDS_FOREACH(r, &s->facts->records)
                if (streq(r->word, words[i])) {
                        _cleanup_free_ char *text = record_text(r);
                        buf_printf(&b, "%s\n\n", text);
                }
        session_view(s, _("This NAS"), b.buf ? b.buf : xstrdup(""));
}

static enum go key(struct session *s, int k)
{
        if (k == K_F3)
                details(s);
        if (k == K_F4)
                session_push(s, &page_language);
        return k == K_ESC ? GO_END : GO_STAY;
}

static const struct ui_hint hints[] = {
    {N_("Enter"), N_("choose"), 0}, {"F4", N_("language"), 1}, {"F3", N_("details"), 1},
    {"F1", N_("help"), 0},          {"F10", N_("leave"), 0},   {0},
};

const struct page page_nas = {
    .id = P_NAS,
    .name = "nas",
    .hints = hints,
    .draw = draw,
    .enter = enter,
    .key = key,
    .help = N_("nas-setup made this computer a NAS. This screen shows how it was found when you started it; nothing "
               "is changed here.\n\n"
               "A further share takes free blank disks for an array of their own. What is there stays as it is.\n\n"
               "A disk that is missing is mostly a loose cable. Turn the computer off before you touch one.\n\n"
               "No array replaces a backup: a file that was deleted is deleted on all disks."),
};

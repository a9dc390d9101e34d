#include "helpers/raid_state.h"

#include "helpers/lib/helper.h"
#include "helpers/raid_conf.h"
#include "helpers/raid_task.h"

#define ISSUE "/etc/issue.d/nas-setup-state.issue"
#define ASK "      Log in and start nas-setup.\n"

/* Of a superblock, and so of whoever wrote it: to agetty a '\' begins something of its own. */
static char *plain(const char *name)
{
        char *copy = xstrdup(name);

        for (char *c = copy; *c; c++)
                if (*c < ' ' || *c > '~' || *c == '\\')
                        *c = '?';
        return copy;
}

static bool is_here(const struct places *p, const char *serial)
{
        for (size_t i = 0; i < p->n; i++)
                if (p->v[i].name && streq_null(p->v[i].serial, serial))
                        return true;
        return false;
}

/* "sdb WD-BOX00002" of those that failed, or were last seen where nothing is now. */
static char *who(const struct md *md, const struct places *p, const struct records *disks)
{
        _cleanup_strv_ char **words = NULL;

        for (size_t i = 0; i < p->n; i++) {
                const struct place *v = &p->v[i];
                const struct record *was = v->name ? NULL : disk_of_place(disks, md->uuid, v->number);
                const char *serial = was ? record_get(was, "serial") : v->serial, *disk = v->disk ? v->disk : "disk";
                if (strv_has(STRV("faulty", "missing"), v->state) && serial && !(was && is_here(p, serial)))
                        strv_take(&words, xasprintf("%s %s", disk, serial));
        }
        _cleanup_free_ char *all = strv_join(words, ", ");
        return plain(all);
}

static unsigned percent(const struct md *md)
{
        return md->total ? (unsigned)(md->done / (md->total / 100 + 1)) : 0;
}

static void say_inactive(const struct md *md, const char *name, struct buf *b)
{
        _cleanup_supers_ struct supers s = {0};
        unsigned lacks = 0;

        supers_read(md->members, &s);
        switch (start_of(&s, &lacks)) {
        case START_FORCE:
                buf_printf(b,
                           "  !!  %s DOES NOT START: a disk is missing, and the power went off while it was written to.\n"
                           "      Its files are most likely all there.\n" ASK,
                           name);
                break;
        case START_NO:
                buf_printf(b, "  !!  %s DOES NOT START: %u more of its disks must be there. Look at their cables and power.\n", name,
                           lacks);
                break;
        default:
                buf_printf(b, "  !!  %s DOES NOT START by itself.\n" ASK, name);
        }
}

static void say_degraded(const struct md *md, const char *name, const struct places *p, const struct records *disks, struct buf *b)
{
        _cleanup_free_ char *which = who(md, p, disks);

        if (md->missing > 0)
                buf_printf(b, "  !!  %s: A DISK IS MISSING OR HAS FAILED%s%s. Its files are there.\n" ASK, name, *which ? ": " : "",
                           which);
        else
                buf_printf(b, "  !   %s is not protected yet: its new disk is being filled, about %u %% are done.\n", name, percent(md));
}

static void say(const struct md *md, const char *name, const struct records *disks, struct buf *b)
{
        _cleanup_places_ struct places p = {0};
        const char *sync = md_sync(md);

        if (streq(md->array_state, "inactive")) {
                say_inactive(md, name, b);
                return;
        }
        places_read(md, &p);
        if (md->degraded > 0)
                say_degraded(md, name, &p, disks, b);
        else if (md->faulty && !md->is_reshaping && streq(sync, "idle"))
                buf_printf(b, "      %s: a disk that failed is still in the computer.\n", name);
        if (md->is_reshaping)
                buf_printf(b, "      %s is getting another shape, about %u %% are done. It can be used all the while.\n", name,
                           percent(md));
        else if (streq(sync, "recover") && md->degraded == 0)
                buf_printf(b, "      %s: a disk is being copied to a new one, about %u %% are done.\n", name, percent(md));
}

char *state_text(const struct mds *mds)
{
        _cleanup_records_ struct records disks = {0};
        struct buf b = {0};

        disks_read(&disks);
        buf_puts(&b, "");
        for (size_t i = 0; i < mds->n; i++) {
                const struct md *md = &mds->v[i];
                _cleanup_free_ char *known = md->uuid ? conf_name(md->uuid) : NULL,
                                    *name = plain(known ? known : md->name ? md->name : md->kernel);
                if (!md->is_external)
                        say(md, name, &disks, &b);
        }
        if (b.len)
                buf_puts(&b, "\n");
        return b.buf;
}

/* A terminal that waits for a name shows the new text at once. */
int state_show(const struct mds *mds)
{
        _cleanup_free_ char *text = state_text(mds), *path = helper_path(ISSUE), *before = NULL;

        if (read_text(path, MIB, &before) < 0)
                before = xstrdup("");
        if (streq(before, text))
                return 0;
        int r = *text ? helper_write(ISSUE, text, 0644) : helper_remove(ISSUE);
        if (r == 0 && !helper_has_root() && !helper_is_dry_run() && has_program("agetty"))
                helper_exec(STRV("agetty", "--reload"), NULL);
        return r;
}

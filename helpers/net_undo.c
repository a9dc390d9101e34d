#include "helpers/net_undo.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"
#include "helpers/lib/log.h"
#include "helpers/net_name.h"

/* FNV-1a (draft-eastlake-fnv): tells whether somebody edited the file since, not whether he meant harm. */
static char *hash_of(const char *text)
{
        uint64_t h = UINT64_C(0xcbf29ce484222325);

        if (!text)
                return xstrdup("absent");
        for (; *text; text++)
                h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
        return xasprintf("%016llx", (unsigned long long)h);
}

static int read_undo(struct records *ret)
{
        _cleanup_free_ char *path = helper_path(UNDO_FILE);
        struct record_error error;
        int r = records_read(path, ret, &error);

        return r == -ENOENT ? 0 : r;
}

static int write_undo(const struct records *rs)
{
        _cleanup_free_ char *path = helper_path(UNDO_FILE);
        _cleanup_buf_ struct buf b = {0};

        buf_puts(&b, NET_HEADER);
        RECORDS_FOREACH(r, rs) {
                _cleanup_free_ char *line = record_text(r);
                if (strlen(line) >= RECORD_LINE_MAX)
                        return -EFBIG;
                buf_printf(&b, "%s\n", line);
        }
        return file_replace(path, b.buf, 0600);
}

/* *ret_text NULL: it is not there. */
static int text_now(const char *path, char **ret_text, mode_t *ret_mode)
{
        _cleanup_free_ char *full = helper_path(path), *text = NULL;
        struct stat st;

        if (stat(full, &st) < 0) {
                if (errno != ENOENT)
                        return -errno;
                *ret_text = NULL;
                *ret_mode = 0;
                return 0;
        }
        int r = file_text(full, &text);
        if (r < 0)
                return r;
        *ret_text = TAKE_PTR(text);
        *ret_mode = st.st_mode & 07777;
        return 0;
}

static int save_file(struct records *rs, const struct net_file *f)
{
        _cleanup_free_ char *text = NULL, *hash = hash_of(f->text);
        struct record *saved = (struct record *)records_find(rs, "file", "path", f->path);
        mode_t mode;

        int r = text_now(f->path, &text, &mode);
        if (r < 0 || streq_null(text, f->text))
                return r;
        if (!saved) {
                saved = record_new("file");
                record_set(saved, "path", f->path);
                record_set(saved, "was", text ? "text" : "absent");
                record_set(saved, "text", text);
                record_setf(saved, "mode", "%o", (unsigned)mode);
                records_add(rs, saved);
        }
        _cleanup_strv_ char **now = record_get_list(saved, "now");
        if (!strv_has(now, hash))
                strv_add(&now, hash);
        record_set_list(saved, "now", now);
        return 0;
}

/* Ports that an interrupted run switched off belong to the change too. */
static void set_head(struct record *head, const struct net_want *w, const char *old_name)
{
        _cleanup_strv_ char **touched = record_get_list(head, "off");
        const char *port = record_get(head, "port");

        if (port && !streq(port, w->lan->mac) && !strv_has(touched, port))
                strv_add(&touched, port);
        STRV_FOREACH(mac, w->off)
                if (!strv_has(touched, *mac))
                        strv_add(&touched, *mac);
        record_set(head, "state", "open");
        record_set(head, "stack", w->stack->name);
        record_set(head, "port", w->lan->mac);
        record_set_list(head, "off", touched);
        if (!record_get(head, "name"))
                record_set(head, "name", old_name);
}

int undo_begin(const struct net_want *w, const struct net_files *files, const char *old_name)
{
        _cleanup_records_ struct records rs = {0};

        if (helper_is_dry_run())
                return 0;
        int r = read_undo(&rs);
        if (r < 0)
                return r;
        if (rs.n == 0 || !record_is(rs.v[0], "state", "open")) {
                records_free(&rs);
                rs = (struct records){0};
                records_add(&rs, record_new("undo"));
        }
        set_head(rs.v[0], w, old_name);
        for (size_t i = 0; i < files->n && r == 0; i++)
                r = save_file(&rs, &files->v[i]);
        return r < 0 || rs.n == 1 ? r : write_undo(&rs);
}

int undo_done(void)
{
        _cleanup_records_ struct records rs = {0};

        if (helper_is_dry_run())
                return 0;
        int r = read_undo(&rs);
        if (r < 0 || rs.n == 0 || record_is(rs.v[0], "state", "done"))
                return r;
        record_set(rs.v[0], "state", "done");
        return write_undo(&rs);
}

/* --- putting back --- */

static const char *old_text(const struct record *f)
{
        return record_is(f, "was", "absent") ? NULL : record_str(f, "text");
}

/* As it was before, as we left it, or – in an interrupted change – one of the two: everything else is an edit. */
static int check_unedited(const struct records *rs)
{
        RECORDS_FOREACH(f, rs) {
                _cleanup_free_ char *text = NULL, *hash = NULL;
                const char *path = record_str(f, "path");
                mode_t mode;
                if (!streq(f->word, "file"))
                        continue;
                int r = text_now(path, &text, &mode);
                _cleanup_strv_ char **now = record_get_list(f, "now");
                hash = hash_of(text);
                if (r < 0)
                        return helper_refuse("unreadable", path, "%s cannot be read: %s.", path, strerror(-r));
                if (!streq_null(text, old_text(f)) && !strv_has(now, hash))
                        return helper_refuse("edited", path,
                                             "%s was changed since nas-setup wrote it, and putting the old file back "
                                             "would lose that. Nothing was touched.", path);
        }
        return 0;
}

static int put_back(const struct records *rs)
{
        RECORDS_FOREACH(f, rs) {
                const char *path = record_str(f, "path"), *text = old_text(f);
                if (!streq(f->word, "file"))
                        continue;
                mode_t mode = (mode_t)strtoul(record_str(f, "mode"), NULL, 8);
                int r = text ? helper_write(path, text, mode) : helper_remove(path);
                if (r < 0)
                        return helper_fail("write-failed", path, NULL, "%s could not be put back: %s. Run this again.",
                                           path, strerror(-r));
        }
        return 0;
}

/* A shallow copy of the ports that the change was about. */
static struct ports touched_of(const struct ports *all, const struct record *head)
{
        _cleanup_strv_ char **macs = record_get_list(head, "off");
        struct ports touched = {.v = xmalloc((all->n + 1) * sizeof(*touched.v))};

        strv_add(&macs, record_str(head, "port"));
        for (size_t i = 0; i < all->n; i++)
                if (all->v[i].kind == PORT_WIRED && strv_has(macs, all->v[i].mac))
                        touched.v[touched.n++] = all->v[i];
        return touched;
}

static int undo_all(const struct records *rs, const struct net_stack *stack, const struct ports *ports)
{
        struct ports touched = touched_of(ports, rs->v[0]);
        _cleanup_free_ struct port *owned _unused_ = touched.v;
        bool is_live = !helper_has_root();

        for (size_t i = 0; i < touched.n && is_live; i++)
                stack->release(&touched.v[i]);
        int status = put_back(rs);
        if (status)
                return status;
        if (is_live) {
                net_networkmanager_undone(stack);
                stack->restore(&touched);
        }
        if (*record_str(rs->v[0], "name"))
                name_apply(record_str(rs->v[0], "name"), NULL);
        return 0;
}

int undo_run(void)
{
        _cleanup_records_ struct records rs = {0};
        _cleanup_ports_ struct ports ports = {0};

        int r = read_undo(&rs);
        if (r < 0)
                return helper_refuse("unreadable", UNDO_FILE, UNDO_FILE " cannot be read: %s.", strerror(-r));
        if (rs.n == 0)
                return helper_result(NULL);
        const struct net_stack *stack = net_stack_by_name(record_str(rs.v[0], "stack"));
        if (!stack)
                return helper_refuse("unreadable", UNDO_FILE, UNDO_FILE " names no network program that is known.");
        r = ports_look(&ports);
        if (r < 0)
                return helper_refuse("no-ports", NULL, "The network ports cannot be looked at: %s.", strerror(-r));
        int status = check_unedited(&rs);
        if (status == 0)
                status = undo_all(&rs, stack, &ports);
        if (status)
                return status;
        r = helper_remove(UNDO_FILE);
        if (r < 0)
                return helper_fail("write-failed", UNDO_FILE, NULL, UNDO_FILE " could not be removed: %s.", strerror(-r));
        return helper_result(NULL);
}

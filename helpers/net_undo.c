#include "helpers/net_undo.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"
#include "helpers/lib/log.h"
#include "helpers/net_name.h"
#include "helpers/net_trial.h"

/* For a lease: networkd had one on both ports after 28 s. */
#define WAIT_MS 30000
#define POLL_MS 300

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

/* A path as it is: text NULL where no file is behind it, link NULL where it is none itself. */
struct place {
        char *text, *link;
        mode_t mode;
        uid_t uid;
        gid_t gid;
};

static void place_free(struct place *p)
{
        free(p->text);
        free(p->link);
}
#define _cleanup_place_ _cleanup_(place_free)

static char *link_of(const char *full)
{
        char target[PATH_MAX];
        ssize_t n = readlink(full, target, sizeof target);

        return n > 0 && n < (ssize_t)sizeof target ? xstrndup(target, (size_t)n) : NULL;
}

static int look_at(const char *path, struct place *ret)
{
        _cleanup_free_ char *full = helper_path(path);
        struct stat st;
        int r = 0;

        *ret = (struct place){.link = link_of(full)};
        if (stat(full, &st) < 0)
                return errno == ENOENT ? 0 : -errno;
        ret->mode = st.st_mode & 07777;
        ret->uid = st.st_uid;
        ret->gid = st.st_gid;
        r = file_text(full, &ret->text);
        return r;
}

/* The topmost folder above path that is not there, NULL where all are. */
static char *missing_folder(const char *path)
{
        char *missing = NULL;
        _cleanup_free_ char *at = xstrdup(path);

        while (strlen(dirname(at)) > 1) {
                _cleanup_free_ char *full = helper_path(at);
                if (access(full, F_OK) == 0)
                        break;
                free(missing);
                missing = xstrdup(at);
        }
        return missing;
}

static struct record *saved_place(const char *word, const char *path, const struct place *p)
{
        struct record *r = record_new(word);
        _cleanup_free_ char *made = missing_folder(path);

        record_set(r, "path", path);
        record_set(r, "was", p->text ? "text" : "absent");
        record_set(r, "text", p->text);
        record_setf(r, "mode", "%o", (unsigned)p->mode);
        record_setf(r, "owner", "%u:%u", (unsigned)p->uid, (unsigned)p->gid);
        record_set(r, "link", p->link);
        record_set(r, "made", made);
        return r;
}

static int save_file(struct records *rs, const struct net_file *f)
{
        _cleanup_free_ char *hash = hash_of(f->text);
        _cleanup_place_ struct place now;
        struct record *saved = (struct record *)records_find(rs, "file", "path", f->path);

        int r = look_at(f->path, &now);
        if (r < 0 || streq_null(now.text, f->text))
                return r;
        if (!saved) {
                saved = saved_place("file", f->path, &now);
                records_add(rs, saved);
        }
        _cleanup_strv_ char **hashes = record_get_list(saved, "now");
        if (!strv_has(hashes, hash))
                strv_add(&hashes, hash);
        record_set_list(saved, "now", hashes);
        return 0;
}

/* What the stack writes there while it runs is no edit of somebody's, and at a start it may leave what is there. */
static int save_resolver(struct records *rs, const struct net_want *w)
{
        _cleanup_place_ struct place now = {0};

        if (!w->stack->writes_resolver || !w->stack->writes_resolver(w) || records_find(rs, "resolver", NULL, NULL))
                return 0;
        int r = look_at(RESOLVER, &now);
        if (r == 0 && !now.link)
                records_add(rs, saved_place("resolver", RESOLVER, &now));
        return r;
}

static void save_port(struct records *rs, const struct port *p)
{
        if (!p || records_find(rs, "port", "mac", p->mac))
                return;
        struct record *r = record_new("port");
        record_set(r, "mac", p->mac);
        record_set(r, "stack", p->stack ? p->stack->name : NULL);
        record_set(r, "method", p->method);
        record_set(r, "up", p->up ? "yes" : "no");
        if (p->addresses)
                record_set_list(r, "address", p->addresses);
        record_set(r, "gateway", p->gateway);
        records_add(rs, r);
}

void undo_save_ports(struct records *rs, const struct net_want *w)
{
        save_port(rs, w->lan);
        STRV_FOREACH(mac, w->off)
                save_port(rs, ports_by_mac(w->ports, *mac));
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
        if (r < 0 || rs.n == 1)
                return r;
        r = save_resolver(&rs, w);
        if (r < 0)
                return r;
        undo_save_ports(&rs, w);
        return write_undo(&rs);
}

bool undo_is_open(void)
{
        _cleanup_records_ struct records rs = {0};

        return read_undo(&rs) == 0 && rs.n > 0 && record_is(rs.v[0], "state", "open");
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

static int keep_edited(const char *path, const char *text)
{
        _cleanup_free_ char *kept = path_join(EDITED, path);

        log_line("%s was changed since; that is kept in %s", path, kept);
        return text ? helper_write(kept, text, 0600) : 0;
}

/* As it was before, as we left it, or – in an interrupted change – one of the two: everything else is an edit. */
static int check_unedited(const struct record *f, enum undo_how how)
{
        _cleanup_place_ struct place is;
        const char *path = record_str(f, "path");
        _cleanup_strv_ char **now = record_get_list(f, "now");
        int r = look_at(path, &is);
        _cleanup_free_ char *hash = hash_of(is.text);

        if (r < 0)
                return helper_refuse("unreadable", path, "%s cannot be read: %s.", path, strerror(-r));
        if (streq_null(is.text, old_text(f)) || strv_has(now, hash))
                return 0;
        if (how == UNDO_ASKED)
                return helper_refuse("edited", path,
                                     "%s was changed since nas-setup wrote it, and putting the old file back "
                                     "would lose that. Nothing was touched.", path);
        r = keep_edited(path, is.text);
        return r < 0 ? helper_fail("write-failed", path, NULL, "What was changed in %s since cannot be kept: %s.", path,
                                   strerror(-r)) : 0;
}

static int check_all_unedited(const struct records *rs, enum undo_how how)
{
        int status = 0;

        RECORDS_FOREACH(f, rs)
                if (status == 0 && streq(f->word, "file"))
                        status = check_unedited(f, how);
        return status;
}

/* A link that was written through is there still; one in whose place a file was put, or that was removed, is not. */
static int put_back_link(const struct record *f)
{
        const char *target = record_get(f, "link");
        _cleanup_free_ char *full = helper_path(record_str(f, "path")), *now = link_of(full);

        if (!target || streq_null(target, now))
                return 0;
        _cleanup_free_ char *what = xasprintf("ln -s %s %s", target, full);
        return helper_would(what) ? 0 : file_symlink(full, target);
}

static int put_back_owner(const struct record *f)
{
        _cleanup_free_ char *full = helper_path(record_str(f, "path"));
        mode_t mode = (mode_t)strtoul(record_str(f, "mode"), NULL, 8);
        const char *owner = record_str(f, "owner");
        unsigned uid, gid;
        struct stat st;

        if (sscanf(owner, "%u:%u", &uid, &gid) != 2 || helper_is_dry_run())
                return 0;
        if (stat(full, &st) < 0)
                return -errno;
        if ((st.st_uid != uid || st.st_gid != gid) && chown(full, uid, gid) < 0 && geteuid() == 0)
                return -errno;
        return (st.st_mode & 07777) != mode && chmod(full, mode) < 0 ? -errno : 0;
}

/* Folders that are ours and empty, upwards to the topmost one. */
static void remove_folders(const struct record *f)
{
        const char *made = record_get(f, "made");
        _cleanup_free_ char *at = xstrdup(record_str(f, "path"));

        while (made && has_prefix(dirname(at), made)) {
                _cleanup_free_ char *full = helper_path(at);
                if (!helper_is_dry_run() && rmdir(full) < 0 && errno != ENOENT)
                        break;
        }
}

static int put_back_file(const struct record *f)
{
        const char *path = record_str(f, "path"), *text = old_text(f);
        _cleanup_free_ char *full = helper_path(path);
        int r = put_back_link(f);

        if (r < 0)
                return r;
        if (!helper_is_dry_run())
                file_sweep(full);
        if (text) {
                r = helper_write(path, text, (mode_t)strtoul(record_str(f, "mode"), NULL, 8));
                return r < 0 ? r : put_back_owner(f);
        }
        if (!record_get(f, "link"))
                r = helper_remove(path);
        remove_folders(f);
        return r;
}

static int put_back(const struct records *rs)
{
        RECORDS_FOREACH(f, rs) {
                int r = streq(f->word, "file") ? put_back_file(f) : 0;
                if (r < 0)
                        return helper_fail("write-failed", record_str(f, "path"), NULL,
                                           "%s could not be put back: %s. Run this again.", record_str(f, "path"),
                                           strerror(-r));
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

/* --- ports as they were --- */

static void restore_by_hand(const struct record *r, const struct port *p)
{
        _cleanup_strv_ char **addresses = record_get_list(r, "address");

        helper_exec(STRV("ip", "link", "set", "dev", p->name, record_is(r, "up", "yes") ? "up" : "down"), NULL);
        STRV_FOREACH(a, addresses)
                helper_exec(STRV("ip", "addr", "replace", *a, "dev", p->name), NULL);
        if (record_get(r, "gateway"))
                helper_exec(STRV("ip", "route", "replace", "default", "via", (char *)record_str(r, "gateway"), "dev", p->name),
                            NULL);
}

/* What was set up by hand alone no program brings back. */
static void restore_unowned(const struct records *rs, const struct ports *ports)
{
        RECORDS_FOREACH(r, rs) {
                const struct port *p = streq(r->word, "port") ? ports_by_mac(ports, record_str(r, "mac")) : NULL;
                if (p && !record_get(r, "stack"))
                        restore_by_hand(r, p);
        }
}

/* Without a cable there is no lease. */
static bool is_as_it_was(const struct record *r, const struct port *p)
{
        _cleanup_strv_ char **addresses = record_get_list(r, "address");

        if (!p || !addresses || (p->up && p->carrier == 0))
                return true;
        STRV_FOREACH(a, addresses)
                if ((record_is(r, "method", "static") || !record_get(r, "stack")) && !strv_has(p->addresses, *a))
                        return false;
        return p->addresses && (p->gateway || !record_get(r, "gateway"));
}

/* The LAN port stands before the others. */
static void wait_for_ports(const struct records *rs, struct record *more)
{
        const char *lan = record_str(rs->v[0], "port"), *waiting = NULL;

        for (uint64_t until = now_ms() + WAIT_MS;; usleep(POLL_MS * 1000)) {
                _cleanup_ports_ struct ports now = {0};
                const struct port *p = ports_look(&now) < 0 ? NULL : ports_by_mac(&now, lan);
                waiting = NULL;
                RECORDS_FOREACH(r, rs)
                        if (streq(r->word, "port") && !is_as_it_was(r, ports_by_mac(&now, record_str(r, "mac"))))
                                waiting = record_str(r, "mac");
                if (waiting && now_ms() < until)
                        continue;
                if (p && p->addresses)
                        record_set_list(more, "address", p->addresses);
                record_set(more, "waiting", waiting);
                return;
        }
}

/* Who has to do with the change: the LAN port's stack with all of its ports, and each other one with those that it ran
 * before. */
struct party {
        const struct net_stack *stack;
        struct ports ports; /* shallow */
};
#define PARTIES_MAX 4

static size_t parties_of(const struct records *rs, const struct ports *touched, struct party ret[static PARTIES_MAX])
{
        static const struct net_stack *const others[] = {&net_netplan, &net_networkd, &net_ifupdown};
        const struct net_stack *first = net_stack_by_name(record_str(rs->v[0], "stack"));
        size_t n = 1;

        ret[0] = (struct party){first, {.v = xmalloc((touched->n + 1) * sizeof(struct port)), .n = touched->n}};
        memcpy(ret[0].ports.v, touched->v, touched->n * sizeof(struct port));
        for (size_t i = 0; i < ELEMENTSOF(others); i++) {
                struct ports own = {.v = xmalloc((touched->n + 1) * sizeof(struct port))};
                for (size_t k = 0; k < touched->n; k++) {
                        const struct record *r = records_find(rs, "port", "mac", touched->v[k].mac);
                        if (r && others[i] != first && record_is(r, "stack", others[i]->name))
                                own.v[own.n++] = touched->v[k];
                }
                if (own.n > 0)
                        ret[n++] = (struct party){others[i], own};
                else
                        free(own.v);
        }
        return n;
}

static void release_all(const struct party *parties, size_t n)
{
        for (size_t i = 0; i < n; i++)
                for (size_t k = 0; k < parties[i].ports.n; k++)
                        parties[i].stack->release(&parties[i].ports.v[k]);
}

static void run_as_before(const struct records *rs, const struct party *parties, size_t n, const struct ports *all)
{
        net_networkmanager_undone(parties[0].stack);
        for (size_t i = 0; i < n; i++)
                parties[i].stack->restore(&parties[i].ports);
        restore_unowned(rs, all);
}

static int put_back_resolver(const struct records *rs)
{
        const struct record *f = records_find(rs, "resolver", NULL, NULL);
        _cleanup_free_ char *full = helper_path(RESOLVER), *link = link_of(full);
        int r = f && !link ? put_back_file(f) : 0;

        return r < 0 ? helper_fail("write-failed", RESOLVER, NULL, "%s could not be put back: %s. Run this again.", RESOLVER,
                                   strerror(-r))
                     : 0;
}

static void run_early(const struct party *parties, size_t n)
{
        for (size_t i = 0; i < n; i++)
                if (parties[i].stack->early && !helper_has_root())
                        parties[i].stack->early(&parties[i].ports);
}

static int put_back_with(const struct records *rs, const struct party *parties, size_t n, const struct ports *ports,
                         enum undo_how how)
{
        bool is_live = !helper_has_root() && how != UNDO_EARLY;

        if (is_live)
                release_all(parties, n);
        int status = put_back(rs);
        if (status == 0 && how == UNDO_EARLY)
                status = put_back_resolver(rs);
        if (status)
                return status;
        if (is_live)
                run_as_before(rs, parties, n, ports);
        else if (how == UNDO_EARLY)
                run_early(parties, n);
        return 0;
}

static int undo_all(const struct records *rs, const struct ports *ports, enum undo_how how, struct record *more)
{
        struct ports touched = touched_of(ports, rs->v[0]);
        _cleanup_free_ struct port *owned _unused_ = touched.v;
        struct party parties[PARTIES_MAX];
        size_t n = parties_of(rs, &touched, parties);

        int status = put_back_with(rs, parties, n, ports, how);
        for (size_t i = 0; i < n; i++)
                free(parties[i].ports.v);
        if (status)
                return status;
        if (*record_str(rs->v[0], "name"))
                name_apply(record_str(rs->v[0], "name"), NULL);
        if (!helper_has_root() && how != UNDO_EARLY && !helper_is_dry_run())
                wait_for_ports(rs, more);
        return 0;
}

int undo_ports(const struct records *rs, struct record *more)
{
        _cleanup_ports_ struct ports ports = {0};
        int r = helper_has_root() || rs->n < 2 ? 0 : ports_look(&ports);

        if (r < 0)
                return helper_refuse("no-ports", NULL, "The network ports cannot be looked at: %s.", strerror(-r));
        if (ports.n == 0 || helper_is_dry_run())
                return HELPER_DONE;
        RECORDS_FOREACH(saved, rs) {
                const struct port *p = streq(saved->word, "port") ? ports_by_mac(&ports, record_str(saved, "mac")) : NULL;
                if (!p)
                        continue;
                net_port_flush(p);
                restore_by_hand(saved, p);
        }
        wait_for_ports(rs, more);
        return HELPER_DONE;
}

int undo_back(enum undo_how how, struct record *more)
{
        _cleanup_records_ struct records rs = {0};
        _cleanup_ports_ struct ports ports = {0};

        int r = read_undo(&rs);
        if (r < 0)
                return helper_refuse("unreadable", UNDO_FILE, UNDO_FILE " cannot be read: %s.", strerror(-r));
        if (rs.n == 0)
                return HELPER_DONE;
        if (!net_stack_by_name(record_str(rs.v[0], "stack")))
                return helper_refuse("unreadable", UNDO_FILE, UNDO_FILE " names no network program that is known.");
        r = ports_look(&ports);
        if (r < 0)
                return helper_refuse("no-ports", NULL, "The network ports cannot be looked at: %s.", strerror(-r));
        int status = check_all_unedited(&rs, how);
        if (status == 0)
                status = undo_all(&rs, &ports, how, more);
        if (status)
                return status;
        r = helper_remove(UNDO_FILE);
        if (r < 0)
                return helper_fail("write-failed", UNDO_FILE, NULL, UNDO_FILE " could not be removed: %s.", strerror(-r));
        return HELPER_DONE;
}

/* While a change is on trial the one who set up this computer waits with the write lock in his hand. */
int undo_run(const struct record *args _unused_)
{
        _cleanup_record_ struct record *more = record_new("more");
        int status = net_lock();

        signal(SIGHUP, SIG_IGN);
        if (status == 0 && trial_is_on())
                status = trial_return(false, more);
        else if (status == 0 && (status = helper_lock()) == 0 && (status = trial_settle()) == 0)
                status = undo_back(UNDO_ASKED, more);
        return status ? status : helper_result(more);
}

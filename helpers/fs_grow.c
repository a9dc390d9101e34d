#include "helpers/fs_grow.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include <linux/fs.h>

#include "helpers/fs_fstab.h"
#include "helpers/fs_probe.h"
#include "helpers/fs_type.h"
#include "helpers/lib/helper.h"
#include "helpers/lib/mounts.h"

#define MARKS "/var/lib/nas-setup/growing"
#define UNMOUNT_TRIES 60

struct job {
        struct array a;
        struct probe p;
        const struct fs_type *type;
        char *mount; /* where it is mounted, or fstab says that it belongs; NULL for neither */
        char *mark;  /* stands as long as its growing may have been cut off */
        bool is_mounted;
};

static void job_done(struct job *j)
{
        array_drop(&j->a);
        probe_free(&j->p);
        free(j->mount);
        free(j->mark);
}
#define _cleanup_job_ _cleanup_(job_done)

/* --- what is there --- */

static char *mount_in_fstab(const char *uuid)
{
        _cleanup_fstab_ struct fstab f = {0};
        _cleanup_free_ char *why = NULL;

        if (!uuid || fstab_read(&f, &why) < 0)
                return NULL;
        for (size_t i = 0; i < f.n; i++)
                if (uuid_equal(f.v[i].uuid, uuid))
                        return xstrdup(f.v[i].mount);
        return NULL;
}

static int find(const struct md *md, const char *uuid, struct job *j)
{
        int r = array_hold(md, &j->a);

        if (r)
                return r;
        r = probe_device(j->a.node, &j->p);
        if (r < 0)
                return array_fail(&j->a, "unreadable", NULL, "what is on %s could not be read: %s", md->path, strerror(-r));
        j->type = j->p.type ? fs_type_find(j->p.type) : NULL;
        if (!j->type || !j->p.uuid)
                return helper_refuse("no-filesystem", md->path, "there is no file system on %s that could be looked after (%s)", md->path,
                                     j->p.type ? j->p.type : "none");
        if (uuid && !uuid_equal(uuid, j->p.uuid))
                return helper_refuse("no-filesystem", md->path, "the file system on %s is another one (%s)", md->path, j->p.uuid);
        j->mount = mount_of(j->a.node, j->a.devno);
        j->is_mounted = j->mount != NULL;
        if (!j->mount)
                j->mount = mount_in_fstab(j->p.uuid);
        j->mark = xasprintf(MARKS "/%s", j->p.uuid);
        return 0;
}

static uint64_t device_size(const struct job *j)
{
        uint64_t size = 0;

        return ioctl(j->a.fd, BLKGETSIZE64, &size) < 0 ? 0 : size;
}

/* -1 an error that was told, else whether it fills its device but for what it could not use. */
static int is_filled(const struct job *j)
{
        uint64_t size = 0, step = MIB, device = device_size(j);

        if (j->type->size(&j->a, j->mount, &size, &step))
                return -1;
        return device < size + step;
}

/* --- its mark --- */

static int set_mark(const struct job *j)
{
        int r = j->type->finish ? helper_write(j->mark, "its growing has begun\n", 0644) : 0;

        return r < 0 ? helper_fail("write-failed", MARKS, NULL, "%s: %s", j->mark, strerror(-r)) : 0;
}

static bool has_mark(const struct job *j)
{
        _cleanup_free_ char *full = helper_path(j->mark);

        return access(full, F_OK) == 0;
}

static int take_mark(const struct job *j)
{
        int filled = helper_is_dry_run() ? 1 : is_filled(j);

        if (filled < 0)
                return HELPER_FAILED;
        if (!filled)
                return array_fail(&j->a, "not-grown", NULL, "the file system on %s did not take all of its room", j->a.md->path);
        return helper_remove(j->mark) < 0 ? helper_fail("write-failed", MARKS, NULL, "%s cannot be removed", j->mark) : 0;
}

/* --- out of use, for as long as that takes --- */

/* Sessions of Samba keep the folder busy; they come back by themselves, and are turned away while it is not mounted. */
static void close_shares(const char *mount)
{
        _cleanup_free_ char *conf = NULL, *name = NULL;

        if (!has_program("testparm") || helper_ask(STRV("testparm", "-s", "--suppress-prompt"), &conf) < 0)
                return;
        for (char *line = conf, *end; line && *line; line = end) {
                end = line + strcspn(line, "\n");
                if (*end)
                        *end++ = '\0';
                char *bare = strip(line);
                const char *path = skip_prefix(bare, "path = ");
                if (*bare == '[' && has_suffix(bare, "]")) {
                        free(name);
                        name = xstrndup(bare + 1, strlen(bare) - 2);
                } else if (path && name && has_prefix(path, mount))
                        helper_exec(STRV("smbcontrol", "smbd", "close-share", name), NULL);
        }
}

static int unmount(const struct job *j)
{
        _cleanup_free_ char *raw = NULL;

        for (unsigned i = 0; j->is_mounted; i++) {
                close_shares(j->mount);
                free(raw);
                raw = NULL;
                if (helper_exec(STRV("umount", j->mount), &raw) == 0)
                        break;
                if (i == UNMOUNT_TRIES)
                        return helper_fail("in-use", j->mount, raw,
                                           "something uses %s, so that its file system cannot be finished: close it and try again",
                                           j->mount);
                nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
        }
        return 0;
}

static int mount_again(const struct job *j)
{
        _cleanup_free_ char *raw = NULL, *known = mount_in_fstab(j->p.uuid);

        if (!j->mount)
                return 0;
        if (helper_exec(known ? STRV("mount", j->mount) : STRV("mount", j->a.node, j->mount), &raw) == 0)
                return 0;
        return array_fail(&j->a, "mount-failed", raw, "%s could not be mounted again; the details are in the log", j->mount);
}

static int finish(const struct job *j)
{
        int r = unmount(j);

        if (r == 0)
                r = j->type->finish(&j->a);
        if (r == 0)
                r = mount_again(j);
        return r ? r : take_mark(j);
}

/* --- growing --- */

static int grow_mounted(const struct job *j)
{
        int filled = is_filled(j);

        if (filled)
                return filled < 0 ? HELPER_FAILED : 0;
        int r = set_mark(j);
        if (r == 0)
                r = j->type->grow(&j->a, j->mount);
        if (r == 0 && !helper_is_dry_run() && array_sync(&j->a) < 0)
                r = array_fail(&j->a, "not-grown", NULL, "what was changed could not be written to %s", j->a.md->path);
        return r ? r : take_mark(j);
}

int fs_grow(const struct md *md, const char *uuid, char **ret_mount)
{
        _cleanup_job_ struct job j = {0};

        if (md->is_reshaping)
                return helper_refuse("reshaping", md->path, "the shape of %s is just being changed: its room comes at the end", md->path);
        int r = find(md, uuid, &j);
        if (r)
                return r;
        if (!has_mark(&j) && !j.is_mounted)
                return helper_refuse("not-mounted", md->path, "the file system on %s is not mounted; nothing was changed", md->path);
        r = has_mark(&j) ? finish(&j) : grow_mounted(&j);
        if (r == 0)
                *ret_mount = TAKE_PTR(j.mount);
        return r;
}

int fs_check(const struct md *md, const char *uuid)
{
        _cleanup_job_ struct job j = {0};
        int r = find(md, uuid, &j);

        if (r)
                return r;
        if (j.is_mounted)
                return helper_refuse("mounted", j.mount, "the file system on %s is in use on %s; nothing was changed", md->path, j.mount);
        return j.type->heal(&j.a);
}

#include "helpers/disk_elsewhere.h"

#include <ctype.h>
#include <limits.h>
#include <unistd.h>

#include "helpers/disk_device.h"
#include "helpers/lib/helper.h"

struct elsewhere {
        struct libmnt_table *ours;
        char **namespaces; /* seen so far */
        char **devices;
        void (*take)(void *ctx, struct libmnt_table *theirs, struct libmnt_fs *fs, const char *program);
        void *ctx;
};

static void elsewhere_free(struct elsewhere *e)
{
        strv_free(e->namespaces);
        strv_free(e->devices);
}

/* "mnt:[4026531841]"; NULL where it cannot be told. */
static char *namespace_of(const char *process)
{
        _cleanup_free_ char *link = path_join(process, "ns/mnt");
        char name[NAME_MAX];
        ssize_t n = readlink(link, name, sizeof name);

        return n > 0 && n < (ssize_t)sizeof name ? xstrndup(name, (size_t)n) : NULL;
}

static bool is_first(char ***seen, const char *name)
{
        if (strv_has(*seen, name))
                return false;
        strv_add(seen, name);
        return true;
}

static void take_table(struct elsewhere *e, struct libmnt_table *theirs, const char *program)
{
        _cleanup_iter_ struct libmnt_iter *it = mnt_new_iter(MNT_ITER_FORWARD);
        struct libmnt_fs *fs;

        while (mnt_table_next_fs(theirs, it, &fs) == 0) {
                dev_t devno = mnt_fs_get_devno(fs);
                _cleanup_free_ char *device = xasprintf("%llu", (unsigned long long)devno);
                if (!mnt_table_find_devno(e->ours, devno, MNT_ITER_FORWARD) && is_first(&e->devices, device))
                        e->take(e->ctx, theirs, fs, program);
        }
}

static void take_process(struct elsewhere *e, const char *proc, const char *pid)
{
        _cleanup_free_ char *process = path_join(proc, pid), *space = namespace_of(process), *file = path_join(process, "mountinfo");
        _cleanup_mounts_ struct libmnt_table *theirs = NULL;

        if (!space || !is_first(&e->namespaces, space) || !(theirs = mnt_new_table_from_file(file)))
                return;
        _cleanup_free_ char *name = sysfs_line(process, "comm"), *program = xasprintf("%s %s", name ? name : "?", pid);
        take_table(e, theirs, program);
}

void elsewhere_look(struct libmnt_table *ours,
                    void (*take)(void *ctx, struct libmnt_table *theirs, struct libmnt_fs *fs, const char *program), void *ctx)
{
        _cleanup_(elsewhere_free) struct elsewhere e = {.ours = ours, .take = take, .ctx = ctx};
        _cleanup_free_ char *proc = helper_path("/proc"), *self = path_join(proc, "self"), *space = namespace_of(self);
        _cleanup_strv_ char **pids = list_folder(proc);

        if (space)
                is_first(&e.namespaces, space);
        STRV_FOREACH(pid, pids)
                if (isdigit((unsigned char)**pid))
                        take_process(&e, proc, *pid);
}

#include "helpers/lib/mounts.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <libmount/libmount.h>

#include "helpers/lib/helper.h"

static struct libmnt_table *table_read(void)
{
        _cleanup_free_ char *path = helper_path("/proc/self/mountinfo");

        return mnt_new_table_from_file(path);
}

static char *devno_text(dev_t dev)
{
        return xasprintf("%u:%u", major(dev), minor(dev));
}

char *devno_of(const char *node)
{
        struct stat st;

        return stat(node, &st) < 0 || !S_ISBLK(st.st_mode) ? NULL : devno_text(st.st_rdev);
}

static struct mounted take(struct libmnt_fs *fs)
{
        return (struct mounted){.devno = devno_text(mnt_fs_get_devno(fs)),
                                .source = xstrdup(mnt_fs_get_source(fs)),
                                .root = xstrdup(mnt_fs_get_root(fs)),
                                .target = xstrdup(mnt_fs_get_target(fs)),
                                .type = xstrdup(mnt_fs_get_fstype(fs)),
                                .is_readonly = mnt_fs_match_options(fs, "ro")};
}

bool mounted_on(const char *target, struct mounted *ret)
{
        struct libmnt_table *table = table_read();
        struct libmnt_fs *fs = table ? mnt_table_find_target(table, target, MNT_ITER_BACKWARD) : NULL;

        if (fs)
                *ret = take(fs);
        mnt_unref_table(table);
        return fs != NULL;
}

void mounted_free(struct mounted *m)
{
        free(m->devno);
        free(m->source);
        free(m->root);
        free(m->target);
        free(m->type);
        *m = (struct mounted){0};
}

static bool is_from(const struct mounted *m, const char *node, const char *devno)
{
        if (streq_null(m->devno, devno))
                return true;
        _cleanup_free_ char *source = m->source && has_prefix(m->devno, "0:") ? devno_of(m->source) : NULL;
        return (source && streq_null(source, devno)) || streq_null(m->source, node);
}

bool is_mounted_from(const struct mounted *m, const char *node)
{
        _cleanup_free_ char *devno = devno_of(node);

        return devno && is_from(m, node, devno);
}

char *mount_of(const char *node, const char *devno)
{
        struct libmnt_table *table = table_read();
        struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
        struct libmnt_fs *fs;
        char *target = NULL;

        while (table && !target && mnt_table_next_fs(table, iter, &fs) == 0) {
                _cleanup_mounted_ struct mounted m = take(fs);
                if (is_from(&m, node, devno))
                        target = xstrdup(m.target);
        }
        mnt_free_iter(iter);
        mnt_unref_table(table);
        return target;
}

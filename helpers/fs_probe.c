#include "helpers/fs_probe.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <blkid/blkid.h>
#include <libmount/libmount.h>

#include "helpers/lib/helper.h"

static void free_probe(blkid_probe *pr)
{
        blkid_free_probe(*pr);
}

static char *value(blkid_probe pr, const char *name)
{
        const char *text = NULL;

        return blkid_probe_lookup_value(pr, name, &text, NULL) == 0 && text ? xstrdup(text) : NULL;
}

static void take_signature(blkid_probe pr, struct probe *p)
{
        _cleanup_free_ char *type = value(pr, "TYPE"), *table = value(pr, "PTTYPE");

        if (type && !p->type) {
                p->type = xstrdup(type);
                p->uuid = value(pr, "UUID");
                p->label = value(pr, "LABEL");
        }
        if (type || table)
                strv_add(&p->found, type ? type : table);
}

/* Each call of blkid_do_probe finds one more; a safe probe would stop at the first and call two of them nothing. */
int probe_device(const char *node, struct probe *ret)
{
        _cleanup_(free_probe) blkid_probe pr = blkid_new_probe_from_filename(node);
        _cleanup_probe_ struct probe p = {0};
        int r;

        if (!pr)
                return errno ? -errno : -EIO;
        blkid_probe_enable_superblocks(pr, true);
        blkid_probe_set_superblocks_flags(pr, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_UUID | BLKID_SUBLKS_LABEL |
                                                      BLKID_SUBLKS_MAGIC | BLKID_SUBLKS_BADCSUM);
        blkid_probe_enable_partitions(pr, true);
        blkid_probe_set_partitions_flags(pr, BLKID_PARTS_MAGIC | BLKID_PARTS_FORCE_GPT);
        while ((r = blkid_do_probe(pr)) == 0)
                take_signature(pr, &p);
        if (r < 0)
                return errno ? -errno : -EIO;
        *ret = p;
        p = (struct probe){0};
        return 0;
}

void probe_free(struct probe *p)
{
        free(p->type);
        free(p->uuid);
        free(p->label);
        strv_free(p->found);
        *p = (struct probe){0};
}

char **devices_of_uuid(const char *uuid)
{
        blkid_cache cache = NULL;
        blkid_dev dev;
        char **nodes = NULL;

        if (blkid_get_cache(&cache, "/dev/null") < 0)
                return NULL;
        blkid_probe_all(cache);
        blkid_dev_iterate it = blkid_dev_iterate_begin(cache);
        while (blkid_dev_next(it, &dev) == 0)
                if (blkid_dev_has_tag(dev, "UUID", uuid))
                        strv_add(&nodes, blkid_dev_devname(dev));
        blkid_dev_iterate_end(it);
        blkid_put_cache(cache);
        return nodes;
}

char *devno_of(const char *node)
{
        struct stat st;

        if (stat(node, &st) < 0 || !S_ISBLK(st.st_mode))
                return NULL;
        return xasprintf("%u:%u", major(st.st_rdev), minor(st.st_rdev));
}

/* --- mounts --- */

static struct libmnt_table *mounts(void)
{
        _cleanup_free_ char *path = helper_path("/proc/self/mountinfo");

        return mnt_new_table_from_file(path);
}

bool mounted_on(const char *target, struct mounted *ret)
{
        struct libmnt_table *table = mounts();
        struct libmnt_fs *fs = table ? mnt_table_find_target(table, target, MNT_ITER_BACKWARD) : NULL;

        if (fs) {
                dev_t dev = mnt_fs_get_devno(fs);
                *ret = (struct mounted){.devno = xasprintf("%u:%u", major(dev), minor(dev)),
                                        .target = xstrdup(mnt_fs_get_target(fs)),
                                        .type = xstrdup(mnt_fs_get_fstype(fs)),
                                        .is_readonly = mnt_fs_match_options(fs, "ro")};
        }
        mnt_unref_table(table);
        return fs != NULL;
}

char *mount_of(const char *devno)
{
        struct libmnt_table *table = mounts();
        unsigned maj, min;
        char *target = NULL;

        if (table && sscanf(devno, "%u:%u", &maj, &min) == 2) {
                struct libmnt_fs *fs = mnt_table_find_devno(table, makedev(maj, min), MNT_ITER_FORWARD);
                target = fs ? xstrdup(mnt_fs_get_target(fs)) : NULL;
        }
        mnt_unref_table(table);
        return target;
}

void mounted_free(struct mounted *m)
{
        free(m->devno);
        free(m->target);
        free(m->type);
        *m = (struct mounted){0};
}

#include "helpers/raid_partition.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <blkid/blkid.h>

#include "helpers/lib/helper.h"

#define CLASS "/sys/class/block"

static void probe_freep(blkid_probe *pr)
{
        blkid_free_probe(*pr);
}

char *partition_guid(int fd)
{
        _cleanup_(probe_freep) blkid_probe pr = blkid_new_probe();
        const char *guid = NULL;

        if (!pr || blkid_probe_set_device(pr, fd, 0, 0) < 0)
                return NULL;
        blkid_probe_enable_superblocks(pr, false);
        blkid_probe_enable_partitions(pr, true);
        blkid_probe_set_partitions_flags(pr, BLKID_PARTS_ENTRY_DETAILS);
        if (blkid_do_fullprobe(pr) < 0 || blkid_probe_lookup_value(pr, "PART_ENTRY_UUID", &guid, NULL) < 0)
                return NULL;
        return xstrdup(guid);
}

static void add(struct partitions *p, const char *name)
{
        _cleanup_free_ char *node = xasprintf("/dev/%s", name);

        for (char *c = node; *c; c++)
                if (*c == '!') /* how sysfs writes the '/' of "cciss/c0d0p1" */
                        *c = '/';
        _cleanup_close_ int fd = open(node, O_RDONLY | O_CLOEXEC);
        char *guid = fd < 0 ? NULL : partition_guid(fd);
        if (!guid)
                return;
        p->v = xreallocarray(p->v, p->n + 1, sizeof *p->v);
        p->v[p->n++] = (struct partition){.node = TAKE_PTR(node), .guid = guid, .fd = TAKE_FD(fd)};
}

int partitions_list(struct partitions *ret)
{
        _cleanup_free_ char *folder = helper_path(CLASS);
        struct partitions p = {0};
        DIR *d = opendir(folder);

        if (!d)
                return -errno;
        for (struct dirent *e; (e = readdir(d));) {
                _cleanup_free_ char *mark = xasprintf("%s/%s/partition", folder, e->d_name);
                if (e->d_name[0] != '.' && !helper_has_root() && access(mark, F_OK) == 0)
                        add(&p, e->d_name);
        }
        closedir(d);
        *ret = p;
        return 0;
}

int partitions_find(struct partitions *all, const char *guid, struct partition **ret)
{
        struct partition *found = NULL;

        for (size_t i = 0; i < all->n; i++) {
                if (!uuid_equal(all->v[i].guid, guid))
                        continue;
                if (found)
                        return -ENOTUNIQ;
                found = &all->v[i];
        }
        if (!found)
                return -ENOENT;
        *ret = found;
        return 0;
}

void partitions_free(struct partitions *p)
{
        for (size_t i = 0; i < p->n; i++) {
                free(p->v[i].node);
                free(p->v[i].guid);
                closep(&p->v[i].fd);
        }
        free(p->v);
        *p = (struct partitions){0};
}

#include "helpers/fs_probe.h"

#include <errno.h>

#include <blkid/blkid.h>

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

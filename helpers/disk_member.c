#include "helpers/disk_member.h"

void member_free(struct member *m)
{
        if (!m)
                return;
        free(m->set);
        free(m->self);
        free(m->name);
        free(m->level);
        strv_free(m->all);
        free(m);
}

static bool look(const struct region *r, const char *type, uint64_t magic, struct member *m)
{
        if (streq(m->type, "md"))
                return md_member_look(r, magic, m);
        if (streq(m->type, "imsm"))
                return imsm_member_look(r, magic, m);
        if (streq(m->type, "lvm"))
                return lvm_member_look(r, magic, m);
        if (streq(m->type, "btrfs"))
                return btrfs_member_look(r, m);
        return streq(type, "ddf_raid_member") || zfs_member_look(r, magic, m);
}

struct member *member_look(const struct region *r, const char *type, const char *uuid, const char *label, const char *sub,
                           uint64_t magic)
{
        static const struct {
                const char *blkid, *ours;
        } types[] = {{"linux_raid_member", "md"}, {"LVM2_member", "lvm"},     {"btrfs", "btrfs"},
                     {"zfs_member", "zfs"},       {"isw_raid_member", "imsm"}, {"ddf_raid_member", "ddf"}};
        struct member *m = NULL;

        for (size_t i = 0; i < ELEMENTSOF(types) && !m; i++)
                if (streq(type, types[i].blkid)) {
                        m = xmalloc(sizeof *m);
                        m->type = types[i].ours;
                }
        if (!m)
                return NULL;
        if (!look(r, type, magic, m)) {
                member_free(m);
                return NULL;
        }
        if (streq(m->type, "zfs") || streq(m->type, "ddf")) {
                m->set = xstrdup(uuid);
                m->self = xstrdup(sub);
                if (!m->name)
                        m->name = xstrdup(label);
        }
        return m;
}

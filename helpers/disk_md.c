#include <linux/raid/md_p.h>

#include <endian.h>

#include "helpers/disk_member.h"
#include "helpers/lib/md.h"

#define LEVEL_LINEAR (-1)

static const struct {
        int level;
        const char *name;
        unsigned spareable; /* UINT32_MAX: all but one */
} levels[] = {{LEVEL_LINEAR, "linear", 0}, {0, "raid0", 0}, {1, "raid1", UINT32_MAX}, {4, "raid4", 1},
              {5, "raid5", 1},             {6, "raid6", 2}, {10, "raid10", 0}};

/* Data disks' worth in n places, in halves (raid10 of 3 with 2 copies: 1.5). */
static uint64_t size_of(int level, uint64_t one, unsigned n, unsigned copies)
{
        if (level == 1)
                return one;
        if (level == 10)
                return copies ? one * n / copies : 0;
        unsigned parity = level == 6 ? 2 : level == 4 || level == 5 ? 1 : 0;
        return n > parity ? one * (n - parity) : 0;
}

static void take_shape(struct member *m, int level, uint32_t layout, uint32_t disks, uint64_t one)
{
        m->devices = disks <= 4096 ? disks : 0; /* MD_SB_DISKS is 27, 1.x has room for some 1900 */
        if (level == 10)
                m->copies = (layout & 0xff) * (layout >> 8 & 0xff);
        if (m->copies > m->devices)
                m->copies = 0;
        for (size_t i = 0; i < ELEMENTSOF(levels); i++)
                if (levels[i].level == level && m->devices > 0) {
                        m->level = xstrdup(levels[i].name);
                        m->spareable = MIN2(levels[i].spareable, m->devices - 1);
                        if (one <= UINT64_MAX / 8192)
                                m->size = size_of(level, one, m->devices, m->copies);
                }
}

static char *name_of(const char *p, size_t n)
{
        _cleanup_free_ char *name = xstrndup(p, strnlen(p, n));
        const char *colon = strchr(name, ':');

        return *name ? xstrdup(colon ? colon + 1 : name) : NULL;
}

static void take_role_1(struct member *m, const struct mdp_superblock_1 *sb, size_t roles)
{
        uint32_t mine = le32toh(sb->dev_number);
        uint16_t role = mine < roles ? le16toh(sb->dev_roles[mine]) : MD_DISK_ROLE_FAULTY;

        m->role = role == MD_DISK_ROLE_SPARE || role == MD_DISK_ROLE_JOURNAL ? ROLE_SPARE
                  : role < m->devices                                         ? ROLE_ACTIVE
                                                                               : ROLE_OUT;
        m->place = m->role == ROLE_ACTIVE ? role : 0;
}

static bool look_1(const struct region *r, uint64_t magic, struct member *m)
{
        _Alignas(8) uint8_t p[4096];
        const struct mdp_superblock_1 *sb = (const struct mdp_superblock_1 *)p;

        if (!region_get(r, p, sizeof p, magic))
                return false;
        size_t roles = le32toh(sb->max_dev);
        if (roles > (sizeof p - sizeof *sb) / 2)
                return false;
        uint32_t features = le32toh(sb->feature_map);
        m->is_unsound = !md_is_sound(p, sizeof p);
        m->set = uuid_text(sb->set_uuid);
        m->self = uuid_text(sb->device_uuid);
        m->name = name_of(sb->set_name, sizeof sb->set_name);
        m->events = le64toh(sb->events);
        uint64_t sectors = le64toh(sb->size);
        take_shape(m, (int)le32toh(sb->level), le32toh(sb->layout), le32toh(sb->raid_disks),
                   sectors <= UINT64_MAX / 512 ? sectors * 512 : UINT64_MAX);
        m->is_filling = features & MD_FEATURE_RECOVERY_OFFSET;
        m->is_reshaping = features & MD_FEATURE_RESHAPE_ACTIVE;
        take_role_1(m, sb, roles);
        return true;
}

/* --- 0.90: numbers as the machine that made it has them; only little-endian ones can be read here --- */

static bool look_0(const struct region *r, uint64_t magic, struct member *m)
{
        _Alignas(8) uint8_t p[4096];
        const mdp_super_t *sb = (const mdp_super_t *)p;

        if (!region_get(r, p, sizeof p, magic) || le32toh(sb->major_version) != 0)
                return false;
        /* as mdadm spells it: the four numbers, not the bytes */
        _cleanup_free_ char *uuid = xasprintf("%08x%08x%08x%08x", le32toh(sb->set_uuid0), le32toh(sb->set_uuid1),
                                              le32toh(sb->set_uuid2), le32toh(sb->set_uuid3));
        m->set = uuid_plain(uuid);
        m->self = xasprintf("%s.%u", m->set, le32toh(sb->this_disk.number));
        m->events = (uint64_t)le32toh(sb->events_hi) << 32 | le32toh(sb->events_lo);
        take_shape(m, (int)le32toh(sb->level), le32toh(sb->layout), le32toh(sb->raid_disks),
                   (uint64_t)le32toh(sb->size) * KIB);
        m->is_reshaping = le32toh(sb->minor_version) >= 91;
        uint32_t state = le32toh(sb->this_disk.state), place = le32toh(sb->this_disk.raid_disk);
        bool active = state & 1U << MD_DISK_SYNC && !(state & 1U << MD_DISK_FAULTY) && place < m->devices;
        m->role = active ? ROLE_ACTIVE : state & 1U << MD_DISK_FAULTY ? ROLE_OUT : ROLE_SPARE;
        m->place = active ? place : 0;
        return true;
}

bool md_member_look(const struct region *r, uint64_t magic, struct member *m)
{
        uint8_t head[8];

        if (!region_get(r, head, sizeof head, magic) || get_le32(head) != MD_SB_MAGIC)
                return false;
        m->margin = 1; /* mdadm, Assemble.c: event_margin; the kernel takes it too */
        return get_le32(head + 4) == 1 ? look_1(r, magic, m) : look_0(r, magic, m);
}

/* --- Intel --- */

bool imsm_member_look(const struct region *r, uint64_t magic, struct member *m)
{
        uint8_t p[512];

        if (!region_get(r, p, sizeof p, magic) || memcmp(p, "Intel Raid ISM Cfg Sig. ", 24) != 0)
                return false;
        m->set = xasprintf("%08x", get_le32(p + 40)); /* family_num */
        m->events = get_le32(p + 44);                 /* generation_num */
        m->devices = p[56];                           /* num_disks */
        m->is_mixed = true;                           /* several volumes may lie on the same disks */
        return true;
}

#include "helpers/raid_super.h"

#include <endian.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/fs.h>
#include <linux/raid/md_p.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"

#define SECTOR UINT64_C(512)
#define BLOCK 4096 /* a superblock at most */
#define EVENT_MARGIN 1 /* what one power cut leaves; mdadm and the kernel take it too */

/* --- reading --- */

static uint64_t size_of(int fd)
{
        struct stat st;
        uint64_t size = 0;

        if (fstat(fd, &st) < 0)
                return 0;
        if (S_ISREG(st.st_mode))
                return (uint64_t)st.st_size;
        return ioctl(fd, BLKGETSIZE64, &size) < 0 ? 0 : size;
}

/* 1.2, 1.1, 1.0: each says itself where it stands. */
static bool read_block(int fd, void *block)
{
        uint64_t size = size_of(fd), last = size >= 16 * KIB ? (size / SECTOR - 16) / 8 * 8 * SECTOR : 0;
        const uint64_t places[] = {BLOCK, 0, last};

        for (size_t i = 0; i < ELEMENTSOF(places); i++) {
                struct mdp_superblock_1 sb;
                if (read_fully(fd, block, BLOCK, places[i]) < 0)
                        continue;
                memcpy(&sb, block, sizeof sb);
                if (md_is_sound(block, BLOCK) && le32toh(sb.major_version) == 1 &&
                    le64toh(sb.super_offset) == places[i] / SECTOR)
                        return true;
        }
        return false;
}

static unsigned place_of(const struct mdp_superblock_1 *sb, const char *block)
{
        uint32_t mine = le32toh(sb->dev_number);
        uint16_t role;

        if (mine >= le32toh(sb->max_dev)) /* md_is_sound has seen that so many fit */
                return PLACE_NONE;
        memcpy(&role, block + sizeof *sb + 2 * (size_t)mine, sizeof role);
        role = le16toh(role);
        return role < le32toh(sb->raid_disks) ? role : PLACE_NONE;
}

static void take(const char *block, struct super *s)
{
        struct mdp_superblock_1 sb;

        memcpy(&sb, block, sizeof sb);
        uint32_t features = le32toh(sb.feature_map);
        s->events = le64toh(sb.events);
        s->level = (int)le32toh(sb.level);
        s->layout = le32toh(sb.layout);
        s->devices = MIN2(le32toh(sb.raid_disks), 4096U);
        s->place = place_of(&sb, block);
        s->is_filling = features & (MD_FEATURE_RECOVERY_OFFSET | MD_FEATURE_REPLACEMENT);
        s->is_clean = le64toh(sb.resync_offset) == UINT64_MAX;
        s->is_reshaping = features & MD_FEATURE_RESHAPE_ACTIVE;
        s->needs_backup = s->is_reshaping && !(features & MD_FEATURE_NEW_OFFSET) && le32toh(sb.delta_disks) == 0;
        s->has_ppl = features & (MD_FEATURE_PPL | MD_FEATURE_MULTIPLE_PPLS);
}

void supers_read(char *const *members, struct supers *ret)
{
        struct supers s = {.v = xmalloc((strv_len(members) + 1) * sizeof(struct super))};

        STRV_FOREACH(m, members) {
                _cleanup_free_ char *node = xasprintf("/dev/%s", *m), *full = helper_path(node), *block = xmalloc(BLOCK);
                _cleanup_close_ int fd = open(full, O_RDONLY | O_CLOEXEC);
                if (fd < 0 || !read_block(fd, block))
                        continue;
                s.v[s.n].name = xstrdup(*m);
                take(block, &s.v[s.n++]);
        }
        *ret = s;
}

void supers_free(struct supers *s)
{
        for (size_t i = 0; i < s->n; i++)
                free(s->v[i].name);
        free(s->v);
        *s = (struct supers){0};
}

/* --- what they are enough for --- */

static const struct super *newest(const struct supers *s)
{
        const struct super *best = NULL;

        for (size_t i = 0; i < s->n; i++)
                if (!best || s->v[i].events > best->events)
                        best = &s->v[i];
        return best;
}

/* Which places have all their data here, as of the newest superblock; how many. */
static unsigned fill(const struct supers *s, const struct super *best, bool *is_here)
{
        unsigned n = 0;

        for (size_t i = 0; i < s->n; i++) {
                const struct super *v = &s->v[i];
                if (v->place >= best->devices || v->is_filling || v->events + EVENT_MARGIN < best->events ||
                    is_here[v->place])
                        continue;
                is_here[v->place] = true;
                n++;
        }
        return n;
}

/* Copies of the same data lie side by side (near), or further on (far): of each such group one must be here. As mdadm's
 * util.c, enough(). */
static unsigned groups_without(const struct super *best, const bool *is_here)
{
        unsigned near = best->layout & 0xff, copies = near * (best->layout >> 8 & 0xff), first = 0, lacks = 0;

        if (near == 0 || copies == 0 || copies > best->devices)
                return best->devices;
        do {
                unsigned here = 0;
                for (unsigned i = 0; i < copies; i++)
                        here += is_here[(first + i) % best->devices];
                lacks += here == 0;
                first = (first + near) % best->devices;
        } while (first != 0);
        return lacks;
}

static unsigned lacks_of(const struct super *best, const bool *is_here, unsigned here)
{
        unsigned least = best->devices;

        switch (best->level) {
        case 1:
                least = 1;
                break;
        case 4:
        case 5:
                least = best->devices > 1 ? best->devices - 1 : 1;
                break;
        case 6:
                least = best->devices > 2 ? best->devices - 2 : 1;
                break;
        case 10:
                return groups_without(best, is_here);
        }
        return here < least ? least - here : 0;
}

enum start start_of(const struct supers *s, unsigned *ret_lacks)
{
        const struct super *best = newest(s);

        *ret_lacks = 1;
        if (!best || best->devices == 0)
                return START_NO;
        _cleanup_free_ bool *is_here = xmalloc(best->devices * sizeof *is_here);
        unsigned here = fill(s, best, is_here);
        bool has_parity = best->level >= 4 && best->level <= 6;
        *ret_lacks = lacks_of(best, is_here, here);
        if (*ret_lacks > 0)
                return START_NO;
        if (here == best->devices)
                return START_WHOLE;
        return has_parity && !best->is_clean && !best->has_ppl ? START_FORCE : START_DEGRADED;
}

const char *start_name(enum start start)
{
        static const char *const names[] = {
                [START_WHOLE] = "whole", [START_DEGRADED] = "degraded", [START_FORCE] = "force", [START_NO] = "no"};

        return names[start];
}

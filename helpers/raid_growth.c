#include "helpers/raid_growth.h"

#include "helpers/lib/helper.h"

/* md chooses this chunk where a mirror becomes a RAID 5. */
#define LEVEL5_CHUNK (64 * KIB)

static const struct {
        const char *word, *text;
} reasons[] = {
        {"degraded", "a disk is missing in it: replace that first"},
        {"syncing", "it is just synchronising: wait until that is over"},
        {"reshaping", "its shape is just being changed: wait until that is over"},
        {"checking", "it is just being checked: wait until that is over"},
        {"readonly", "it can only be read"},
        {"unsafe", "a power cut in the middle could destroy all that is in it"},
        {"no-room", "there is no room before its data, which a power cut in the middle would need"},
        {"ppl", "it keeps a log of its parity (PPL), with which it cannot be grown"},
        {"level", "Linux cannot change arrays of this kind so"},
        {"external", "it belongs to the RAID of the mainboard's firmware"},
        {"same", "no member has room that is not used"},
};

const char *growth_why(const char *refused)
{
        for (size_t i = 0; i < ELEMENTSOF(reasons); i++)
                if (streq(reasons[i].word, refused))
                        return reasons[i].text;
        return refused;
}

static uint64_t attribute(const struct md *md, const char *name)
{
        _cleanup_free_ char *path = xasprintf("/sys/block/%s/%s", md->kernel, name), *full = helper_path(path);
        uint64_t value = 0;

        return read_u64(full, &value) < 0 ? 0 : value;
}

/* Of the moment: what passes by itself, or by a disk. */
static const char *not_now(const struct md *md)
{
        const char *sync = md_sync(md);

        if (md->is_external)
                return "external";
        if (streq(md->array_state, "readonly"))
                return "readonly";
        if (md->is_reshaping)
                return "reshaping";
        if (md->degraded > 0)
                return "degraded";
        if (streq(sync, "check"))
                return "checking";
        return streq(sync, "idle") ? NULL : "syncing";
}

/* Superblock and bitmap at most, where they stand before the data (mdadm, super1.c: choose_bm_space). */
#define BEFORE (144 * KIB)

/* A reshape to more disks writes a stripe's worth behind what it reads; where there is room before the data they are moved
 * into it, no stripe is ever written over itself, and nothing has to be kept elsewhere meanwhile. Twice the least. */
static bool has_room(const struct md *md, const struct places *p, unsigned devices)
{
        uint64_t chunk = md->chunk ? md->chunk : LEVEL5_CHUNK;

        for (size_t i = 0; i < p->n; i++)
                if (p->v[i].name && p->v[i].offset < BEFORE + 2 * chunk * devices)
                        return false;
        return true;
}

static bool has_ppl(const struct md *md)
{
        _cleanup_free_ char *path = xasprintf("/sys/block/%s/md/consistency_policy", md->kernel), *full = helper_path(path),
                            *policy = NULL;

        return read_line(full, &policy) == 0 && streq(policy, "ppl");
}

static unsigned data_disks(const char *level, unsigned devices)
{
        struct md md = {.level = (char *)level, .devices = devices};

        return md_data_disks(&md);
}

/* What each member gives now, and the most that it could give. */
static uint64_t used(const struct md *md)
{
        uint64_t kib = attribute(md, "md/component_size");

        return kib ? kib * KIB : md->size / data_disks(md->level, md->devices);
}

static uint64_t could_use(const struct places *p)
{
        uint64_t least = UINT64_MAX;

        for (size_t i = 0; i < p->n; i++)
                if (p->v[i].number != PLACE_NONE)
                        least = MIN2(least, p->v[i].size > p->v[i].offset ? p->v[i].size - p->v[i].offset : 0);
        return least == UINT64_MAX ? 0 : least;
}

static uint64_t most_offset(const struct places *p)
{
        uint64_t most = 0;

        for (size_t i = 0; i < p->n; i++)
                most = MAX2(most, p->v[i].offset);
        return most;
}

/* --- each of them --- */

static void add_size(const struct md *md, const struct places *p, const char *now, struct growth *g)
{
        uint64_t unit = md->chunk ? md->chunk : 64 * KIB, most = could_use(p) / unit * unit;

        *g = (struct growth){.as = "size", .level = md->level, .devices = md->devices};
        g->size = most * data_disks(md->level, md->devices);
        g->refused = most < used(md) + 64 * MIB ? "same" : now;
}

static void add_more(const struct md *md, const char *now, struct growth *g)
{
        bool is_mirror = streq(md->level, "raid1");

        *g = (struct growth){.as = !is_mirror ? "grow" : md->devices == 1 ? "mirror" : "copy", .level = md->level};
        g->devices = md->devices + 1;
        g->add = 1;
        g->more = is_mirror ? 0 : used(md);
        g->size = is_mirror ? md->size : used(md) * data_disks(md->level, g->devices);
        g->refused = now;
}

static void add_level5(const struct md *md, const char *now, struct growth *g)
{
        *g = (struct growth){.as = "level5", .level = "raid5", .devices = 3, .add = 1};
        g->more = used(md) / LEVEL5_CHUNK * LEVEL5_CHUNK;
        g->size = 2 * g->more;
        g->refused = now;
}

static void add_spare(const struct md *md, const char *now, struct growth *g)
{
        *g = (struct growth){.as = "spare", .level = md->level, .devices = md->devices, .add = 1, .size = md->size};
        g->refused = now && (streq(now, "external") || streq(now, "readonly") || streq(now, "degraded")) ? now : NULL;
}

static void add_never(const struct md *md, const char *as, const char *level, struct growth *g)
{
        *g = (struct growth){.as = as, .level = level, .devices = md->devices + 1, .add = 1, .size = md->size, .refused = "unsafe"};
}

static const char *no_reshape(const struct md *md, const struct places *p, unsigned devices, const char *now)
{
        if (now)
                return now;
        return has_ppl(md) ? "ppl" : has_room(md, p, devices) ? NULL : "no-room";
}

uint64_t growth_needs(const struct md *md, const struct places *p)
{
        return most_offset(p) + used(md);
}

unsigned growth_sector(const struct md *md)
{
        return (unsigned)attribute(md, "queue/logical_block_size");
}

size_t growths(const struct md *md, const struct places *p, struct growth *v)
{
        size_t n = 0;

        if (!md->level || streq(md->array_state, "inactive"))
                return 0;
        const char *now = not_now(md);
        bool has_parity = strv_has(STRV("raid5", "raid6"), md->level), is_mirror = streq(md->level, "raid1");
        if (has_parity)
                add_more(md, no_reshape(md, p, md->devices + 1, now), &v[n++]);
        if (is_mirror)
                add_more(md, now, &v[n++]);
        if (is_mirror && md->devices == 2)
                add_level5(md, no_reshape(md, p, 3, now), &v[n++]);
        if (streq(md->level, "raid5"))
                add_never(md, "level6", "raid6", &v[n++]);
        if (strv_has(STRV("raid10", "raid0"), md->level))
                add_never(md, "grow", md->level, &v[n++]);
        if (has_parity || is_mirror || streq(md->level, "raid10"))
                add_spare(md, now, &v[n++]);
        if (has_parity || is_mirror)
                add_size(md, p, now, &v[n++]);
        for (size_t i = 0; i < n; i++) {
                v[i].needs = v[i].add ? growth_needs(md, p) : 0;
                v[i].sector = v[i].add ? growth_sector(md) : 0;
        }
        return n;
}

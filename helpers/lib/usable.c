#include "helpers/lib/usable.h"

#define INODE_BYTES 256
#define DESCRIPTOR_BYTES 64

/* ext4's shape in blocks, as ext2fs_initialize() of libext2fs works it out. */
struct shape {
        uint64_t block, blocks, first, per_group, groups;
        uint64_t inodes;      /* blocks of one group's inode table */
        uint64_t descriptors; /* blocks of group descriptors, with the room kept for growing */
};

static uint64_t up(uint64_t a, uint64_t b)
{
        return a / b + (a % b != 0);
}

static uint64_t inode_ratio(uint64_t bytes)
{
        if (bytes < 512 * MIB)
                return 4096;
        return bytes < 4 * TIB ? 16384 : bytes < 16 * TIB ? 32768 : 65536;
}

/* ext2fs_default_journal_size() */
static uint64_t journal(uint64_t blocks)
{
        static const struct {
                uint64_t below, blocks;
        } sizes[] = {{2048, 0},           {32768, 1024},       {256 * KIB, 4096},   {512 * KIB, 8192},
                     {4096 * KIB, 16384}, {8192 * KIB, 32768}, {16 * MIB, 65536},   {32 * MIB, 131072}};

        for (size_t i = 0; i < ELEMENTSOF(sizes); i++)
                if (blocks < sizes[i].below)
                        return sizes[i].blocks;
        return 262144;
}

/* Group 0, 1 and the powers of 3, 5 and 7 hold copies of the superblock (sparse_super): so many of the first n. */
static uint64_t supers(uint64_t n)
{
        uint64_t found = MIN2(n, UINT64_C(2));

        for (unsigned base = 3; base <= 7; base += 2)
                for (uint64_t power = base; power < n; power *= base)
                        found++;
        return found;
}

static bool has_super(uint64_t group)
{
        return supers(group + 1) > supers(group);
}

static uint64_t reserved(const struct shape *s, uint64_t descriptors)
{
        uint64_t most = s->blocks < UINT32_MAX / 1024 ? s->blocks * 1024 : UINT32_MAX;
        uint64_t wanted = up(up(most - s->first, s->per_group), s->block / DESCRIPTOR_BYTES);

        return wanted <= descriptors ? 0 : MIN2(wanted - descriptors, s->block / 4);
}

static void measure(struct shape *s, uint64_t bytes)
{
        s->groups = up(s->blocks - s->first, s->per_group);
        s->inodes = up(up(s->blocks * s->block / inode_ratio(bytes), s->groups) * INODE_BYTES, s->block);
        uint64_t descriptors = up(s->groups * DESCRIPTOR_BYTES, s->block);
        s->descriptors = descriptors + reserved(s, descriptors);
}

/* A rest too small to be a group of its own is left unused. */
static uint64_t rest(const struct shape *s)
{
        uint64_t left = (s->blocks - s->first) % s->per_group;
        uint64_t own = 2 + s->inodes + (has_super(s->groups - 1) ? 1 + s->descriptors : 0);

        return left < own + 50 ? left : 0;
}

static uint64_t ext4_usable(uint64_t bytes)
{
        struct shape s = {.block = bytes < 512 * MIB ? 1024 : 4096};

        s.blocks = bytes / s.block;
        s.first = s.block == 1024;
        s.per_group = s.block * 8;
        if (s.blocks < 2048)
                return 0;
        measure(&s, bytes);
        uint64_t left = rest(&s);
        if (left) {
                s.blocks -= left;
                measure(&s, bytes);
        }
        uint64_t taken = s.first + s.groups * (2 + s.inodes) + journal(s.blocks) + supers(s.groups) * (1 + s.descriptors);
        return (s.blocks > taken ? s.blocks - taken : 0) * s.block;
}

/* mkfs.xfs: the log takes 1/2048 of the room within these limits. The kernel keeps back 8192 blocks for emergencies, or
 * 5 %, and in each allocation group what its trees may grow to. */
static uint64_t xfs_usable(uint64_t bytes)
{
        static const uint64_t log_min = 64 * MIB, log_max = 2038 * MIB;
        uint64_t log = MAX2(log_min, MIN2(bytes / 2048, log_max));
        uint64_t taken = log + MIN2(bytes / 20, 32 * MIB) + bytes / 100000 * 697;

        return bytes > taken ? bytes - taken : 0;
}

/* mkfs.btrfs -m dup: one chunk of records, twice, beside 17 MiB; more are taken as files come. */
static uint64_t btrfs_usable(uint64_t bytes)
{
        uint64_t chunk = bytes > 50 * GIB ? GIB : 256 * MIB;

        if (bytes / 10 < chunk)
                chunk = MAX2(bytes / 20, 32 * MIB);
        uint64_t taken = 2 * chunk + 17 * MIB + 32 * KIB;
        return bytes > taken ? bytes - taken : 0;
}

static const struct {
        const char *name;
        uint64_t least;
        uint64_t (*usable)(uint64_t bytes);
} types[] = {
        {"ext4", 64 * MIB, ext4_usable},
        {"xfs", 300 * MIB, xfs_usable},
        {"btrfs", 109 * MIB, btrfs_usable},
};

uint64_t fs_usable(const char *type, uint64_t device_bytes)
{
        for (size_t i = 0; i < ELEMENTSOF(types); i++)
                if (streq(type, types[i].name))
                        return device_bytes < types[i].least ? 0 : types[i].usable(device_bytes);
        return 0;
}

uint64_t fs_least(const char *type)
{
        for (size_t i = 0; i < ELEMENTSOF(types); i++)
                if (streq(type, types[i].name))
                        return types[i].least;
        return 0;
}

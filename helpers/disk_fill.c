#include "helpers/disk_fill.h"

struct fill {
        uint64_t size, used; /* used: UINT64_MAX unknown */
};
#define UNKNOWN UINT64_MAX

/* n pieces of 2^shift bytes, of which unused are free: false where that cannot be. */
static bool fill_from(const struct region *r, uint64_t n, uint64_t unused, unsigned shift, struct fill *ret)
{
        if (shift > 30 || n > r->size >> shift || unused > n)
                return false;
        *ret = (struct fill){n << shift, (n - unused) << shift};
        return true;
}

/* The binary logarithm of a power of two from min to max; 64 for anything else. */
static unsigned shift_of(uint64_t n, uint64_t min, uint64_t max)
{
        return n >= min && n <= max && (n & (n - 1)) == 0 ? (unsigned)__builtin_ctzll(n) : 64;
}

/* Mounted, or the power went while it was: the superblock's count of free blocks is that of long ago. */
#define EXT_CLEAN 1   /* of s_state */
#define EXT_RECOVER 4 /* of s_feature_incompat: the journal is to be played back */

static bool look_ext(const struct region *r, struct fill *ret)
{
        uint8_t sb[1024];

        if (!region_get(r, sb, sizeof sb, 1024))
                return false;
        bool is_64bit = get_le32(sb + 0x60) & 0x80;
        uint64_t n = get_le32(sb + 0x04) | (is_64bit ? (uint64_t)get_le32(sb + 0x150) << 32 : 0);
        uint64_t unused = get_le32(sb + 0x0c) | (is_64bit ? (uint64_t)get_le32(sb + 0x158) << 32 : 0);
        bool is_bigalloc = get_le32(sb + 0x64) & 0x200;
        uint32_t log = get_le32(sb + 0x18), overhead = get_le32(sb + 0x248); /* s_overhead_clusters, written since 2012 */
        uint32_t cluster = is_bigalloc ? get_le32(sb + 0x1c) : log;
        if (log > 6 || cluster > 30 || !fill_from(r, n, unused, 10 + log, ret))
                return false;
        ret->used -= MIN2((uint64_t)overhead << (10 + cluster), ret->used);
        if (!(get_le16(sb + 0x3a) & EXT_CLEAN) || (get_le32(sb + 0x60) & EXT_RECOVER))
                ret->used = UNKNOWN;
        return true;
}

static bool look_xfs(const struct region *r, struct fill *ret)
{
        uint8_t sb[512];

        if (!region_get(r, sb, sizeof sb, 0))
                return false;
        unsigned shift = shift_of(get_be32(sb + 4), 512, 65536);
        uint64_t n = get_be64(sb + 8), log = get_be64(sb + 48) ? get_be32(sb + 96) : 0; /* sb_logstart: 0 for a log elsewhere */
        return n >= log && fill_from(r, n - log, get_be64(sb + 144), shift, ret);
}

static bool look_btrfs(const struct region *r, struct fill *ret)
{
        uint8_t sb[1024];

        if (!region_get(r, sb, sizeof sb, 64 * KIB))
                return false;
        uint64_t total = get_le64(sb + 0x70), used = get_le64(sb + 0x78), devices = get_le64(sb + 0x88), mine = get_le64(sb + 0xd1);
        *ret = devices == 1 ? (struct fill){total, used} : (struct fill){mine, UNKNOWN};
        return ret->size <= r->size && (used <= total || devices != 1);
}

static bool look_hfsplus(const struct region *r, struct fill *ret)
{
        uint8_t h[512];

        if (!region_get(r, h, sizeof h, 1024) || h[0] != 'H' || (h[1] != '+' && h[1] != 'X'))
                return false; /* inside a plain HFS it begins elsewhere */
        return fill_from(r, get_be32(h + 44), get_be32(h + 48), shift_of(get_be32(h + 40), 512, 64 * MIB), ret);
}

static bool look_iso(const struct region *r, struct fill *ret)
{
        uint8_t d[2048];

        if (!region_get(r, d, sizeof d, 32768) || d[0] != 1)
                return false;
        return fill_from(r, get_le32(d + 80), 0, shift_of(get_le16(d + 128), 512, 4096), ret);
}

/* --- bitmaps: NTFS and exFAT, one bit a cluster, the lowest first, 1 is taken --- */

#define PIECE (UINT64_C(64) * KIB)
#define PIECES_MAX 256

struct count {
        uint64_t seen, set; /* bits */
};

/* The first bits of what lies at byte at, at most one piece. */
static bool count_piece(const struct region *r, uint64_t at, uint64_t bits, struct count *c)
{
        _cleanup_free_ uint8_t *p = xmalloc(PIECE);

        if (!region_get(r, p, (bits + 7) / 8, at))
                return false;
        for (uint64_t i = 0; i < bits / 8; i++)
                c->set += (unsigned)__builtin_popcount(p[i]);
        if (bits % 8)
                c->set += (unsigned)__builtin_popcount(p[bits / 8] & ((1U << bits % 8) - 1));
        c->seen += bits;
        return true;
}

/* Where a file's byte is in the region. */
struct extent {
        uint64_t file, at, size;
};

/* A bitmap of n bits that lies in these extents; all of a short one, evenly spread pieces of a long one. */
static bool count_bits(const struct region *r, const struct extent *e, size_t n_e, uint64_t n, uint64_t *ret_set)
{
        uint64_t pieces = (n + PIECE * 8 - 1) / (PIECE * 8), step = (pieces + PIECES_MAX - 1) / PIECES_MAX;
        struct count c = {0};

        for (uint64_t i = 0; i < pieces; i += MAX2(step, 1U)) {
                uint64_t at = i * PIECE;
                for (size_t k = 0; k < n_e; k++) {
                        uint64_t from = MAX2(at, e[k].file), to = MIN2(at + PIECE, e[k].file + e[k].size);
                        if (from >= to || from * 8 >= n)
                                continue;
                        if (!count_piece(r, e[k].at + from - e[k].file, MIN2((to - from) * 8, n - from * 8), &c))
                                return false;
                }
        }
        if (c.seen == 0)
                return false;
        *ret_set = step > 1 ? (uint64_t)((double)c.set / (double)c.seen * (double)n) : c.set;
        return step > 1 || c.seen == n;
}

/* --- NTFS --- */

#define RECORD_MAX 4096
#define EXTENTS_MAX 256

/* The last two bytes of each 512 of a record are kept in its head ("fixup"), within the first 510. */
static bool mend_record(uint8_t *p, size_t size)
{
        size_t at = get_le16(p + 4), n = get_le16(p + 6);

        if (memcmp(p, "FILE", 4) != 0 || n != size / 512 + 1 || at + n * 2 > 510)
                return false;
        for (size_t i = 1; i < n; i++) {
                if (memcmp(p + i * 512 - 2, p + at, 2) != 0)
                        return false;
                memcpy(p + i * 512 - 2, p + at + i * 2, 2);
        }
        return true;
}

#define NTFS_DATA 0x80
#define NTFS_BITMAP 0xb0

/* The unnamed attribute of this type that lies outside the record; NULL where there is none. */
static const uint8_t *find_attribute(const uint8_t *p, size_t size, unsigned type, size_t *ret_len)
{
        for (size_t at = get_le16(p + 20), len; at + 64 <= size && get_le32(p + at) != UINT32_MAX; at += len) {
                len = get_le32(p + at + 4);
                if (len < 24 || len > size - at)
                        return NULL;
                if (get_le32(p + at) == type && p[at + 8] == 1 && p[at + 9] == 0 && len >= 64) {
                        *ret_len = len;
                        return p + at;
                }
        }
        return NULL;
}

static int64_t signed_bytes(const uint8_t *p, unsigned n)
{
        uint64_t v = n && p[n - 1] & 0x80 ? UINT64_MAX : 0;

        for (unsigned i = n; i-- > 0;)
                v = v << 8 | p[i];
        return (int64_t)v;
}

/* Runs: a byte with the lengths of two numbers, then how many clusters and how far from the last run. */
static size_t read_runs(const struct region *r, const uint8_t *attr, size_t len, unsigned shift, struct extent *e)
{
        uint64_t file = 0, lcn = 0, most = r->size >> shift;
        size_t n = 0, at = get_le16(attr + 32);

        while (at < len && attr[at] && n < EXTENTS_MAX) {
                unsigned a = attr[at] & 15, b = attr[at] >> 4;
                if (a == 0 || a > 8 || b == 0 || b > 8 || a + b >= len - at)
                        return 0;
                uint64_t count = (uint64_t)signed_bytes(attr + at + 1, a);
                lcn += (uint64_t)signed_bytes(attr + at + 1 + a, b);
                if (count > most || lcn > most - count)
                        return 0;
                e[n++] = (struct extent){file, lcn << shift, count << shift};
                file += count << shift;
                at += 1 + a + b;
        }
        return n;
}

struct ntfs {
        uint64_t mft;  /* where its records begin, bytes */
        size_t record; /* bytes of each */
        unsigned shift;
};

/* A bitmap that is an attribute of one of the first records; n bits, 0 for as many as it says. */
static bool look_ntfs_bitmap(const struct region *r, const struct ntfs *fs, unsigned number, unsigned type, uint64_t n, uint64_t *ret_set)
{
        uint8_t p[RECORD_MAX];
        struct extent e[EXTENTS_MAX];
        size_t len;

        if (!region_get(r, p, fs->record, fs->mft + number * fs->record) || !mend_record(p, fs->record))
                return false;
        const uint8_t *attr = find_attribute(p, fs->record, type, &len);
        size_t n_e = attr ? read_runs(r, attr, len, fs->shift, e) : 0;
        if (n == 0 && attr)
                n = MIN2(get_le64(attr + 48), r->size) * 8; /* bytes of the attribute */
        return count_bits(r, e, n_e, n, ret_set);
}

/* Where not all of the clusters' map is looked at, a file between is noticed by its record. */
static uint64_t look_ntfs_used(const struct region *r, const struct ntfs *fs, uint64_t n)
{
        uint64_t used, records = 0;

        if (!look_ntfs_bitmap(r, fs, 6, NTFS_DATA, n, &used))
                return UNKNOWN;
        if (n > PIECES_MAX * PIECE * 8)
                (void)!look_ntfs_bitmap(r, fs, 0, NTFS_BITMAP, 0, &records);
        return (MIN2(used, n) << fs->shift) + records * fs->record;
}

static bool look_ntfs(const struct region *r, struct fill *ret)
{
        uint8_t b[512];

        if (!region_get(r, b, sizeof b, 0))
                return false;
        unsigned sector = shift_of(get_le16(b + 11), 256, 4096);
        unsigned per = b[13] <= 128 ? shift_of(b[13], 1, 128) : 256U - b[13]; /* from 129: a negative power of two */
        if (sector > 12 || per > 12)
                return false;
        unsigned shift = sector + per;
        uint64_t n = get_le64(b + 0x28) >> per, mft = get_le64(b + 0x30);
        int8_t k = (int8_t)b[0x40];
        uint64_t record = k > 0 ? (uint64_t)k << shift : k > -13 ? UINT64_C(1) << -k : 0;
        if (n > r->size >> shift || mft >= n || (record != 1024 && record != 2048 && record != RECORD_MAX))
                return false;
        const struct ntfs fs = {mft << shift, (size_t)record, shift};
        *ret = (struct fill){n << shift, look_ntfs_used(r, &fs, n)};
        if (ret->used != UNKNOWN)
                ret->used = MIN2(ret->used, ret->size);
        return true;
}

/* --- FAT and exFAT --- */

static uint64_t free_in_fat16(const struct region *r, uint64_t at, uint64_t clusters)
{
        static const uint64_t most = 65536;
        _cleanup_free_ uint8_t *p = xmalloc(most * 2);
        uint64_t n = 0;

        if (clusters + 2 > most || !region_get(r, p, (clusters + 2) * 2, at))
                return UNKNOWN;
        for (uint64_t i = 2; i < clusters + 2; i++)
                n += get_le16(p + i * 2) == 0;
        return n;
}

static uint64_t free_in_fsinfo(const struct region *r, uint64_t at)
{
        uint8_t f[512];

        if (!region_get(r, f, sizeof f, at) || get_le32(f) != 0x41615252 || get_le32(f + 484) != 0x61417272)
                return UNKNOWN;
        return get_le32(f + 488) == UINT32_MAX ? UNKNOWN : get_le32(f + 488);
}

static bool look_fat(const struct region *r, struct fill *ret)
{
        uint8_t b[512];

        if (!region_get(r, b, sizeof b, 0))
                return false;
        unsigned sector = shift_of(get_le16(b + 11), 512, 4096), per = shift_of(b[13], 1, 128);
        if (sector > 12 || per > 7)
                return false;
        uint64_t total = get_le16(b + 19) ? get_le16(b + 19) : get_le32(b + 32), fat = get_le16(b + 22) ? get_le16(b + 22) : get_le32(b + 36);
        uint64_t root = ((uint64_t)get_le16(b + 17) * 32 + (1U << sector) - 1) >> sector, reserved = get_le16(b + 14);
        uint64_t before = reserved + b[16] * fat + root;
        if (total <= before || total > r->size >> sector)
                return false;
        uint64_t n = (total - before) >> per, unused = UNKNOWN;
        *ret = (struct fill){n << (sector + per), UNKNOWN};
        if (n >= 65525)
                unused = free_in_fsinfo(r, (uint64_t)get_le16(b + 48) << sector);
        else if (n >= 4085)
                unused = free_in_fat16(r, reserved << sector, n);
        if (unused <= n)
                ret->used = (n - unused) << (sector + per);
        return true;
}

/* The bitmap's entry stands among the first of the root folder; formatting lays it in one piece. */
static bool count_exfat(const struct region *r, uint64_t heap, uint64_t root, unsigned shift, uint64_t n, uint64_t *ret)
{
        uint8_t entries[512];

        if (root < 2 || root - 2 >= n || !region_get(r, entries, sizeof entries, heap + ((root - 2) << shift)))
                return false;
        for (size_t i = 0; i < sizeof entries; i += 32) {
                const uint8_t *e = entries + i;
                uint64_t first = get_le32(e + 20), bytes = get_le64(e + 24);
                if (e[0] != 0x81 || first < 2 || first - 2 >= n || bytes < (n + 7) / 8 || bytes > r->size)
                        continue;
                struct extent all = {0, heap + ((first - 2) << shift), bytes};
                return count_bits(r, &all, 1, n, ret);
        }
        return false;
}

static bool look_exfat(const struct region *r, struct fill *ret)
{
        uint8_t b[512];

        if (!region_get(r, b, sizeof b, 0) || b[108] < 9 || b[108] > 12 || b[109] > 25U - b[108])
                return false;
        unsigned shift = b[108] + b[109];
        uint64_t heap = (uint64_t)get_le32(b + 88) << b[108], n = get_le32(b + 92), used;
        if (heap > r->size || n > (r->size - heap) >> shift)
                return false;
        *ret = (struct fill){n << shift, UNKNOWN};
        if (count_exfat(r, heap, get_le32(b + 96), shift, n, &used))
                ret->used = MIN2(used, n) << shift;
        else if (b[112] <= 100)
                ret->used = ret->size / 100 * b[112];
        return true;
}

static const struct {
        const char *type;
        bool (*look)(const struct region *r, struct fill *ret);
} formats[] = {
        {"ext2", look_ext},     {"ext3", look_ext}, {"ext4", look_ext},       {"ext4dev", look_ext}, {"xfs", look_xfs},
        {"btrfs", look_btrfs},  {"ntfs", look_ntfs}, {"vfat", look_fat},      {"exfat", look_exfat}, {"hfsplus", look_hfsplus},
        {"iso9660", look_iso},
};

void fill_look(const struct region *r, const char *type, uint64_t *ret_size, uint64_t *ret_used)
{
        struct fill f = {0};

        for (size_t i = 0; i < ELEMENTSOF(formats); i++)
                if (streq(type, formats[i].type) && formats[i].look(r, &f) && f.size > 0) {
                        *ret_size = f.size;
                        *ret_used = f.used;
                        return;
                }
}

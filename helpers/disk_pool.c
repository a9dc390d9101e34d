#include "helpers/disk_member.h"

/* --- btrfs --- */

#define SUPER (UINT64_C(64) * KIB)
#define COPIES (UINT64_C(1) << 4 | UINT64_C(1) << 6 | UINT64_C(1) << 7 | UINT64_C(1) << 8 | UINT64_C(1) << 9 | UINT64_C(1) << 10)

/* The kind of the chunk that holds the system's own tree, the only one that the superblock tells: RAID1, 10, 5, 6, 1C3
 * and 1C4 do without a device. Files may lie in chunks of another kind. */
static bool has_copies(const uint8_t *sb)
{
        return get_le32(sb + 0xa0) >= 17 + 32 && get_le64(sb + 0x32b + 17 + 24) & COPIES;
}

bool btrfs_member_look(const struct region *r, struct member *m)
{
        uint8_t sb[4096];

        if (!region_get(r, sb, sizeof sb, SUPER) || memcmp(sb + 0x40, "_BHRfS_M", 8) != 0)
                return false;
        uint64_t devices = get_le64(sb + 0x88);
        if (devices < 2 || devices > 4096) /* with one device it is no set */
                return false;
        m->set = uuid_text(sb + 0x20);
        m->self = uuid_text(sb + 0x10b);
        m->name = sb[0x12b] ? xstrndup((const char *)sb + 0x12b, 256) : NULL;
        m->devices = (unsigned)devices;
        m->events = get_le64(sb + 0x48);
        m->margin = 1;
        m->size = get_le64(sb + 0x70);
        m->is_mixed = has_copies(sb);
        return true;
}

/* --- ZFS --- */

#define LABEL (UINT64_C(256) * KIB)
#define PAIRS (UINT64_C(16) * KIB)
#define PAIRS_SIZE (112 * 1024)
#define NESTING_MAX 4

enum { XDR_UINT64 = 8, XDR_STRING = 9, XDR_NVLIST = 19, XDR_NVLIST_ARRAY = 20 };

struct xdr {
        const uint8_t *p, *end;
};

/* What of the list is wanted: of the top list, and of vdev_tree, which is the part of the pool that this member is in. */
struct pool {
        char *name, *kind;
        uint64_t txg, parts, parity, children;
};

static bool xdr_u32(struct xdr *x, uint32_t *ret)
{
        if (x->end - x->p < 4)
                return false;
        *ret = get_be32(x->p);
        x->p += 4;
        return true;
}

static bool xdr_text(struct xdr *x, char **ret)
{
        uint32_t n;

        if (!xdr_u32(x, &n) || n > 256 || (size_t)(x->end - x->p) < ((n + 3) & ~3U))
                return false;
        *ret = xstrndup((const char *)x->p, n);
        x->p += (n + 3) & ~3U;
        return true;
}

static bool read_list(struct xdr x, struct pool *pool, unsigned depth);

static void take_number(struct pool *pool, const char *name, uint64_t value, unsigned depth)
{
        if (depth == 0 && streq(name, "txg"))
                pool->txg = value;
        else if (depth == 0 && streq(name, "vdev_children"))
                pool->parts = value;
        else if (depth == 1 && streq(name, "nparity"))
                pool->parity = value;
}

static void take_text(struct pool *pool, const char *name, struct xdr x, unsigned depth)
{
        char **to = depth == 0 && streq(name, "name") ? &pool->name : depth == 1 && streq(name, "type") ? &pool->kind : NULL;

        if (to && !*to)
                (void)!xdr_text(&x, to);
}

/* One pair: its length, its length in memory, name, type, number of elements, value. */
static bool read_pair(struct xdr x, struct pool *pool, unsigned depth)
{
        _cleanup_free_ char *name = NULL;
        uint32_t type, n;

        if (!xdr_text(&x, &name) || !xdr_u32(&x, &type) || !xdr_u32(&x, &n))
                return false;
        if (type == XDR_UINT64 && x.end - x.p >= 8)
                take_number(pool, name, get_be64(x.p), depth);
        else if (type == XDR_STRING)
                take_text(pool, name, x, depth);
        else if (type == XDR_NVLIST && depth == 0 && streq(name, "vdev_tree"))
                return read_list(x, pool, depth + 1);
        else if (type == XDR_NVLIST_ARRAY && depth == 1 && streq(name, "children"))
                pool->children = n;
        return true;
}

/* Version, flags, pairs, ended by two zeros. */
static bool read_list(struct xdr x, struct pool *pool, unsigned depth)
{
        uint32_t version, flags, size, decoded;

        if (depth > NESTING_MAX || !xdr_u32(&x, &version) || !xdr_u32(&x, &flags))
                return false;
        for (;;) {
                const uint8_t *from = x.p;
                if (!xdr_u32(&x, &size) || !xdr_u32(&x, &decoded))
                        return false;
                if (size == 0)
                        return true;
                if (size < 8 || size > (size_t)(x.end - from))
                        return false;
                struct xdr pair = {x.p, from + size};
                if (!read_pair(pair, pool, depth))
                        return false;
                x.p = from + size;
        }
}

/* Only a pool of one part tells each of its members how many there are. */
static void take_pool(struct member *m, struct pool *pool)
{
        const char *kind = pool->kind ? pool->kind : "";

        m->name = TAKE_PTR(pool->name);
        m->events = pool->txg;
        m->margin = UINT64_MAX; /* labels are written when the pool's form changes, not with each change of files */
        if (pool->parts == 1 && pool->children <= 4096)
                m->devices = MAX2((unsigned)pool->children, 1U);
        if (m->devices > 1 && (streq(kind, "mirror") || streq(kind, "raidz"))) {
                m->level = streq(kind, "mirror") ? xstrdup("mirror") : xasprintf("raidz%u", (unsigned)(pool->parity & 3));
                m->spareable = streq(kind, "mirror") ? m->devices - 1 : (unsigned)(pool->parity & 3);
        }
        free(pool->kind);
}

bool zfs_member_look(const struct region *r, uint64_t magic, struct member *m)
{
        _cleanup_free_ uint8_t *p = xmalloc(PAIRS_SIZE);
        struct pool pool = {0};

        /* encoding 1: XDR; then the byte order of the writer and two unused */
        if (region_get(r, p, PAIRS_SIZE, (magic & ~(LABEL - 1)) + PAIRS) && p[0] == 1)
                (void)!read_list((struct xdr){p + 4, p + PAIRS_SIZE}, &pool, 0);
        take_pool(m, &pool);
        return true;
}

#include "helpers/disk_probe.h"

#include <blkid/blkid.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <strings.h>
#include <sys/ioctl.h>

#include "helpers/disk_fill.h"
#include "helpers/lib/file.h"

static void finding_done(struct finding *f)
{
        free(f->type);
        free(f->uuid);
        free(f->label);
        member_free(f->member);
}

void contents_free(struct contents *c)
{
        for (size_t i = 0; i < c->n; i++)
                finding_done(&c->v[i]);
        for (size_t i = 0; i < c->n_parts; i++)
                free(c->parts[i].type);
        free(c->v);
        free(c->parts);
        free(c->nameless);
        *c = (struct contents){0};
}

/* --- signatures --- */

static void probe_freep(blkid_probe *pr)
{
        blkid_free_probe(*pr);
}
#define _cleanup_probe_ _cleanup_(probe_freep)

#define FINDINGS_MAX 512 /* what a crafted disk can make us list */

static blkid_probe open_probe(int fd, uint64_t offset, uint64_t size)
{
        _cleanup_probe_ blkid_probe pr = blkid_new_probe();

        if (!pr || blkid_probe_set_device(pr, fd, (blkid_loff_t)offset, (blkid_loff_t)size) < 0)
                return NULL;
        blkid_probe_enable_superblocks(pr, 1);
        blkid_probe_set_superblocks_flags(pr, BLKID_SUBLKS_LABEL | BLKID_SUBLKS_UUID | BLKID_SUBLKS_TYPE |
                                                      BLKID_SUBLKS_USAGE | BLKID_SUBLKS_MAGIC |
                                                      BLKID_SUBLKS_BADCSUM);
        blkid_probe_enable_partitions(pr, 1);
        blkid_probe_set_partitions_flags(pr, BLKID_PARTS_MAGIC | BLKID_PARTS_FORCE_GPT);
        return TAKE_PTR(pr);
}

static const char *value(blkid_probe pr, const char *key, size_t *ret_len)
{
        const char *data;

        return blkid_probe_lookup_value(pr, key, &data, ret_len) == 0 ? data : NULL;
}

/* Where the probe found its magic; false for a prober without one. */
static bool magic_of(blkid_probe pr, uint64_t *ret)
{
        const char *at = value(pr, "SBMAGIC_OFFSET", NULL);

        if (!at)
                at = value(pr, "PTMAGIC_OFFSET", NULL);
        return at && parse_u64(at, ret) == 0;
}

static void take_finding(struct contents *c, blkid_probe pr, const struct region *r, unsigned part)
{
        const char *type = value(pr, "TYPE", NULL), *table = value(pr, "PTTYPE", NULL);
        const char *usage = value(pr, "USAGE", NULL);
        struct finding f = {.part = part, .is_table = !type, .used = UINT64_MAX};
        uint64_t magic = 0;

        (void)!magic_of(pr, &magic);
        f.offset = r->start + magic;
        f.type = xstrdup(type ? type : table ? table : "unknown");
        f.uuid = uuid_word(value(pr, type ? "UUID" : "PTUUID", NULL));
        f.label = xstrdup(value(pr, "LABEL", NULL));
        f.is_member = usage && streq(usage, "raid");
        if (type) {
                fill_look(r, f.type, &f.size, &f.used);
                f.member = member_look(r, f.type, f.uuid, f.label, value(pr, "UUID_SUB", NULL), magic);
        }
        c->v = xreallocarray(c->v, c->n + 1, sizeof *c->v);
        c->v[c->n++] = f;
}

#define ZFS_LABEL (UINT64_C(256) * KIB)

/* Makes the magic that was just found invisible to this probe, so that the same prober looks for its next copy (both
 * GPTs, md 0.90 beside 1.2). A prober without magic is left at that. A label of ZFS holds its magic a hundred times, and
 * the whole label is one thing. */
static void hide(blkid_probe pr)
{
        const char *type = value(pr, "TYPE", NULL);
        size_t len = 0;
        const char *magic = value(pr, value(pr, "SBMAGIC_OFFSET", NULL) ? "SBMAGIC" : "PTMAGIC", &len);
        uint64_t at;

        if (!magic || !len || !magic_of(pr, &at))
                return;
        if (type && streq(type, "zfs_member")) {
                at &= ~(ZFS_LABEL - 1);
                len = ZFS_LABEL;
        }
        if (blkid_probe_hide_range(pr, at, len) == 0)
                blkid_probe_step_back(pr);
}

static int look_region(struct contents *c, const struct region *region, unsigned part)
{
        _cleanup_probe_ blkid_probe pr = open_probe(region->fd, region->start, region->size);
        int r = -1;

        errno = 0;
        while (pr && c->n < FINDINGS_MAX && (r = blkid_do_probe(pr)) == 0) {
                take_finding(c, pr, region, part);
                hide(pr);
                errno = 0;
        }
        return r < 0 ? (errno ? -errno : -EIO) : 0;
}

/* --- partitions --- */

static void take_part(struct contents *c, blkid_partition p, uint64_t size)
{
        /* libblkid counts in units of 512 bytes here */
        uint64_t start = (uint64_t)blkid_partition_get_start(p), n = (uint64_t)blkid_partition_get_size(p);
        const char *guid = blkid_partition_get_type_string(p);

        if (start >= size / 512 || n == 0 || start == 0)
                return;
        n = MIN2(n, size / 512 - start);
        struct part q = {.number = (unsigned)blkid_partition_get_partno(p), .start = start * 512, .size = n * 512};
        q.type = guid && *guid ? xstrdup(guid) : xasprintf("0x%02x", (unsigned)blkid_partition_get_type(p));
        q.is_active = !(guid && *guid) && blkid_partition_get_flags(p) == 0x80;
        c->parts = xreallocarray(c->parts, c->n_parts + 1, sizeof *c->parts);
        c->parts[c->n_parts++] = q;
}

#define PARTS_MAX 256

/* What MBRs call a partition that holds others, and how far to follow it. */
static bool is_extended(unsigned type)
{
        return type == 0x05 || type == 0x0f || type == 0x85;
}

#define LINKS_MAX 256

/* Follows the chain of tables in an extended partition: each is one sector with four entries of 16 bytes from byte 446 (type
 * at 4, begin at 8, counted from the extended partition's begin) and 55 AA at its end. -EIO where one cannot be read. */
static int look_links(int fd, uint64_t start, uint64_t size, unsigned sector)
{
        const uint8_t *next = (const uint8_t[16]){0};
        uint8_t table[512];
        int r = 0;

        for (unsigned n = 0; n < LINKS_MAX && next && r == 0; n++) {
                uint64_t at = (uint64_t)get_le32(next + 8) * sector;
                if (at + sizeof table > size)
                        return 0;
                r = read_fully(fd, table, sizeof table, start + at);
                next = NULL;
                for (unsigned i = 0; r == 0 && i < 4 && get_le16(table + 510) == 0xaa55; i++)
                        if (is_extended(table[446 + 16 * i + 4]))
                                next = table + 446 + 16 * i;
        }
        return r;
}

/* A table that is there and makes no sense has no partitions; one that cannot be read to its end has some that nobody
 * knows: libblkid then gives those before, or none, and tells by errno alone, and from 2.41 on not even so. */
static int look_parts(struct contents *c, int fd, uint64_t size)
{
        _cleanup_probe_ blkid_probe pr = open_probe(fd, 0, size);
        int r = 0;

        errno = 0;
        blkid_partlist list = pr ? blkid_probe_get_partitions(pr) : NULL;
        if (errno == EIO)
                return -EIO;
        int n = list ? blkid_partlist_numof_partitions(list) : 0;
        for (int i = 0; i < MIN2(n, PARTS_MAX) && r == 0; i++) {
                blkid_partition p = blkid_partlist_get_partition(list, i);
                take_part(c, p, size);
                if (blkid_partition_is_extended(p))
                        r = look_links(fd, (uint64_t)blkid_partition_get_start(p) * 512,
                                       size - MIN2(size, (uint64_t)blkid_partition_get_start(p) * 512), blkid_probe_get_sectorsize(pr));
        }
        return r == -EIO ? r : 0;
}

/* --- is the rest zeros? --- */

#define ENDS (MIB + UINT64_C(128) * KIB) /* past the place where partitions begin, and where Windows lets the last one end */
#define SAMPLE (UINT64_C(64) * KIB)
#define PARTS 12 /* of a disk, with a sample where each of them meets the next */

struct stretch {
        uint64_t from, to;
};

#define AT(mib) {(mib) * MIB, (mib) * MIB + 128 * KIB}
#define AT_SECTOR(n) {UINT64_C(n) * 512 / SAMPLE * SAMPLE, UINT64_C(n) * 512 / SAMPLE * SAMPLE + 128 * KIB}

/* Where much begins, or stands a second time, on disks whose ends alone were erased, such as by "clean" of Windows's diskpart.
 * Of file systems that begin with the disk or at 1 MiB: second superblocks of btrfs and of ext4 (group 1), NTFS's MFT, XFS's
 * second group past 4 TB. The data of LVM, LUKS and most old arrays. Partitions behind those that systems reserve: of Windows
 * 100 MiB and 16 of its own, 350, 500; of Apple 200; of Linux 512 and 1024; the data of QNAP and Synology (DSM 5, 6, 7). */
static const struct stretch beginnings[] = {
        AT(2),   AT(3),   AT(8),   AT(16),  AT(17),  AT(64),  AT(65),   AT(100),            AT(101),  AT(117),            AT(128),
        AT(129), AT(200), AT(351), AT(501), AT(513), AT(1025), AT_SECTOR(2120584), AT(4608), AT_SECTOR(9453280), AT_SECTOR(21257952),
        {3 * GIB, 3 * GIB + MIB + SAMPLE},  {1024 * GIB - SAMPLE, 1024 * GIB + MIB + SAMPLE},
};

/* FNV-1a of 64 bits. */
static uint64_t digest_of(const uint8_t *p, uint64_t n)
{
        uint64_t h = UINT64_C(0xcbf29ce484222325);

        for (uint64_t i = 0; i < n; i++)
                h = (h ^ p[i]) * UINT64_C(0x100000001b3);
        return h;
}

#define SECTOR UINT64_C(512)

/* p: n bytes of the disk from at, a whole number of sectors except at an image's end. */
static void take_bytes(struct contents *c, uint64_t from, const uint8_t *p, uint64_t n, uint64_t at)
{
        if ((c->n_nameless > 0 && c->nameless[c->n_nameless - 1].from == from) || is_zero(p, n))
                return;
        uint64_t i = 0, sector;
        while (!p[i])
                i++;
        sector = i / SECTOR * SECTOR;
        c->nameless = xreallocarray(c->nameless, c->n_nameless + 1, sizeof *c->nameless);
        c->nameless[c->n_nameless++] = (struct nameless){from, at + i, digest_of(p + sector, MIN2(SECTOR, n - sector))};
}

#define CHUNK (UINT64_C(64) * KIB) /* fresh pages of memory for a whole stretch cost more than its reading */

/* All of it stays in the page cache, where libblkid then finds what it wants. */
static int look_stretch(struct contents *c, int fd, struct stretch s, uint64_t zero_from, uint64_t zero_to)
{
        uint8_t p[CHUNK];
        int r = 0;

        for (uint64_t at = s.from, n; at < s.to && r == 0; at += n) {
                n = MIN2(CHUNK, s.to - at);
                r = read_fully(fd, p, n, at);
                uint64_t from = MAX2(at, zero_from), to = MIN2(at + n, zero_to);
                if (r == 0 && from < to)
                        take_bytes(c, s.from, p + (from - at), to - from, from);
        }
        return r;
}

#define REQUEST (UINT64_C(128) * KIB) /* the least that Linux reads ahead */

/* Of one call Linux reads ahead no more than fits into one request to the disk, and drops the rest. */
static uint64_t request_size(int fd)
{
        unsigned short sectors = 0;
        bool is_told = ioctl(fd, BLKSECTGET, &sectors) == 0 && sectors * UINT64_C(512) > REQUEST;

        return is_told ? sectors * UINT64_C(512) & ~(SAMPLE - 1) : REQUEST;
}

static void ask_for(int fd, struct stretch s, uint64_t step)
{
        for (uint64_t at = s.from; at < s.to; at += step)
                posix_fadvise(fd, (off_t)at, (off_t)MIN2(step, s.to - at), POSIX_FADV_WILLNEED);
}

static int look_stretches(struct contents *c, int fd, const struct stretch *s, size_t n, uint64_t from, uint64_t to)
{
        uint64_t step = request_size(fd);
        int r = 0;

        for (size_t i = 0; i < n; i++) /* the disk may sort all that is asked for at once */
                ask_for(fd, s[i], step);
        for (size_t i = 0; i < n && r == 0; i++)
                r = look_stretch(c, fd, s[i], from, to);
        return r;
}

#define PROMISE (3087 * UINT64_C(512)) /* from the end: the farthest of its places */

/* Of what libblkid wants, three places lie outside: two of UBI's and VMFS's, and one of Promise's RAID. */
static int look_ends(struct contents *c, int fd, uint64_t size, uint64_t from, uint64_t to)
{
        const struct stretch ends[] = {{0, MIN2(ENDS, size)}, {size - MIN2(ENDS, size), size}};
        uint64_t promise = size - MIN2(PROMISE, size);

        ask_for(fd, (struct stretch){2 * MIB, 2 * MIB + 512}, REQUEST);
        ask_for(fd, (struct stretch){4 * MIB, 4 * MIB + 512}, REQUEST);
        ask_for(fd, (struct stretch){promise, MIN2(promise + 512, size)}, REQUEST);
        return look_stretches(c, fd, ends, ELEMENTSOF(ends), from, to);
}

/* XFS has its groups at the quarters of a file system, its log and NTFS's second MFT stand in the middle; with partitions that
 * is within a MiB of the same places on the disk. */
static struct stretch sample(uint64_t size, unsigned i)
{
        uint64_t at = size / PARTS * i & ~(SAMPLE - 1), around = i % (PARTS / 4) == 0 ? MIB : 0;

        return (struct stretch){at - MIN2(around, at), MIN2(at + around + SAMPLE, size)};
}

static int look_between(struct contents *c, int fd, uint64_t size, uint64_t from, uint64_t to)
{
        struct stretch all[ELEMENTSOF(beginnings) + PARTS];
        size_t n = 0;

        for (size_t i = 0; i < ELEMENTSOF(beginnings); i++)
                if (beginnings[i].from < size)
                        all[n++] = (struct stretch){beginnings[i].from, MIN2(beginnings[i].to, size)};
        for (unsigned i = 1; i < PARTS; i++)
                all[n++] = sample(size, i);
        return look_stretches(c, fd, all, n, from, to);
}

/* Those in pieces of our own table are no findings. */
static void drop_skipped(struct contents *c, uint64_t from, uint64_t to)
{
        size_t kept = 0;

        for (size_t i = 0; i < c->n; i++) {
                if (c->v[i].part == 0 && (c->v[i].offset < from || c->v[i].offset >= to))
                        finding_done(&c->v[i]);
                else
                        c->v[kept++] = c->v[i];
        }
        c->n = kept;
}

void contents_look_signatures(int fd, uint64_t size, uint64_t skip_head, uint64_t skip_tail, struct contents *ret)
{
        struct contents c = {0};
        uint64_t from = MIN2(skip_head, size), to = size - MIN2(skip_tail, size);

        /* md and dm write past the page cache of the disk below: what an earlier look left there may be old */
        posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
        posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
        c.error = look_ends(&c, fd, size, from, to);
        if (c.error == 0)
                c.error = look_region(&c, &(struct region){fd, 0, size}, 0);
        if (c.error == 0)
                c.error = look_parts(&c, fd, size);
        drop_skipped(&c, from, to);
        for (size_t i = 0; i < c.n_parts && c.error == 0; i++)
                c.error = look_region(&c, &(struct region){fd, c.parts[i].start, c.parts[i].size}, c.parts[i].number);
        if (c.n > 0)
                c.n_nameless = 0; /* the bytes belong to what was found */
        *ret = c;
}

void contents_look(int fd, uint64_t size, uint64_t skip_head, uint64_t skip_tail, struct contents *ret)
{
        contents_look_signatures(fd, size, skip_head, skip_tail, ret);
        if (ret->error == 0 && ret->n == 0)
                ret->error = look_between(ret, fd, size, MIN2(skip_head, size), size - MIN2(skip_tail, size));
}

/* --- questions --- */

bool is_blank(const struct contents *c)
{
        return c->error == 0 && c->n == 0 && c->n_nameless == 0;
}

static void add_token(char ***tokens, char *t)
{
        if (strv_has(*tokens, t))
                free(t);
        else
                strv_take(tokens, t);
}

char *nameless_token(const struct nameless *b)
{
        return xasprintf("unknown@%llu:%016llx", (unsigned long long)b->at, (unsigned long long)b->digest);
}

char **contents_tokens(const struct contents *c, bool with_used)
{
        char **tokens = NULL;

        for (size_t i = 0; i < c->n; i++) {
                const struct finding *f = &c->v[i];
                add_token(&tokens, xasprintf("%s@%llu%s%s", f->type, (unsigned long long)f->offset, f->uuid ? ":" : "",
                                             f->uuid ? f->uuid : ""));
        }
        for (size_t i = 0; i < c->n && with_used; i++)
                if (c->v[i].used != UINT64_MAX)
                        add_token(&tokens, xasprintf("used@%llu:%llu", (unsigned long long)c->v[i].offset,
                                                     (unsigned long long)c->v[i].used));
        for (size_t i = 0; i < c->n_nameless; i++)
                add_token(&tokens, nameless_token(&c->nameless[i]));
        if (c->error < 0)
                add_token(&tokens, xstrdup("unknown@0"));
        return tokens;
}

const char *contents_holds(const struct contents *c)
{
        if (c->error < 0)
                return "unknown";
        for (size_t i = 0; i < c->n; i++)
                if (c->v[i].is_member)
                        return "member";
        return c->n ? "data" : c->n_nameless ? "unknown" : "blank";
}

bool has_content(const struct contents *c, const char *type)
{
        for (size_t i = 0; i < c->n; i++)
                if (streq(c->v[i].type, type))
                        return true;
        return false;
}

bool has_windows(const struct contents *c)
{
        /* Microsoft Reserved: Windows itself makes it on each GPT disk that it sets up; on others it starts from an NTFS */
        for (size_t i = 0; i < c->n_parts; i++)
                if (strcasecmp(c->parts[i].type, "e3c9e316-0b5c-4db8-817d-f92df00215ae") == 0 ||
                    (c->parts[i].is_active && streq(c->parts[i].type, "0x07")))
                        return true;
        return false;
}

#include "helpers/disk_wipe.h"

#include <errno.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "helpers/lib/log.h"

/* Zeros from … to, cut to the disk. */
static int zero(int fd, uint64_t size, uint64_t from, uint64_t to)
{
        static const char zeros[256 * 1024];
        int r = 0;

        to = MIN2(to, size);
        for (; from < to && r == 0; from += MIN2(to - from, sizeof zeros))
                r = write_fully(fd, zeros, MIN2(to - from, sizeof zeros), from);
        return r;
}

static int zero_ends(int fd, uint64_t size, uint64_t start, uint64_t end)
{
        int r = zero(fd, size, start, MIN2(start + MIB, end));

        return r < 0 ? r : zero(fd, size, MAX2(start, end > MIB ? end - MIB : 0), end);
}

#define AROUND UINT64_C(4096) /* one sector of any disk; no signature is longer than its distance to the next block */

#define ZFS_LABEL (UINT64_C(256) * KIB) /* holds a ring of superblocks; an older one would be found instead */

/* Where the part of the disk begins that a finding's superblocks are counted from. */
static uint64_t region_start(const struct contents *c, const struct finding *f)
{
        for (size_t i = 0; i < c->n_parts && f->part; i++)
                if (c->parts[i].number == f->part)
                        return c->parts[i].start;
        return 0;
}

static int zero_signature(int fd, uint64_t size, const struct contents *c, const struct finding *f)
{
        uint64_t start = region_start(c, f);

        if (streq(f->type, "zfs_member") && f->offset >= start) {
                uint64_t label = start + (f->offset - start) / ZFS_LABEL * ZFS_LABEL;
                return zero(fd, size, label, label + ZFS_LABEL);
        }
        return zero(fd, size, f->offset & ~(AROUND - 1), (f->offset + 64 + AROUND) & ~(AROUND - 1));
}

/* Second and third superblock of btrfs, which libblkid does not look for but btrfs's tools do (include/uapi/linux/btrfs_tree.h,
 * fs/btrfs/disk-io.h: btrfs_sb_offset; the magic is at 0x40). */
static int zero_mirrors(int fd, uint64_t size, uint64_t start)
{
        static const uint64_t at[] = {64 * MIB, 256 * GIB};
        int r = 0;

        for (size_t i = 0; i < ELEMENTSOF(at) && r == 0; i++) {
                char magic[8];
                uint64_t place = start + at[i];
                if (place < size && size - place >= AROUND && read_fully(fd, magic, sizeof magic, place + 0x40) == 0 &&
                    memcmp(magic, "_BHRfS_M", sizeof magic) == 0)
                        r = zero(fd, size, place, place + AROUND);
        }
        return r;
}

/* Should we be killed, udev looks at the disk anew and would assemble an old array from what is left of it, which then
 * keeps the disk in use: so its superblocks go before all else. So do those of btrfs that only its first one tells of. */
static int zero_members(int fd, uint64_t size, const struct contents *c)
{
        int r = 0;

        for (size_t i = 0; i < c->n && r == 0; i++) {
                const struct finding *f = &c->v[i];
                if (f->is_member)
                        r = zero_signature(fd, size, c, f);
                else if (streq(f->type, "btrfs"))
                        r = zero_mirrors(fd, size, region_start(c, f));
        }
        return r == 0 && fsync(fd) < 0 ? -errno : r;
}

#define SECTOR UINT64_C(512) /* what a power cut leaves whole at least */

static bool is_disk_table(const struct finding *f)
{
        return f->is_table && !f->part;
}

/* Of a block that a cut has torn, the magic must not be what stays: a header of GPT without its entries is bytes without a name,
 * and a file system without all of its superblock is not as full as was agreed. ZFS has a hundred magics, not one. */
static int zero_magics(int fd, uint64_t size, const struct contents *c, bool of_tables)
{
        int r = 0;

        for (size_t i = 0; i < c->n && r == 0; i++) {
                uint64_t at = c->v[i].offset & ~(SECTOR - 1);
                if (is_disk_table(&c->v[i]) == of_tables && !streq(c->v[i].type, "zfs_member"))
                        r = zero(fd, size, at, at + SECTOR);
        }
        return r == 0 && fsync(fd) < 0 ? -errno : r;
}

static int zero_contents(int fd, uint64_t size, const struct contents *c)
{
        int r = zero_magics(fd, size, c, false);

        for (size_t i = 0; i < c->n && r == 0; i++)
                if (!is_disk_table(&c->v[i]))
                        r = zero_signature(fd, size, c, &c->v[i]);
        return r;
}

int wipe(int fd, uint64_t size, const struct contents *c, uint64_t start, uint64_t end)
{
        int r = zero_members(fd, size, c);

        if (r == 0)
                r = zero_contents(fd, size, c);
        if (r == 0 && fsync(fd) < 0)
                r = -errno;
        /* backwards: logical partitions stand behind the extended one that holds their table */
        for (size_t i = c->n_parts; i > 0 && r == 0; i--)
                r = zero_ends(fd, size, c->parts[i - 1].start, c->parts[i - 1].start + c->parts[i - 1].size);
        if (r == 0 && start < end)
                r = zero_ends(fd, size, start, end);
        if (r == 0 && fsync(fd) < 0)
                r = -errno;
        if (r == 0)
                r = zero_magics(fd, size, c, true);
        if (r == 0)
                r = zero(fd, size, size > MIB ? size - MIB : 0, size);
        if (r == 0 && fsync(fd) < 0)
                r = -errno;
        if (r == 0)
                r = zero(fd, size, 0, MIB);
        if (r == 0 && fsync(fd) < 0)
                r = -errno;
        log_line("wiped: %zu signatures, %zu partitions → %d", c->n, c->n_parts, r);
        return r;
}

static int is_zero_stretch(int fd, uint64_t from, uint64_t to)
{
        _cleanup_free_ char *p = xmalloc(to - from);
        int r = read_fully(fd, p, to - from, from);

        return r < 0 ? r : is_zero(p, to - from) ? 0 : -EIO;
}

int ends_are_zero(int fd, uint64_t start, uint64_t end)
{
        int r = is_zero_stretch(fd, start, MIN2(start + MIB, end));

        return r < 0 ? r : is_zero_stretch(fd, MAX2(start, end > MIB ? end - MIB : 0), end);
}

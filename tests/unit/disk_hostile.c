/* File systems and members of sets in memory: what the headers say is read right, and no header, however it lies, makes
 * the reader loop, read elsewhere or tell more than the region holds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "helpers/disk_fill.h"
#include "helpers/disk_member.h"

#define SIZE (64 * MIB)

static uint8_t *disk;
static struct region region;

static void put(size_t at, uint64_t value, unsigned n, bool big)
{
        for (unsigned i = 0; i < n; i++)
                disk[at + (big ? n - 1 - i : i)] = (uint8_t)(value >> 8 * i);
}

static void le(size_t at, uint64_t value, unsigned n)
{
        put(at, value, n, false);
}

static void be(size_t at, uint64_t value, unsigned n)
{
        put(at, value, n, true);
}

static void text(size_t at, const char *s)
{
        memcpy(disk + at, s, strlen(s));
}

/* --- formats, as their specifications have them --- */

static void make_xfs(void)
{
        text(0, "XFSB");
        be(4, 4096, 4);
        be(8, 2000, 8);
        be(48, 1, 8);
        be(96, 100, 4);
        be(144, 1500, 8);
}

static void make_hfsplus(void)
{
        text(1024, "H+");
        be(1024 + 40, 4096, 4);
        be(1024 + 44, 1000, 4);
        be(1024 + 48, 400, 4);
}

static void make_fat32(void)
{
        le(11, 512, 2), le(13, 1, 1), le(14, 32, 2), le(16, 2, 1);
        le(32, 120000, 4), le(36, 1000, 4), le(48, 1, 2);
        le(512, 0x41615252, 4), le(512 + 484, 0x61417272, 4), le(512 + 488, 1000, 4);
}

static void make_exfat(void)
{
        le(88, 100, 4), le(92, 1000, 4), le(96, 3, 4), le(108, 9, 1), le(109, 3, 1), le(112, 50, 1);
        size_t heap = 100 * 512, root = heap + 4096;
        le(root, 0x83, 1);
        le(root + 32, 0x81, 1), le(root + 32 + 20, 2, 4), le(root + 32 + 24, 125, 8);
        memset(disk + heap, 0xff, 25); /* 200 clusters */
}

static void make_ntfs(void)
{
        size_t mft = 4 * 4096, record = mft + 6 * 1024, attr = record + 56;

        le(11, 512, 2), le(13, 8, 1), le(0x28, 16000, 8), le(0x30, 4, 8), le(0x40, 0xf6, 1);
        text(record, "FILE");
        le(record + 4, 48, 2), le(record + 6, 3, 2), le(record + 20, 56, 2);
        le(record + 48, 0xabcd, 2), le(record + 510, 0xabcd, 2), le(record + 1022, 0xabcd, 2);
        le(attr, 0x80, 4), le(attr + 4, 72, 4), le(attr + 8, 1, 1), le(attr + 32, 64, 2);
        le(attr + 64, 0x11, 1), le(attr + 65, 1, 1), le(attr + 66, 100, 1); /* one cluster at 100 */
        le(attr + 72, UINT32_MAX, 4);
        memset(disk + 100 * 4096, 0xff, 50); /* 400 clusters of 2000 */
}

/* 69 GB in clusters of 512 bytes: a map of 17 MB, at 1 MiB. The list of records is at 51200. */
static void make_large_ntfs(void)
{
        static const size_t records[] = {32 * 512, 32 * 512 + 6 * 1024};

        le(11, 512, 2), le(13, 1, 1), le(0x28, 135000000, 8), le(0x30, 32, 8), le(0x40, 0xf6, 1);
        for (size_t i = 0; i < ELEMENTSOF(records); i++) {
                size_t record = records[i], attr = record + 56;
                text(record, "FILE");
                le(record + 4, 48, 2), le(record + 6, 3, 2), le(record + 20, 56, 2);
                le(record + 48, 0xabcd, 2), le(record + 510, 0xabcd, 2), le(record + 1022, 0xabcd, 2);
                le(attr, i ? 0x80 : 0xb0, 4), le(attr + 4, 72, 4), le(attr + 8, 1, 1), le(attr + 32, 64, 2), le(attr + 48, 512, 8);
                le(attr + 64, 0x23, 1), le(attr + 65, i ? 32959 : 1, 3), le(attr + 68, i ? 2048 : 100, 2);
                le(attr + 72, UINT32_MAX, 4);
        }
        disk[100 * 512] = 0x7f;
}

static void make_btrfs(void)
{
        size_t sb = 65536;

        text(sb + 0x40, "_BHRfS_M");
        memset(disk + sb + 0x20, 0x11, 16);
        memset(disk + sb + 0x10b, 0x22, 16);
        text(sb + 0x12b, "Pool");
        le(sb + 0x48, 7, 8), le(sb + 0x70, 2 * SIZE, 8), le(sb + 0x78, MIB, 8), le(sb + 0x88, 2, 8), le(sb + 0xd1, SIZE, 8);
}

static void make_lvm(void)
{
        static const char words[] = "house {\nid = \"AAAAAA-1111-2222-3333-4444-5555-BBBBBB\"\nseqno = 3\nextent_size = 8192\n"
                                    "physical_volumes {\npv0 {\nid = \"P0\" # one\npe_count = 10\n}\npv1 {\nid = \"P1\"\npe_count = 5\n"
                                    "}\n}\nlogical_volumes {\nlv {\nsegment1 {\ntype = \"striped\"\n}\n}\n}\n}\ncontents = \"x\"\n";
        size_t area = 4096;

        text(512, "LABELONE");
        le(512 + 20, 32, 4);
        text(512 + 24, "LVM2 001");
        memset(disk + 512 + 32, 'v', 32);
        le(512 + 32 + 40, MIB, 8);           /* data */
        le(512 + 32 + 40 + 32, area, 8), le(512 + 32 + 40 + 40, MIB - area, 8);
        text(area + 4, " LVM2 x[5A%r0N*>");
        le(area + 24, area, 8), le(area + 32, MIB - area, 8), le(area + 40, 512, 8), le(area + 48, sizeof words - 1, 8);
        text(area + 512, words);
}

static void make_md(void)
{
        size_t sb = 4096, sum_at = 216;
        uint64_t sum = 0;

        le(sb, 0xa92b4efc, 4), le(sb + 4, 1, 4);
        text(sb + 32, "old:nas");
        le(sb + 72, 5, 4), le(sb + 80, 1000, 8), le(sb + 92, 3, 4), le(sb + 160, 1, 4), le(sb + 200, 42, 8), le(sb + 220, 3, 4);
        le(sb + 256, 0, 2), le(sb + 258, 1, 2), le(sb + 260, 2, 2);
        for (size_t i = 0; i < 262; i += i < 260 ? 4 : 2)
                sum += get_le16(disk + sb + i) + (i < 260 ? (uint64_t)get_le16(disk + sb + i + 2) << 16 : 0);
        le(sb + sum_at, (sum & UINT32_MAX) + (sum >> 32), 4);
}

static size_t pair(size_t at, const char *name, unsigned type, unsigned n, size_t value_size)
{
        size_t head = 8 + 4 + (strlen(name) + 3) / 4 * 4 + 8;

        be(at, head + value_size, 4), be(at + 8, strlen(name), 4);
        text(at + 12, name);
        be(at + head - 8, type, 4), be(at + head - 4, n, 4);
        return at + head;
}

static void make_zfs(void)
{
        size_t at = 16384, tree;

        le(at, 1, 1);
        at += 12;
        at = pair(at, "name", 9, 1, 8), be(at, 4, 4), text(at + 4, "tank"), at += 8;
        at = pair(at, "txg", 8, 1, 8), be(at, 99, 8), at += 8;
        at = pair(at, "vdev_children", 8, 1, 8), be(at, 1, 8), at += 8;
        tree = at;
        at = pair(at, "vdev_tree", 19, 1, 0) + 8;
        at = pair(at, "type", 9, 1, 12), be(at, 5, 4), text(at + 4, "raidz"), at += 12;
        at = pair(at, "nparity", 8, 1, 8), be(at, 2, 8), at += 8;
        at = pair(at, "children", 20, 5, 0), at += 8;
        be(tree, at - tree, 4);
}

static const struct {
        const char *type;
        void (*make)(void);
        uint64_t size, used; /* wanted; 0: no file system */
        uint64_t magic;
} formats[] = {
        {"xfs", make_xfs, 1900 * 4096, 400 * 4096, 0},
        {"hfsplus", make_hfsplus, 1000 * 4096, 600 * 4096, 1024},
        {"vfat", make_fat32, 117968 * 512, 116968 * 512, 54},
        {"exfat", make_exfat, 1000 * 4096, 200 * 4096, 3},
        {"ntfs", make_ntfs, 2000 * 4096, 400 * 4096, 3},
        {"btrfs", make_btrfs, SIZE, UINT64_MAX, 65600},
        {"LVM2_member", make_lvm, 0, 0, 536},
        {"linux_raid_member", make_md, 0, 0, 4096},
        {"zfs_member", make_zfs, 0, 0, 135168},
};

static void make(size_t i)
{
        memset(disk, 0, MIB);
        formats[i].make();
}

static struct member *member(size_t i)
{
        return member_look(&region, formats[i].type, "1234", "label", "5678", formats[i].magic);
}

static struct member *member_of(const char *type)
{
        for (size_t i = 0; i < ELEMENTSOF(formats); i++)
                if (streq(formats[i].type, type)) {
                        make(i);
                        return member(i);
                }
        return NULL;
}

static void test_fill(void **state _unused_)
{
        for (size_t i = 0; i < ELEMENTSOF(formats); i++) {
                uint64_t size = 0, used = 0;
                make(i);
                fill_look(&region, formats[i].type, &size, &used);
                if (formats[i].size == 0)
                        continue;
                assert_int_equal(size, formats[i].size);
                assert_int_equal(used, formats[i].used);
        }
}

/* Of a long map only pieces are looked at: a file whose clusters lie between them is noticed by its record. */
static void test_large_ntfs(void **state _unused_)
{
        uint64_t size = 0, before = 0, after = 0;

        memset(disk, 0, MIB);
        make_large_ntfs();
        region.size = 135000001 * UINT64_C(512);
        fill_look(&region, "ntfs", &size, &before);
        disk[100 * 512] = 0xff;
        fill_look(&region, "ntfs", &size, &after);
        region.size = SIZE;
        assert_int_equal(size, 135000000 * UINT64_C(512));
        assert_int_equal(after, before + 1024);
}

static void test_members(void **state _unused_)
{
        struct member *m = member_of("LVM2_member");

        assert_string_equal(m->set, "AAAAAA-1111-2222-3333-4444-5555-BBBBBB");
        assert_string_equal(m->name, "house");
        assert_string_equal(m->all[1], "P1");
        assert_int_equal(m->devices, 2);
        assert_int_equal(m->events, 3);
        assert_int_equal(m->size, 15 * 4 * MIB);
        assert_false(m->is_mixed);
        member_free(m);
        disk[4096 + 512] = '{'; /* a section without a name */
        member_free(member_look(&region, "LVM2_member", NULL, NULL, NULL, 536));
        memset(disk + 4096 + 512, 'n', 150);
        text(4096 + 512 + 150, " {\nid = \"A\"\n}");
        m = member_look(&region, "LVM2_member", NULL, NULL, NULL, 536);
        assert_string_equal(m->set, "A");
        assert_int_equal(strlen(m->name), 127);
        member_free(m);
        m = member_of("linux_raid_member");
        assert_string_equal(m->level, "raid5");
        assert_string_equal(m->name, "nas");
        assert_int_equal(m->place, 1);
        assert_int_equal(m->size, 2 * 1000 * 512);
        assert_false(m->is_unsound);
        member_free(m);
        disk[4096 + 200]++; /* the events */
        m = member_look(&region, "linux_raid_member", NULL, NULL, NULL, 4096);
        assert_true(m->is_unsound);
        member_free(m);
        m = member_of("zfs_member");
        assert_string_equal(m->name, "tank");
        assert_string_equal(m->level, "raidz2");
        assert_string_equal(m->set, "1234");
        assert_int_equal(m->devices, 5);
        assert_int_equal(m->spareable, 2);
        member_free(m);
        m = member_of("btrfs");
        assert_string_equal(m->name, "Pool");
        assert_int_equal(m->devices, 2);
        member_free(m);
}

/* Half of the lies are extreme numbers at aligned places, the other half single bytes. */
static void lie(unsigned short seed[3])
{
        static const uint64_t numbers[] = {0, 1, 2, 0x7f, 0x80, 0xff, 0xffff, 0x7fffffff, 0x80000000, UINT32_MAX, UINT64_MAX,
                                           UINT64_MAX / 512, SIZE, SIZE - 1, SIZE / 512};
        static const size_t places[] = {0, 512, 1024, 4096, 4608, 16384, 22528, 51200, 55296, 65536, 66048, 131072};
        size_t at = places[(size_t)nrand48(seed) % ELEMENTSOF(places)] + (size_t)nrand48(seed) % 512;

        if (nrand48(seed) % 2)
                put(at & ~(size_t)3, numbers[(size_t)nrand48(seed) % ELEMENTSOF(numbers)], nrand48(seed) % 2 ? 4 : 8, nrand48(seed) % 2);
        else
                disk[at] = (uint8_t)nrand48(seed);
}

static void test_lies(void **state _unused_)
{
        unsigned short seed[3] = {1, 2, 3};

        for (unsigned round = 0; round < 20000; round++) {
                size_t i = round % ELEMENTSOF(formats);
                uint64_t size = 0, used = UINT64_MAX;
                make(i);
                for (long n = nrand48(seed) % 12; n >= 0; n--)
                        lie(seed);
                fill_look(&region, formats[i].type, &size, &used);
                assert_true(size <= SIZE);
                assert_true(used <= size || used == UINT64_MAX);
                member_free(member(i));
        }
}

/* A region that ends anywhere. */
static void test_short(void **state _unused_)
{
        for (uint64_t size = 0; size < 140 * KIB; size += size < 8192 ? 257 : 4093)
                for (size_t i = 0; i < ELEMENTSOF(formats); i++) {
                        uint64_t all = 0, used = UINT64_MAX;
                        make(i);
                        region.size = size;
                        fill_look(&region, formats[i].type, &all, &used);
                        assert_true(all <= size);
                        member_free(member(i));
                        region.size = SIZE;
                }
}

static int setup(void **state _unused_)
{
        region = (struct region){memfd_create("disk", MFD_CLOEXEC), 0, SIZE};
        if (region.fd < 0 || ftruncate(region.fd, SIZE) < 0)
                return -1;
        disk = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, region.fd, 0);
        return disk == MAP_FAILED ? -1 : 0;
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_fill),
                cmocka_unit_test(test_large_ntfs),
                cmocka_unit_test(test_members),
                cmocka_unit_test(test_lies),
                cmocka_unit_test(test_short),
        };

        return cmocka_run_group_tests(tests, setup, NULL);
}

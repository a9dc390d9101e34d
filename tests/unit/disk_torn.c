/* The power goes while a disk is wiped: of the write that was under way, and of those not flushed before it, any sectors may be
 * on the disk. Whatever they are, what is left asks for no consent beyond the one that was given. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "helpers/disk_consent.h"
#include "helpers/disk_gpt.h"
#include "helpers/disk_wipe.h"

#define SIZE (80 * MIB)
#define MIRROR (64 * MIB) /* of btrfs */
#define SECTOR 512

static uint8_t *disk;
static int fd;

static void le(size_t at, uint64_t value, unsigned n)
{
        for (unsigned i = 0; i < n; i++)
                disk[at + i] = (uint8_t)(value >> 8 * i);
}

static void text(size_t at, const char *s)
{
        memcpy(disk + at, s, strlen(s));
}

/* --- the cut --- */

static bool all_but_last(size_t i, size_t n) { return i < n - 1; }
static bool second_half(size_t i, size_t n) { return i >= n / 2; }
static bool first_part(size_t i, size_t n) { return i < n * 3 / 4; }
static bool last_part(size_t i, size_t n) { return i >= n * 3 / 4; }
static bool all_but_first(size_t i, size_t n _unused_) { return i > 0; }
static bool all_but_second(size_t i, size_t n _unused_) { return i != 1; }
static bool all_but_fourth(size_t i, size_t n _unused_) { return i != 3; }
static bool from_third(size_t i, size_t n _unused_) { return i > 1; }
static bool from_fourth(size_t i, size_t n _unused_) { return i > 2; }
static bool only_first(size_t i, size_t n _unused_) { return i == 0; }
static bool only_fourth(size_t i, size_t n _unused_) { return i == 3; }
static bool none(size_t i _unused_, size_t n _unused_) { return false; }
static bool (*const arrives[])(size_t i, size_t n) = {all_but_last, all_but_first, all_but_second, all_but_fourth,
                                                      from_third, from_fourth, only_first, only_fourth, none,
                                                      second_half, first_part, last_part};

static struct {
        size_t n, at;    /* writes so far; the one that is torn, from 1, 0 for none */
        bool (*arrives)(size_t i, size_t n);
        bool is_torn;    /* the next flush is where the power goes */
} cut;

ssize_t pwrite(int to, const void *p, size_t n, off_t at)
{
        if (to != fd || ++cut.n != cut.at)
                return syscall(SYS_pwrite64, to, p, n, at);
        for (size_t i = 0; i < n / SECTOR; i++)
                if (cut.arrives(i, n / SECTOR))
                        memcpy(disk + at + i * SECTOR, (const uint8_t *)p + i * SECTOR, SECTOR);
        cut.is_torn = true;
        return (ssize_t)n;
}

int fsync(int of)
{
        errno = EIO;
        return of == fd && cut.is_torn ? -1 : 0;
}

/* --- what is on the disk --- */

static const struct gpt_want table = {
        .disk_guid = "aaaaaaaa-1111-4222-8333-444444444444",
        .part_guid = "bbbbbbbb-1111-4222-8333-444444444444",
        .name = "old",
        .start = MIB,
        .end = 60 * MIB,
        .size = SIZE,
        .sector = SECTOR,
};

static void make_table(void)
{
        assert_int_equal(gpt_write(fd, &table), 0);
}

static void make_second_table(void)
{
        make_table();
        memset(disk, 0, MIB);
}

static void make_table_without_mbr(void)
{
        make_table();
        memset(disk, 0, SECTOR);
}

static void make_ext2(void)
{
        le(1024, 16000, 4);         /* inodes */
        le(1024 + 0x04, 16000, 4);  /* blocks of 4 KiB */
        le(1024 + 0x0c, 9000, 4);   /* free */
        le(1024 + 0x18, 2, 4);
        le(1024 + 0x38, 0xef53, 2);
        le(1024 + 0x3a, 1, 2);      /* clean */
        le(1024 + 0x4c, 1, 4);
        le(1024 + 0x68, 0x1234, 8); /* UUID */
        le(1024 + 0x248, 300, 4);   /* overhead, in the next sector */
}

static void make_fat(void)
{
        text(0, "\xeb\x58\x90mkfs.fat");
        le(11, 512, 2);
        disk[13] = 1;
        le(14, 32, 2);
        disk[16] = 2;
        disk[21] = 0xf8;
        le(32, 131072, 4);
        le(36, 1024, 4);
        le(44, 2, 4);
        le(48, 1, 2);
        disk[66] = 0x29;
        le(67, 0x12345678, 4);
        text(71, "PHOTOS     FAT32   ");
        le(510, 0xaa55, 2);
        text(512, "RRaA");
        text(512 + 484, "rrAa");
        le(512 + 488, 100000, 4);
        le(512 + 508, 0xaa550000, 4);
}

static void make_btrfs(void)
{
        text(64 * KIB + 0x40, "_BHRfS_M");
        text(MIRROR + 0x40, "_BHRfS_M");
}

/* Two labels without the list that names the pool, each with a ring of what counts as its newest superblock. */
static void make_zfs(void)
{
        for (size_t label = 0; label < 2; label++)
                for (unsigned slot = 0; slot < 128; slot++) {
                        size_t at = label * 256 * KIB + 128 * KIB + slot * KIB;
                        le(at, 0xbab10c, 4);
                        le(at + 8, 5000, 8);
                        le(at + 16, slot + 1, 8);
                }
}

static const struct {
        const char *name;
        void (*make)(void);
        const char *first; /* token */
} all[] = {
        {"table", make_table, "gpt@512"},
        {"its second copy alone", make_second_table, "gpt@83885568"},
        {"without its MBR", make_table_without_mbr, "gpt@512"},
        {"ext2", make_ext2, "ext2@1080"},
        {"FAT", make_fat, "vfat@82"},
        {"btrfs", make_btrfs, "btrfs@65600"},
        {"ZFS", make_zfs, "zfs_member@"},
};

static void prepare(size_t i)
{
        cut.at = 0;
        cut.is_torn = false;
        memset(disk, 0, 4 * MIB);
        memset(disk + MIRROR, 0, 4 * KIB);
        memset(disk + SIZE - 4 * MIB, 0, 4 * MIB);
        all[i].make();
}

/* How many writes it takes; the one of that number is torn. */
static size_t wipe_torn(size_t at, bool (*are)(size_t i, size_t n))
{
        _cleanup_contents_ struct contents c = {0};

        contents_look(fd, SIZE, 0, 0, &c);
        cut.n = 0;
        cut.at = at;
        cut.arrives = are;
        cut.is_torn = false;
        (void)!wipe(fd, SIZE, &c, MIB, 60 * MIB);
        cut.at = 0;
        return cut.n;
}

static void check_again(size_t i, char *const *agreed, size_t at, size_t way)
{
        _cleanup_contents_ struct contents c = {0};

        contents_look(fd, SIZE, 0, 0, &c);
        _cleanup_strv_ char **lacks = consent_lacks(&c, agreed, fd, 0, SIZE);
        _cleanup_free_ char *list = strv_join(lacks, " ");
        if (*list)
                fail_msg("%s: write %zu torn in way %zu leaves %s", all[i].name, at, way, list);
}

static void test_torn(void **state _unused_)
{
        for (size_t i = 0; i < ELEMENTSOF(all); i++) {
                _cleanup_contents_ struct contents c = {0};
                prepare(i);
                contents_look(fd, SIZE, 0, 0, &c);
                _cleanup_strv_ char **agreed = contents_tokens(&c, true);
                assert_true(strv_len(agreed) > 0 && has_prefix(agreed[0], all[i].first));
                size_t writes = wipe_torn(0, NULL);
                for (size_t at = 1; at <= writes; at++)
                        for (size_t way = 0; way < ELEMENTSOF(arrives); way++) {
                                prepare(i);
                                wipe_torn(at, arrives[way]);
                                check_again(i, agreed, at, way);
                                wipe_torn(0, NULL);
                                if (!is_zero(disk + MIRROR, 4 * KIB))
                                        fail_msg("%s: write %zu torn in way %zu leaves a copy", all[i].name, at, way);
                        }
        }
}

static int setup(void **state _unused_)
{
        fd = memfd_create("disk", MFD_CLOEXEC);
        if (fd < 0 || ftruncate(fd, SIZE) < 0)
                return -1;
        disk = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        return disk == MAP_FAILED ? -1 : 0;
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_torn),
        };

        return cmocka_run_group_tests(tests, setup, NULL);
}

/* fs_usable against mke2fs 1.47.0 of Debian 12. Each row was measured with
 *
 *     truncate -s BYTES image
 *     mke2fs -t ext4 -F -L nas -m 0 -E lazy_itable_init=1,lazy_journal_init=1,nodiscard image
 *     dumpe2fs -h image         (Block count − Overhead clusters) × Block size
 *
 * on sparse images; that this is what statfs says of it mounted was seen in the box (tests/box/cases/fs-make.sh).
 *
 * XFS and btrfs: blocks available by statfs of the new file system, mounted by Linux 6.1 in the box (mkfs.xfs 6.1 -K,
 * mkfs.btrfs 6.2 -K -m dup -d single, on dm-linear over a disk of 60 TB); XFS of 17592186044416 bytes and more, and both
 * in Debian 13, in tests/box/long/fs-sizes.sh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "helpers/lib/usable.h"

static const struct {
        uint64_t device, usable;
} rows[] = {
        {67108864, 57381888},
        {536870912, 510873600},
        {600000000, 572903424},
        {1071644672, 1035415552},
        {1073741824, 1020702720},
        {2145386496, 2071830528},
        {4294967296, 4143677440},
        {8589934592, 8350298112},
        {10737418240, 10464022528},
        {34359738368, 33501757440},
        {100000000000, 97828827136},
        {137438953472, 134145380352},
        {250000000000, 244939182080},
        {500107862016, 491107581952},
        {1000204886016, 983351140352},
        {2000398934016, 1967847137280},
        {3997614000128, 3933698228224},
        {3997614538752, 3933698768896},
        {4398046511104, 4362206093312},
        {5999000000000, 5950536544256},
        {7998000000000, 7933769084928},
        {11987654320128, 11891993919488},
        {12000000000000, 11904242376704},
        {15990000000000, 15862818381824},
        {17592186044416, 17521109266432},
        {18000000000000, 17927300100096},
        {20000000000000, 19919341756416},
        {21000000126976, 20915362496512},
        {24000000000000, 23903413723136},
        {33300000000000, 33166402314240},
        {48000000000000, 47807901294592},
};

static const struct {
        const char *type;
        uint64_t device, available;
} others[] = {
        {"xfs", 314572800, 229732352},
        {"xfs", 600000000, 498913280},
        {"xfs", 1073741824, 965767168},
        {"xfs", 2000000000, 1885581312},
        {"xfs", 4294967296, 4164526080},
        {"xfs", 10000000000, 9829777408},
        {"xfs", 32000000000, 31676407808},
        {"xfs", 100000000000, 99202297856},
        {"xfs", 250000000000, 248101892096},
        {"xfs", 1000204886016, 992712540160},
        {"xfs", 3997614538752, 3967770521600},
        {"xfs", 7998000000000, 7940080779264},
        {"btrfs", 129999872, 45023232},
        {"btrfs", 314572800, 229638144},
        {"btrfs", 600000000, 515047424},
        {"btrfs", 1073741824, 948568064},
        {"btrfs", 2000000000, 1782251520},
        {"btrfs", 4294967296, 3740270592},
        {"btrfs", 32000000000, 31445286912},
        {"btrfs", 64000000000, 61834657792},
        {"btrfs", 250000000000, 247834673152},
        {"btrfs", 3997614538752, 3995449229312},
        {"btrfs", 17592186044416, 17590020734976},
        {"btrfs", 24000000000000, 23997834657792},
};

static void within_half_a_percent(void **state _unused_)
{
        for (size_t i = 0; i < ELEMENTSOF(others); i++) {
                uint64_t is = fs_usable(others[i].type, others[i].device), want = others[i].available;
                assert_in_range(is, want - want / 200, want + want / 200);
        }
}

/* What mkfs.xfs 6.1 and mkfs.btrfs 6.2 refused: 314572288 and 114294783 bytes. */
static void too_small(void **state _unused_)
{
        assert_int_equal(fs_least("xfs"), 314572800);
        assert_int_equal(fs_least("btrfs"), 114294784);
        assert_int_equal(fs_least("vfat"), 0);
        assert_int_equal(fs_usable("xfs", 314572799), 0);
        assert_int_equal(fs_usable("btrfs", 114294783), 0);
        assert_true(fs_usable("ext4", fs_least("ext4")) > 0);
}

static void as_measured(void **state _unused_)
{
        for (size_t i = 0; i < ELEMENTSOF(rows); i++)
                assert_int_equal(fs_usable("ext4", rows[i].device), rows[i].usable);
}

/* An array of no, one or very few bytes is asked about before its members are known. */
static void never_more_than_the_device(void **state _unused_)
{
        static const char *const types[] = {"ext4", "xfs", "btrfs"};

        for (size_t i = 0; i < ELEMENTSOF(types); i++)
                for (uint64_t size = 0; size < 32 * GIB; size = size * 3 / 2 + 4097)
                        assert_true(fs_usable(types[i], size) <= size);
        assert_int_equal(fs_usable("ext4", 0), 0);
}

static void unknown_type(void **state _unused_)
{
        assert_int_equal(fs_usable("vfat", TIB), 0);
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(as_measured),
                cmocka_unit_test(within_half_a_percent),
                cmocka_unit_test(too_small),
                cmocka_unit_test(never_more_than_the_device),
                cmocka_unit_test(unknown_type),
        };

        return cmocka_run_group_tests_name("usable", tests, NULL, NULL);
}

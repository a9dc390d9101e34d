/* fs_usable against mke2fs 1.47.0 of Debian 12. Each row was measured with
 *
 *     truncate -s BYTES image
 *     mke2fs -t ext4 -F -L nas -m 0 -E lazy_itable_init=1,lazy_journal_init=1,nodiscard image
 *     dumpe2fs -h image         (Block count − Overhead clusters) × Block size
 *
 * on sparse images; that this is what statfs says of it mounted was seen in the box (tests/box/cases/fs-make.sh). */
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

static void as_measured(void **state _unused_)
{
        for (size_t i = 0; i < ELEMENTSOF(rows); i++)
                assert_int_equal(fs_usable("ext4", rows[i].device), rows[i].usable);
}

/* An array of no, one or very few bytes is asked about before its members are known. */
static void never_more_than_the_device(void **state _unused_)
{
        for (uint64_t size = 0; size < 32 * GIB; size = size * 3 / 2 + 4097)
                assert_true(fs_usable("ext4", size) <= size);
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
                cmocka_unit_test(never_more_than_the_device),
                cmocka_unit_test(unknown_type),
        };

        return cmocka_run_group_tests_name("usable", tests, NULL, NULL);
}

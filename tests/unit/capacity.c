/* The arithmetic of levels. That md makes exactly these sizes is seen in the box (tests/box/cases/raid-*.sh). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "wizard/capacity.h"

#define TB4 UINT64_C(4000787030016)
#define TB2 UINT64_C(2000398934016)

static void partitions_leave_room(void **state _unused_)
{
        uint64_t start, end;

        member_range(TB4, &start, &end);
        assert_int_equal(start, MIB);
        assert_true(end % MIB == 0 && TB4 - end >= 2 * GIB && TB4 - end < 2 * GIB + MIB);
        member_range(10 * GIB, &start, &end);
        assert_true(10 * GIB - end >= 10 * GIB / 100 && 10 * GIB - end < 10 * GIB / 100 + MIB);
}

static const struct {
        const char *level;
        unsigned n;
        uint64_t disks[8], offset, array, wasted;
} rows[] = {
        /* member = 3998637621248: 129 MiB of head, rest down to 64 KiB */
        {"raid5", 3, {TB4, TB4, TB4}, 129 * MIB, 2 * UINT64_C(3998502354944), 0},
        {"raid1", 2, {TB4, TB4}, 129 * MIB, UINT64_C(3998502354944), 0},
        {"raid1", 1, {TB4}, 129 * MIB, UINT64_C(3998502354944), 0},
        {"raid0", 3, {TB4, TB4, TB4}, 129 * MIB, 3 * UINT64_C(3998502354944), 0},
        {"raid6", 4, {TB4, TB4, TB4, TB4}, 129 * MIB, 2 * UINT64_C(3998502354944), 0},
        {"raid10", 4, {TB4, TB4, TB4, TB4}, 129 * MIB, 2 * UINT64_C(3998502354944), 0},
        {"raid10", 5, {TB4, TB4, TB4, TB4, TB4}, 129 * MIB, UINT64_C(3998502354944) / 65536 * 5 / 2 * 65536, 0},
        /* two that are smaller: 1998250311680 each */
        {"raid5", 3, {TB4, TB2, TB2}, 129 * MIB, 2 * UINT64_C(1998115045376), UINT64_C(2000387309568)},
        {"raid0", 2, {TB4, TB2}, 129 * MIB, UINT64_C(3998502354944) + UINT64_C(1998115045376), 0},
};

static void levels_give(void **state _unused_)
{
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                struct capacity c;
                assert_int_equal(capacity_of(level_find(rows[i].level), 64 * KIB, rows[i].disks, rows[i].n, 0, &c), 0);
                if (c.offset != rows[i].offset || c.array != rows[i].array || c.wasted != rows[i].wasted)
                        fail_msg("%s of %u: offset %llu, array %llu, wasted %llu", rows[i].level, rows[i].n,
                                 (unsigned long long)c.offset, (unsigned long long)c.array, (unsigned long long)c.wasted);
        }
}

static void too_few_is_refused(void **state _unused_)
{
        const uint64_t disks[] = {TB4, TB4, TB4, TB4};
        struct capacity c = {.array = 7};

        for (const struct level *l = levels; l->name; l++)
                if (l->fewest > 1)
                        assert_int_equal(capacity_of(l, 64 * KIB, disks, l->fewest - 1, 0, &c), -22);
        assert_int_equal(capacity_of(level_find("raid5"), 64 * KIB, disks, 3, 1, &c), -22);
        assert_int_equal(capacity_of(level_find("raid5"), 64 * KIB, disks, 4, 1, &c), 0);
        const uint64_t small_spare[] = {TB4, TB4, TB4, TB2};
        assert_int_equal(capacity_of(level_find("raid5"), 64 * KIB, small_spare, 4, 1, &c), 0);
        assert_int_equal(c.array, 2 * UINT64_C(1998115045376));
        assert_int_equal(capacity_of(level_find("raid5"), 65 * KIB, disks, 3, 0, &c), -22);
        assert_int_equal(capacity_of(level_find("raid5"), 16 * MIB, disks, 3, 0, &c), -22);
}

static void advice(void **state _unused_)
{
        static const char *const by_n[] = {NULL, "raid1", "raid1", "raid5", "raid6", "raid6", "raid6", "raid6", "raid6"};

        assert_null(level_advised(0, false));
        for (unsigned n = 1; n < ELEMENTSOF(by_n); n++) {
                assert_string_equal(level_advised(n, false)->name, by_n[n]);
                assert_true(level_advised(n, true)->number == 1 || level_advised(n, true)->number == 10);
                for (unsigned usb = 0; usb < 2; usb++)
                        assert_int_not_equal(level_advised(n, usb)->number, 0);
        }
        assert_int_equal(level_survives(level_find("raid1"), 3), 2);
        assert_int_equal(level_survives(level_find("raid6"), 4), 2);
        assert_int_equal(level_survives(level_find("raid10"), 4), 1);
        assert_int_equal(level_survives(level_find("raid0"), 4), 0);
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(partitions_leave_room),
                cmocka_unit_test(levels_give),
                cmocka_unit_test(too_few_is_refused),
                cmocka_unit_test(advice),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What superblocks are enough for: the kernel's and mdadm's rules, on members as they may be found after a power cut. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "helpers/raid_super.h"

struct one {
        unsigned place;
        uint64_t events;
        bool is_filling, is_dirty;
};

static const char *start(int level, unsigned layout, unsigned devices, const struct one *v, size_t n, unsigned *ret_lacks)
{
        struct super supers[8] = {0};

        for (size_t i = 0; i < n; i++)
                supers[i] = (struct super){.events = v[i].events,
                                           .level = level,
                                           .layout = layout,
                                           .devices = devices,
                                           .place = v[i].place,
                                           .is_filling = v[i].is_filling,
                                           .is_clean = !v[i].is_dirty};
        return start_name(start_of(&(struct supers){supers, n}, ret_lacks));
}

#define STARTS(word, lacks_wanted, level, layout, devices, ...)                                              \
        do {                                                                                                  \
                const struct one v[] = {__VA_ARGS__};                                                         \
                unsigned lacking = 0;                                                                         \
                assert_string_equal(start(level, layout, devices, v, ELEMENTSOF(v), &lacking), word);         \
                assert_int_equal(lacking, lacks_wanted);                                                      \
        } while (0)

static void mirrors(void **state _unused_)
{
        STARTS("whole", 0, 1, 0, 1, {0, 5, false, false});
        STARTS("degraded", 0, 1, 0, 2, {1, 5, false, true}); /* a dirty one too: it has all its data */
        STARTS("no", 1, 1, 0, 2, {1, 5, true, false});       /* only the half-filled copy is here */
        STARTS("degraded", 0, 1, 0, 2, {0, 9, false, false}, {1, 5, false, false});
}

static void parity(void **state _unused_)
{
        STARTS("whole", 0, 5, 2, 3, {0, 9, false, true}, {1, 9, false, true}, {2, 8, false, true});
        STARTS("degraded", 0, 5, 2, 3, {0, 9, false, false}, {2, 9, false, false});
        STARTS("force", 0, 5, 2, 3, {0, 9, false, true}, {2, 9, false, true});
        STARTS("force", 0, 5, 2, 3, {0, 9, false, true}, {2, 9, false, true}, {1, 9, true, true}); /* while it was rebuilt */
        STARTS("no", 1, 5, 2, 3, {0, 9, false, false});
        STARTS("no", 1, 5, 2, 3, {0, 9, false, false}, {1, 4, false, false}); /* thrown out long before */
        STARTS("no", 1, 5, 2, 3, {0, 9, false, false}, {0, 9, false, false}); /* a copy of the same disk */
        STARTS("force", 0, 6, 2, 4, {0, 9, false, true}, {1, 9, false, true}, {2, 9, false, true});
        STARTS("degraded", 0, 6, 2, 4, {0, 9, false, false}, {3, 9, false, false});
        STARTS("no", 1, 6, 2, 4, {3, 9, false, false});
}

static void stripes(void **state _unused_)
{
        STARTS("no", 1, 0, 0, 2, {0, 9, false, false});
        STARTS("degraded", 0, 10, 0x102, 4, {0, 9, false, true}, {3, 9, false, true}); /* one of each pair */
        STARTS("no", 1, 10, 0x102, 4, {0, 9, false, false}, {1, 9, false, false});     /* both of one pair */
        STARTS("no", 4, 10, 0, 4, {0, 9, false, false});                               /* a layout that makes no sense */
}

static void nothing(void **state _unused_)
{
        unsigned lacks = 0;

        assert_string_equal(start_name(start_of(&(struct supers){0}, &lacks)), "no");
        STARTS("no", 1, 5, 2, 0, {0, 9, false, false});
        STARTS("no", 2, 5, 2, 3, {PLACE_NONE, 9, false, false}); /* a spare alone */
}

int main(void)
{
        const struct CMUnitTest tests[] = {cmocka_unit_test(mirrors), cmocka_unit_test(parity), cmocka_unit_test(stripes),
                                           cmocka_unit_test(nothing)};

        return cmocka_run_group_tests(tests, NULL, NULL);
}

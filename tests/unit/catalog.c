/* Catalogues of translations: the answers of msgfmt's files, and what is no such file. */
#include "wizard/catalog.h"

#include <byteswap.h>
#include <errno.h>
#include <setjmp.h>
#include <unistd.h>
#include <cmocka.h>

/* Three messages, sorted: "", "%u disk" with its form for many, "leave". */
static const char ids[] = "\0%u disk\0%u disks\0leave", texts[] = "head\0%u Platte\0%u Platten\0beenden";
static const uint32_t id_at[3][2] = {{0, 0}, {16, 1}, {5, 18}}, text_at[3][2] = {{4, 0}, {20, 5}, {7, 26}};

static uint32_t order(uint32_t v, bool swap)
{
        return swap ? bswap_32(v) : v;
}

#define FILE_SIZE (19 * 4 + sizeof ids + sizeof texts)

static void write_catalog(const char *path, bool swap, size_t cut)
{
        uint32_t head[19] = {0x950412de, 0, 3, 28, 52, 0, 0}, strings = 76;
        FILE *f = fopen(path, "we");
        char all[200];

        for (size_t i = 0; i < 3; i++) {
                head[7 + 2 * i] = id_at[i][0];
                head[8 + 2 * i] = id_at[i][1] + strings;
                head[13 + 2 * i] = text_at[i][0];
                head[14 + 2 * i] = text_at[i][1] + strings + (uint32_t)sizeof ids;
        }
        for (size_t i = 0; i < 19; i++)
                head[i] = order(head[i], swap);
        memcpy(all, head, sizeof head);
        memcpy(all + sizeof head, ids, sizeof ids);
        memcpy(all + sizeof head + sizeof ids, texts, sizeof texts);
        assert_non_null(f);
        fwrite(all, 1, FILE_SIZE - cut, f);
        fclose(f);
}

static void check_words(const struct catalog *c)
{
        assert_string_equal(catalog_find(c, "leave", false), "beenden");
        assert_string_equal(catalog_find(c, "leave", true), "beenden");
        assert_string_equal(catalog_find(c, "%u disk", false), "%u Platte");
        assert_string_equal(catalog_find(c, "%u disk", true), "%u Platten");
        assert_null(catalog_find(c, "stay", false));
        assert_null(catalog_find(c, "a", false));
        assert_null(catalog_find(c, "z", false));
}

static void both_byte_orders(void **state _unused_)
{
        char path[] = "/tmp/nas-catalog-XXXXXX";
        struct catalog c;

        close(mkstemp(path));
        for (int swap = 0; swap < 2; swap++) {
                write_catalog(path, swap, 0);
                assert_int_equal(catalog_read(path, &c), 0);
                check_words(&c);
                catalog_free(&c);
        }
        unlink(path);
}

static void cut_off_anywhere(void **state _unused_)
{
        char path[] = "/tmp/nas-catalog-XXXXXX";
        struct catalog c;

        close(mkstemp(path));
        for (size_t cut = 1; cut <= FILE_SIZE; cut++) {
                write_catalog(path, false, cut);
                assert_int_equal(catalog_read(path, &c), -EBADMSG);
        }
        unlink(path);
        assert_int_equal(catalog_read(path, &c), -ENOENT);
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(both_byte_orders),
                cmocka_unit_test(cut_off_anywhere),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}

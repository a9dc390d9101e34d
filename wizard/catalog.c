#include "wizard/catalog.h"

#include <byteswap.h>
#include <errno.h>

#define MAGIC 0x950412deU
#define HEADER 28
#define SIZE_LIMIT (4 * MIB)

static uint32_t word(const struct catalog *c, size_t at)
{
        uint32_t v;

        memcpy(&v, c->data + at, sizeof v);
        return c->swapped ? bswap_32(v) : v;
}

/* Each table holds, for each string, its length and where it lies. */
static const char *string(const struct catalog *c, uint32_t table, uint32_t i, uint32_t *ret_len)
{
        *ret_len = word(c, table + 8 * (size_t)i);
        return c->data + word(c, table + 8 * (size_t)i + 4);
}

static bool is_sound_table(const struct catalog *c, uint32_t table)
{
        if ((uint64_t)table + 8 * (uint64_t)c->n > c->size)
                return false;
        for (uint32_t i = 0; i < c->n; i++) {
                uint64_t len = word(c, table + 8 * (size_t)i), at = word(c, table + 8 * (size_t)i + 4);
                if (at + len >= c->size || c->data[at + len])
                        return false;
        }
        return true;
}

static bool is_sound(struct catalog *c)
{
        if (c->size < HEADER)
                return false;
        c->swapped = word(c, 0) == bswap_32(MAGIC);
        if (word(c, 0) != MAGIC)
                return false;
        c->n = word(c, 8);
        c->ids = word(c, 12);
        c->texts = word(c, 16);
        return is_sound_table(c, c->ids) && is_sound_table(c, c->texts);
}

int catalog_read(const char *path, struct catalog *ret)
{
        _cleanup_fclose_ FILE *f = fopen(path, "re");
        struct buf b = {0};
        char part[4096];
        size_t n;

        if (!f)
                return -errno;
        while (b.len < SIZE_LIMIT && (n = fread(part, 1, sizeof part, f)) > 0)
                buf_add(&b, part, n);
        struct catalog c = {.data = b.buf, .size = (uint32_t)b.len};
        if (ferror(f) || !is_sound(&c)) {
                buf_free(&b);
                return ferror(f) ? -EIO : -EBADMSG;
        }
        *ret = c;
        return 0;
}

/* The ids are sorted; that of a message with two forms is both of them, with a NUL between. */
const char *catalog_find(const struct catalog *c, const char *id, bool many)
{
        uint32_t low = 0, high = c->n, len;

        while (low < high) {
                uint32_t i = low + (high - low) / 2;
                int order = strcmp(id, string(c, c->ids, i, &len));
                if (order < 0) {
                        high = i;
                } else if (order > 0) {
                        low = i + 1;
                } else {
                        const char *text = string(c, c->texts, i, &len);
                        size_t one = strlen(text);
                        return many && one < len ? text + one + 1 : text;
                }
        }
        return NULL;
}

void catalog_free(struct catalog *c)
{
        free(c->data);
        *c = (struct catalog){0};
}

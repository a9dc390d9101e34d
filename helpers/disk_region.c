#include "helpers/disk_region.h"

#include "helpers/lib/file.h"

bool region_get(const struct region *r, void *p, size_t n, uint64_t at)
{
        return at <= r->size && n <= r->size - at && read_fully(r->fd, p, n, r->start + at) == 0;
}

char *uuid_text(const uint8_t *p)
{
        struct buf b = {0};

        for (size_t i = 0; i < 16; i++)
                buf_printf(&b, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", p[i]);
        return b.buf;
}

char *uuid_word(const char *uuid)
{
        static const char signs[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.:";
        struct buf b = {0};

        if (!uuid || !uuid[strspn(uuid, signs)])
                return xstrdup(uuid);
        for (; *uuid; uuid++)
                buf_printf(&b, "%02x", (unsigned char)*uuid);
        return b.buf;
}

char *lvm_uuid_text(const char *p)
{
        static const unsigned parts[] = {6, 4, 4, 4, 4, 4, 6};
        struct buf b = {0};

        for (size_t i = 0; i < ELEMENTSOF(parts); p += parts[i++]) {
                buf_puts(&b, i ? "-" : "");
                buf_add(&b, p, parts[i]);
        }
        return b.buf;
}

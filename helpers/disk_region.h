/* A stretch of a disk or image that something lies in, and reading numbers from it. */
#pragma once

#include "helpers/lib/util.h"

struct region {
        int fd;
        uint64_t start, size; /* bytes */
};

/* Numbers of a superblock, whatever their alignment. */
static inline uint16_t get_le16(const uint8_t *p)
{
        return (uint16_t)(p[0] | p[1] << 8);
}
static inline uint32_t get_le32(const uint8_t *p)
{
        return get_le16(p) | (uint32_t)get_le16(p + 2) << 16;
}
static inline uint64_t get_le64(const uint8_t *p)
{
        return get_le32(p) | (uint64_t)get_le32(p + 4) << 32;
}
static inline uint32_t get_be32(const uint8_t *p)
{
        return __builtin_bswap32(get_le32(p));
}
static inline uint64_t get_be64(const uint8_t *p)
{
        return (uint64_t)get_be32(p) << 32 | get_be32(p + 4);
}
/* n bytes at byte at; false where they are not all in the region or cannot be read. */
bool region_get(const struct region *r, void *p, size_t n, uint64_t at);
/* 16 bytes as 8-4-4-4-12. */
char *uuid_text(const uint8_t *p) _must_check_;
/* A UUID as others print it; in hexadecimal digits where it has other signs than letters, digits and -_.: (DDF's are bytes
 * of any kind), so that it is a word everywhere. NULL for NULL. */
char *uuid_word(const char *uuid) _must_check_;
/* 32 letters as 6-4-4-4-4-4-6, as LVM writes them. */
char *lvm_uuid_text(const char *p) _must_check_;

/* A catalogue of translations as msgfmt writes it ("The Format of GNU MO Files" in the manual of GNU gettext). libc reads them
 * itself wherever the locale is any but "C" and (since glibc 2.38) "C.UTF-8"; a small Debian has no other, and its user can
 * read German all the same. */
#pragma once

#include "helpers/lib/util.h"

struct catalog {
        char *data;
        uint32_t size, n, ids, texts; /* bytes; how many; where the two tables begin */
        bool swapped;                 /* written in the other byte order */
};

/* -EBADMSG where it is none or a string of it lies outside; else what open and read gave. */
int catalog_read(const char *path, struct catalog *ret);
/* The translation of a message, or its form for many; NULL where there is none. Lives as long as the catalogue. */
const char *catalog_find(const struct catalog *c, const char *id, bool many);
void catalog_free(struct catalog *c);

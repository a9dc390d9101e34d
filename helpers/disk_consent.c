#include "helpers/disk_consent.h"

#include "helpers/lib/file.h"

#define SECTOR UINT64_C(512) /* what a power cut leaves whole at least; no magic lies across two */

struct place {
        int fd;
        uint64_t from, to; /* of the disk that counts */
};

/* The offset of TYPE@OFFSET[:WORD]; UINT64_MAX where it has none. */
static uint64_t offset_of(const char *token)
{
        const char *at = strchr(token, '@');
        _cleanup_free_ char *digits = at ? xstrndup(at + 1, strcspn(at + 1, ":")) : NULL;
        uint64_t offset;

        return digits && parse_u64(digits, &offset) == 0 ? offset : UINT64_MAX;
}

/* With a digest or, of what could not be read, without. */
static bool is_nameless(const char *token)
{
        return has_prefix(token, "unknown@");
}

static bool is_used(const char *token)
{
        return has_prefix(token, "used@");
}

static bool is_sector_zero(const struct place *p, uint64_t offset)
{
        char sector[SECTOR];

        if (offset < p->from || offset >= p->to)
                return offset != UINT64_MAX;
        return read_fully(p->fd, sector, SECTOR, offset & ~(SECTOR - 1)) == 0 && is_zero(sector, SECTOR);
}

/* --- signatures --- */

#define ZFS_LABEL (UINT64_C(256) * KIB)

/* ZFS writes its uberblocks around in a ring; a torn label may have lost its UUID and the newest of them. */
static bool is_same_pool(const char *now, const char *agreed)
{
        const char *uuid = strchr(now, ':');
        uint64_t a = offset_of(now), b = offset_of(agreed);

        return uuid ? streq(uuid, agreed + strcspn(agreed, ":")) : MAX2(a, b) - MIN2(a, b) < ZFS_LABEL;
}

/* The same thing at the same place; a torn one may have lost its UUID. */
static bool is_same(const char *now, const char *agreed)
{
        size_t n = strcspn(now, ":");

        if (streq(now, agreed))
                return true;
        if (has_prefix(now, "zfs_member@") && has_prefix(agreed, "zfs_member@"))
                return is_same_pool(now, agreed);
        return !now[n] && strncmp(now, agreed, n) == 0 && agreed[n] == ':';
}

static bool is_agreed(const char *now, char *const *agreed)
{
        STRV_FOREACH(a, agreed)
                if (is_same(now, *a))
                        return true;
        return false;
}

/* How much was used where something still is. */
static void lacks_used(char *const *now, char *const *agreed, char ***ret)
{
        STRV_FOREACH(a, agreed) {
                const char *is = NULL;
                bool is_there = false;
                if (!is_used(*a))
                        continue;
                STRV_FOREACH(t, now)
                        if (offset_of(*t) == offset_of(*a)) {
                                is_there = true;
                                is = is_used(*t) ? *t : is;
                        }
                if (is_there && !streq_null(is, *a))
                        strv_take(ret, is ? xstrdup(is) : xasprintf("used@%llu", (unsigned long long)offset_of(*a)));
        }
}

/* --- bytes without a name --- */

static bool is_signature(const char *token)
{
        return !is_nameless(token) && !is_used(token);
}

static bool is_remains(const struct nameless *b, char *const *agreed, const struct place *p)
{
        bool any = false;

        STRV_FOREACH(a, agreed) {
                uint64_t at = offset_of(*a);
                if (is_nameless(*a) && strchr(*a, ':') && at >= b->from && at < b->at && is_sector_zero(p, at))
                        return true;
                if (is_signature(*a) && !is_sector_zero(p, at))
                        return false;
                any |= is_signature(*a);
        }
        return any;
}

char **consent_lacks(const struct contents *now, char *const *agreed, int fd, uint64_t from, uint64_t to)
{
        const struct place place = {fd, from, to};
        _cleanup_strv_ char **tokens = contents_tokens(now, true);
        char **lacks = NULL;

        STRV_FOREACH(t, tokens)
                if (is_signature(*t) && !is_agreed(*t, agreed))
                        strv_add(&lacks, *t);
        lacks_used(tokens, agreed, &lacks);
        for (size_t i = 0; i < now->n_nameless; i++) {
                _cleanup_free_ char *t = nameless_token(&now->nameless[i]);
                if (!strv_has(agreed, t) && !is_remains(&now->nameless[i], agreed, &place))
                        strv_add(&lacks, t);
        }
        return lacks;
}

#include <ctype.h>

#include "helpers/disk_member.h"

#define SECTOR 512
#define AREAS_MAX 16 /* locations in a header of one sector's length */
#define TEXT_MAX (UINT64_C(4) * MIB)
#define NAME_LEN 128 /* LVM's own limit, also for the UUIDs, of 38 */

/* --- the text: name { key = value … section { … } } --- */

struct word {
        const char *p;
        size_t n;
};

/* The next word, string (without its quotes) or sign of the text; n is 0 at its end. Comments are passed over. */
static struct word next_word(const char **text, const char *end)
{
        const char *p = *text;

        for (;;) {
                while (p < end && (isspace((unsigned char)*p) || *p == ','))
                        p++;
                if (p == end || *p != '#')
                        break;
                while (p < end && *p != '\n')
                        p++;
        }
        const char *from = p;
        if (p < end && *p == '"') {
                from = ++p;
                while (p < end && *p != '"')
                        p += *p == '\\' && p + 1 < end ? 2 : 1;
                *text = p < end ? p + 1 : end;
                return (struct word){from, (size_t)(p - from)};
        }
        if (p < end && strchr("{}[]=", *p))
                p++;
        else
                while (p < end && !isspace((unsigned char)*p) && !strchr("{}[]=,#\"", *p))
                        p++;
        *text = p;
        return (struct word){from, (size_t)(p - from)};
}

static bool is_word(struct word w, const char *s)
{
        return w.n == strlen(s) && memcmp(w.p, s, w.n) == 0;
}

/* One that is too long to be true is cut: it is told to others, who want a line and not megabytes. */
static char *text_of(struct word w)
{
        return xstrndup(w.p, MIN2(w.n, NAME_LEN - 1));
}

static uint64_t number_of(struct word w)
{
        _cleanup_free_ char *s = text_of(w);
        uint64_t n = 0;

        return parse_u64(s, &n) < 0 ? 0 : n;
}

/* Where the reader is in the text, and what it has gathered. */
struct vg_reader {
        struct member *m;
        unsigned depth;
        bool in_volumes; /* the section physical_volumes */
        uint64_t extent, extents;
};

static void take_pair(struct vg_reader *v, struct word key, struct word value)
{
        if (v->depth == 1 && is_word(key, "id") && !v->m->set)
                v->m->set = text_of(value);
        else if (v->depth == 1 && is_word(key, "seqno"))
                v->m->events = number_of(value);
        else if (v->depth == 1 && is_word(key, "extent_size"))
                v->extent = number_of(value);
        else if (v->in_volumes && v->depth == 3 && is_word(key, "id"))
                v->m->devices++, strv_take(&v->m->all, text_of(value));
        else if (v->in_volumes && v->depth == 3 && is_word(key, "pe_count"))
                v->extents += MIN2(number_of(value), UINT32_MAX);
        else if (is_word(key, "type") && value.n >= 4 &&
                 (memcmp(value.p, "raid", 4) == 0 || memcmp(value.p, "mirr", 4) == 0))
                v->m->is_mixed = true;
}

static void enter_section(struct vg_reader *v, struct word name)
{
        if (v->depth == 0 && !v->m->name)
                v->m->name = text_of(name);
        if (v->depth == 1)
                v->in_volumes = is_word(name, "physical_volumes");
        v->depth++;
}

#define DEVICES_MAX 1024

static bool read_vg(const char *text, size_t len, struct member *m)
{
        struct vg_reader v = {.m = m};
        const char *end = text + len;
        struct word before = {text, 0};

        for (struct word w; (w = next_word(&text, end)).n > 0 && m->devices < DEVICES_MAX; before = w) {
                if (is_word(w, "{")) {
                        enter_section(&v, before);
                } else if (is_word(w, "}")) {
                        if (v.depth <= 1)
                                break; /* what follows describes the backup */
                        v.depth--;
                } else if (is_word(w, "=")) {
                        w = next_word(&text, end);
                        take_pair(&v, before, w);
                }
        }
        if (v.extents > 0 && v.extent <= UINT64_MAX / SECTOR / v.extents)
                m->size = v.extent * v.extents * SECTOR;
        return m->set && m->name;
}

/* --- where the text lies --- */

/* The text of one metadata area; it is a ring that begins behind the area's header. */
static char *read_text_of(const struct region *r, uint64_t area, size_t *ret_len)
{
        uint8_t h[SECTOR];

        if (!region_get(r, h, sizeof h, area) || memcmp(h + 4, " LVM2 x[5A%r0N*>", 16) != 0)
                return NULL;
        uint64_t size = get_le64(h + 32), at = get_le64(h + 40), len = get_le64(h + 48);
        if (len == 0 || len > TEXT_MAX || size <= SECTOR || size > r->size || at < SECTOR || at >= size || len > size - SECTOR)
                return NULL;
        size_t first = MIN2(len, size - at);
        _cleanup_free_ char *text = xmalloc(len + 1);
        if (!region_get(r, text, first, area + at) || !region_get(r, text + first, len - first, area + SECTOR))
                return NULL;
        *ret_len = len;
        return TAKE_PTR(text);
}

/* Pairs of offset and size, ended by a pair of zeros. */
static size_t skip_areas(const uint8_t *h, size_t at)
{
        for (unsigned i = 0; i < AREAS_MAX && at + 16 <= SECTOR && get_le64(h + at); i++)
                at += 16;
        return at + 16;
}

/* The label's sector: header, then at its offset the physical volume's header. */
bool lvm_member_look(const struct region *r, uint64_t magic, struct member *m)
{
        uint8_t h[SECTOR];
        uint64_t label = magic & ~(uint64_t)(SECTOR - 1); /* the magic is the "LVM2 001" inside the label */

        if (!region_get(r, h, sizeof h, label) || memcmp(h, "LABELONE", 8) != 0)
                return false;
        size_t at = get_le32(h + 20);
        if (at < 32 || at > SECTOR - 40 || memchr(h + at, 0, 32))
                return false;
        m->self = lvm_uuid_text((const char *)h + at);
        m->margin = UINT64_MAX; /* an older text is brought up to date by LVM as long as the newest lists the volume */
        at = skip_areas(h, at + 40);
        for (unsigned i = 0; i < AREAS_MAX && at + 16 <= SECTOR && get_le64(h + at); i++, at += 16) {
                size_t len;
                _cleanup_free_ char *text = read_text_of(r, get_le64(h + at), &len);
                if (text && read_vg(text, len, m))
                        return true;
        }
        return true; /* of no group, or of one that only the other members tell */
}

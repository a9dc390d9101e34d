#include "helpers/disk_gpt.h"

#include <endian.h>
#include <errno.h>
#include <unistd.h>

#include "helpers/lib/file.h"

#define ENTRIES 128
#define ENTRY_SIZE 128
#define ENTRIES_SIZE (ENTRIES * ENTRY_SIZE)
#define HEADER_SIZE 92
#define SIGNATURE "EFI PART"

struct header {
        char signature[8];
        uint32_t revision, size, crc, reserved;
        uint64_t my_lba, other_lba, first_usable, last_usable;
        uint8_t guid[16];
        uint64_t entries_lba;
        uint32_t n_entries, entry_size, entries_crc;
} __attribute__((packed));

struct entry {
        uint8_t type[16], guid[16];
        uint64_t first, last, attributes;
        uint16_t name[GPT_NAME_MAX];
} __attribute__((packed));

_Static_assert(sizeof(struct header) == HEADER_SIZE, "UEFI 5.3.2");
_Static_assert(sizeof(struct entry) == ENTRY_SIZE, "UEFI 5.3.3");

uint64_t gpt_tail_size(unsigned sector)
{
        return ENTRIES_SIZE + sector;
}

uint64_t gpt_head_size(unsigned sector)
{
        return gpt_tail_size(sector) + sector;
}

/* CRC-32 of ISO 3309, as UEFI wants it; tables are for those who have megabytes to sum. */
static uint32_t crc32(const void *p, size_t n)
{
        const uint8_t *b = p;
        uint32_t crc = ~UINT32_C(0);

        while (n--) {
                crc ^= *b++;
                for (int i = 0; i < 8; i++)
                        crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
        }
        return ~crc;
}

/* The first three groups of a GUID are little-endian on disk (UEFI appendix A). */
static void put_guid(uint8_t out[16], const char *text)
{
        static const uint8_t order[16] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
        unsigned byte;

        for (size_t i = 0; i < 16; i++) {
                while (*text == '-')
                        text++;
                if (sscanf(text, "%2x", &byte) != 1)
                        byte = 0;
                out[order[i]] = (uint8_t)byte;
                text += 2;
        }
}

/* --- both copies as they shall be --- */

struct image {
        uint8_t *head, *tail;
        size_t head_size, tail_size;
};

static void image_free(struct image *im)
{
        free(im->head);
        free(im->tail);
}

static void put_pmbr(uint8_t *sector, uint64_t sectors)
{
        uint8_t *p = sector + 446;
        uint32_t n = (uint32_t)MIN2(sectors - 1, UINT64_C(0xffffffff));

        p[2] = 2;    /* CHS 0/0/2 */
        p[4] = 0xee; /* GPT protective */
        memset(p + 5, 0xff, 3);
        p[8] = 1;
        n = htole32(n);
        memcpy(p + 12, &n, sizeof n);
        sector[510] = 0x55;
        sector[511] = 0xaa;
}

static void put_entry(uint8_t *entries, const struct gpt_want *w)
{
        struct entry e = {.first = htole64(w->start / w->sector), .last = htole64(w->end / w->sector - 1)};

        put_guid(e.type, GPT_TYPE_RAID);
        put_guid(e.guid, w->part_guid);
        for (size_t i = 0; w->name[i] && i < GPT_NAME_MAX; i++)
                e.name[i] = htole16((uint16_t)(unsigned char)w->name[i]);
        memcpy(entries, &e, sizeof e);
}

static void put_header(uint8_t *sector, const struct gpt_want *w, const uint8_t *entries, bool at_end)
{
        uint64_t n = w->size / w->sector, used = gpt_tail_size(w->sector) / w->sector;
        struct header h = {.revision = htole32(0x10000),
                           .size = htole32(HEADER_SIZE),
                           .my_lba = htole64(at_end ? n - 1 : 1),
                           .other_lba = htole64(at_end ? 1 : n - 1),
                           .first_usable = htole64(used + 1),
                           .last_usable = htole64(n - used - 1),
                           .entries_lba = htole64(at_end ? n - used : 2),
                           .n_entries = htole32(ENTRIES),
                           .entry_size = htole32(ENTRY_SIZE),
                           .entries_crc = htole32(crc32(entries, ENTRIES_SIZE))};

        memcpy(h.signature, SIGNATURE, sizeof h.signature);
        put_guid(h.guid, w->disk_guid);
        h.crc = htole32(crc32(&h, HEADER_SIZE));
        memcpy(sector, &h, sizeof h);
}

static struct image make_image(const struct gpt_want *w)
{
        struct image im = {.head_size = gpt_head_size(w->sector), .tail_size = gpt_tail_size(w->sector)};
        uint8_t *entries;

        im.head = xmalloc(im.head_size);
        im.tail = xmalloc(im.tail_size);
        entries = im.head + 2 * w->sector;
        put_entry(entries, w);
        put_pmbr(im.head, w->size / w->sector);
        put_header(im.head + w->sector, w, entries, false);
        memcpy(im.tail, entries, ENTRIES_SIZE);
        put_header(im.tail + ENTRIES_SIZE, w, entries, true);
        return im;
}

/* --- what is there --- */

/* Whether every sector is zero or as wanted; *any is set where one is as wanted and not zero. */
static bool is_torn(const uint8_t *is, const uint8_t *want, size_t size, unsigned sector, bool *any)
{
        for (size_t at = 0; at < size; at += sector) {
                if (is_zero(is + at, sector))
                        continue;
                if (memcmp(is + at, want + at, sector) != 0)
                        return false;
                *any = true;
        }
        return true;
}

static bool has_sound_header(const uint8_t *sector, const struct header *want)
{
        struct header h;

        memcpy(&h, sector, sizeof h);
        uint32_t crc = le32toh(h.crc);
        h.crc = 0;
        /* Other tools may write other revisions of what is the same table, but not with other places or sizes. */
        return memcmp(h.signature, SIGNATURE, sizeof h.signature) == 0 && le32toh(h.size) == HEADER_SIZE &&
               crc == crc32(&h, HEADER_SIZE) && h.my_lba == want->my_lba && h.other_lba == want->other_lba &&
               h.entries_lba == want->entries_lba && h.n_entries == want->n_entries &&
               h.entry_size == want->entry_size && memcmp(h.guid, want->guid, sizeof h.guid) == 0;
}

static bool has_wanted_entries(const uint8_t *entries, const uint8_t *sector, const struct entry *want)
{
        struct header h;
        struct entry e;

        memcpy(&h, sector, sizeof h);
        memcpy(&e, entries, sizeof e);
        return le32toh(h.entries_crc) == crc32(entries, ENTRIES_SIZE) &&
               is_zero(entries + ENTRY_SIZE, ENTRIES_SIZE - ENTRY_SIZE) &&
               memcmp(e.type, want->type, sizeof e.type) == 0 && memcmp(e.guid, want->guid, sizeof e.guid) == 0 &&
               e.first == want->first && e.last == want->last;
}

static bool has_pmbr(const uint8_t *sector)
{
        if (sector[510] != 0x55 || sector[511] != 0xaa)
                return false;
        for (int i = 0; i < 4; i++)
                if (sector[446 + 16 * i + 4] == 0xee)
                        return true;
        return false;
}

static bool is_wanted(const uint8_t *head, const uint8_t *tail, const struct image *im, unsigned sector)
{
        struct header first, last;
        struct entry e;

        memcpy(&first, im->head + sector, sizeof first);
        memcpy(&last, im->tail + ENTRIES_SIZE, sizeof last);
        memcpy(&e, im->tail, sizeof e);
        return has_pmbr(head) && has_sound_header(head + sector, &first) &&
               has_sound_header(tail + ENTRIES_SIZE, &last) &&
               has_wanted_entries(head + 2 * sector, head + sector, &e) &&
               has_wanted_entries(tail, tail + ENTRIES_SIZE, &e);
}

int gpt_look(int fd, const struct gpt_want *w, enum gpt_state *ret)
{
        _cleanup_(image_free) struct image im = make_image(w);
        _cleanup_free_ uint8_t *head = xmalloc(im.head_size), *tail = xmalloc(im.tail_size);
        bool any = false;
        int r = read_fully(fd, head, im.head_size, 0);

        if (r == 0)
                r = read_fully(fd, tail, im.tail_size, w->size - im.tail_size);
        if (r < 0)
                return r;
        if (is_wanted(head, tail, &im, w->sector))
                *ret = GPT_WANTED;
        else if (is_torn(head, im.head, im.head_size, w->sector, &any) &&
                 is_torn(tail, im.tail, im.tail_size, w->sector, &any) && any)
                *ret = GPT_TORN;
        else
                *ret = GPT_OTHER;
        return 0;
}

int gpt_write(int fd, const struct gpt_want *w)
{
        _cleanup_(image_free) struct image im = make_image(w);
        int r = write_fully(fd, im.tail, im.tail_size, w->size - im.tail_size);

        if (r == 0 && fsync(fd) < 0)
                r = -errno;
        if (r == 0)
                r = write_fully(fd, im.head, im.head_size, 0);
        return r == 0 && fsync(fd) < 0 ? -errno : r;
}

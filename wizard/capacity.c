#include "wizard/capacity.h"

#include <errno.h>

#include "wizard/i18n.h"

#define SECTOR UINT64_C(512)
#define RESERVE_MAX (2 * GIB)
#define CHUNK_LEAST (4 * KIB)
#define CHUNK_MOST (8 * MIB)

const struct level levels[] = {
        {"raid5", N_("Parity"), "RAID 5", N_("fast"), N_("medium"), 5, 3, 3, true, true},
        {"raid1", N_("Mirror"), "RAID 1", N_("fast"), N_("one disk"), 1, 1, 1, false, true},
        {"raid0", N_("Stripe"), "RAID 0", N_("fastest"), N_("fastest"), 0, 2, 2, true, false},
        {"raid6", N_("Double parity"), "RAID 6", N_("fast"), N_("slower"), 6, 4, 4, true, true},
        {"raid10", N_("Mirrored stripe"), "RAID 10", N_("fast"), N_("fast"), 10, 4, 2, true, true},
        {0},
};

const struct level *level_find(const char *name)
{
        for (const struct level *l = levels; l->name; l++)
                if (streq(l->name, name))
                        return l;
        return NULL;
}

unsigned level_survives(const struct level *l, unsigned n)
{
        switch (l->number) {
        case 0:
                return 0;
        case 1:
                return n - 1;
        case 6:
                return 2;
        default:
                return 1;
        }
}

bool level_has_parity(const struct level *l)
{
        return l->number >= 4 && l->number <= 6;
}

const struct level *level_advised(unsigned n, bool any_usb)
{
        if (n == 0)
                return NULL;
        if (n <= 2)
                return level_find("raid1");
        if (any_usb)
                return level_find(n >= 4 ? "raid10" : "raid1");
        return level_find(n == 3 ? "raid5" : "raid6");
}

void member_range(uint64_t disk_size, uint64_t *ret_start, uint64_t *ret_end)
{
        uint64_t reserve = MIN2(RESERVE_MAX, disk_size / 100);

        *ret_start = MIB;
        *ret_end = (disk_size - reserve) / MIB * MIB;
}

static uint64_t round_up(uint64_t n, uint64_t to)
{
        return (n + to - 1) / to * to;
}

/* Room for the bitmap, and the headroom that later reshapes need; all in sectors of 512 bytes, d is the size of a
 * member. mdadm goes by the first one it is told; we by the largest, and say so with --data-offset. */
static uint64_t data_offset(const struct level *l, uint64_t chunk, uint64_t d)
{
        uint64_t bitmap = d - 128 >= 200 * GIB / SECTOR ? 256 : d - 8 > 8 * GIB / SECTOR ? 128 : 8;
        uint64_t headroom = 262144;

        while (headroom * 1024 > d && (l->number == 1 || headroom > 2 * chunk))
                headroom /= 2;
        return round_up(24 + bitmap + headroom, 2048);
}

static uint64_t array_size(const struct level *l, uint64_t chunk, const uint64_t *used, unsigned n, uint64_t least)
{
        uint64_t sum = 0;

        switch (l->number) {
        case 0:
                for (unsigned i = 0; i < n; i++)
                        sum += used[i] / chunk * chunk;
                return sum;
        case 1:
                return least;
        case 10:
                return least / chunk * n / 2 * chunk;
        default:
                return least * (n - level_survives(l, n));
        }
}

int capacity_of(const struct level *l, uint64_t chunk, const uint64_t *disks, unsigned n, unsigned spares,
                struct capacity *ret)
{
        uint64_t least = UINT64_MAX, start, end, largest = 0, wasted = 0;

        if (l->chunked && (chunk < CHUNK_LEAST || chunk > CHUNK_MOST || (chunk & (chunk - 1))))
                return -EINVAL;
        if (spares >= n || n - spares < l->fewest)
                return -EINVAL;
        for (unsigned i = 0; i < n; i++) {
                member_range(disks[i], &start, &end);
                largest = MAX2(largest, (end - start) / SECTOR);
        }
        chunk = l->chunked ? chunk / SECTOR : 128; /* a mirror's size is rounded down to 64 KiB */

        uint64_t offset = data_offset(l, l->chunked ? chunk : 0, largest);
        _cleanup_free_ uint64_t *used = xreallocarray(NULL, n, sizeof *used);
        /* mdadm makes the members no larger than the smallest spare either. */
        for (unsigned i = 0; i < n; i++) {
                member_range(disks[i], &start, &end);
                uint64_t size = (end - start) / SECTOR;
                if (size <= offset + chunk)
                        return -EINVAL;
                used[i] = (size - offset) / chunk * chunk;
                least = MIN2(least, used[i]);
        }
        for (unsigned i = 0; i < n; i++)
                wasted += l->number == 0 ? 0 : used[i] - least;
        *ret = (struct capacity){
                .offset = offset * SECTOR,
                .used = least * SECTOR,
                .array = array_size(l, chunk, used, n - spares, least) * SECTOR,
                .wasted = wasted * SECTOR,
        };
        return 0;
}

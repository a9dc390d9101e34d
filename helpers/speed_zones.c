#include "helpers/speed_zones.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "helpers/lib/helper.h"

#define SPAN (4 * GIB)   /* of a zone: more than any run gets through */
#define LEAST_MS 70      /* of a slice: less is hardly a revolution and a block */
#define MOST_MS 1500
#define SLOW_PERCENT 70

static const struct {
        const char *word;
        bool seeks, only_rotating;
} zones[ZONES] = {
    [ZONE_OUTER] = {"disk-outer", false, false},    [ZONE_MIDDLE] = {"disk-middle", false, true},
    [ZONE_INNER] = {"disk-inner", false, true},     [ZONE_SEEK] = {"disk-seek", true, false},
    [ZONE_TOGETHER] = {"disk-together", false, false},
};

const char *zone_word(enum zone z)
{
        return zones[z].word;
}

static bool has_zone(const struct speed_disk *d, enum zone z)
{
        return d->rotates || !zones[z].only_rotating;
}

/* What was read once is in the disk's own memory: each slice goes on where the one before ended, and the last one, of all
 * together, reads what lies behind the outer zone. */
static struct slice slice_of(struct zones *z, enum zone zone, uint64_t ms)
{
        uint64_t block = zones[zone].seeks ? SPEED_SEEK : SPEED_BLOCK, size = z->disk->size / block * block;
        uint64_t span = zones[zone].seeks ? size : MIN2(size / 8, SPAN) / block * block;
        uint64_t start = zone == ZONE_MIDDLE     ? size / 2 / SPEED_BLOCK * SPEED_BLOCK
                         : zone == ZONE_INNER    ? size - span
                         : zone == ZONE_TOGETHER ? span
                                                 : 0;
        uint64_t done = zones[zone].seeks || span == 0 ? 0 : z->rate[zone].bytes % span / block * block;

        /* A disk that rotates reads ahead by itself, and two at a time would make it seek; others wait for more. */
        return (struct slice){.fd = z->fd,
                              .seeks = zones[zone].seeks,
                              .block = block,
                              .depth = zones[zone].seeks || z->disk->rotates ? 1 : SPEED_DEPTH,
                              .start = start + done,
                              .length = span - done,
                              .ms = ms,
                              .what = zones[zone].word,
                              .rate = &z->rate[zone]};
}

/* Those of z[0 … n-1] that have the zone, at once. */
static void measure(struct zones *z, size_t n, enum zone zone, uint64_t ms)
{
        _cleanup_free_ struct slice *s = xmalloc((n + 1) * sizeof *s);
        size_t k = 0;

        for (size_t i = 0; i < n; i++)
                if (z[i].fd >= 0 && has_zone(z[i].disk, zone))
                        s[k++] = slice_of(&z[i], zone, ms);
        if (k == 0 || speed_cancelled)
                return;
        speed_measure(s, k);
        for (size_t i = 0, j = 0; i < n; i++)
                if (z[i].fd >= 0 && has_zone(z[i].disk, zone) && s[j++].error < 0)
                        z[i].error = s[j - 1].error;
}

static size_t slices_of(const struct speed_disks *d)
{
        size_t n = 0;

        for (size_t i = 0; i < d->n; i++)
                for (enum zone k = 0; k < ZONE_TOGETHER; k++)
                        n += has_zone(&d->v[i], k);
        return n;
}

bool zone_is_empty(const struct zones *z, enum zone zone)
{
        return z->disk->forgets && z->rate[zone].zero > z->rate[zone].bytes / 2;
}

uint64_t zone_rate(const struct zones *z, enum zone zone)
{
        return zone_is_empty(z, zone) ? 0 : rate_of(&z->rate[zone]);
}

static int by_size(const void *a, const void *b)
{
        uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

        return (x > y) - (x < y);
}

bool is_rate_slow(const uint64_t *rates, size_t n, size_t i, unsigned error, uint64_t *ret_median)
{
        _cleanup_free_ uint64_t *others = xmalloc((n + 1) * sizeof *others);
        size_t k = 0;

        for (size_t j = 0; j < n; j++)
                if (j != i && rates[j] > 0)
                        others[k++] = rates[j];
        if (k == 0 || rates[i] == 0)
                return false;
        qsort(others, k, sizeof *others, by_size);
        uint64_t median = (others[(k - 1) / 2] + others[k / 2]) / 2;
        if ((double)rates[i] * (100 + error) / 100 >= (double)median * SLOW_PERCENT / 100)
                return false;
        *ret_median = median;
        return true;
}

static void find_slow(struct zones *z, size_t n, uint64_t ms)
{
        _cleanup_free_ uint64_t *rates = xmalloc((n + 1) * sizeof *rates);
        uint64_t median;

        for (size_t i = 0; i < n; i++)
                rates[i] = zone_rate(&z[i], ZONE_OUTER);
        for (size_t i = 0; i < n && !speed_cancelled; i++) {
                if (!is_rate_slow(rates, n, i, 0, &median))
                        continue;
                measure(&z[i], 1, ZONE_OUTER, ms); /* somebody else may have read from it just then */
                rates[i] = zone_rate(&z[i], ZONE_OUTER);
                z[i].is_slow = is_rate_slow(rates, n, i, rate_error(&z[i].rate[ZONE_OUTER]), &z[i].median);
        }
}

static struct zones *open_all(const struct speed_disks *d)
{
        struct zones *z = xmalloc((d->n + 1) * sizeof *z);

        for (size_t i = 0; i < d->n; i++) {
                _cleanup_free_ char *name = path_join("/dev", d->v[i].name), *path = helper_path(name);
                z[i].disk = &d->v[i];
                z[i].fd = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC);
                z[i].error = z[i].fd < 0 ? -errno : 0;
        }
        return z;
}

void zones_measure(const struct speed_disks *d, uint64_t ms, unsigned rounds, struct zones **ret)
{
        struct zones *z = open_all(d);
        uint64_t alone = ms * 4 / 5, slices = MAX2(slices_of(d), (size_t)1);
        size_t at_once = 1;

        if (alone / (slices * rounds) < LEAST_MS)
                rounds = 1;
        while (alone * at_once / slices < LEAST_MS && at_once < d->n)
                at_once++;
        uint64_t each = MIN2(alone * at_once / (slices * rounds), MOST_MS);
        for (unsigned round = 0; round < rounds; round++)
                for (size_t i = 0; i < d->n; i += at_once)
                        for (enum zone k = 0; k < ZONE_TOGETHER; k++)
                                measure(z + i, MIN2(at_once, d->n - i), k, each);
        for (size_t i = 0; i < d->n; i++)
                z[i].is_beside = at_once > 1;
        find_slow(z, d->n, MAX2(each, (uint64_t)200));
        if (d->n > 1)
                measure(z, d->n, ZONE_TOGETHER, MIN2(ms / 5, MOST_MS));
        *ret = z;
}

void zones_free(struct zones *z, size_t n)
{
        for (size_t i = 0; z && i < n; i++)
                if (z[i].fd >= 0)
                        close(z[i].fd);
        free(z);
}

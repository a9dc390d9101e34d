#include "helpers/speed_measure.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "helpers/lib/helper.h"

#define TELL_MS 200
#define BATCHES 8         /* of a slice */
#define TIMES_MAX 100000  /* blocks of a slice whose ends are kept */

volatile sig_atomic_t speed_cancelled;
bool speed_shows;
static uint64_t begun_ms, total_ms, most_ms;

void speed_begin(uint64_t total, uint64_t most)
{
        begun_ms = now_ms();
        total_ms = total;
        most_ms = most;
}

uint64_t speed_left_ms(void)
{
        uint64_t used = now_ms() - begun_ms;

        return used < most_ms ? most_ms - used : 0;
}

void speed_progress(const char *what)
{
        uint64_t done = MIN2(now_ms() - begun_ms, total_ms);

        if (speed_shows)
                fprintf(stderr, "\r%3u %%  %-20s", (unsigned)(total_ms ? done * 100 / total_ms : 0), what);
        helper_progress(done, total_ms, what);
}

uint64_t speed_now_us(void)
{
        struct timespec t;

        clock_gettime(CLOCK_MONOTONIC, &t);
        return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

/* --- what a rate says --- */

uint64_t rate_of(const struct rate *r)
{
        return r->us ? (uint64_t)((double)r->bytes * 1e6 / (double)r->us) : 0;
}

static double mean_of(const double *v, size_t n)
{
        double sum = 0;

        for (size_t i = 0; i < n; i++)
                sum += v[i];
        return n ? sum / (double)n : 0;
}

/* Student's t for 95 %, by Fisher's expansion: within 1 % from 3 degrees of freedom on, 4.3 for 2. */
static double student(size_t freedom)
{
        double z = 1.96, f = (double)freedom;

        if (freedom <= 2)
                return 4.30;
        return z + (z * z * z + z) / (4 * f) + (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96 * f * f);
}

unsigned rate_error(const struct rate *r)
{
        double mean = mean_of(r->batch, r->n), sum = 0;

        if (r->n < 3 || mean <= 0)
                return 100;
        for (size_t i = 0; i < r->n; i++)
                sum += (r->batch[i] - mean) * (r->batch[i] - mean);
        double deviation = sqrt(sum / (double)(r->n - 1));
        return (unsigned)MIN2(ceil(100 * student(r->n - 1) * deviation / sqrt((double)r->n) / mean), 100);
}

unsigned rate_kept(const struct rate *r)
{
        size_t third = r->n / 3;
        double first = mean_of(r->batch, third), last = mean_of(r->batch + r->n - third, third);

        return third < 2 || first <= 0 ? 100 : (unsigned)MIN2(100 * last / first, 1000);
}

/* --- the work --- */

struct work {
        struct slice *slice;
        uint64_t begin_us, until_us;
        _Atomic uint64_t next, bytes, zero, last_us;
        _Atomic size_t blocks;
        _Atomic int error;
        _Atomic size_t *running;
        uint64_t *ends; /* when each block was done */
};

/* xorshift64*: nothing that a disk could compress. */
void speed_fill(void *p, size_t n)
{
        uint64_t seed, *word = p;

        random_bytes(&seed, sizeof seed);
        seed |= 1;
        for (size_t i = 0; i < n / sizeof *word; i++) {
                seed ^= seed >> 12;
                seed ^= seed << 25;
                seed ^= seed >> 27;
                word[i] = seed * UINT64_C(2685821657736338717);
        }
}

/* No two sectors alike, at the cost of a few words a block. */
static void vary(uint64_t *p, uint64_t block, uint64_t at)
{
        for (size_t i = 0; i < block / sizeof *p; i += 512 / sizeof *p)
                p[i] += at + i;
}

static uint64_t place(struct work *w, uint64_t *seed)
{
        const struct slice *s = w->slice;

        if (!s->seeks)
                return atomic_fetch_add(&w->next, s->block);
        *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        return (uint64_t)(((__uint128_t)*seed * (s->length / s->block)) >> 64) * s->block;
}

static void note_block(struct work *w, const void *buffer, uint64_t n)
{
        size_t i = atomic_fetch_add(&w->blocks, 1);
        uint64_t now = speed_now_us();

        if (i < TIMES_MAX)
                w->ends[i] = now;
        w->last_us = MAX2(w->last_us, now);
        w->bytes += n;
        if (!w->slice->writes && is_zero(buffer, n))
                w->zero += n;
}

/* false: this one was the last. */
static bool one_block(struct work *w, void *buffer, uint64_t at)
{
        const struct slice *s = w->slice;

        if (at + s->block > s->length)
                return false;
        if (s->writes)
                vary(buffer, s->block, at);
        ssize_t n = s->writes ? pwrite(s->fd, buffer, s->block, (off_t)(s->start + at))
                              : pread(s->fd, buffer, s->block, (off_t)(s->start + at));
        if (n < 0 && errno != EINTR)
                w->error = -errno;
        if (n > 0)
                note_block(w, buffer, (uint64_t)n);
        return n > 0;
}

static void *worker(void *arg)
{
        struct work *w = arg;
        _cleanup_free_ void *buffer = NULL;
        uint64_t seed;

        if (posix_memalign(&buffer, 4096, w->slice->block) != 0)
                w->error = -ENOMEM;
        random_bytes(&seed, sizeof seed);
        if (buffer && w->slice->writes)
                speed_fill(buffer, w->slice->block);
        while (!w->error && !speed_cancelled && speed_now_us() < w->until_us)
                if (!one_block(w, buffer, place(w, &seed)))
                        break;
        (*w->running)--;
        return NULL;
}

/* The workers' time is theirs; this one only tells how far it is. */
static void wait_for_all(_Atomic size_t *running, const char *what)
{
        for (uint64_t told = 0; *running > 0;) {
                struct timespec a_bit = {0, 2000000};
                nanosleep(&a_bit, NULL);
                if (now_ms() - told >= TELL_MS) {
                        told = now_ms();
                        speed_progress(what);
                }
        }
}

static int by_time(const void *a, const void *b)
{
        uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

        return (x > y) - (x < y);
}

/* Batches have the same number of blocks and not the same time: else a slow disk's would be off by a whole block. */
static void add_batches(struct work *w, struct rate *r)
{
        size_t n = MIN2((size_t)w->blocks, (size_t)TIMES_MAX), each = MAX2(n / BATCHES, (size_t)1);
        uint64_t since = w->begin_us;

        qsort(w->ends, n, sizeof *w->ends, by_time);
        for (size_t i = each; i <= n && r->n < RATE_BATCHES; i += each) {
                uint64_t us = w->ends[i - 1] - since;
                if (us > 0)
                        r->batch[r->n++] = (double)(each * w->slice->block) * 1e6 / (double)us;
                since = w->ends[i - 1];
        }
}

static void take(struct work *w)
{
        struct slice *s = w->slice;
        uint64_t end = w->last_us;

        s->error = w->bytes > 0 && w->error == -ENOSPC ? 0 : w->error;
        if (s->writes && w->bytes > 0 && !speed_cancelled) {
                if (fdatasync(s->fd) < 0)
                        s->error = -errno;
                end = speed_now_us();
        }
        if (w->bytes > 0) {
                s->rate->bytes += w->bytes;
                s->rate->us += end - w->begin_us;
                s->rate->blocks += w->blocks;
                s->rate->zero += w->zero;
                s->rate->depth = s->depth;
                add_batches(w, s->rate);
        } else if (s->error == 0) {
                s->error = -ETIMEDOUT;
        }
        free(w->ends);
}

int speed_measure(struct slice *s, size_t n)
{
        _cleanup_free_ struct work *w = xmalloc(n * sizeof *w);
        _Atomic size_t running = 0;
        pthread_t *threads = NULL;
        size_t begun = 0, all = 0;

        for (size_t i = 0; i < n; i++)
                all += s[i].depth;
        threads = xreallocarray(NULL, all, sizeof *threads);
        for (size_t i = 0; i < n; i++) {
                w[i].slice = &s[i];
                w[i].ends = xreallocarray(NULL, TIMES_MAX, sizeof *w[i].ends);
                w[i].running = &running;
                w[i].begin_us = speed_now_us();
                w[i].until_us = w[i].begin_us + s[i].ms * 1000;
                for (unsigned k = 0; k < s[i].depth; k++) {
                        running++;
                        if (pthread_create(&threads[begun], NULL, worker, &w[i]) == 0)
                                begun++;
                        else
                                running--;
                }
        }
        wait_for_all(&running, n ? s[0].what : "");
        for (size_t i = 0; i < begun; i++)
                pthread_join(threads[i], NULL);
        free(threads);
        for (size_t i = 0; i < n; i++)
                take(&w[i]);
        return speed_cancelled ? -EINTR : begun == 0 && all > 0 ? -EAGAIN : 0;
}

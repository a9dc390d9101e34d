#include "helpers/speed_measure.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "helpers/lib/helper.h"

#define TELL_MS 200

volatile sig_atomic_t speed_cancelled;
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
        helper_progress(MIN2(now_ms() - begun_ms, total_ms), total_ms, what);
}

uint64_t rate_of(const struct rate *r)
{
        return r->us ? (uint64_t)((double)r->bytes * 1e6 / (double)r->us) : 0;
}

static uint64_t now_us(void)
{
        struct timespec t;

        clock_gettime(CLOCK_MONOTONIC, &t);
        return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

struct work {
        const struct slice *slice;
        uint64_t until_us;
        _Atomic uint64_t next, bytes;
        _Atomic int error, running;
};

/* xorshift64*: as fast as memory and nothing that a disk could compress. */
static void fill_random(uint64_t *p, size_t n, uint64_t seed)
{
        for (size_t i = 0; i < n; i++) {
                seed ^= seed >> 12;
                seed ^= seed << 25;
                seed ^= seed >> 27;
                p[i] = seed * UINT64_C(2685821657736338717);
        }
}

/* No two sectors alike, at the cost of a few words a block. */
static void vary(uint64_t *p, uint64_t at)
{
        for (size_t i = 0; i < SPEED_BLOCK / sizeof *p; i += 512 / sizeof *p)
                p[i] += at + i;
}

static ssize_t one_block(const struct slice *s, void *buffer, uint64_t at)
{
        if (!s->writes)
                return pread(s->fd, buffer, SPEED_BLOCK, (off_t)(s->start + at));
        vary(buffer, at);
        return pwrite(s->fd, buffer, SPEED_BLOCK, (off_t)(s->start + at));
}

static void *worker(void *arg)
{
        struct work *w = arg;
        _cleanup_free_ void *buffer = NULL;
        uint64_t seed;

        if (posix_memalign(&buffer, 4096, SPEED_BLOCK) != 0)
                w->error = -ENOMEM;
        random_bytes(&seed, sizeof seed);
        if (buffer && w->slice->writes)
                fill_random(buffer, SPEED_BLOCK / sizeof(uint64_t), seed | 1);
        while (!w->error && !speed_cancelled && now_us() < w->until_us) {
                uint64_t at = atomic_fetch_add(&w->next, SPEED_BLOCK);
                if (at + SPEED_BLOCK > w->slice->length)
                        break;
                ssize_t n = one_block(w->slice, buffer, at);
                if (n < 0 && errno != EINTR)
                        w->error = -errno;
                if (n > 0)
                        w->bytes += (uint64_t)n;
                if (n == 0)
                        break;
        }
        w->running--;
        return NULL;
}

/* The workers' time is theirs; this one only tells how far it is. */
static void wait_for_all(struct work *w, const char *what)
{
        for (uint64_t told = 0; w->running > 0;) {
                struct timespec a_bit = {0, 5000000};
                nanosleep(&a_bit, NULL);
                if (now_ms() - told >= TELL_MS) {
                        told = now_ms();
                        speed_progress(what);
                }
        }
}

int speed_measure(const struct slice *s, struct rate *ret)
{
        uint64_t begin = now_us();
        struct work w = {.slice = s, .until_us = begin + s->ms * 1000, .running = SPEED_DEPTH};
        pthread_t threads[SPEED_DEPTH];
        size_t n = 0;

        for (; n < SPEED_DEPTH; n++)
                if (pthread_create(&threads[n], NULL, worker, &w) != 0)
                        break;
        w.running -= SPEED_DEPTH - (int)n;
        wait_for_all(&w, s->what);
        for (size_t i = 0; i < n; i++)
                pthread_join(threads[i], NULL);
        if (speed_cancelled)
                return -EINTR;
        if (n == 0 || (w.error && w.bytes == 0))
                return w.error ? w.error : -EAGAIN;
        if (s->writes && fdatasync(s->fd) < 0)
                return -errno;
        *ret = (struct rate){w.bytes, now_us() - begin};
        return w.error && w.error != -ENOSPC ? w.error : 0;
}

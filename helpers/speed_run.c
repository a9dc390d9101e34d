#include "helpers/speed_run.h"

#include <errno.h>
#include <unistd.h>

#include "helpers/speed_disk.h"
#include "helpers/speed_file.h"
#include "helpers/speed_share.h"
#include "helpers/speed_sync.h"
#include "helpers/speed_zones.h"

#define MOST_QUICK_MS 5500 /* 6 s and 20 s with what starting and ending take */
#define MOST_FULL_MS 18500
#define FALLING 50         /* per cent of the first rate that the last one is: a cache was full */
#define STEADY 50          /* per cent that a rate may be off and still show that it fell */
#define FROM_MEMORY 4      /* times what all disks give together was never read from them */

/* How the time is shared, in per cent of the whole, for quick and for full. */
static const struct {
        unsigned zones, array, share; /* array and share: each of writing and reading */
} parts[] = {{36, 11, 11}, {36, 12, 12}};

static uint64_t slice_ms(const struct speed_test *t, unsigned percent)
{
        return MIN2(t->total_ms * percent / 100, speed_left_ms());
}

static const char *note_of(int error)
{
        return error == -ENOSPC      ? "full"
               : error == -ENOPKG    ? "no-program"
               : error == -ETIMEDOUT ? "slow"
               : error == -EACCES    ? "closed"
                                     : "failed";
}

/* --- what is told --- */

static struct record *speed_record(const struct speed_test *t, const char *what, const char *name, const char *note)
{
        struct record *r = record_new("speed");
        _cleanup_strv_ char **notes = NULL;

        record_set(r, "what", what);
        record_set(r, "name", name);
        if (t->sync_note)
                strv_add(&notes, t->sync_note);
        if (note)
                strv_add(&notes, note);
        if (notes)
                record_set_list(r, "note", notes);
        return r;
}

static void set_rate(struct record *r, const struct rate *rate)
{
        record_set_u64(r, "rate", rate_of(rate));
        record_set_u64(r, "error", rate_error(rate));
        record_set_u64(r, "block", SPEED_BLOCK);
        record_set_u64(r, "depth", rate->depth);
}

static void tell_rate(struct speed_test *t, const char *what, const char *name, const struct rate *rate, const char *note)
{
        struct record *r = speed_record(t, what, name, note);

        if (rate && rate->bytes > 0)
                set_rate(r, rate);
        t->tell(t, r);
}

/* --- disks --- */

static void tell_zone(struct speed_test *t, const struct zones *z, enum zone zone)
{
        const struct rate *rate = &z->rate[zone];
        const char *note = zone_is_empty(z, zone) ? "empty"
                           : rate->blocks == 0    ? note_of(z->error)
                           : z->is_beside && zone != ZONE_TOGETHER ? "beside"
                                                  : NULL;
        struct record *r = speed_record(t, zone_word(zone), z->disk->name, note);

        record_set(r, "serial", z->disk->serial);
        if (zone == ZONE_SEEK && rate->blocks > 0 && !zone_is_empty(z, zone)) {
                record_set_u64(r, "us", rate->us / rate->blocks);
                record_set_u64(r, "error", rate_error(rate));
                record_set_u64(r, "block", SPEED_SEEK);
                record_set_u64(r, "depth", rate->depth);
        } else if (zone_rate(z, zone) > 0) {
                set_rate(r, rate);
        }
        t->tell(t, r);
}

static void tell_slow(struct speed_test *t, const struct zones *z)
{
        struct record *r = record_new("slow");

        record_set(r, "name", z->disk->name);
        record_set(r, "serial", z->disk->serial);
        record_set_u64(r, "rate", zone_rate(z, ZONE_OUTER));
        record_set_u64(r, "median", z->median);
        t->tell(t, r);
}

static bool was_tried(const struct zones *z, enum zone zone)
{
        return z->rate[zone].blocks > 0 || (zone == ZONE_OUTER && z->error < 0);
}

static void test_disks(struct speed_test *t)
{
        struct speed_disks disks = {0};
        struct zones *z = NULL;

        speed_disks_below(t->device, &disks);
        uint64_t ms = t->total_ms * parts[t->is_full].zones / 100;
        zones_measure(&disks, MAX2(MIN2(ms, speed_left_ms()), ms / 2), t->is_full ? 3 : 1, &z);
        for (size_t i = 0; i < disks.n && !speed_cancelled; i++) {
                for (enum zone k = 0; k < ZONES; k++)
                        if (was_tried(&z[i], k))
                                tell_zone(t, &z[i], k);
                t->disks_rate += zone_rate(&z[i], ZONE_OUTER);
        }
        for (size_t i = 0; i < disks.n && !speed_cancelled; i++)
                if (z[i].is_slow)
                        tell_slow(t, &z[i]);
        zones_free(z, disks.n);
        speed_disks_free(&disks);
}

/* --- the file system --- */

static bool is_falling(const struct rate *r)
{
        return rate_kept(r) < FALLING && rate_error(r) < STEADY;
}

static void tell_array(struct speed_test *t, const char *what, const struct speed_file *f, const struct rate *rate, int r)
{
        bool is_memory = t->disks_rate > 0 && streq(what, "array-read") && rate_of(rate) / FROM_MEMORY > t->disks_rate;
        const char *note = r < 0                         ? note_of(r)
                           : is_memory                   ? "memory"
                           : f->cached                   ? "cached"
                           : is_falling(rate)            ? "falling"
                                                         : NULL;

        tell_rate(t, what, t->device, r == 0 && !is_memory ? rate : NULL, note);
}

/* What came of it: told once it is known what the disks give. */
struct array_test {
        struct speed_file file;
        int error;
};

static void test_array(struct speed_test *t, struct array_test *a)
{
        struct speed_file *f = &a->file;
        unsigned rounds = t->is_full ? 2 : 1;
        uint64_t ms = slice_ms(t, parts[t->is_full].array) / rounds;

        a->error = speed_file_open(t->mount, 4 * GIB, f);
        for (unsigned i = 0; i < rounds && a->error == 0 && !speed_cancelled; i++) {
                a->error = speed_file_write(f, MIN2(ms, speed_left_ms()));
                if (a->error == 0)
                        a->error = speed_file_read(f, MIN2(ms, speed_left_ms()));
        }
        t->write_rate = f->write_rate;
        if (f->fd >= 0 && ftruncate(f->fd, (off_t)MIN2(f->written, 256 * MIB)) == 0)
                f->written = MIN2(f->written, 256 * MIB); /* the room is the share's now */
}

static void tell_both(struct speed_test *t, const struct array_test *a)
{
        const struct speed_file *f = &a->file;

        tell_array(t, "array-write", f, &f->write_rate, f->write_rate.bytes > 0 ? 0 : a->error);
        if (f->write_rate.bytes > 0)
                tell_array(t, "array-read", f, &f->read_rate, f->read_rate.bytes > 0 ? 0 : a->error);
}

/* --- the share --- */

/* A file that the array writes in the time of one slice, as long as memory has room for it. */
static uint64_t share_size(const struct speed_test *t, unsigned percent)
{
        uint64_t pages = (uint64_t)sysconf(_SC_AVPHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
        uint64_t wanted = rate_of(&t->write_rate) / 1000 * (t->total_ms * percent / 100);

        wanted = MIN2(MAX2(wanted, 16 * MIB), 256 * MIB);
        return speed_room(t->mount, MAX2(MIN2(wanted, pages / 4), 16 * MIB));
}

static void tell_share(struct speed_test *t, const struct speed_share *s, const char *what, const struct rate *rate, int r)
{
        struct record *record = speed_record(t, what, t->share, r < 0 ? note_of(r) : NULL);

        if (r == 0) {
                set_rate(record, rate);
                record_set_u64(record, "cpu", s->cpu);
                record_set_u64(record, "core", s->core);
        }
        t->tell(t, record);
}

/* What is read was written past the memory. */
static void share_both(struct speed_test *t, struct speed_share *s, struct speed_file *f, unsigned percent)
{
        struct rate written = {0}, read = {0};
        int r = s->size ? speed_share_open(s) : -ENOSPC;

        if (r == 0 && !speed_cancelled)
                r = speed_share_write(s, slice_ms(t, percent), &written);
        if (speed_cancelled)
                return;
        tell_share(t, s, "share-write", &written, r);
        if (r < 0)
                return;
        s->size = MIN2(s->size, f->written);
        r = speed_share_read(s, f->fd, slice_ms(t, percent), &read);
        if (!speed_cancelled)
                tell_share(t, s, "share-read", &read, r);
}

static void test_guest(struct speed_test *t, struct speed_file *f)
{
        unsigned percent = parts[t->is_full].share;
        _cleanup_(speed_share_close) struct speed_share s = {
            .address = t->address, .share = t->share, .mount = t->mount, .size = share_size(t, percent)};

        share_both(t, &s, f, percent);
}

/* --- all --- */

static void set_sync_note(struct speed_test *t, enum sync_state state)
{
        t->sync_note = state == SYNC_RUNNING                          ? "sync"
                       : state == SYNC_SLOWED                         ? "slowed"
                       : streq(t->type, "ext4") && is_lazy_init()     ? "lazy"
                                                                      : NULL;
}

/* What matters most comes first: on a slow computer the disks alone get what is left, but never less than half of their part. */
void speed_run(struct speed_test *t)
{
        struct array_test a = {.file.fd = -1};
        _cleanup_strv_ char **arrays = speed_arrays_below(t->device);

        speed_begin(t->total_ms, t->is_full ? MOST_FULL_MS : MOST_QUICK_MS);
        set_sync_note(t, sync_slow(arrays, t->mount));
        test_array(t, &a);
        if (!speed_cancelled && *t->share)
                test_guest(t, &a.file);
        speed_file_close(&a.file);
        if (!speed_cancelled)
                test_disks(t);
        if (!speed_cancelled)
                tell_both(t, &a);
        sync_put_back();
}

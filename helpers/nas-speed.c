#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "helpers/lib/helper.h"
#include "helpers/lib/sharename.h"
#include "helpers/lib/trial.h"
#include "helpers/speed_disk.h"
#include "helpers/speed_file.h"
#include "helpers/speed_share.h"

#define SECONDS_QUICK 8
#define SECONDS_FULL 18
#define SECONDS_MIN 4
#define SECONDS_MAX 18
#define MOST_MS 18500 /* 20 s with what starting and ending take */

/* --- list --- */

/* What SMB gets of a line: 1460 of each 1538 bytes that a full frame takes on the wire are TCP's, less SMB2's
 * heads; 118 MB/s at 1 Gb/s. */
#define SMB_PER_MILLE 944

static void print_limit(const char *name)
{
        _cleanup_free_ char *mac_name = xasprintf("/sys/class/net/%s/address", name),
                            *mac_path = helper_path(mac_name);
        _cleanup_free_ char *speed_name = xasprintf("/sys/class/net/%s/speed", name),
                            *speed_path = helper_path(speed_name), *mac = NULL;
        _cleanup_record_ struct record *r = record_new("limit");
        uint64_t megabits;

        if (read_line(mac_path, &mac) == 0)
                record_set(r, "port", mac);
        record_set(r, "name", name);
        /* -1 or an error without a cable, 0 or UINT32_MAX from drivers that do not know */
        if (read_u64(speed_path, &megabits) == 0 && megabits > 0 && megabits < UINT32_MAX) {
                uint64_t line = megabits * 1000000 / 8;
                record_set_u64(r, "line", line);
                record_set_u64(r, "smb", line / 1000 * SMB_PER_MILLE);
        }
        record_print(r, stdout);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
        return strverscmp((*a)->d_name, (*b)->d_name);
}

static int list(const struct record *args _unused_)
{
        _cleanup_free_ char *folder = helper_path("/sys/class/net");
        struct dirent **names = NULL;
        int n = scandir(folder, &names, NULL, by_name);

        for (int i = 0; i < n; i++) {
                _cleanup_free_ char *device = xasprintf("%s/%s/device", folder, names[i]->d_name);
                if (names[i]->d_name[0] != '.' && access(device, F_OK) == 0)
                        print_limit(names[i]->d_name);
                free(names[i]);
        }
        free(names);
        return helper_result(NULL);
}

/* --- run --- */

struct test {
        const char *mount, *share, *address;
        char *device; /* "md127" */
        uint64_t total_ms;
        bool is_syncing;
        uint64_t write_rate; /* of the array, once it is known */
};

/* A share of the whole time in per cent, and never more than is left. */
static uint64_t slice_ms(const struct test *t, unsigned percent)
{
        return MIN2(t->total_ms * percent / 100, speed_left_ms());
}

static void print_speed(const struct test *t, const char *what, const char *name, const struct rate *rate,
                        const char *note)
{
        _cleanup_record_ struct record *r = record_new("speed");
        _cleanup_strv_ char **notes = NULL;

        if (t->is_syncing)
                strv_add(&notes, "sync");
        if (note)
                strv_add(&notes, note);
        record_set(r, "what", what);
        record_set(r, "name", name);
        if (rate) {
                record_set_u64(r, "rate", rate_of(rate));
                record_set_u64(r, "block", SPEED_BLOCK);
                record_set_u64(r, "depth", has_prefix(what, "share") ? 1 : SPEED_DEPTH);
        }
        if (notes)
                record_set_list(r, "note", notes);
        record_print(r, stdout);
}

static const char *note_of(int error)
{
        return error == -ENOSPC      ? "full"
               : error == -ENOPKG    ? "no-program"
               : error == -ETIMEDOUT ? "slow"
                                     : "failed";
}

static void test_array(struct test *t)
{
        _cleanup_(speed_file_close) struct speed_file f = {.fd = -1};
        struct rate rate;
        int r = speed_file_open(t->mount, 4 * GIB, &f);

        if (r == 0)
                r = speed_file_write(&f, slice_ms(t, 22), &rate);
        if (speed_cancelled)
                return;
        print_speed(t, "array-write", t->device, r == 0 ? &rate : NULL,
                    r < 0      ? note_of(r)
                    : f.cached ? "cached"
                               : NULL);
        if (r < 0)
                return;
        t->write_rate = rate_of(&rate);
        r = speed_file_read(&f, slice_ms(t, 22), &rate);
        if (!speed_cancelled)
                print_speed(t, "array-read", t->device, r == 0 ? &rate : NULL,
                            r < 0      ? note_of(r)
                            : f.cached ? "cached"
                                       : NULL);
}

/* A file that the array writes in the time of one slice, as long as memory has room for it. */
static uint64_t share_size(const struct test *t)
{
        uint64_t pages = (uint64_t)sysconf(_SC_AVPHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
        uint64_t wanted = t->write_rate / 1000 * (t->total_ms * 15 / 100);

        wanted = MIN2(MAX2(wanted, 16 * MIB), 256 * MIB);
        return speed_room(t->mount, MAX2(MIN2(wanted, pages / 4), 16 * MIB));
}

static void test_share(struct test *t)
{
        _cleanup_(speed_share_close) struct speed_share s = {
            .address = t->address, .share = t->share, .mount = t->mount, .size = share_size(t)};
        _cleanup_free_ char *raw = NULL;
        struct rate rate;
        int r = s.size ? speed_share_open(&s, &raw) : -ENOSPC;

        if (r == 0)
                r = speed_share_write(&s, slice_ms(t, 30), &rate);
        if (speed_cancelled)
                return;
        print_speed(t, "share-write", t->share, r == 0 ? &rate : NULL, r < 0 ? note_of(r) : NULL);
        if (r < 0)
                return;
        r = speed_share_read(&s, slice_ms(t, 30), &rate);
        if (!speed_cancelled)
                print_speed(t, "share-read", t->share, r == 0 ? &rate : NULL, r < 0 ? note_of(r) : NULL);
}

/* One disk alone at a time: two on one cable or port would slow each other. */
static void test_disks(struct test *t, char *const *disks)
{
        uint64_t ms = slice_ms(t, 24) / MAX2(2 * strv_len(disks), 1);

        ms = MIN2(MAX2(ms, 100), 1000);
        STRV_FOREACH(disk, disks)
        for (int inner = 0; inner <= (speed_is_rotating(*disk) ? 1 : 0); inner++) {
                struct rate rate;
                if (speed_cancelled || speed_left_ms() < ms)
                        return;
                int r = speed_disk(*disk, inner, ms, &rate);
                if (speed_cancelled)
                        return;
                print_speed(t, inner ? "disk-inner" : "disk-outer", *disk, r == 0 ? &rate : NULL,
                            r < 0 ? note_of(r) : NULL);
        }
}

static void cancel(int sig _unused_)
{
        speed_cancelled = 1;
}

static int run_tests(struct test *t)
{
        struct sigaction act = {.sa_handler = cancel}; /* not SA_RESTART: what waits wakes up */
        _cleanup_strv_ char **disks = speed_disks_below(t->device);

        sigaction(SIGTERM, &act, NULL);
        sigaction(SIGINT, &act, NULL);
        t->is_syncing = speed_is_syncing(t->device);
        speed_begin(t->total_ms, MOST_MS);
        trial_sweep(t->mount);
        test_disks(t, disks);
        if (!speed_cancelled)
                test_array(t);
        if (!speed_cancelled && *t->share)
                test_share(t);
        if (speed_cancelled)
                return helper_fail("cancelled", NULL, NULL,
                                   "the speed test was stopped; nothing of it is left");
        return helper_result(NULL);
}

static int check_args(const struct record *args, unsigned *ret_seconds)
{
        const char *mount = record_str(args, "mount"), *test = record_get(args, "test"),
                   *share = record_str(args, "share"), *seconds = record_str(args, "seconds"),
                   *address = record_str(args, "address");
        struct in_addr a;

        if (*mount != '/')
                return helper_usage("mount", "mount= takes a folder such as /srv/public");
        if (test && !streq(test, "quick") && !streq(test, "full"))
                return helper_usage("test", "test= can be quick or full");
        if (*share && sharename_check(SHARENAME_SHARE, share, NULL) != SHARENAME_FINE)
                return helper_usage("share", "share= takes the name of a share");
        if (*address && inet_pton(AF_INET, address, &a) != 1)
                return helper_usage("address", "address= takes an IPv4 address without prefix");
        *ret_seconds = test && streq(test, "full") ? SECONDS_FULL : SECONDS_QUICK;
        if (*seconds && (parse_uint(seconds, SECONDS_MAX, ret_seconds) < 0 || *ret_seconds < SECONDS_MIN))
                return helper_usage("seconds", "seconds= takes %u to %u", SECONDS_MIN, SECONDS_MAX);
        return 0;
}

static int run_verb(const struct record *args)
{
        _cleanup_free_ char *device = NULL;
        unsigned seconds;
        struct test t = {.mount = record_str(args, "mount"),
                         .share = record_str(args, "share"),
                         .address = *record_str(args, "address") ? record_str(args, "address") : "127.0.0.1"};
        int r = check_args(args, &seconds);

        if (r != 0)
                return r;
        r = speed_device_of(t.mount, &device);
        if (r < 0)
                return helper_refuse("not-mounted", t.mount,
                                     "nothing is mounted at %s, so there is nothing to measure", t.mount);
        if (helper_is_dry_run() || helper_has_root())
                return helper_result(NULL);
        t.device = device;
        t.total_ms = seconds * UINT64_C(1000);
        return run_tests(&t);
}

static const struct param run_params[] = {
    {"mount", true, "the folder that a file system is mounted at"},
    {"share", false, "the share that is in it; none: the share is not measured"},
    {"address", false, "address of this computer that the share is measured over; 127.0.0.1"},
    {"seconds", false, "how long, 4 to 18"},
    {"test", false, "quick (8 s) or full (18 s)"},
    {0},
};

static const struct verb verbs[] = {
    {"list", "print what each port's line could carry", NULL, false, list},
    {"run", "measure disks, file system and share; nothing is left behind", run_params, true, run_verb},
    {0},
};

static const struct helper helper = {"nas-speed", "measure how fast this NAS is", verbs};

int main(int argc, char **argv)
{
        return helper_main(&helper, argc, argv);
}

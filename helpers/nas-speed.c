#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <fcntl.h>
#include <unistd.h>

#include "helpers/lib/helper.h"
#include "helpers/lib/sharename.h"
#include "helpers/lib/trial.h"
#include "helpers/lib/verdict.h"
#include "helpers/speed_disk.h"
#include "helpers/speed_live.h"
#include "helpers/speed_plain.h"
#include "helpers/speed_run.h"
#include "helpers/speed_saved.h"
#include "helpers/speed_sync.h"
#include "helpers/speed_table.h"

#define SECONDS_QUICK 5
#define SECONDS_FULL 16
#define SECONDS_MIN 4
#define SECONDS_MAX 16
#define LIVE_MAX 3600

static bool arg_plain;

static void cancel(int sig _unused_)
{
        speed_cancelled = 1;
}

static void catch_signals(void)
{
        struct sigaction act = {.sa_handler = cancel}; /* not SA_RESTART: what waits wakes up */

        sigaction(SIGTERM, &act, NULL);
        sigaction(SIGINT, &act, NULL);
}

/* What a dead test left, wherever that is looked at first. */
static void recover(bool wait)
{
        if (!helper_is_dry_run())
                sync_recover(wait);
}

/* --- list --- */

/* What SMB gets of a line: 1460 of each 1538 bytes that a full frame takes on the wire are TCP's, less SMB2's
 * heads; 118 MB/s at 1 Gb/s. */
#define SMB_PER_MILLE 944

static struct record *limit_record(const char *name)
{
        _cleanup_free_ char *mac_name = xasprintf("/sys/class/net/%s/address", name),
                            *mac_path = helper_path(mac_name);
        _cleanup_free_ char *speed_name = xasprintf("/sys/class/net/%s/speed", name),
                            *speed_path = helper_path(speed_name), *mac = NULL;
        struct record *r = record_new("limit");
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
        return r;
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

        recover(false);
        for (int i = 0; i < n; i++) {
                _cleanup_free_ char *device = xasprintf("%s/%s/device", folder, names[i]->d_name);
                if (names[i]->d_name[0] != '.' && access(device, F_OK) == 0) {
                        _cleanup_record_ struct record *r = limit_record(names[i]->d_name);
                        record_print(r, stdout);
                }
                free(names[i]);
        }
        free(names);
        return helper_result(NULL);
}

/* --- run --- */

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

/* The port of the address that the share is reached by; with none the fastest. */
static struct record *limit_of(const char *address)
{
        _cleanup_free_ char *port = NULL;

        return live_port(address, &port) == 0 && !streq(port, "lo") ? limit_record(port) : NULL;
}

/* The records of one test to those of earlier ones: compared, told, kept, judged. */
static void tell(void *ctx, struct record *r)
{
        struct speed_test *t = ctx;

        if (streq(r->word, "speed"))
                saved_compare(&t->saved, t->mount, r);
        record_print(r, stdout);
        records_add(&t->records, r);
}

static const char *as_it_is(const char *english)
{
        return english;
}

static void tell_verdict(struct speed_test *t)
{
        _cleanup_verdict_ struct verdict v = {0};
        _cleanup_record_ struct record *r = record_new("verdict");

        verdict_make(&t->records, as_it_is, &v);
        record_set(r, "limit", *v.limit ? v.limit : "unknown");
        record_set(r, "text", v.text);
        record_set(r, "advice", v.advice);
        record_set(r, "disk", v.disk);
        record_set(r, "change", v.change);
        record_print(r, stdout);
}

static int run_test(struct speed_test *t)
{
        struct record *limit = limit_of(t->address);

        catch_signals();
        recover(false);
        trial_sweep(t->mount);
        saved_read(&t->saved);
        if (limit)
                tell(t, limit);
        speed_run(t);
        if (speed_cancelled)
                return helper_fail("cancelled", NULL, NULL,
                                   "the speed test was stopped; nothing of it is left");
        tell_verdict(t);
        saved_add(t->mount, t->total_ms >= SECONDS_FULL * 1000 ? "full" : "quick", &t->records);
        return helper_result(NULL);
}

static void print_plain(const struct records *rs)
{
        _cleanup_free_ char *text = plain_text(rs);

        dprintf(speed_plain_fd, "%s", text);
}

static int run_verb(const struct record *args)
{
        _cleanup_free_ char *device = NULL, *type = NULL;
        unsigned seconds;
        struct speed_test t = {.mount = record_str(args, "mount"),
                               .share = record_str(args, "share"),
                               .address = *record_str(args, "address") ? record_str(args, "address") : "127.0.0.1",
                               .tell = tell};
        int r = check_args(args, &seconds);

        if (r != 0)
                return r;
        r = speed_device_of(t.mount, &device, &type);
        if (r < 0)
                return helper_refuse("not-mounted", t.mount,
                                     "nothing is mounted at %s, so there is nothing to measure", t.mount);
        if (helper_is_dry_run() || helper_has_root())
                return helper_result(NULL);
        t.device = device;
        t.type = type;
        t.total_ms = seconds * UINT64_C(1000);
        t.is_full = seconds > SECONDS_QUICK + 3;
        r = run_test(&t);
        if (arg_plain && r == HELPER_DONE)
                print_plain(&t.records);
        records_free(&t.records);
        records_free(&t.saved);
        return r;
}

/* --- table --- */

static int table_verb(const struct record *args)
{
        const char *mount = record_str(args, "mount");
        _cleanup_records_ struct records saved = {0}, rows = {0};
        _cleanup_free_ char *device = NULL, *type = NULL;
        _cleanup_record_ struct record *estimate = record_new("estimate");

        if (*mount != '/')
                return helper_usage("mount", "mount= takes a folder such as /srv/public");
        if (speed_device_of(mount, &device, &type) < 0)
                return helper_refuse("not-mounted", mount, "nothing is mounted at %s, so there is nothing to measure", mount);
        saved_read(&saved);
        unsigned seconds = table_seconds(saved_rate(&saved, mount, "array-write"), saved_rate(&saved, mount, "array-read"));
        record_set_u64(estimate, "seconds", seconds);
        record_print(estimate, stdout);
        if (arg_plain)
                fprintf(stderr, "This takes about %u s; Ctrl-C ends it.\n", seconds);
        if (helper_is_dry_run() || helper_has_root() || streq(record_str(args, "only"), "estimate"))
                return helper_result(NULL);
        catch_signals();
        trial_sweep(mount);
        speed_begin(seconds * UINT64_C(1000), UINT64_MAX);
        for (size_t i = 0; i < TABLE_ROWS; i++) {
                struct table_row row;
                struct record *r = record_new("table");
                int e = table_measure(mount, i, &row);
                if (speed_cancelled) {
                        record_free(r);
                        return helper_fail("cancelled", NULL, NULL, "the speed test was stopped; nothing of it is left");
                }
                record_set_u64(r, "size", table_size(i));
                record_set_u64(r, "block", TABLE_RECORD);
                if (e == 0) {
                        record_set_u64(r, "write", row.write);
                        record_set_u64(r, "read", row.read);
                }
                record_set(r, "note", e == -ENOSPC ? "full" : e < 0 ? "failed" : row.cached ? "cached" : NULL);
                record_print(r, stdout);
                records_add(&rows, r);
        }
        if (arg_plain)
                print_plain(&rows);
        return helper_result(NULL);
}

/* --- live, recover --- */

static int live_verb(const struct record *args)
{
        const char *address = record_str(args, "address");
        _cleanup_free_ char *port = NULL;
        unsigned seconds = LIVE_MAX;

        if (*record_str(args, "seconds") && (parse_uint(record_str(args, "seconds"), LIVE_MAX, &seconds) < 0 || seconds == 0))
                return helper_usage("seconds", "seconds= takes 1 to %u", LIVE_MAX);
        if (live_port(address, &port) < 0)
                return helper_refuse("no-port", address, "no port of this computer has the address %s", address);
        if (helper_is_dry_run() || helper_has_root())
                return helper_result(NULL);
        catch_signals();
        live_watch(port, address, seconds);
        return helper_result(NULL);
}

static int recover_verb(const struct record *args)
{
        const char *mount = record_str(args, "mount");

        recover(record_is(args, "stay", "yes"));
        if (*mount == '/' && !helper_is_dry_run())
                trial_sweep(mount);
        return helper_result(NULL);
}

static const struct param run_params[] = {
    {"mount", true, "the folder that a file system is mounted at"},
    {"share", false, "the share that is in it; none: the share is not measured"},
    {"address", false, "address of this computer that the share is measured over; 127.0.0.1"},
    {"seconds", false, "how long, 4 to 16"},
    {"test", false, "quick (5 s) or full (16 s)"},
    {0},
};
static const struct param table_params[] = {
    {"mount", true, "the folder that a file system is mounted at"},
    {"only", false, "estimate: only tells how long it would take"},
    {0},
};
static const struct param live_params[] = {
    {"address", true, "address of the port"},
    {"seconds", false, "how long, 1 to 3600"},
    {0},
};
static const struct param recover_params[] = {
    {"stay", false, "yes: waits until the test that runs has ended"},
    {"mount", false, "its files there are cleared away too"},
    {0},
};

static const struct verb verbs[] = {
    {"list", "print what each port's line could carry", NULL, false, list},
    {"run", "measure disks, file system and share; nothing is left behind", run_params, true, run_verb},
    {"table", "write and read files of 32 MB to 1 GB in records of 64 KB", table_params, true, table_verb},
    {"live", "print what goes over a port each second, and who is at the share", live_params, false, live_verb},
    {"recover", "put back what a test that was killed left", recover_params, false, recover_verb},
    {0},
};

static const struct helper helper = {"nas-speed", "measure how fast this NAS is", verbs};

int main(int argc, char **argv)
{
        _cleanup_strv_ char **call = NULL;

        if (!plain_args(argv, &call))
                return helper_main(&helper, argc, argv);
        arg_plain = true;
        speed_shows = isatty(STDERR_FILENO);
        plain_begin();
        return helper_main(&helper, (int)strv_len(call), call);
}

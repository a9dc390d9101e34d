#include "helpers/net_trial.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "helpers/lib/log.h"
#include "helpers/net_check.h"
#include "helpers/net_hold.h"
#include "helpers/net_trial_unit.h"
#include "helpers/net_undo.h"

#define LOCK_WAIT_MS 120000 /* a change waits 30 s for its address, taking back for a lease, and services start anew */
#define POLL_MS 200
#define GUARD_MS 5000       /* until the process that takes it back has shown itself */
#define RETRY_MS 5000
#define RETRIES 12

/* --- the record --- */

static void read_trial(struct records *ret)
{
        _cleanup_free_ char *path = helper_path(TRIAL_FILE);
        struct record_error error;

        records_read(path, ret, &error);
}

/* The record, empty where there is none or none that can be read. */
static struct record *trial_now(void)
{
        _cleanup_records_ struct records rs = {0};

        read_trial(&rs);
        return rs.n > 0 ? record_copy(rs.v[0]) : record_new("trial");
}

static int write_trial(const struct record *t, const struct records *ports)
{
        _cleanup_free_ char *path = helper_path(TRIAL_FILE), *line = record_text(t);
        _cleanup_buf_ struct buf b = {0};

        if (helper_is_dry_run())
                return 0;
        log_line("%s", line);
        buf_printf(&b, "%s\n", line);
        RECORDS_FOREACH(r, ports) {
                _cleanup_free_ char *more = streq(r->word, "port") ? record_text(r) : NULL;
                if (more)
                        buf_printf(&b, "%s\n", more);
        }
        return file_replace(path, b.buf, 0600);
}

static int set_state(struct record *t, const char *state)
{
        _cleanup_records_ struct records now = {0};

        record_set(t, "state", state);
        read_trial(&now);
        return write_trial(t, &now);
}

static bool is_on(const struct record *t)
{
        return record_is(t, "state", "planned") || record_is(t, "state", "waiting") || record_is(t, "state", "returning");
}

static uint64_t boot_ms(void)
{
        struct timespec t;

        clock_gettime(CLOCK_BOOTTIME, &t);
        return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static char *boot_id(void)
{
        _cleanup_free_ char *path = helper_path("/proc/sys/kernel/random/boot_id"), *id = NULL;

        return read_line(path, &id) < 0 ? xstrdup("unknown") : TAKE_PTR(id);
}

/* Milliseconds for which it may still be kept. */
static uint64_t left_ms(const struct record *t)
{
        _cleanup_free_ char *boot = boot_id();
        uint64_t until = record_u64(t, "until"), now = boot_ms();

        return record_is(t, "state", "waiting") && record_is(t, "boot", boot) && until > now ? until - now : 0;
}

static unsigned seconds_left(const struct record *t)
{
        return (unsigned)((left_ms(t) + 999) / 1000);
}

bool trial_is_on(void)
{
        _cleanup_record_ struct record *t = trial_now();

        return is_on(t);
}

unsigned trial_left(void)
{
        _cleanup_record_ struct record *t = trial_now();

        return seconds_left(t);
}

void trial_set_host(struct record *host)
{
        _cleanup_record_ struct record *t = trial_now();

        if (left_ms(t) == 0)
                return;
        record_set(host, "trial", record_str(t, "address"));
        record_set_u64(host, "left", seconds_left(t));
}

/* --- locks --- */

static int net_fd = -1;

/* 0, -EWOULDBLOCK or -errno. */
static int net_try_lock(void)
{
        _cleanup_free_ char *path = helper_path(NET_LOCK);

        return helper_is_dry_run() || net_fd >= 0 ? 0 : lock_take(path, &net_fd);
}

static void net_unlock(void)
{
        closep(&net_fd);
        net_fd = -1;
}

int net_lock(void)
{
        int r;

        helper_log();
        for (uint64_t until = now_ms() + LOCK_WAIT_MS; (r = net_try_lock()) == -EWOULDBLOCK && now_ms() < until;)
                usleep(POLL_MS * 1000);
        if (r == -EWOULDBLOCK)
                return helper_refuse("locked", NULL, "The network of this computer is being changed right now; wait until "
                                                     "that has finished and try again.");
        if (r < 0)
                return helper_refuse("no-lock", NET_LOCK, "%s: %s (are you root?)", NET_LOCK, strerror(-r));
        if (!helper_is_dry_run())
                hold_stop();
        return 0;
}

/* Whether "recover stay=yes" lives. */
static bool is_guarded(void)
{
        _cleanup_free_ char *path = helper_path(TRIAL_LOCK);
        _cleanup_close_ int fd = -1;

        return lock_take(path, &fd) == -EWOULDBLOCK;
}

/* As a service it lives on also where logind ends whatever a session began; else as a process of its own session. What it
 * starts, a DHCP client say, outlives it. */
static int begin_guard(char *program)
{
        _cleanup_close_ int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

        if (has_systemd() && helper_exec(STRV("systemd-run", "--quiet", "--collect", "--description=nas-net recover",
                                              "--property=KillMode=process", program, "recover", "stay=yes"), NULL) == 0)
                return 0;
        return null < 0 ? -errno : run_detached(STRV(program, "recover", "stay=yes"), -1, null);
}

static int start_guard(void)
{
        _cleanup_free_ char *program = trial_program();

        if (is_guarded())
                return 0; /* it cannot be about to end: that is decided under NET_LOCK */
        int r = program ? begin_guard(program) : -ENOENT;
        for (uint64_t until = now_ms() + GUARD_MS; r == 0 && !is_guarded(); usleep(POLL_MS * 1000))
                if (now_ms() > until)
                        r = -ETIMEDOUT;
        return r;
}

/* --- its life --- */

int trial_begin(const struct net_want *w)
{
        _cleanup_record_ struct record *t = record_new("trial");
        _cleanup_records_ struct records ports = {0};
        _cleanup_free_ char *address = address_text(&w->address), *boot = boot_id();

        record_set(t, "state", "planned");
        record_set(t, "port", w->lan->mac);
        record_set(t, "address", address);
        record_set_u64(t, "seconds", w->trial);
        record_set(t, "boot", boot);
        int r = trial_unit_write();
        undo_save_ports(&ports, w);
        if (r == 0)
                r = write_trial(t, &ports);
        return r < 0 || helper_has_root() || helper_is_dry_run() ? r : start_guard();
}

int trial_start(const struct net_want *w)
{
        _cleanup_record_ struct record *t = trial_now();

        record_set_u64(t, "until", boot_ms() + (uint64_t)w->trial * 1000);
        return set_state(t, "waiting");
}

/* After a cut it is done by whoever comes next. */
static int finish_keeping(struct record *t)
{
        int r = undo_done();

        if (r == 0)
                r = trial_unit_remove();
        return r < 0 ? r : set_state(t, "kept");
}

static int keep(struct record *t)
{
        int r = set_state(t, "keeping");

        if (r < 0)
                return r;
        helper_changed();
        return finish_keeping(t);
}

int trial_keep(void)
{
        _cleanup_record_ struct record *t = trial_now();
        _cleanup_free_ char *path = helper_path(TRIAL_FILE);

        if (is_on(t))
                return keep(t);
        int r = undo_done();
        return r < 0 || !record_is(t, "state", "returned") || helper_is_dry_run() ? r : file_remove(path);
}

static int fail_write(const char *path, int r)
{
        return helper_fail("write-failed", path, NULL, "%s could not be written: %s.", path, strerror(-r));
}

int trial_return(bool early, struct record *more)
{
        _cleanup_record_ struct record *t = trial_now();
        _cleanup_records_ struct records all = {0};
        int r = set_state(t, "returning");

        if (r < 0)
                return fail_write(TRIAL_FILE, r);
        if (!early && !helper_is_dry_run())
                hold_stop();
        /* An earlier change that stands is none of its business: where no file was changed only the ports were. */
        read_trial(&all);
        int status = undo_is_open() ? undo_back(early ? UNDO_EARLY : UNDO_FORCED, more)
                     : early        ? HELPER_DONE
                                    : undo_ports(&all, more);
        if (status != HELPER_DONE)
                return status;
        r = set_state(t, "returned");
        if (r == 0)
                r = trial_unit_remove();
        return r < 0 ? fail_write(TRIAL_FILE, r) : HELPER_DONE;
}

static int settle(bool early)
{
        _cleanup_record_ struct record *t = trial_now(), *more = record_new("more");

        if (helper_is_dry_run() || left_ms(t) > 0)
                return HELPER_DONE;
        if (is_on(t))
                return trial_return(early, more);
        int r = record_is(t, "state", "keeping") ? finish_keeping(t) : trial_unit_remove();
        return r < 0 ? fail_write(TRIAL_FILE, r) : HELPER_DONE;
}

int trial_settle(void)
{
        return settle(false);
}

/* --- confirm --- */

static int refuse_none(const struct record *t)
{
        const char *address = record_str(t, "address");

        if (record_is(t, "state", "returned"))
                return helper_refuse("no-trial", address,
                                     "The change to %s has been taken back already; the network is as it was before.",
                                     address);
        return helper_refuse("no-trial", NULL, "No change of the network waits to be confirmed.");
}

int confirm_run(const struct record *args _unused_)
{
        _cleanup_record_ struct record *more = record_new("more");

        int status = net_lock();
        if (status == 0)
                status = trial_settle();
        if (status)
                return status;
        _cleanup_record_ struct record *t = trial_now();
        record_set(more, "address", record_get(t, "address"));
        if (record_is(t, "state", "kept"))
                return helper_result(more);
        if (!record_is(t, "state", "waiting"))
                return refuse_none(t);
        int r = keep(t);
        return r < 0 ? fail_write(TRIAL_FILE, r) : helper_result(more);
}

/* --- wait --- */

const struct param wait_params[] = {
        {"client", false, "address of the computer from which somebody sets this one up"},
        {"alone", false, "yes: nobody is there to confirm; the change is kept where that computer answers"},
        {0},
};

/* Whether the way to the client is open: he himself, or the router to him, answers. */
static bool is_reached(const struct record *t, const char *client)
{
        _cleanup_ports_ struct ports ports = {0};
        _cleanup_free_ char *mac = NULL;
        struct address own, to = {0};

        if (ports_look(&ports) < 0 || address_check(record_str(t, "address"), &own, NULL) < 0)
                return false;
        const struct port *p = ports_by_mac(&ports, record_str(t, "port"));
        if (!p || (host_check(client, &to, NULL) < 0 && !p->gateway))
                return false;
        if ((!to.ip || !address_same_network(&own, to.ip)) && (!p->gateway || host_check(p->gateway, &to, NULL) < 0))
                return false;
        return check_owner(p, to.ip, &mac) > 0 && !ports_own_mac(&ports, mac);
}

/* False where somebody else holds the lock right now. */
static bool keep_alone(const struct record *seen, const char *client)
{
        if (!is_reached(seen, client))
                return true;
        if (net_try_lock() < 0)
                return false;
        log_line("%s, or the router to it, answers", client);
        _cleanup_record_ struct record *t = trial_now();
        if (left_ms(t) > 0)
                keep(t);
        net_unlock();
        return true;
}

/* Whoever should take it back may have been killed. */
static int look_after(void)
{
        if (net_try_lock() < 0)
                return HELPER_DONE;
        int status = trial_settle();
        net_unlock();
        return status;
}

static int wait_ended(const struct record *t)
{
        const char *address = record_str(t, "address");

        if (!record_is(t, "state", "returned"))
                return helper_result(NULL);
        return helper_fail("taken-back", address, NULL,
                           "Nobody confirmed the new address %s in time, so the network is as it was before.", address);
}

int wait_run(const struct record *args)
{
        bool is_alone = record_is(args, "alone", "yes");
        unsigned told = UINT32_MAX;
        int status = HELPER_DONE;

        helper_log();
        for (; status == HELPER_DONE; usleep(POLL_MS * 1000)) {
                _cleanup_record_ struct record *t = trial_now();
                unsigned left = seconds_left(t), all = (unsigned)record_u64(t, "seconds");
                if (helper_is_dry_run())
                        return helper_result(NULL);
                if (!is_on(t))
                        return wait_ended(t);
                if (left == 0)
                        status = look_after();
                else if (left != told)
                        helper_progress(all - MIN2(left, all), all, "trial");
                told = left;
                if (is_alone)
                        is_alone = left > 0 && !keep_alone(t, record_str(args, "client"));
        }
        return status;
}

/* --- recover --- */

const struct param recover_params[] = {
        {"early", false, "yes: the computer is starting and its network is not yet; only files are put back"},
        {"stay", false, "yes: stays until the change is confirmed or taken back"},
        {0},
};

/* Ends under both locks, so that a new trial never takes one for alive that is about to end. */
enum turn { TURN_WAITS, TURN_OVER, TURN_FAILED };

static enum turn take_turn(void)
{
        if (trial_left() > 0 || net_try_lock() < 0)
                return TURN_WAITS;
        bool has_failed = trial_settle() != HELPER_DONE;
        if (!has_failed && !trial_is_on())
                return TURN_OVER;
        net_unlock();
        return has_failed ? TURN_FAILED : TURN_WAITS;
}

static int stay(void)
{
        _cleanup_free_ char *path = helper_path(TRIAL_LOCK);
        int guard, r; /* held to the end of the process */

        for (uint64_t until = now_ms() + GUARD_MS; (r = lock_take(path, &guard)) == -EWOULDBLOCK && now_ms() < until;)
                usleep(POLL_MS * 1000);
        if (r < 0)
                return HELPER_DONE; /* another one is there */
        enum turn turn = TURN_WAITS;
        for (unsigned failed = 0; failed < RETRIES && (turn = take_turn()) != TURN_OVER; failed += turn == TURN_FAILED)
                usleep((turn == TURN_FAILED ? RETRY_MS : POLL_MS) * 1000);
        return helper_result(NULL);
}

int recover_run(const struct record *args)
{
        signal(SIGHUP, SIG_IGN);
        if (record_is(args, "stay", "yes")) {
                helper_log();
                return stay();
        }
        int status = net_lock();
        if (status == 0)
                status = settle(record_is(args, "early", "yes"));
        return status ? status : helper_result(NULL);
}

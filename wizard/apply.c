#include "wizard/apply.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"
#include "helpers/lib/log.h"
#include "wizard/journal.h"

/* One helper call may take this long: mke2fs on a very large, slow array. */
#define CALL_MS (UINT64_C(12) * 3600 * 1000)

struct applying {
        const struct step *step;
        FILE *out, *watched;
        struct record *error; /* the last error record of a helper */
        struct records results;
        bool changed;
        bool dry; /* only asks whether the calls of the step would be refused */
};

static void say(struct applying *a, const struct record *r)
{
        record_print(r, a->out);
        if (a->watched)
                record_print(r, a->watched);
}

/* Progress and findings go on to whoever watches; results and errors are kept. */
static void take_line(void *ctx, const char *line)
{
        struct applying *a = ctx;
        struct record *r = NULL;
        struct record_error error;

        if (record_parse(line, &r, &error) < 0 || !r)
                return;
        record_set(r, "step", a->step->name);
        if (streq(r->word, "error")) {
                record_free(a->error);
                a->error = r;
                return;
        }
        if (streq(r->word, "result")) {
                a->changed |= record_is(r, "changed", "yes");
                records_add(&a->results, r);
                return;
        }
        if (!a->dry)
                say(a, r);
        record_free(r);
}

static char **argv_for(const struct applying *a, const struct record *call, int lock_fd)
{
        _cleanup_strv_ char **plain = call_argv(call);
        char **argv = NULL;

        strv_add(&argv, plain[0]);
        if (lock_fd >= 0) {
                strv_add(&argv, "--lock-fd");
                strv_take(&argv, xasprintf("%d", lock_fd));
        }
        if (a->dry)
                strv_add(&argv, "--dry-run");
        STRV_FOREACH(s, plain + 1)
                strv_add(&argv, *s);
        return argv;
}

/* All calls of a step at once: they work on different disks, and the step takes as long as the slowest. */
static int run_calls(struct applying *a, int lock_fd)
{
        size_t n = a->step->n_calls;
        _cleanup_free_ struct run *runs = xmalloc(n * sizeof *runs);
        int status = HELPER_DONE;

        for (size_t i = 0; i < n; i++)
                runs[i] = (struct run){
                        .argv = argv_for(a, a->step->calls[i], lock_fd),
                        .deadline_ms = CALL_MS,
                        .keep_fd = MAX2(lock_fd, 0),
                        .on_line = take_line,
                        .ctx = a,
                };
        run_all(runs, n);
        for (size_t i = 0; i < n; i++) {
                if (runs[i].status != 0 && !a->error) {
                        a->error = record_new("error");
                        record_set(a->error, "code", "helper-died");
                        record_setf(a->error, "text", "%s ended without a word (status %d)", a->step->calls[i]->word,
                                    runs[i].status);
                        record_set(a->error, "raw", runs[i].err.buf);
                }
                if (runs[i].status != 0 && status == HELPER_DONE)
                        status = runs[i].status > 0 && runs[i].status <= HELPER_REFUSED ? runs[i].status : HELPER_FAILED;
                strv_free((char **)runs[i].argv);
                run_free(&runs[i]);
        }
        return status;
}

static void mark(struct applying *a, struct record *r)
{
        int e = journal_add(r);

        if (e < 0)
                log_line("the journal can't be written: %s", strerror(-e));
        say(a, r);
}

static struct record *step_record(const char *word, const struct step *step)
{
        struct record *r = record_new(word);

        if (step)
                record_set(r, "step", step->name);
        return r;
}

static void set_time(struct record *r)
{
        char text[32];
        time_t now = time(NULL);
        struct tm tm;

        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
        record_set(r, "at", text);
}

/* What the helpers told of the result (sizes, paths) stands in the done record of its step. */
static void add_results(struct record *done, const struct records *results)
{
        for (size_t i = 0; i < results->n; i++)
                for (size_t k = 0; k < results->v[i]->n; k++) {
                        const struct field *f = &results->v[i]->fields[k];
                        if (results->n == 1 && !streq(f->key, "step") && !streq(f->key, "changed"))
                                record_set(done, f->key, f->value);
                }
}

static struct record *end_of(struct applying *a, int status, uint64_t began)
{
        struct record *end = step_record(status == HELPER_DONE ? "done" : "failed", a->step);

        record_set_u64(end, "ms", now_ms() - began);
        if (status == HELPER_DONE) {
                record_set(end, "changed", a->changed ? "yes" : "no");
                add_results(end, &a->results);
                return end;
        }
        record_set_u64(end, "status", (uint64_t)status);
        for (size_t i = 0; a->error && i < a->error->n; i++)
                record_set(end, a->error->fields[i].key, a->error->fields[i].value);
        return end;
}

/* Whether every disk is still what the person saw is asked of all of them before anything is touched, so that one
 * that is not leaves the whole computer as it was. Each call asks once more by itself. */
static int ask_disks(const struct plan *p, struct record **ret_failed)
{
        struct applying a = {.dry = true};
        struct step step;
        int status = HELPER_DONE;

        a.step = &step;
        for (size_t i = 0; plan_step(p, i, &step) && status == HELPER_DONE; i++) {
                if (step.n_calls == 0 || !streq(step.calls[0]->word, "nas-disk"))
                        continue;
                status = run_calls(&a, -1);
                if (status != HELPER_DONE)
                        *ret_failed = end_of(&a, status, now_ms());
                record_free(TAKE_PTR(a.error));
                records_free(&a.results);
        }
        return status;
}

int apply_ask(const struct plan *p, FILE *out, struct record **ret_failed)
{
        int status = ask_disks(p, ret_failed);

        if (status != HELPER_DONE)
                record_print(*ret_failed, out);
        return status;
}

static int run_step(struct applying *a, int lock_fd, struct record **ret_end)
{
        _cleanup_record_ struct record *begun = step_record("begun", a->step);
        uint64_t began = now_ms();

        set_time(begun);
        mark(a, begun);
        int status = run_calls(a, lock_fd);
        struct record *end = end_of(a, status, began);
        mark(a, end);
        record_free(a->error);
        records_free(&a->results);
        *ret_end = end;
        return status;
}

static void say_summary(struct applying *a, const struct plan *p)
{
        _cleanup_record_ struct record *r = record_new("summary");
        const struct record *share = plan_call(p, "nas-share", "set"), *net = plan_call(p, "nas-net", "static"),
                            *mount = plan_call(p, "nas-fs", "mount");

        if (share) {
                record_set(r, "share", record_str(share, "name"));
                record_set(r, "address", record_str(share, "address"));
        }
        if (net)
                record_set(r, "host", record_str(net, "name"));
        if (mount)
                record_set(r, "mount", record_str(mount, "mount"));
        say(a, r);
}

/* A fresh file, never one that somebody else made there. */
static FILE *open_progress(void)
{
        if (make_folders("/run/nas-setup") < 0 || (unlink(PROGRESS_FILE) < 0 && errno != ENOENT))
                return NULL;
        int fd = open(PROGRESS_FILE, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
        return fd < 0 ? NULL : fdopen(fd, "w");
}

int apply_plan(const struct plan *p, int lock_fd, FILE *out, struct record **ret_failed)
{
        _cleanup_fclose_ FILE *watched = open_progress();
        struct step step;

        signal(SIGHUP, SIG_IGN); /* the terminal may go away; what was begun goes on */
        signal(SIGPIPE, SIG_IGN);
        bool touched = false;
        struct applying ask = {.out = out, .watched = watched};
        int refused = ask_disks(p, ret_failed);
        if (refused != HELPER_DONE) {
                mark(&ask, *ret_failed);
                return refused;
        }
        for (size_t i = 0; plan_step(p, i, &step); i++) {
                struct applying a = {.step = &step, .out = out, .watched = watched};
                _cleanup_record_ struct record *end = NULL;
                int status = run_step(&a, lock_fd, &end);
                touched |= a.changed;
                /* Figures are nice to have: a NAS that can't be measured is a NAS all the same. */
                if (status != HELPER_DONE && !streq(step.name, "speed")) {
                        *ret_failed = TAKE_PTR(end);
                        /* Refused with nothing touched is said only where nothing was. */
                        return touched ? HELPER_FAILED : status;
                }
        }
        _cleanup_record_ struct record *finished = step_record("finished", NULL);
        struct applying a = {.out = out, .watched = watched};
        set_time(finished);
        mark(&a, finished);
        say_summary(&a, p);
        return HELPER_DONE;
}

int apply_detached(const char *self)
{
        int r = make_folders("/run/nas-setup");
        if (r < 0)
                return r;
        /* First: what an earlier apply left there says that all is done. */
        if (unlink(PROGRESS_FILE) < 0 && errno != ENOENT)
                return -errno;
        _cleanup_close_ int fd = open(APPLY_OUT, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (fd < 0)
                return -errno;
        return run_detached(STRV((char *)self, "--resume"), fd);
}

#define LOCK_WAIT_MS 60000

/* Two locks: RUNNING_LOCK is held by a living apply alone, the write lock also by helpers that outlived theirs. */
int apply_lock(int *ret_fd)
{
        uint64_t until = now_ms() + LOCK_WAIT_MS;
        int running; /* kept to the end of the process */
        int r = lock_take(RUNNING_LOCK, &running);

        while (r == 0) {
                r = lock_take(APPLY_LOCK, ret_fd);
                if (r == 0)
                        return 0;
                if (r == -EWOULDBLOCK && now_ms() < until) {
                        usleep(100000);
                        r = 0;
                }
        }
        return r;
}

bool is_apply_running(void)
{
        int fd, r = lock_take(RUNNING_LOCK, &fd);

        if (r == 0)
                close(fd);
        return r == -EWOULDBLOCK;
}

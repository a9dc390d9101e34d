#include "wizard/apply.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"
#include "helpers/lib/log.h"
#include "helpers/lib/password.h"
#include "wizard/journal.h"

/* One helper call may take this long: mke2fs on a very large, slow array. */
#define CALL_MS (UINT64_C(12) * 3600 * 1000)

/* The asking before a plan changes nothing and waits for nobody. */
#define ASK_MS (UINT64_C(120) * 1000)

struct applying {
        const struct step *step;
        FILE *out, *watched;
        struct record *error; /* of the first call that failed */
        struct records results;
        bool changed;
        bool alone; /* nobody watches who could keep a change of the network */
        const char *input; /* the password and a line's end; NULL: none */
};

/* One call of a step while it runs. */
struct calling {
        struct applying *a;
        const struct record *call;
        struct record *error; /* the last that it told */
        bool dry;             /* only asks whether it would be refused */
};

static void say(struct applying *a, const struct record *r)
{
        if (a->out)
                record_print(r, a->out);
        if (a->watched)
                record_print(r, a->watched);
}

/* Progress and findings go on to whoever watches; results and errors are kept. */
static void take_line(void *ctx, const char *line)
{
        struct calling *c = ctx;
        struct record *r = NULL;
        struct record_error error;

        if (record_parse(line, &r, &error) < 0 || !r)
                return;
        record_set(r, "step", c->a->step->name);
        if (streq(r->word, "error")) {
                record_free(c->error);
                c->error = r;
                return;
        }
        if (streq(r->word, "result")) {
                c->a->changed |= record_is(r, "changed", "yes");
                records_add(&c->a->results, r);
                return;
        }
        if (!c->dry)
                say(c->a, r);
        record_free(r);
}

static char **argv_for(const struct calling *c, int lock_fd)
{
        _cleanup_strv_ char **plain = call_argv(c->call);
        char **argv = NULL;

        strv_add(&argv, plain[0]);
        if (lock_fd >= 0) {
                strv_add(&argv, "--lock-fd");
                strv_take(&argv, xasprintf("%d", lock_fd));
        }
        if (c->dry)
                strv_add(&argv, "--dry-run");
        STRV_FOREACH(s, plain + 1)
                if (c->a->input || c->dry || !skip_prefix(*s, PASSWORD_KEY "="))
                        strv_add(&argv, *s);
        if (c->a->alone && streq(c->call->word, "nas-net") && record_is(c->call, "verb", "wait"))
                strv_add(&argv, "alone=yes");
        return argv;
}

static void begin_call(struct calling *c, int lock_fd, struct run *ret)
{
        *ret = (struct run){
                .argv = argv_for(c, lock_fd),
                .deadline_ms = c->dry ? ASK_MS : CALL_MS,
                .keep_fd = MAX2(lock_fd, 0),
                .input = c->dry || !record_get(c->call, PASSWORD_KEY) ? NULL : c->a->input,
                .on_line = take_line,
                .ctx = c,
        };
}

/* How the call ended, as a helper's status; where it failed c->error tells. */
static int end_call(struct calling *c, struct run *run)
{
        int status = run->status >= 0 && run->status <= HELPER_REFUSED ? run->status : HELPER_FAILED;

        if (run->status != 0 && !c->error) {
                c->error = record_new("error");
                record_set(c->error, "code", "helper-died");
                record_setf(c->error, "text", "%s ended without a word (status %d)", c->call->word, run->status);
                record_set(c->error, "raw", run->err.buf);
                record_set(c->error, "step", c->a->step->name);
        }
        strv_free((char **)run->argv);
        run_free(run);
        return status;
}

/* The first failure is that of the step; what else failed is said beside it. */
static void take_error(struct applying *a, struct calling *c, int *status, int ended)
{
        if (ended != HELPER_DONE && *status == HELPER_DONE) {
                *status = ended;
                a->error = TAKE_PTR(c->error);
        } else if (ended != HELPER_DONE) {
                log_line("%s: %s", record_str(c->error, "code"), record_str(c->error, "text"));
                say(a, c->error);
        }
        record_free(c->error);
}

static int run_in_turn(struct applying *a, int lock_fd)
{
        int status = HELPER_DONE;

        for (size_t i = 0; i < a->step->n_calls && status == HELPER_DONE; i++) {
                struct calling c = {.a = a, .call = a->step->calls[i]};
                struct run run;
                begin_call(&c, lock_fd, &run);
                run_all(&run, 1);
                int ended = end_call(&c, &run);
                take_error(a, &c, &status, ended);
        }
        return status;
}

/* They work on different disks, and the step takes as long as the slowest. */
static int run_at_once(struct applying *a, int lock_fd)
{
        size_t n = a->step->n_calls;
        _cleanup_free_ struct run *runs = xreallocarray(NULL, n + 1, sizeof *runs);
        _cleanup_free_ struct calling *calls = xreallocarray(NULL, n + 1, sizeof *calls);
        int status = HELPER_DONE;

        for (size_t i = 0; i < n; i++) {
                calls[i] = (struct calling){.a = a, .call = a->step->calls[i]};
                begin_call(&calls[i], lock_fd, &runs[i]);
        }
        run_all(runs, n);
        for (size_t i = 0; i < n; i++) {
                int ended = end_call(&calls[i], &runs[i]);
                take_error(a, &calls[i], &status, ended);
        }
        return status;
}

static int run_calls(struct applying *a, int lock_fd)
{
        return a->step->in_turn ? run_in_turn(a, lock_fd) : run_at_once(a, lock_fd);
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

/* --- asking --- */

/* What stops a plan before it begins. Disks and arrays that are there must be what the person saw, and programs that are
 * missing must be to be had; what the others say
 * hangs on steps that have not been run, unless the call itself makes no sense. */
static bool is_refusal(const struct calling *c, int status)
{
        if (status == HELPER_DONE || status == HELPER_USAGE)
                return status == HELPER_USAGE;
        return streq(c->call->word, "nas-disk") || streq(c->call->word, "nas-system") || record_is(c->call, "verb", "adopt");
}

struct asking {
        struct step step;
        struct applying a;
        struct calling c;
        struct run run;
};

static size_t begin_asking(const struct plan *p, struct asking *v)
{
        struct step step;
        size_t n = 0;

        for (size_t i = 0; plan_step(p, i, &step); i++)
                for (size_t k = 0; k < step.n_calls; k++) {
                        struct asking *q = &v[n++];
                        *q = (struct asking){.step = step};
                        q->a.step = &q->step;
                        q->c = (struct calling){.a = &q->a, .call = step.calls[k], .dry = true};
                        begin_call(&q->c, -1, &q->run);
                }
        return n;
}

/* Every call of the plan is asked at once before anything is touched, so that a disk that is not what it was, or a line
 * that makes no sense, leaves the whole computer as it was. Each call asks once more by itself. */
static int ask_all(const struct plan *p, struct record **ret_failed)
{
        _cleanup_free_ struct asking *v = xreallocarray(NULL, p->records.n + 1, sizeof *v);
        size_t n = begin_asking(p, v);
        _cleanup_free_ struct run *runs = xreallocarray(NULL, n + 1, sizeof *runs);
        int status = HELPER_DONE;

        for (size_t i = 0; i < n; i++)
                runs[i] = v[i].run;
        run_all(runs, n);
        for (size_t i = 0; i < n; i++) {
                int ended = end_call(&v[i].c, &runs[i]);
                if (status == HELPER_DONE && is_refusal(&v[i].c, ended)) {
                        status = ended;
                        v[i].a.error = TAKE_PTR(v[i].c.error);
                        *ret_failed = end_of(&v[i].a, status, now_ms());
                        record_free(v[i].a.error);
                }
                record_free(v[i].c.error);
                records_free(&v[i].a.results);
        }
        return status;
}

int apply_ask(const struct plan *p, FILE *out, struct record **ret_failed)
{
        int status = ask_all(p, ret_failed);

        if (status != HELPER_DONE)
                record_print(*ret_failed, out);
        return status;
}

static int run_step(struct applying *a, int lock_fd, struct record **ret_end)
{
        _cleanup_record_ struct record *begun = step_record("begun", a->step);
        uint64_t began = now_ms();

        journal_set_time(begun);
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

static bool is_held(const char *lock)
{
        int fd, r = lock_take(lock, &fd);

        if (r == 0)
                close(fd);
        return r == -EWOULDBLOCK;
}

/* One that begins in this very moment is told that another is open, and is begun again. */
static bool is_wizard_open(void)
{
        return is_held(WIZARD_LOCK);
}

int apply_plan(const struct plan *p, bool asked, const char *password, int lock_fd, FILE *out, struct record **ret_failed)
{
        _cleanup_fclose_ FILE *watched = open_progress();
        _cleanup_password_ char *input = password ? xasprintf("%s\n", password) : NULL;
        struct step step;

        signal(SIGHUP, SIG_IGN); /* the terminal may go away; what was begun goes on */
        signal(SIGPIPE, SIG_IGN);
        bool touched = false, alone = !is_wizard_open();
        struct applying ask = {.out = out, .watched = watched};
        int refused = asked ? HELPER_DONE : ask_all(p, ret_failed);
        if (refused != HELPER_DONE) {
                mark(&ask, *ret_failed);
                return refused;
        }
        for (size_t i = 0; plan_step(p, i, &step); i++) {
                struct applying a = {.step = &step, .out = out, .watched = watched, .alone = alone, .input = input};
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
        journal_set_time(finished);
        mark(&a, finished);
        say_summary(&a, p);
        return HELPER_DONE;
}

/* A password is far shorter than what a pipe holds, so nobody has to stay for it. */
static int pipe_of(const char *password, int *ret)
{
        _cleanup_close_ int from = -1, to = -1;
        size_t n = strlen(password);
        int fds[2];

        if (pipe2(fds, O_CLOEXEC) < 0)
                return -errno;
        from = fds[0];
        to = fds[1];
        if (write(to, password, n) != (ssize_t)n || write(to, "\n", 1) != 1)
                return errno ? -errno : -EIO;
        *ret = TAKE_FD(from);
        return 0;
}

int apply_detached(const char *self, const char *password)
{
        _cleanup_close_ int in = -1;
        int r = make_folders("/run/nas-setup");
        if (r == 0 && password)
                r = pipe_of(password, &in);
        if (r < 0)
                return r;
        /* First: what an earlier apply left there says that all is done. */
        if (unlink(PROGRESS_FILE) < 0 && errno != ENOENT)
                return -errno;
        _cleanup_close_ int fd = open(APPLY_OUT, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (fd < 0)
                return -errno;
        return password ? run_detached(STRV((char *)self, "--resume", "--password-fd", "0"), in, fd)
                        : run_detached(STRV((char *)self, "--resume"), -1, fd);
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
        return is_held(RUNNING_LOCK);
}

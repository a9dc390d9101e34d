#include "helpers/lib/run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "helpers/lib/record.h"

#define OUTPUT_MAX (4 * MIB)
#ifndef RUN_PATH
#define RUN_PATH "/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin"
#endif

/* Only _exit and async-signal-safe calls from here on: the child. */
static void become(const struct run *r, int in, int out, int err, int report)
{
        static char *const env[] = {"PATH=" RUN_PATH, "LC_ALL=C.UTF-8", "HOME=/root", "TERM=dumb",
                                    "SYSTEMD_PAGER=cat", NULL};
        sigset_t none;

        setsid();
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        signal(SIGPIPE, SIG_DFL);
        if (r->dies_with_us)
                prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
                _exit(126);
        if (r->keep_fd > 2)
                fcntl(r->keep_fd, F_SETFD, 0);
        environ = (char **)env;
        execvp(r->argv[0], r->argv);
        int e = errno;
        if (write(report, &e, sizeof e) != sizeof e)
                _exit(126);
        _exit(127);
}

/* A pipe whose ends are above 2, so that the child's dup2 never steps on one. */
static int make_pipe(int fds[2])
{
        if (pipe2(fds, O_CLOEXEC) < 0)
                return -errno;
        for (int i = 0; i < 2; i++) {
                int high = fcntl(fds[i], F_DUPFD_CLOEXEC, 10);
                if (high < 0)
                        return -errno; /* the caller closes both */
                close(fds[i]);
                fds[i] = high;
        }
        return 0;
}

struct pipes {
        int in[2], out[2], err[2], report[2];
};

static void pipes_close(struct pipes *p)
{
        int *all = p->in;

        for (size_t i = 0; i < sizeof *p / sizeof(int); i++)
                if (all[i] >= 0)
                        close(all[i]);
}

static int pipes_open(struct pipes *p, bool with_input)
{
        int r = 0;

        memset(p, 0xff, sizeof *p);
        if (with_input)
                r = make_pipe(p->in);
        else if ((p->in[0] = open("/dev/null", O_RDONLY | O_CLOEXEC)) < 0)
                r = -errno;
        if (r == 0)
                r = make_pipe(p->out);
        if (r == 0)
                r = make_pipe(p->err);
        return r == 0 ? make_pipe(p->report) : r;
}

static void keep(int *fd, int *slot)
{
        *slot = TAKE_FD(*fd);
        fcntl(*slot, F_SETFL, fcntl(*slot, F_GETFL) | O_NONBLOCK);
}

int run_begin(struct run *r)
{
        _cleanup_(pipes_close) struct pipes p;
        int e = pipes_open(&p, r->input != NULL), child_errno;

        r->p.fd_in = r->p.fd_out = r->p.fd_err = r->p.fd_pid = -1;
        if (e < 0)
                return r->status = e;
        r->p.pid = fork();
        if (r->p.pid < 0)
                return r->status = -errno;
        if (r->p.pid == 0)
                become(r, p.in[0], p.out[1], p.err[1], p.report[1]);
        r->p.running = true;
        r->p.fd_pid = (int)syscall(SYS_pidfd_open, r->p.pid, 0); /* Linux 5.3; without it run_poll looks by itself */
        r->p.until = r->deadline_ms ? now_ms() + r->deadline_ms : 0;
        close(TAKE_FD(p.report[1]));
        r->status = 0;
        if (TEMP_FAILURE_RETRY(read(p.report[0], &child_errno, sizeof child_errno)) == sizeof child_errno)
                r->status = -child_errno;
        if (r->input)
                keep(&p.in[1], &r->p.fd_in);
        keep(&p.out[0], &r->p.fd_out);
        keep(&p.err[0], &r->p.fd_err);
        return 0;
}

/* What was told moves out of the way of what comes. */
static void forget_told(struct run *r)
{
        if (!r->forgets || r->p.told == 0)
                return;
        r->out.len -= r->p.told;
        memmove(r->out.buf, r->out.buf + r->p.told, r->out.len + 1);
        r->p.told = 0;
}

static void tell_lines(struct run *r, bool at_end)
{
        const char *ends = r->on_parts ? "\n\r\b" : "\n";

        while (r->on_line && r->out.buf && r->p.told < r->out.len) {
                char *line = r->out.buf + r->p.told;
                size_t n = strcspn(line, ends);
                if (!line[n] && !at_end)
                        break;
                r->p.told = MIN2(r->p.told + n + 1, r->out.len);
                if (n == 0)
                        continue;
                _cleanup_free_ char *copy = xstrndup(line, n);
                r->on_line(r->ctx, copy);
        }
        forget_told(r);
}

/* From the first piece that has no room on nothing more is taken: what came is whole up to there. */
static void take(struct run *r, struct buf *b, char *chunk, size_t n)
{
        for (char *p = chunk; (p = memchr(p, '\0', n - (size_t)(p - chunk)));)
                *p = '?';
        if (r->status == 0 && b->len + n > OUTPUT_MAX) {
                r->status = -E2BIG;
                buf_puts(&r->err, "\nit said more than 4 MiB, which is not believed\n");
        }
        if (r->status != -E2BIG)
                buf_add(b, chunk, n);
}

static void serve_output(struct run *r, int *fd, struct buf *b)
{
        char chunk[8192];
        ssize_t n;

        while ((n = read(*fd, chunk, sizeof chunk)) > 0)
                take(r, b, chunk, (size_t)n);
        if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
                close(*fd);
                *fd = -1;
        }
}

static void serve_input(struct run *r)
{
        size_t left = strlen(r->input) - r->p.written;
        ssize_t n = left ? write(r->p.fd_in, r->input + r->p.written, left) : 0;

        if (n > 0)
                r->p.written += (size_t)n;
        if (left == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
                close(r->p.fd_in);
                r->p.fd_in = -1;
        }
}

static void close_all(struct run *r)
{
        int *fds[] = {&r->p.fd_in, &r->p.fd_out, &r->p.fd_err, &r->p.fd_pid};

        for (size_t i = 0; i < ELEMENTSOF(fds); i++) {
                closep(fds[i]);
                *fds[i] = -1;
        }
}

static void reap(struct run *r)
{
        int ws;
        bool pipes_done = r->p.fd_out < 0 && r->p.fd_err < 0;

        if (waitpid(r->p.pid, &ws, WNOHANG) != r->p.pid) {
                if (r->p.until && now_ms() >= r->p.until) {
                        r->status = -ETIMEDOUT;
                        r->p.until = 0;
                        run_stop(r);
                }
                return;
        }
        /* What it left behind in the pipes is still wanted; a daemon that holds them open is not waited for. */
        if (!pipes_done) {
                if (r->p.fd_out >= 0)
                        serve_output(r, &r->p.fd_out, &r->out);
                if (r->p.fd_err >= 0)
                        serve_output(r, &r->p.fd_err, &r->err);
        }
        close_all(r);
        r->p.running = false;
        tell_lines(r, true);
        if (r->status == 0)
                r->status = WIFEXITED(ws) ? WEXITSTATUS(ws) : 128 + WTERMSIG(ws);
}

static void serve(struct run *r)
{
        if (r->p.fd_in >= 0)
                serve_input(r);
        if (r->p.fd_out >= 0)
                serve_output(r, &r->p.fd_out, &r->out);
        if (r->p.fd_err >= 0)
                serve_output(r, &r->p.fd_err, &r->err);
        tell_lines(r, false);
        reap(r);
}

/* For deadlines, and for the end of a program where the kernel has no descriptor of it. */
#define POLL_MAX_MS 50

size_t run_poll(struct run *runs, size_t n, int timeout_ms)
{
        _cleanup_free_ struct pollfd *fds = xreallocarray(NULL, 4 * n, sizeof *fds);
        size_t used = 0, running = 0;
        signal(SIGPIPE, SIG_IGN);

        for (size_t i = 0; i < n; i++) {
                if (!runs[i].p.running)
                        continue;
                if (runs[i].p.fd_in >= 0)
                        fds[used++] = (struct pollfd){.fd = runs[i].p.fd_in, .events = POLLOUT};
                if (runs[i].p.fd_out >= 0)
                        fds[used++] = (struct pollfd){.fd = runs[i].p.fd_out, .events = POLLIN};
                if (runs[i].p.fd_err >= 0)
                        fds[used++] = (struct pollfd){.fd = runs[i].p.fd_err, .events = POLLIN};
                if (runs[i].p.fd_pid >= 0)
                        fds[used++] = (struct pollfd){.fd = runs[i].p.fd_pid, .events = POLLIN};
        }
        poll(fds, used, timeout_ms < 0 ? POLL_MAX_MS : MIN2(timeout_ms, POLL_MAX_MS));
        for (size_t i = 0; i < n; i++) {
                if (runs[i].p.running)
                        serve(&runs[i]);
                running += runs[i].p.running;
        }
        return running;
}

void run_stop(struct run *r)
{
        if (r->p.running)
                kill(-r->p.pid, SIGKILL);
}

void run_end(struct run *r)
{
        if (r->p.running)
                kill(-r->p.pid, SIGTERM);
}

void run_leave(struct run *r)
{
        if (r->p.running)
                close_all(r);
        r->p.running = false;
}

void run_let_go(struct run *r)
{
        run_end(r);
        run_leave(r);
}

void run_free(struct run *r)
{
        if (r->p.running) {
                run_stop(r);
                while (run_poll(r, 1, -1) > 0)
                        ;
        }
        buf_free(&r->out);
        buf_free(&r->err);
}

#define WAIT_MS 500

/* At least one of them still runs. */
static bool wait_for_all(struct run *runs, size_t n, uint64_t *next)
{
        int timeout_ms = -1;

        for (size_t i = 0; i < n; i++)
                if (runs[i].on_wait)
                        timeout_ms = WAIT_MS;
        if (run_poll(runs, n, timeout_ms) == 0)
                return false;
        if (now_ms() < *next)
                return true;
        *next = now_ms() + WAIT_MS;
        for (size_t i = 0; i < n; i++)
                if (runs[i].p.running && runs[i].on_wait)
                        runs[i].on_wait(runs[i].ctx);
        return true;
}

int run_all(struct run *runs, size_t n)
{
        uint64_t next = now_ms() + WAIT_MS;
        int result = 0;

        for (size_t i = 0; i < n; i++)
                run_begin(&runs[i]);
        while (wait_for_all(runs, n, &next))
                ;
        for (size_t i = 0; i < n && result == 0; i++)
                if (runs[i].status != 0)
                        result = runs[i].status < 0 ? runs[i].status : -EIO;
        return result;
}

int run_one(struct run *r)
{
        run_all(r, 1);
        return MIN2(r->status, 0);
}

char *run_text(char *const *argv)
{
        struct buf b = {0};

        buf_puts(&b, "");
        STRV_FOREACH(a, argv) {
                _cleanup_free_ char *q = quote(*a);
                buf_printf(&b, "%s%s", a == argv ? "" : " ", q);
        }
        return b.buf;
}

int run_detached(char *const *argv, int in, int out)
{
        pid_t pid = fork();

        if (pid < 0)
                return -errno;
        if (pid == 0) {
                int from = in < 0 ? open("/dev/null", O_RDONLY | O_CLOEXEC) : in;
                struct run r = {.argv = argv};
                signal(SIGHUP, SIG_IGN);
                if (fork() == 0)
                        become(&r, from, out, out, -1); /* nobody waits for a report */
                _exit(0);
        }
        return waitpid(pid, NULL, 0) < 0 ? -errno : 0;
}

bool has_program(const char *name)
{
        _cleanup_free_ char *path = xstrdup(RUN_PATH);

        for (char *rest = path, *dir; (dir = strsep(&rest, ":"));) {
                _cleanup_free_ char *full = path_join(dir, name);
                if (access(full, X_OK) == 0)
                        return true;
        }
        return false;
}

/* --- work that may hang in the kernel --- */

static void be_apart(int (*work)(const void *ctx), const void *ctx, int out, int report)
{
        setsid();
        signal(SIGPIPE, SIG_IGN);
        dup2(out, STDOUT_FILENO);
        close(out);
        int status = work(ctx);
        fflush(stdout);
        bool is_told = write(report, &status, sizeof status) == sizeof status;
        /* while a thread hangs nothing else closes them, and whoever reads them would wait */
        close(STDOUT_FILENO);
        close(STDERR_FILENO);
        _exit(is_told ? 0 : 1);
}

/* What has come so far; false where ours is closed. */
static bool pass_on(int from)
{
        char chunk[8192];
        ssize_t n;

        while ((n = read(from, chunk, sizeof chunk)) > 0)
                for (ssize_t done = 0, k; done < n; done += k)
                        if ((k = TEMP_FAILURE_RETRY(write(STDOUT_FILENO, chunk + done, (size_t)(n - done)))) < 0)
                                return false;
        return true;
}

/* Till it has reported or died; false where nobody listens to us any more. */
static bool pass_all(int out, int report)
{
        struct pollfd fds[] = {{.fd = out, .events = POLLIN}, {.fd = report, .events = POLLIN}, {.fd = STDOUT_FILENO}};

        fcntl(out, F_SETFL, fcntl(out, F_GETFL) | O_NONBLOCK);
        do {
                if (poll(fds, 3, -1) < 0 && errno != EINTR)
                        return true;
                if (!pass_on(out) || (fds[2].revents & (POLLERR | POLLHUP)))
                        return false;
                if (fds[0].revents & POLLHUP)
                        fds[0].fd = -1;
        } while (!fds[1].revents);
        return pass_on(out);
}

int run_apart(int (*work)(const void *ctx), const void *ctx)
{
        _cleanup_(pipes_close) struct pipes p;
        int status = -EIO;

        memset(&p, 0xff, sizeof p);
        int e = make_pipe(p.out);
        if (e == 0)
                e = make_pipe(p.report);
        if (e < 0)
                return e;
        fflush(stdout);
        pid_t pid = fork();
        if (pid < 0)
                return -errno;
        if (pid == 0) {
                close(p.out[0]);
                close(p.report[0]);
                be_apart(work, ctx, p.out[1], p.report[1]);
        }
        close(TAKE_FD(p.out[1]));
        close(TAKE_FD(p.report[1]));
        signal(SIGPIPE, SIG_IGN);
        if (!pass_all(p.out[0], p.report[0]))
                status = 0;
        else if (read(p.report[0], &status, sizeof status) != sizeof status)
                status = -EIO;
        return status;
}

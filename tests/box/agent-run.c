#include "agent.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <termios.h>

#include "frame.h"
#include "util.h"

struct job {
	int line;              /* to the host */
	int in, out, err;      /* our ends of COMMAND's; with a terminal in and out are its master, err is -1 */
	int child;             /* signalfd */
	pid_t pid;
	bool tty;
	uint8_t buf[FRAME_HEAD + FRAME_MAX];   /* what came from the host, up to one frame */
	size_t have;
	size_t fed;            /* bytes of the frame's input that COMMAND has taken */
};

static int say(struct job *j, int kind, const void *data, size_t len)
{
	uint8_t frame[FRAME_HEAD + FRAME_MAX];

	frame_head(frame, kind, (unsigned) len);
	if (len > 0)
		memcpy(frame + FRAME_HEAD, data, len);
	return write_all(j->line, frame, FRAME_HEAD + len);
}

static int line_open(void)
{
	_cleanup_close_ int fd = open("/dev/ttyS0", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	struct termios t;

	if (fd < 0 || tcgetattr(fd, &t) < 0)
		return -errno;
	cfmakeraw(&t);
	t.c_cflag |= CLOCAL | CREAD;
	if (tcsetattr(fd, TCSANOW, &t) < 0)
		return -errno;
	return TAKE_FD(fd);
}

/* Splits a file of strings that each end with a NUL; the result points into *RET_BUF. */
static int strings_read(const char *path, char **ret_buf, char ***ret_list)
{
	_cleanup_free_ char *buf = NULL;
	_cleanup_free_ char **list = NULL;
	size_t len, n = 0;
	int r;

	r = read_file(path, &buf, &len);
	if (r < 0)
		return complain(r, "%s: %s", path, strerror(-r));
	for (size_t i = 0; i < len; i++)
		n += !buf[i];
	list = calloc(n + 1, sizeof *list);
	if (!list)
		return -ENOMEM;
	char *p = buf;
	for (size_t i = 0; i < n; i++, p += strlen(p) + 1)
		list[i] = p;
	*ret_buf = TAKE_PTR(buf);
	*ret_list = TAKE_PTR(list);
	return 0;
}

static void child_exec(int in, int out, int err, bool tty) __attribute__((noreturn));
static void child_exec(int in, int out, int err, bool tty)
{
	char *buf = NULL, **argv = NULL, *env_buf = NULL, **env = NULL;
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	setsid();
	if (tty)
		ioctl(in, TIOCSCTTY, 0);
	dup2(in, 0);
	dup2(out, 1);
	dup2(err, 2);
	if (strings_read("/box/ctl/env", &env_buf, &env) < 0 || strings_read("/box/ctl/argv", &buf, &argv) < 0 || !argv[0])
		_exit(126);
	for (char **e = env; *e; e++)
		putenv(*e);
	if (chdir("/root") < 0)
		complain(0, "/root: %s", strerror(errno));
	execvp(argv[0], argv);
	int e = errno;
	complain(0, "%s: %s", argv[0], strerror(e));
	_exit(e == ENOENT ? 127 : 126);
}

static int start_on_tty(struct job *j, const struct conf *conf)
{
	struct winsize size = { .ws_row = (unsigned short) conf->rows, .ws_col = (unsigned short) conf->cols };
	_cleanup_close_ int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	_cleanup_close_ int slave = -1;

	if (master < 0 || grantpt(master) < 0 || unlockpt(master) < 0)
		return -errno;
	slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (slave < 0)
		return -errno;
	ioctl(slave, TIOCSWINSZ, &size);
	j->pid = fork();
	if (j->pid < 0)
		return -errno;
	if (j->pid == 0)
		child_exec(slave, slave, slave, true);
	j->out = j->in = TAKE_FD(master);
	j->err = -1;
	return 0;
}

static int start_on_pipes(struct job *j)
{
	int in[2], out[2], err[2];

	if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0 || pipe2(err, O_CLOEXEC) < 0)
		return -errno;
	j->pid = fork();
	if (j->pid < 0)
		return -errno;
	if (j->pid == 0)
		child_exec(in[0], out[1], err[1], false);
	close(in[0]);
	close(out[1]);
	close(err[1]);
	j->in = in[1];
	j->out = out[0];
	j->err = err[0];
	return 0;
}

/* Sends on what COMMAND wrote; closes the descriptor at its end.  Returns whether there was something. */
static bool carry_out(struct job *j, int *fd, int kind)
{
	uint8_t buf[FRAME_MAX];
	ssize_t n = read(*fd, buf, sizeof buf);

	if (n > 0) {
		say(j, kind, buf, (size_t) n);
		return true;
	}
	if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
		/* A terminal reads EIO while nobody has it open, which may change: it stays until COMMAND ends. */
		if (!j->tty)
			close(*fd);
		*fd = -1;
	}
	return false;
}

static void in_close(struct job *j)
{
	if (j->tty || j->in < 0)
		return;
	close(j->in);
	j->in = -1;
}

/* Does what the frame in BUF says; leaves it there while COMMAND does not take all of its input. */
static void frame_do(struct job *j)
{
	size_t len = frame_len(j->buf);
	const uint8_t *data = j->buf + FRAME_HEAD;

	if (j->buf[0] == FRAME_IN && j->in >= 0) {
		ssize_t n = write(j->in, data + j->fed, len - j->fed);
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			in_close(j);
		if (n > 0)
			j->fed += (size_t) n;
		if (j->in >= 0 && j->fed < len)
			return;
	}
	if (j->buf[0] == FRAME_IN)
		say(j, FRAME_MORE, NULL, 0);
	if (j->buf[0] == FRAME_EOF)
		in_close(j);
	if (j->buf[0] == FRAME_SIZE && j->tty && len == 4) {
		struct winsize size = { .ws_row = (unsigned short) (data[0] | data[1] << 8), .ws_col = (unsigned short) (data[2] | data[3] << 8) };
		ioctl(j->in, TIOCSWINSZ, &size);
	}
	j->have = j->fed = 0;
}

static bool frame_is_whole(const struct job *j)
{
	return j->have >= FRAME_HEAD && j->have == FRAME_HEAD + frame_len(j->buf);
}

static void carry_in(struct job *j)
{
	size_t want = j->have < FRAME_HEAD ? FRAME_HEAD - j->have : FRAME_HEAD + frame_len(j->buf) - j->have;

	if (want > sizeof j->buf - j->have)
		want = sizeof j->buf - j->have;
	ssize_t n = want ? read(j->line, j->buf + j->have, want) : 0;
	if (n > 0)
		j->have += (size_t) n;
	if (frame_is_whole(j))
		frame_do(j);
}

/* Returns COMMAND's exit status once it ended, else -1; takes in every other orphan too. */
static int reap(const struct job *j)
{
	int status = -1, st;
	pid_t pid;

	while ((pid = waitpid(-1, &st, WNOHANG)) > 0)
		if (pid == j->pid)
			status = WIFEXITED(st) ? WEXITSTATUS(st) : 128 + WTERMSIG(st);
	return status;
}

static int job_loop(struct job *j)
{
	struct signalfd_siginfo info;
	int status = -1;

	while (status < 0) {
		bool whole = frame_is_whole(j);
		struct pollfd p[] = {
			{ .fd = j->out, .events = POLLIN },
			{ .fd = j->err, .events = POLLIN },
			{ .fd = whole ? -1 : j->line, .events = POLLIN },
			{ .fd = whole ? j->in : -1, .events = POLLOUT },
			{ .fd = j->child, .events = POLLIN },
		};
		if (poll(p, ELEMENTSOF(p), -1) < 0 && errno != EINTR)
			return 126;
		if (p[0].revents)
			carry_out(j, &j->out, FRAME_OUT);
		if (p[1].revents)
			carry_out(j, &j->err, FRAME_ERR);
		if (p[2].revents)
			carry_in(j);
		if (p[3].revents)
			frame_do(j);
		if (p[4].revents && read(j->child, &info, sizeof info) > 0)
			status = reap(j);
	}
	/* What it left in the pipes; whoever else still writes there is not waited for. */
	while (j->out >= 0 && carry_out(j, &j->out, FRAME_OUT))
		;
	while (j->err >= 0 && carry_out(j, &j->err, FRAME_ERR))
		;
	return status;
}

static void nonblocking(int fd)
{
	if (fd >= 0)
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

int job_run(const struct conf *conf)
{
	struct job j = { .tty = conf->tty, .out = -1, .err = -1, .in = -1 };
	sigset_t chld;
	int r;

	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &chld, NULL);
	signal(SIGPIPE, SIG_IGN);
	j.child = signalfd(-1, &chld, SFD_CLOEXEC | SFD_NONBLOCK);
	j.line = line_open();
	if (j.line < 0)
		return complain(j.line, "/dev/ttyS0: %s", strerror(-j.line));
	write_file("/box/ctl/started", "");
	say(&j, FRAME_READY, NULL, 0);
	r = j.tty ? start_on_tty(&j, conf) : start_on_pipes(&j);
	if (r < 0)
		return complain(r, "cannot start the command: %s", strerror(-r));
	nonblocking(j.in);
	nonblocking(j.out);
	nonblocking(j.err);
	uint8_t status = (uint8_t) job_loop(&j);
	say(&j, FRAME_EXIT, &status, 1);
	tcdrain(j.line);
	return 0;
}

#include "pump.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>

#include "frame.h"
#include "util.h"

enum {
	WATCH_MS = 250,     /* how often the images are measured */
	LINGER_MS = 30000,  /* how long the guest may take to switch off */
};

/* The end of what went by on one stream, so that a text that comes in two pieces is found too. */
struct tail {
	char text[256 + FRAME_MAX];
	size_t len;
};

struct pump {
	struct guest *g;
	const struct options *o;
	int signals;
	int status;            /* COMMAND's, -1 while it runs */
	int verdict;           /* box's own exit status when it cut the power, else -1 */
	bool ready, input_done;
	bool takes;            /* the guest can take input */
	long deadline, linger, watch;
	uint8_t buf[FRAME_HEAD + FRAME_MAX];
	size_t have;
	struct tail out, err;
	char last[2048];       /* of the console, for when it goes wrong */
	size_t last_len;
	int log;
};

static struct termios tty_before;
static bool tty_is_raw;

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void tty_raw(void)
{
	struct termios t;

	if (tcgetattr(STDIN_FILENO, &tty_before) < 0)
		return;
	t = tty_before;
	cfmakeraw(&t);
	tty_is_raw = tcsetattr(STDIN_FILENO, TCSANOW, &t) == 0;
}

static void tty_restore(void)
{
	if (tty_is_raw)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &tty_before);
	tty_is_raw = false;
}

static void cut(struct pump *p, int verdict)
{
	if (p->verdict < 0)
		p->verdict = verdict;
	guest_cut(p->g);
}

static bool has_text(struct tail *t, const char *text, const uint8_t *data, size_t len)
{
	size_t keep = strlen(text) - 1;

	memcpy(t->text + t->len, data, len);
	t->len += len;
	if (memmem(t->text, t->len, text, keep + 1))
		return true;
	if (t->len > keep) {
		memmove(t->text, t->text + t->len - keep, keep);
		t->len = keep;
	}
	return false;
}

static void output(struct pump *p, int fd, struct tail *t, const uint8_t *data, size_t len)
{
	if (p->o->cut_on && p->verdict < 0 && has_text(t, p->o->cut_on, data, len))
		cut(p, STATUS_CUT);
	write_all(fd, data, len);
}

static void say(struct pump *p, int kind, const void *data, size_t len)
{
	uint8_t frame[FRAME_HEAD + FRAME_MAX];

	frame_head(frame, kind, (unsigned) len);
	memcpy(frame + FRAME_HEAD, data, len);
	write_all(p->g->line_in, frame, FRAME_HEAD + len);
}

static void size_say(struct pump *p)
{
	struct winsize w;

	if (!p->ready || !p->g->tty || ioctl(STDIN_FILENO, TIOCGWINSZ, &w) < 0)
		return;
	uint8_t data[] = { w.ws_row & 0xff, (uint8_t) (w.ws_row >> 8), w.ws_col & 0xff, (uint8_t) (w.ws_col >> 8) };
	say(p, FRAME_SIZE, data, sizeof data);
}

static void frame_do(struct pump *p)
{
	const uint8_t *data = p->buf + FRAME_HEAD;
	size_t len = frame_len(p->buf);

	switch (p->buf[0]) {
	case FRAME_READY:
		p->ready = p->takes = true;
		size_say(p);
		break;
	case FRAME_MORE:
		p->takes = true;
		break;
	case FRAME_OUT:
		output(p, STDOUT_FILENO, &p->out, data, len);
		break;
	case FRAME_ERR:
		output(p, STDERR_FILENO, &p->err, data, len);
		break;
	case FRAME_EXIT:
		p->status = len > 0 ? data[0] : STATUS_BROKE;
		p->linger = now_ms() + LINGER_MS;
		break;
	}
}

/* Takes what the guest sent; returns whether there was something. */
static bool line_read(struct pump *p)
{
	size_t want = p->have < FRAME_HEAD ? FRAME_HEAD : FRAME_HEAD + frame_len(p->buf);

	if (want > sizeof p->buf) {
		complain(0, "the guest does not speak box's language");
		cut(p, STATUS_BROKE);
		return false;
	}
	ssize_t n = read(p->g->line_out, p->buf + p->have, want - p->have);
	if (n <= 0)
		return n < 0 && errno == EINTR;
	p->have += (size_t) n;
	if (p->have >= FRAME_HEAD && p->have == FRAME_HEAD + frame_len(p->buf)) {
		frame_do(p);
		p->have = 0;
	}
	return true;
}

static bool console_read(struct pump *p)
{
	char buf[1024];
	ssize_t n = read(p->g->console, buf, sizeof buf);

	if (n <= 0)
		return false;
	if (p->log >= 0)
		write_all(p->log, buf, (size_t) n);
	size_t drop = p->last_len + (size_t) n > sizeof p->last ? p->last_len + (size_t) n - sizeof p->last : 0;
	memmove(p->last, p->last + drop, p->last_len - drop);
	memcpy(p->last + p->last_len - drop, buf, (size_t) n);
	p->last_len += (size_t) n - drop;
	return true;
}

static void input_read(struct pump *p)
{
	char buf[FRAME_IN_MAX];
	ssize_t n = read(STDIN_FILENO, buf, sizeof buf);

	if (n > 0) {
		say(p, FRAME_IN, buf, (size_t) n);
		p->takes = false;
	} else if (n == 0 || errno != EINTR) {
		say(p, FRAME_EOF, "", 0);
		p->input_done = true;
	}
}

static void signal_take(struct pump *p)
{
	struct signalfd_siginfo s;

	if (read(p->signals, &s, sizeof s) != sizeof s)
		return;
	if (s.ssi_signo == SIGWINCH) {
		size_say(p);
	} else if (s.ssi_signo == SIGCHLD) {
		pid_t pid;
		while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
			if (pid == p->g->pid)
				guest_cut(p->g);   /* its helpers, if it left any */
	} else {
		cut(p, 128 + (int) s.ssi_signo);
	}
}

static void watch(struct pump *p)
{
	long now = now_ms();

	if (p->status < 0 && now >= p->deadline) {
		tty_restore();
		complain(0, "%u seconds are over, power cut (--seconds)", p->o->seconds);
		cut(p, STATUS_TIME);
	} else if (p->status >= 0 && now >= p->linger) {
		complain(0, "the box does not switch off, power cut");
		cut(p, STATUS_BROKE);
	} else if (now >= p->watch) {
		p->watch = now + WATCH_MS;
		if (guest_room(p->g) > p->o->room) {
			tty_restore();
			complain(0, "the box's images take more than %llu MiB, power cut (--room)", (unsigned long long) p->o->room >> 20);
			cut(p, STATUS_ROOM);
		}
	}
}

static int verdict(struct pump *p)
{
	if (p->verdict >= 0)
		return p->verdict;
	if (p->status >= 0)
		return p->status;
	complain(0, "the box %s without COMMAND's exit status; its console says at last:", p->ready ? "was switched off" : "ended");
	write_all(STDERR_FILENO, p->last, p->last_len);
	return STATUS_BROKE;
}

/* Whoever reads box's output may be slow; waiting for that inside of a write would be deaf to signals and to time. */
static int blocked_output(void)
{
	struct pollfd f[] = { { .fd = STDOUT_FILENO, .events = POLLOUT }, { .fd = STDERR_FILENO, .events = POLLOUT } };

	poll(f, ELEMENTSOF(f), 0);
	return !f[0].revents ? STDOUT_FILENO : !f[1].revents ? STDERR_FILENO : -1;
}

static void pump_loop(struct pump *p)
{
	while (p->g->pid > 0) {
		int blocked = blocked_output();
		/* Input that the guest does not take yet stays where it is. */
		bool takes = p->takes && !p->input_done && p->status < 0;
		struct pollfd f[] = {
			{ .fd = blocked < 0 ? p->g->line_out : -1, .events = POLLIN },
			{ .fd = p->signals, .events = POLLIN },
			{ .fd = p->g->console, .events = POLLIN },
			{ .fd = takes ? STDIN_FILENO : -1, .events = POLLIN },
			{ .fd = blocked, .events = POLLOUT },
		};
		if (poll(f, ELEMENTSOF(f), WATCH_MS / 5) > 0) {
			if (f[0].revents & POLLIN)
				line_read(p);
			if (f[1].revents)
				signal_take(p);
			if (f[2].revents & POLLIN)
				console_read(p);
			if (f[3].revents)
				input_read(p);
		}
		if (p->g->pid > 0)
			watch(p);
	}
	while (p->verdict != STATUS_CUT && line_read(p))
		;
	while (console_read(p))
		;
}

static int signals_open(void)
{
	static const int caught[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGCHLD };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < ELEMENTSOF(caught); i++)
		sigaddset(&set, caught[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int pump_run(struct guest *g, const struct options *o)
{
	struct pump p = { .g = g, .o = o, .status = -1, .verdict = -1, .log = -1 };

	p.signals = signals_open();
	if (p.signals < 0)
		return STATUS_BROKE;
	p.deadline = now_ms() + (long) o->seconds * 1000;
	if (o->console)
		p.log = STDERR_FILENO;
	else if (!g->temporary)
		p.log = open("console.log", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
	if (g->tty && isatty(STDIN_FILENO))
		tty_raw();
	pump_loop(&p);
	tty_restore();
	return verdict(&p);
}

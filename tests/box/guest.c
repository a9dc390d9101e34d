#include "guest.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <poll.h>
#include <pwd.h>
#include <grp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>

#include "image.h"
#include "util.h"

#define LINUX "/usr/bin/linux.uml"
#define MODULES "/usr/lib/uml/modules"

static int folder_make(struct guest *g, const char *dir)
{
	const char *tmp = getenv("TMPDIR");
	_cleanup_free_ char *lock = NULL;

	if (dir) {
		int r = mkdir_p(dir, 0755);
		g->folder = r < 0 ? NULL : realpath(dir, NULL);
		if (!g->folder)
			return complain(-errno, "%s: %s", dir, strerror(errno));
	} else {
		g->folder = strf("%s/box.XXXXXX", tmp && *tmp ? tmp : "/var/tmp");
		if (!mkdtemp(g->folder))
			return complain(-errno, "%s: %s", g->folder, strerror(errno));
		g->temporary = true;
	}
	lock = strf("%s/lock", g->folder);
	g->lock = open(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
	if (g->lock < 0)
		return complain(-errno, "%s: %s", lock, strerror(errno));
	if (flock(g->lock, LOCK_EX | LOCK_NB) < 0)
		return complain(-EBUSY, "%s: another box runs in it", g->folder);
	return 0;
}

static int disk_make(const struct guest *g, const struct disk_option *d, int i)
{
	_cleanup_free_ char *path = strf("%s/disk%d.img", g->folder, i + 1);
	_cleanup_close_ int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return complain(-errno, "%s: %s", path, strerror(errno));
	if (st.st_size == 0 && ftruncate(fd, (off_t) d->size) < 0)
		return complain(-errno, "%s: no file of %llu bytes can be made here: %s", path, (unsigned long long) d->size, strerror(errno));
	if (st.st_size != 0 && st.st_size != (off_t) d->size)
		return complain(-EINVAL, "%s has %lld bytes, not the %llu of --disk", path, (long long) st.st_size, (unsigned long long) d->size);
	return 0;
}

static FILE *ctl_open(const struct guest *g, const char *name)
{
	_cleanup_free_ char *path = strf("%s/ctl/%s", g->folder, name);
	FILE *f = fopen(path, "we");

	if (!f)
		complain(0, "%s: %s", path, strerror(errno));
	return f;
}

/* A kept folder remembers its disks, so that they need not be said again. */
static int disks_make(const struct guest *g, const struct options *o, int *ret_n)
{
	_cleanup_free_ char *path = strf("%s/disks", g->folder), *text = NULL;
	_cleanup_fclose_ FILE *ctl = ctl_open(g, "disks"), *kept = NULL;
	int n = o->n_disks, r;

	if (!ctl)
		return -EIO;
	if (n == 0 && read_file(path, &text, NULL) >= 0) {
		fputs(text, ctl);
		for (const char *p = text; (p = strchr(p, '\n')); p++)
			n++;
		*ret_n = n;
		return 0;
	}
	kept = fopen(path, "we");
	for (int i = 0; i < n; i++) {
		const struct disk_option *d = &o->disks[i];
		_cleanup_free_ char *line = strf("/box/disk%d.img %llu %u %u %s %s\n", i + 1, (unsigned long long) d->size, d->sector, d->ssd,
						d->serial, d->model);
		r = disk_make(g, d, i);
		if (r < 0)
			return r;
		fputs(line, ctl);
		if (kept)
			fputs(line, kept);
	}
	*ret_n = n;
	return 0;
}

static int command_write(const struct guest *g, const struct options *o)
{
	static const char *const passed[] = { "TERM", "LANG", "LC_ALL", "LANGUAGE", "LC_MESSAGES", "LC_CTYPE", "COLORTERM", "SEED" };
	_cleanup_fclose_ FILE *argv = ctl_open(g, "argv"), *env = ctl_open(g, "env");

	if (!argv || !env)
		return -EIO;
	for (char **a = o->argv; *a; a++)
		fwrite(*a, 1, strlen(*a) + 1, argv);
	for (size_t i = 0; i < ELEMENTSOF(passed); i++)
		if (getenv(passed[i]))
			fprintf(env, "%s=%s%c", passed[i], getenv(passed[i]), 0);
	return 0;
}

static int conf_write(const struct guest *g, const struct options *o, int disks)
{
	_cleanup_fclose_ FILE *f = ctl_open(g, "conf");

	if (!f)
		return -EIO;
	fprintf(f, "disks %d\nnics %d\nboot %d\ntty %d\nrows %u\ncols %u\nsync_speed %u\n", disks, o->n_nics, o->boot, g->tty,
		g->rows, g->cols, o->sync_speed);
	return 0;
}

static int share_fill(const struct guest *g, const struct options *o)
{
	_cleanup_free_ char *share = strf("%s/share", g->folder);

	for (int i = 0; i < o->n_puts; i++) {
		char *argv[] = { "cp", "-a", "--", (char *) o->puts[i], share, NULL };
		if (run(argv, -1, -1) != 0)
			return -EIO;
	}
	return 0;
}

int guest_prepare(struct guest *g, const struct options *o, const char *release)
{
	_cleanup_free_ char *agent = strf("%s/agent", box_folder());
	char *copy[] = { "cp", "--", agent, NULL, NULL };
	int disks = 0, r;

	if (access(LINUX, X_OK) < 0 || access(MODULES, F_OK) < 0)
		return complain(-ENOENT, "%s or %s is missing: install the package user-mode-linux", LINUX, MODULES);
	r = folder_make(g, o->dir);
	if (r < 0)
		return r;
	_cleanup_free_ char *ctl = strf("%s/ctl", g->folder), *share = strf("%s/share", g->folder), *stage = strf("%s/ctl/stage", g->folder);
	_cleanup_free_ char *agent_copy = strf("%s/ctl/agent", g->folder);
	rm_rf(ctl);
	if ((r = mkdir_p(ctl, 0755)) < 0 || (r = mkdir_p(share, 0755)) < 0 || (r = mkdir_p(stage, 0755)) < 0)
		return complain(r, "%s: %s", g->folder, strerror(-r));
	copy[3] = agent_copy;
	if (run(copy, -1, -1) != 0)
		return -EIO;
	if ((r = disks_make(g, o, &disks)) < 0 || (r = command_write(g, o)) < 0 || (r = conf_write(g, o, disks)) < 0 ||
	    (r = share_fill(g, o)) < 0)
		return r;
	return o->install ? stage_make(release, stage) : 0;
}

/* Only what box itself made: a --dir may lie among other things. */
static int folder_give(const struct guest *g, uid_t uid, gid_t gid)
{
	static const char *const own[] = { "ctl", "share", "lock", "disks", "system.cow", "system.base", "console.log", "disk*.img" };

	if (lchown(g->folder, uid, gid) < 0)
		return -errno;
	for (size_t i = 0; i < ELEMENTSOF(own); i++) {
		_cleanup_free_ char *pattern = strf("%s/%s", g->folder, own[i]);
		glob_t found = { 0 };
		if (glob(pattern, 0, NULL, &found) == 0)
			for (size_t k = 0; k < found.gl_pathc; k++)
				chown_r(found.gl_pathv[k], uid, gid);
		globfree(&found);
	}
	return 0;
}

int guest_drop_root(struct guest *g)
{
	const struct passwd *user;
	int r;

	if (geteuid() != 0)
		return 0;
	user = getpwnam("nobody");
	if (!user || user->pw_uid == 0)
		return complain(-ENOENT, "there is no user \"nobody\" that the box could run as");
	r = folder_give(g, user->pw_uid, user->pw_gid);
	if (r < 0)
		return complain(r, "%s: %s", g->folder, strerror(-r));
	if (setgroups(0, NULL) < 0 || setresgid(user->pw_gid, user->pw_gid, user->pw_gid) < 0 ||
	    setresuid(user->pw_uid, user->pw_uid, user->pw_uid) < 0)
		return complain(-errno, "cannot become the user \"nobody\": %s", strerror(errno));
	if (access(g->folder, R_OK | W_OK | X_OK) < 0)
		return complain(-EACCES, "%s: the user \"nobody\", whom the box runs as, cannot get there", g->folder);
	return 0;
}

/* A kept system belongs to the very image that it was begun on. */
static int base_check(const struct guest *g, const char *image, char **ret_base)
{
	_cleanup_free_ char *note = strf("%s/system.base", g->folder), *cow = strf("%s/system.cow", g->folder), *was = NULL, *now = NULL;
	struct stat st;

	if (access(cow, F_OK) < 0) {
		if (stat(image, &st) < 0)
			return complain(-errno, "%s: %s", image, strerror(errno));
		now = strf("%lld %lld %s", (long long) st.st_mtime, (long long) st.st_size, image);
		*ret_base = strf("%s", image);
		return write_file(note, now);
	}
	if (read_file(note, &was, NULL) >= 0) {
		long long mtime, size;
		int at = 0;
		if (sscanf(was, "%lld %lld %n", &mtime, &size, &at) == 2 && at > 0 && stat(was + at, &st) == 0 &&
		    st.st_mtime == mtime && st.st_size == size) {
			*ret_base = strf("%s", was + at);
			return 0;
		}
	}
	return complain(-ESTALE, "%s belongs to a system image that is gone or was made anew; remove it to begin with a fresh system", cow);
}

/* Takes a UDP port for this box: held among boxes by a socket's name that goes with the process, and free of others just now. */
static int port_take(unsigned *next, unsigned *ret_port)
{
	for (; *next < 32000; (*next)++) {
		struct sockaddr_un name = { .sun_family = AF_UNIX };
		struct sockaddr_in in = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t) *next) };
		int len = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "nas-setup-box-port-%u", *next);
		_cleanup_close_ int udp = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
		int hold = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

		if (udp < 0 || hold < 0)
			return -errno;
		if (bind(hold, (struct sockaddr *) &name, (socklen_t) (offsetof(struct sockaddr_un, sun_path) + 1 + (size_t) len)) == 0 &&
		    bind(udp, (struct sockaddr *) &in, sizeof in) == 0) {
			*ret_port = (*next)++;
			return 0;   /* hold stays open as long as box lives */
		}
		close(hold);
	}
	return complain(-EADDRINUSE, "no free UDP port for a cable");
}

static char *vector_end(int i, unsigned mac, unsigned from, unsigned to)
{
	return strf("vec%d:transport=l2tpv3,mac=52:54:00:77:00:%02x,src=127.0.0.1,dst=127.0.0.1,srcport=%u,dstport=%u,udp=1,"
		    "rx_session=1,tx_session=1", i, mac, from, to);
}

/* The guest's ends of what joins it to box.  The line's directions are two descriptors, because the guest's kernel waits for each
 * by itself and mixes them up otherwise. */
struct ends {
	int in, out, console;
};

/* What User-Mode Linux is started with; file names are relative to the folder, which may have any name. */
static int arguments(const struct options *o, const char *base, const struct ends *ends, char **ret_argv)
{
	unsigned next = 20000 + (unsigned) getpid() * 16 % 8000;
	int k = 0, r;

	ret_argv[k++] = "linux.uml";
	ret_argv[k++] = strf("mem=%s", o->memory);
	ret_argv[k++] = strf("ubd0=system.cow,%s", base);
	ret_argv[k++] = "root=/dev/ubda";
	ret_argv[k++] = "rw";
	/* Without these ext4 makes a rename without fsync look safe. */
	ret_argv[k++] = "rootflags=noauto_da_alloc,commit=600";
	ret_argv[k++] = "hostfs=.";
	ret_argv[k++] = "init=/usr/sbin/box-init";
	ret_argv[k++] = "uml_dir=ctl/uml/";
	ret_argv[k++] = "umid=box";
	ret_argv[k++] = "con=null";
	ret_argv[k++] = strf("con0=null,fd:%d", ends->console);
	ret_argv[k++] = "ssl=null";
	ret_argv[k++] = strf("ssl0=fd:%d,fd:%d", ends->in, ends->out);
	ret_argv[k++] = "panic=-1";
	/* 512 terminals that nobody wants would take udev several seconds. */
	ret_argv[k++] = "pty.legacy_count=0";
	for (int i = 0; i < o->n_nics; i++) {
		unsigned here, there;
		if ((r = port_take(&next, &here)) < 0 || (r = port_take(&next, &there)) < 0)
			return r;
		ret_argv[k++] = vector_end(2 * i, (unsigned) i + 1, here, there);
		ret_argv[k++] = vector_end(2 * i + 1, (unsigned) i + 0x81, there, here);
	}
	ret_argv[k] = NULL;
	return 0;
}

static void group_kill(pid_t group)
{
	/* A process that is just being made may miss the first signal. */
	for (int i = 0; i < 1000 && kill(-group, SIGKILL) == 0; i++) {
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		nanosleep(&(struct timespec) { .tv_nsec = 2000000 }, NULL);
	}
}

/* Lives in a session of its own, so that no signal meant for box meets it; the pipe's end tells it that box is gone. */
static void keep(const struct guest *g, int pipe_end) __attribute__((noreturn));
static void keep(const struct guest *g, int pipe_end)
{
	_cleanup_free_ char *ctl = strf("%s/ctl", g->folder);
	pid_t group = 0;
	char c;

	setsid();
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	dup2(null, 0);
	dup2(null, 1);
	dup2(null, 2);
	if (read(pipe_end, &group, sizeof group) == sizeof group) {
		while (read(pipe_end, &c, 1) < 0 && errno == EINTR)
			;
		group_kill(group);
	}
	rm_rf(g->temporary ? g->folder : ctl);
	_exit(0);
}

static int keeper_start(struct guest *g)
{
	int p[2];

	if (pipe2(p, O_CLOEXEC) < 0)
		return -errno;
	g->keeper = fork();
	if (g->keeper < 0)
		return -errno;
	if (g->keeper == 0) {
		close(p[1]);
		keep(g, p[0]);
	}
	close(p[0]);
	g->keeper_pipe = p[1];
	return 0;
}

static void guest_exec(const struct guest *g, char **argv, const struct ends *ends) __attribute__((noreturn));
static void guest_exec(const struct guest *g, char **argv, const struct ends *ends)
{
	sigset_t none;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	setsid();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dup2(null, 0);
	dup2(ends->console, 1);
	dup2(ends->console, 2);
	fcntl(ends->in, F_SETFD, 0);
	fcntl(ends->out, F_SETFD, 0);
	fcntl(ends->console, F_SETFD, 0);
	/* The guest's memory is a file in here; User-Mode Linux wants to execute from it. */
	setenv("TMPDIR", "/dev/shm", 1);
	setenv("HOME", g->folder, 1);
	execv(LINUX, argv);
	complain(0, "%s: %s", LINUX, strerror(errno));
	_exit(126);
}

static int ends_make(struct guest *g, struct ends *ret_ends)
{
	int in[2], out[2], console[2];

	if (pipe2(in, O_CLOEXEC | O_NONBLOCK) < 0 || pipe2(out, O_CLOEXEC | O_NONBLOCK) < 0 || pipe2(console, O_CLOEXEC | O_NONBLOCK) < 0)
		return -errno;
	g->line_in = in[1];
	g->line_out = out[0];
	g->console = console[0];
	*ret_ends = (struct ends) { .in = in[0], .out = out[1], .console = console[1] };
	return 0;
}

int guest_start(struct guest *g, const struct options *o, const char *image)
{
	_cleanup_free_ char *base = NULL;
	char *argv[20 + 2 * NICS_MAX];
	struct ends ends = { -1, -1, -1 };
	int r;

	r = base_check(g, image, &base);
	if (r < 0)
		return r;
	if (chdir(g->folder) < 0)
		return complain(-errno, "%s: %s", g->folder, strerror(errno));
	r = ends_make(g, &ends);
	if (r < 0)
		return complain(r, "no pipes: %s", strerror(-r));
	r = arguments(o, base, &ends, argv);
	if (r < 0)
		return r;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	r = keeper_start(g);
	if (r < 0)
		return complain(r, "fork: %s", strerror(-r));
	g->pid = fork();
	if (g->pid < 0)
		return complain(-errno, "fork: %s", strerror(errno));
	if (g->pid == 0)
		guest_exec(g, argv, &ends);
	r = write_all(g->keeper_pipe, &g->pid, sizeof g->pid);
	close(ends.in);
	close(ends.out);
	close(ends.console);
	return r;
}

void guest_cut(struct guest *g)
{
	if (g->pid > 0)
		group_kill(g->pid);
	g->pid = 0;
}

void guest_end(struct guest *g)
{
	guest_cut(g);
	if (g->keeper > 0) {
		close(g->keeper_pipe);
		while (waitpid(g->keeper, NULL, 0) < 0 && errno == EINTR)
			;
	} else if (g->folder && g->temporary) {
		rm_rf(g->folder);
	}
	g->keeper = 0;
}

uint64_t guest_room(const struct guest *g)
{
	static const char *const grows[] = { "disk*.img", "system.cow" };
	uint64_t sum = 0;
	struct stat st;

	for (size_t i = 0; i < ELEMENTSOF(grows); i++) {
		_cleanup_free_ char *pattern = strf("%s/%s", g->folder, grows[i]);
		glob_t found = { 0 };
		if (glob(pattern, 0, NULL, &found) == 0)
			for (size_t k = 0; k < found.gl_pathc; k++)
				if (stat(found.gl_pathv[k], &st) == 0)
					sum += (uint64_t) st.st_blocks * 512;
		globfree(&found);
	}
	return sum;
}

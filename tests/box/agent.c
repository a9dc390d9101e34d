#include "agent.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <time.h>

#include "util.h"

static const struct {
	const char *what, *where, *type, *options;
	unsigned long flags;
	bool always;         /* systemd would do the others itself */
} mounts[] = {
	{ "proc", "/proc", "proc", NULL, 0, true },
	{ "sysfs", "/sys", "sysfs", NULL, 0, true },
	{ "devtmpfs", "/dev", "devtmpfs", "mode=755", 0, true },
	{ "tmpfs", "/run", "tmpfs", "mode=755", MS_NOSUID | MS_NODEV, true },
	{ "devpts", "/dev/pts", "devpts", "gid=5,mode=620,ptmxmode=666", 0, false },
	{ "tmpfs", "/dev/shm", "tmpfs", "mode=1777", 0, false },
	{ "tmpfs", "/tmp", "tmpfs", "mode=1777", 0, false },
};

static void mount_all(bool boot)
{
	for (size_t i = 0; i < ELEMENTSOF(mounts); i++) {
		if (boot && !mounts[i].always)
			continue;
		mkdir(mounts[i].where, 0755);
		if (mount(mounts[i].what, mounts[i].where, mounts[i].type, mounts[i].flags, mounts[i].options) < 0 && errno != EBUSY)
			complain(0, "%s: %s", mounts[i].where, strerror(errno));
	}
}

int conf_read(struct conf *ret_conf)
{
	_cleanup_fclose_ FILE *f = fopen("/box/ctl/conf", "re");
	struct conf c = { 0 };
	char key[32];
	unsigned value;

	if (!f)
		return complain(-errno, "/box/ctl/conf: %s", strerror(errno));
	while (fscanf(f, "%31s %u", key, &value) == 2) {
		if (strcmp(key, "disks") == 0)
			c.disks = (int) value;
		else if (strcmp(key, "nics") == 0)
			c.nics = (int) value;
		else if (strcmp(key, "boot") == 0)
			c.boot = value;
		else if (strcmp(key, "tty") == 0)
			c.tty = value;
		else if (strcmp(key, "rows") == 0)
			c.rows = value;
		else if (strcmp(key, "cols") == 0)
			c.cols = value;
		else if (strcmp(key, "sync_speed") == 0)
			c.sync_speed = value;
	}
	*ret_conf = c;
	return 0;
}

static int copy_file(const char *from, const char *to, mode_t mode)
{
	_cleanup_close_ int in = open(from, O_RDONLY | O_CLOEXEC);
	char buf[65536];
	ssize_t n;

	if (in < 0)
		return -errno;
	unlink(to);
	_cleanup_close_ int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
	if (out < 0)
		return -errno;
	while ((n = read(in, buf, sizeof buf)) > 0) {
		int r = write_all(out, buf, (size_t) n);
		if (r < 0)
			return r;
	}
	fchmod(out, mode);
	return n < 0 ? -errno : 0;
}

static int copy_link(const char *from, const char *to)
{
	char target[4096];
	ssize_t n = readlink(from, target, sizeof target - 1);

	if (n < 0)
		return -errno;
	target[n] = 0;
	unlink(to);
	return symlink(target, to) < 0 ? -errno : 0;
}

/* Puts everything under FROM to TO, owned by root; folders that are there stay as they are. */
static int copy_tree(const char *from, const char *to)
{
	DIR *d = opendir(from);
	int r = 0;

	if (!d)
		return errno == ENOENT ? 0 : -errno;
	for (struct dirent *e; r >= 0 && (e = readdir(d)); ) {
		_cleanup_free_ char *a = strf("%s/%s", from, e->d_name), *b = strf("%s/%s", to, e->d_name);
		struct stat st;

		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 || lstat(a, &st) < 0)
			continue;
		if (S_ISDIR(st.st_mode)) {
			mkdir(b, st.st_mode & 0777);
			r = copy_tree(a, b);
		} else if (S_ISLNK(st.st_mode)) {
			r = copy_link(a, b);
		} else {
			r = copy_file(a, b, st.st_mode & 07777);
		}
		if (r < 0)
			complain(r, "%s: %s", b, strerror(-r));
	}
	closedir(d);
	return r;
}

/* The rest comes by itself when it is asked for. */
static int modules_load(const struct conf *c)
{
	char *argv[8] = { "modprobe", "-a", "md-mod", "bridge" };

	if (c->disks) {
		argv[4] = "sd_mod";
		argv[5] = "target_core_file";
		argv[6] = "tcm_loop";
	}
	return run(argv, -1, -1);
}

static void trigger(const char *class, const char *action)
{
	DIR *d = opendir(class);

	if (!d)
		return;
	for (struct dirent *e; (e = readdir(d)); ) {
		_cleanup_free_ char *path = strf("%s/%s/uevent", class, e->d_name);
		if (e->d_name[0] != '.' && strncmp(e->d_name, "ram", 3) != 0 && strncmp(e->d_name, "loop", 4) != 0)
			write_file(path, action);
	}
	closedir(d);
}

static void udev_start(void)
{
	char *argv[] = { "/lib/systemd/systemd-udevd", "--daemon", NULL };

	mkdir("/run/udev", 0755);
	run(argv, -1, -1);
}

/* Without systemd there is no coldplug.  Ports get "change": "add" would make ifupdown bring them up, as systemd's boot does. */
static void udev_settle(void)
{
	char *argv[] = { "udevadm", "settle", "-t", "30", NULL };

	trigger("/sys/class/block", "add");
	trigger("/sys/class/net", "change");
	run(argv, -1, -1);
}

static void environment(void)
{
	clearenv();
	setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1);
	setenv("HOME", "/root", 1);
	setenv("USER", "root", 1);
	setenv("LOGNAME", "root", 1);
	setenv("SHELL", "/bin/bash", 1);
	setenv("SYSTEMD_PAGER", "cat", 1);
}

static bool root_is_read_only(void)
{
	_cleanup_fclose_ FILE *f = fopen("/proc/self/mounts", "re");
	char dev[256], where[256], type[64], options[512];

	while (f && fscanf(f, "%255s %255s %63s %511s %*d %*d", dev, where, type, options) == 4)
		if (strcmp(where, "/") == 0)
			return strncmp(options, "ro", 2) == 0;
	return false;
}

void power_off(void)
{
	if (getpid() == 1)
		kill(-1, SIGKILL);
	sync();
	write_file("/proc/sysrq-trigger", "u");
	for (int i = 0; i < 1000 && !root_is_read_only(); i++)
		nanosleep(&(struct timespec) { .tv_nsec = 2000000 }, NULL);
	sync();
	reboot(RB_POWER_OFF);
	for (;;)
		pause();
}

static int init(const struct conf *c)
{
	char *systemd[] = { "/lib/systemd/systemd", NULL };
	int r = 0;

	mount_all(c->boot);
	sethostname("nasbox", 6);
	if (!c->boot)
		udev_start();
	modules_load(c);
	if (c->sync_speed > 0) {
		_cleanup_free_ char *speed = strf("%u", c->sync_speed);
		write_file("/proc/sys/dev/raid/speed_limit_max", speed);
	}
	if (c->disks) {
		mount("none", "/sys/kernel/config", "configfs", 0, NULL);
		r = disks_up();
	}
	if (r >= 0)
		r = nics_up(c->nics);
	if (r >= 0)
		r = copy_tree("/box/ctl/stage", "");
	if (r < 0)
		return r;
	if (c->boot) {
		clearenv();
		execv(systemd[0], systemd);
		return complain(-errno, "%s: %s", systemd[0], strerror(errno));
	}
	udev_settle();
	return job_run(c);
}

int main(int argc, char **argv)
{
	struct conf c;

	umask(022);
	environment();
	if (argc != 2 || conf_read(&c) < 0)
		power_off();
	/* User-Mode Linux restarts with the same words; COMMAND is not to run twice. */
	if (strcmp(argv[1], "init") == 0 && access("/box/ctl/started", F_OK) == 0)
		reboot(RB_POWER_OFF);
	if (strcmp(argv[1], "init") == 0)
		init(&c);
	else
		job_run(&c);
	power_off();
}

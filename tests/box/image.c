#include "image.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "util.h"

#define SYSTEM_CACHE "/var/cache/nas-setup-box"

static const struct {
	const char *path, *package;
} needed[] = {
	{ "/usr/bin/mmdebstrap", "mmdebstrap" },
	{ "/usr/bin/fakeroot", "fakeroot" },
	{ "/sbin/mke2fs", "e2fsprogs" },
	{ "/usr/share/keyrings/debian-archive-keyring.gpg", "debian-archive-keyring" },
};

const char *box_folder(void)
{
	static char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

	if (n < 0)
		return ".";
	path[n] = 0;
	*strrchr(path, '/') = 0;
	return path;
}

int host_release(char **ret_release)
{
	_cleanup_fclose_ FILE *f = fopen("/etc/os-release", "re");
	char line[256];

	while (f && fgets(line, sizeof line, f)) {
		char name[64];
		if (sscanf(line, "VERSION_CODENAME=%63[a-z]", name) == 1) {
			*ret_release = strf("%s", name);
			return 0;
		}
	}
	return complain(-ENOENT, "/etc/os-release does not name this Debian release; say --release");
}

static int cache_folder(char **ret_folder)
{
	const char *given = getenv("NAS_BOX_CACHE"), *home = getenv("HOME"), *xdg = getenv("XDG_CACHE_HOME");
	_cleanup_free_ char *folder = NULL;

	if (given)
		folder = strf("%s", given);
	else if (geteuid() == 0)
		folder = strf(SYSTEM_CACHE);
	else if (xdg)
		folder = strf("%s/nas-setup-box", xdg);
	else if (home)
		folder = strf("%s/.cache/nas-setup-box", home);
	else
		return complain(-ENOENT, "neither NAS_BOX_CACHE nor HOME says where the system images may lie");
	int r = mkdir_p(folder, 0755);
	if (r < 0)
		return complain(r, "%s: %s", folder, strerror(-r));
	*ret_folder = TAKE_PTR(folder);
	return 0;
}

static int lock_take(const char *path, int *ret_fd)
{
	_cleanup_close_ int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);

	if (fd < 0 || flock(fd, LOCK_EX) < 0)
		return complain(-errno, "%s: %s", path, strerror(errno));
	*ret_fd = TAKE_FD(fd);
	return 0;
}

/* The hash of all that goes into the image. */
static int image_key(const char *release, const char *variant, char ret_key[static 17])
{
	_cleanup_free_ char *script = strf("%s/mkimage", box_folder());
	char *argv[] = { script, "--key", (char *) release, (char *) variant, NULL };
	int p[2];

	if (pipe2(p, O_CLOEXEC) < 0)
		return -errno;
	int r = run(argv, -1, p[1]);
	close(p[1]);
	ssize_t n = read(p[0], ret_key, 16);
	close(p[0]);
	if (r != 0 || n != 16)
		return complain(-EIO, "%s --key failed", script);
	ret_key[16] = 0;
	return 0;
}

static int tools_check(void)
{
	_cleanup_free_ char *missing = strf("%s", "");

	for (size_t i = 0; i < ELEMENTSOF(needed); i++)
		if (access(needed[i].path, F_OK) < 0) {
			char *more = strf("%s %s", missing, needed[i].package);
			free(missing);
			missing = more;
		}
	return *missing ? complain(-ENOENT, "to make the box's system image, install these packages:%s", missing) : 0;
}

static int image_make(const char *release, const char *variant, const char *path)
{
	_cleanup_free_ char *script = strf("%s/mkimage", box_folder());
	char *argv[] = { script, (char *) release, (char *) variant, (char *) path, NULL };
	int r = tools_check();

	if (r < 0)
		return r;
	complain(0, "making the system image for %s (once; about a minute)", release);
	r = run(argv, -1, STDERR_FILENO);
	if (r != 0 || access(path, R_OK) < 0)
		return complain(-EIO, "the system image was not made");
	return 0;
}

int image_get(const char *release, const char *variant, char **ret_path)
{
	_cleanup_free_ char *folder = NULL, *path = NULL, *lock = NULL;
	_cleanup_close_ int fd = -1;
	char key[17];
	int r;

	r = image_key(release, variant, key);
	if (r < 0)
		return r;
	path = strf(SYSTEM_CACHE "/%s-%s-%s.img", release, variant, key);
	if (!getenv("NAS_BOX_CACHE") && access(path, R_OK) == 0) {
		*ret_path = TAKE_PTR(path);
		return 0;
	}
	r = cache_folder(&folder);
	if (r < 0)
		return r;
	free(path);
	path = strf("%s/%s-%s-%s.img", folder, release, variant, key);
	lock = strf("%s/lock-%s-%s", folder, release, variant);
	if (access(path, R_OK) < 0) {
		r = lock_take(lock, &fd);
		if (r < 0)
			return r;
	}
	if (access(path, R_OK) < 0) {
		r = image_make(release, variant, path);
		if (r < 0)
			return r;
	}
	*ret_path = TAKE_PTR(path);
	return 0;
}

/* Runs ARGV; what it said is shown only if it failed. */
static int run_quietly(char *const argv[])
{
	_cleanup_fclose_ FILE *log = tmpfile();
	char line[4096];

	if (!log)
		return -errno;
	int err = dup(STDERR_FILENO);
	fflush(stderr);
	dup2(fileno(log), STDERR_FILENO);
	int r = run(argv, -1, fileno(log));
	dup2(err, STDERR_FILENO);
	close(err);
	if (r == 0)
		return 0;
	rewind(log);
	while (fgets(line, sizeof line, log))
		fputs(line, stderr);
	return -EIO;
}

int stage_make(const char *release, const char *stage)
{
	_cleanup_free_ char *repo = strf("%s/../..", box_folder()), *makefile = strf("%s/Makefile", repo);
	_cleanup_free_ char *dest = strf("DESTDIR=%s", stage), *script = strf("%s/mkstage", box_folder());
	_cleanup_free_ char *folder = NULL, *lock = NULL, *host = NULL;
	_cleanup_close_ int fd = -1;
	int r;

	if (access(makefile, R_OK) < 0)
		return 0;
	if ((r = host_release(&host)) < 0 || (r = cache_folder(&folder)) < 0)
		return r;
	lock = strf("%s/lock-make-%s", folder, release);
	r = lock_take(lock, &fd);
	if (r < 0)
		return r;
	/* box may itself be run by make, whose options are not for this one. */
	unsetenv("MAKEFLAGS");
	unsetenv("MAKELEVEL");
	umask(022);
	/* Objects of its own: the prefix is compiled in. */
	char *here[] = { "make", "-s", "-C", repo, "install", dest, "PREFIX=/usr", "B=build/box", NULL };
	char *there[] = { script, (char *) release, folder, (char *) stage, NULL };
	r = run_quietly(strcmp(host, release) == 0 ? here : there);
	return r < 0 ? complain(r, "nas-setup cannot be built for the box (see above; --no-install goes without)") : 0;
}

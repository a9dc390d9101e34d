#include "util.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

char *strf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		abort();
	va_end(ap);
	return s;
}

int complain(int error, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fputs("box: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	return error;
}

int write_all(int fd, const void *buf, size_t len)
{
	const char *p = buf;

	while (len > 0) {
		ssize_t n = write(fd, p, len);
		if (n < 0 && errno == EAGAIN) {
			struct pollfd wait = { .fd = fd, .events = POLLOUT };
			poll(&wait, 1, -1);
			continue;
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		p += n;
		len -= (size_t) n;
	}
	return 0;
}

int write_file(const char *path, const char *text)
{
	_cleanup_close_ int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0)
		return -errno;
	return write_all(fd, text, strlen(text));
}

int read_file(const char *path, char **ret_text, size_t *ret_len)
{
	enum { MOST = 1 << 20 };
	_cleanup_free_ char *text = malloc(MOST + 1);
	_cleanup_fclose_ FILE *f = fopen(path, "re");

	if (!f)
		return -errno;
	if (!text)
		return -ENOMEM;
	size_t len = fread(text, 1, MOST, f);
	if (ferror(f))
		return -EIO;
	text[len] = 0;
	*ret_text = TAKE_PTR(text);
	if (ret_len)
		*ret_len = len;
	return 0;
}

int mkdir_p(const char *path, mode_t mode)
{
	_cleanup_free_ char *p = strf("%s", path);

	for (char *s = p + 1; *s; s++)
		if (*s == '/') {
			*s = 0;
			if (mkdir(p, mode) < 0 && errno != EEXIST && errno != EROFS)
				return -errno;
			*s = '/';
		}
	if (mkdir(p, mode) < 0 && errno != EEXIST)
		return -errno;
	return 0;
}

static int rm_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void) st, (void) kind, (void) ftw;
	remove(path);
	return 0;
}

int rm_rf(const char *path)
{
	nftw(path, rm_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
	return access(path, F_OK) == 0 ? -ENOTEMPTY : 0;
}

static uid_t owner_uid;
static gid_t owner_gid;

static int chown_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void) st, (void) kind, (void) ftw;
	return lchown(path, owner_uid, owner_gid) < 0 && errno != ENOENT ? -errno : 0;
}

int chown_r(const char *path, uid_t uid, gid_t gid)
{
	owner_uid = uid;
	owner_gid = gid;
	return nftw(path, chown_one, 16, FTW_PHYS | FTW_MOUNT);
}

int run(char *const argv[], int stdin_fd, int stdout_fd)
{
	pid_t pid = fork();
	int st;

	if (pid < 0)
		return -errno;
	if (pid == 0) {
		if (stdin_fd >= 0)
			dup2(stdin_fd, STDIN_FILENO);
		if (stdout_fd >= 0)
			dup2(stdout_fd, STDOUT_FILENO);
		execvp(argv[0], argv);
		complain(0, "%s: %s", argv[0], strerror(errno));
		_exit(127);
	}
	while (waitpid(pid, &st, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(st) ? WEXITSTATUS(st) : 128 + WTERMSIG(st);
}

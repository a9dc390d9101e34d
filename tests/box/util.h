#pragma once

/* Small helpers that box and its agent share. */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static inline void freep(void *p)
{
	free(*(void **) p);
}

static inline void fclosep(FILE **f)
{
	if (*f)
		fclose(*f);
}

static inline void closep(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

#define _cleanup_(f) __attribute__((cleanup(f)))
#define _cleanup_free_ _cleanup_(freep)
#define _cleanup_fclose_ _cleanup_(fclosep)
#define _cleanup_close_ _cleanup_(closep)

#define TAKE_PTR(p) ({ typeof(p) p_ = (p); (p) = NULL; p_; })
#define TAKE_FD(fd) ({ int fd_ = (fd); (fd) = -1; fd_; })
#define ELEMENTSOF(a) (sizeof(a) / sizeof((a)[0]))

/* Like asprintf(), but ends the program when there is no memory. */
char *strf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Prints "box: MESSAGE" on standard error and returns ERROR, so that a caller can say "return complain(-EINVAL, …)". */
int complain(int error, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Writes all of BUF, waiting where the descriptor does not take it at once. */
int write_all(int fd, const void *buf, size_t len);

/* Writes TEXT into the file PATH, made with mode 0644 if it is not there (sysfs and configfs attributes too). */
int write_file(const char *path, const char *text);

/* Reads a file of at most 1 MiB; the result ends with a NUL that RET_LEN (may be NULL) does not count. */
int read_file(const char *path, char **ret_text, size_t *ret_len);

/* Makes the folder PATH and those above it. */
int mkdir_p(const char *path, mode_t mode);

/* Removes PATH with everything in it; follows no link and leaves other file systems alone. */
int rm_rf(const char *path);

/* Gives PATH and everything in it to UID and GID; follows no link. */
int chown_r(const char *path, uid_t uid, gid_t gid);

/* Runs ARGV (found on PATH) and waits.  STDIN_FD, STDOUT_FD: -1 for the caller's own.  Returns the exit status (128 + signal), or -errno. */
int run(char *const argv[], int stdin_fd, int stdout_fd);

#include "helpers/lib/trial.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX ".nas-setup-test-"

char *trial_name(void)
{
        _cleanup_free_ char *id = uuid_new();

        return xasprintf(PREFIX "%s", id);
}

char *trial_head(const char *name)
{
        return xasprintf("%s: nas-setup tries whether files can be stored here\n", name);
}

static bool is_trial_name(const char *name)
{
        const char *id = skip_prefix(name, PREFIX);

        return id && is_uuid(id);
}

/* O_NONBLOCK: a pipe of that name does not hold us up. */
static bool is_trial(int dir, const char *name)
{
        _cleanup_free_ char *head = trial_head(name), *begin = xmalloc(strlen(head) + 1);
        _cleanup_close_ int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        struct stat st;

        if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
                return false;
        return st.st_size == 0 || (read(fd, begin, strlen(head)) == (ssize_t)strlen(head) && streq(begin, head));
}

void trial_sweep(const char *path)
{
        DIR *d = opendir(path);

        for (struct dirent *e; d && (e = readdir(d));)
                if (is_trial_name(e->d_name) && is_trial(dirfd(d), e->d_name))
                        unlinkat(dirfd(d), e->d_name, 0);
        if (d)
                closedir(d);
}

#include "helpers/net_sys.h"

#include <dirent.h>
#include <unistd.h>

#include "helpers/lib/helper.h"
#include "helpers/net_port.h"

static char *sys_path(const char *port, const char *what)
{
        _cleanup_free_ char *path = xasprintf("/sys/class/net/%s/%s", port, what);

        return helper_path(path);
}

char *sys_line(const char *port, const char *what)
{
        _cleanup_free_ char *path = sys_path(port, what);
        char *line = NULL;

        return read_line(path, &line) < 0 ? NULL : line;
}

uint64_t sys_number(const char *port, const char *what, int base)
{
        _cleanup_free_ char *line = sys_line(port, what);

        if (!line || *line == '-')
                return 0;
        return strtoull(line, NULL, base);
}

char *sys_link(const char *port, const char *what)
{
        _cleanup_free_ char *path = sys_path(port, what);
        char target[4096];
        ssize_t n = readlink(path, target, sizeof(target) - 1);

        if (n <= 0)
                return NULL;
        target[n] = '\0';
        const char *slash = strrchr(target, '/');
        return xstrdup(slash ? slash + 1 : target);
}

bool sys_has(const char *port, const char *what)
{
        _cleanup_free_ char *path = sys_path(port, what);
        char target[2];

        return access(path, F_OK) == 0 || readlink(path, target, sizeof(target)) > 0;
}

static int by_text(const void *a, const void *b)
{
        return strcmp(*(char *const *)a, *(char *const *)b);
}

char **sys_names(const char *port, const char *prefix)
{
        _cleanup_free_ char *path = sys_path(port, "");
        char **names = NULL;
        DIR *dir = opendir(path);

        if (!dir)
                return NULL;
        for (struct dirent *d; (d = readdir(dir));)
                if (skip_prefix(d->d_name, prefix))
                        strv_add(&names, skip_prefix(d->d_name, prefix));
        closedir(dir);
        if (names)
                qsort(names, strv_len(names), sizeof(*names), by_text);
        return names;
}

char *sys_uevent(const char *port, const char *key)
{
        _cleanup_free_ char *path = xasprintf("/sys/class/net/%s/uevent", port);

        return key_value(path, key);
}

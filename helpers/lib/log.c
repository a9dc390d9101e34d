#include "helpers/lib/log.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "helpers/lib/record.h"

static int log_fd = -1;
static const char *log_who;

void log_open(const char *path, const char *who)
{
        log_fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        log_who = who;
}

void log_line(const char *fmt, ...)
{
        char when[32];
        time_t now = time(NULL);
        struct tm tm;
        va_list ap;

        if (log_fd < 0)
                return;
        va_start(ap, fmt);
        _cleanup_free_ char *text = xvasprintf(fmt, ap);
        va_end(ap);
        for (char *p = text; (p = strpbrk(p, "\n\t"));)
                *p = ' ';
        defuse(text);
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
        _cleanup_free_ char *line = xasprintf("%s %s[%d]: %s\n", when, log_who, (int)getpid(), text);
        /* One write, so that lines of several processes do not mix; a full disk must not stop the work. */
        if (write(log_fd, line, strlen(line)) < 0)
                return;
}

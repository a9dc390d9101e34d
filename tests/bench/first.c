/* first TEXT TIMES COMMAND…: the median of the microseconds from exec until TEXT stands on a new terminal of 80 × 25. Each
 * time begins when whatever the one before has started is gone. */
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_MS 60000

struct seen {
        char bytes[65536];
        size_t n;
};

static int64_t now_us(void)
{
        struct timespec t;

        clock_gettime(CLOCK_MONOTONIC, &t);
        return t.tv_sec * INT64_C(1000000) + t.tv_nsec / 1000;
}

/* Keeps the last half when it is full: the text is far shorter. */
static bool take(struct seen *s, int fd)
{
        if (s->n == sizeof s->bytes) {
                s->n /= 2;
                memcpy(s->bytes, s->bytes + s->n, s->n);
        }
        ssize_t n = read(fd, s->bytes + s->n, sizeof s->bytes - s->n);
        if (n <= 0)
                return false;
        s->n += (size_t)n;
        return true;
}

/* -1 where the text does not come. */
static int64_t wait_for(int fd, const char *text, int64_t begin)
{
        static struct seen s;
        struct pollfd p = {.fd = fd, .events = POLLIN};

        s.n = 0;
        while (poll(&p, 1, PATIENCE_MS) == 1 && take(&s, fd))
                if (memmem(s.bytes, s.n, text, strlen(text)))
                        return now_us() - begin;
        return -1;
}

/* Orphans come to us. */
static void end(pid_t pid, int fd)
{
        char rest[4096];

        kill(pid, SIGTERM);
        while (read(fd, rest, sizeof rest) > 0)
                ;
        close(fd);
        while (wait(NULL) > 0)
                ;
}

static int64_t once(const char *text, char **argv)
{
        struct winsize size = {.ws_row = 25, .ws_col = 80};
        int fd;
        int64_t begin = now_us();
        pid_t pid = forkpty(&fd, NULL, NULL, &size);

        if (pid == 0) {
                setenv("TERM", "linux", 1);
                execvp(argv[0], argv);
                _exit(127);
        }
        if (pid < 0)
                return -1;
        int64_t us = wait_for(fd, text, begin);
        end(pid, fd);
        return us;
}

static int by_size(const void *a, const void *b)
{
        int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

        return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
        int64_t us[101];
        int n = argc > 3 ? atoi(argv[2]) : 0;

        if (n < 1 || n > 101) {
                fprintf(stderr, "first TEXT TIMES COMMAND…\n");
                return 2;
        }
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        for (int i = 0; i < n; i++)
                if ((us[i] = once(argv[1], argv + 3)) < 0) {
                        fprintf(stderr, "%s: \"%s\" does not come\n", argv[3], argv[1]);
                        return 1;
                }
        qsort(us, (size_t)n, sizeof *us, by_size);
        printf("%lld\n", (long long)us[n / 2]);
        return 0;
}

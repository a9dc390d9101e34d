#include "helpers/speed_live.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <poll.h>
#include <unistd.h>

#include "helpers/lib/helper.h"
#include "helpers/speed_measure.h"

#define STATUS_MS 3000
#define IPERF_PORT 5201

int live_port(const char *address, char **ret)
{
        struct ifaddrs *all = NULL;
        struct in_addr wanted;
        int r = -ENODEV;

        if (inet_pton(AF_INET, address, &wanted) != 1 || getifaddrs(&all) < 0)
                return -ENODEV;
        for (struct ifaddrs *a = all; a && r < 0; a = a->ifa_next) {
                if (!a->ifa_addr || a->ifa_addr->sa_family != AF_INET)
                        continue;
                if (((struct sockaddr_in *)a->ifa_addr)->sin_addr.s_addr == wanted.s_addr) {
                        *ret = xstrdup(a->ifa_name);
                        r = 0;
                }
        }
        freeifaddrs(all);
        return r;
}

static uint64_t counter(const char *port, const char *name)
{
        _cleanup_free_ char *path = xasprintf("/sys/class/net/%s/statistics/%s", port, name), *full = helper_path(path);
        uint64_t n;

        return read_u64(full, &n) < 0 ? 0 : n;
}

/* --- who --- */

/* smbstatus -b: "4242  nobody  nogroup  192.168.1.104 (ipv4:192.168.1.104:51234)  SMB3_11 …"; own: nobody but a test. */
static void take_session(const char *line, const char *own, char ***addresses, char ***users)
{
        _cleanup_free_ char *copy = xstrdup(line);
        char *mark = strstr(copy, "(ipv"), *rest = copy, *word, *user = NULL, *end;
        unsigned n = 0;

        if (!mark || !(mark = strchr(mark, ':')))
                return;
        mark++;
        mark[strcspn(mark, ")")] = '\0';
        if ((end = strrchr(mark, ':'))) /* the port */
                *end = '\0';
        while (n < 2 && (word = strsep(&rest, " \t")))
                if (*word && ++n == 2)
                        user = word;
        if (!user || streq(mark, own) || has_prefix(mark, "127.") || strv_has(*addresses, mark))
                return;
        strv_add(addresses, mark);
        strv_add(users, user);
}

static void take_sessions(const char *text, const char *own, char ***addresses, char ***users)
{
        _cleanup_free_ char *copy = xstrdup(text);
        char *rest = copy, *line;

        while ((line = strsep(&rest, "\n")))
                take_session(line, own, addresses, users);
}

/* /proc/net/tcp (proc(5)): who has a connection to iperf3's port. */
static void take_iperf(char ***addresses, char ***users)
{
        _cleanup_free_ char *path = helper_path("/proc/net/tcp"), *text = NULL;
        char *rest, *line;

        if (read_text(path, MIB, &text) < 0)
                return;
        for (rest = text; (line = strsep(&rest, "\n"));) {
                unsigned port, from, state;
                char name[INET_ADDRSTRLEN];
                if (sscanf(line, " %*u: %*x:%x %x:%*x %x", &port, &from, &state) != 3 || port != IPERF_PORT || state != 1)
                        continue;
                struct in_addr a = {from};
                if (inet_ntop(AF_INET, &a, name, sizeof name) && !strv_has(*addresses, name)) {
                        strv_add(addresses, name);
                        strv_add(users, "iperf3");
                }
        }
}

static void print_live(const char *port, const char *own, uint64_t rx, uint64_t tx, const char *sessions)
{
        _cleanup_record_ struct record *r = record_new("live");
        _cleanup_strv_ char **addresses = NULL, **users = NULL;

        take_sessions(sessions, own, &addresses, &users);
        take_iperf(&addresses, &users);
        record_set(r, "name", port);
        record_set_u64(r, "rx", rx);
        record_set_u64(r, "tx", tx);
        if (addresses) {
                record_set_list(r, "client", addresses);
                record_set_list(r, "user", users);
        }
        record_print(r, stdout);
}

static bool is_listened_to(int ms)
{
        struct pollfd out = {.fd = STDOUT_FILENO};

        return poll(&out, 1, ms) <= 0 || !(out.revents & (POLLERR | POLLHUP));
}

static void second(const char *port, const char *own, struct run *iperf)
{
        uint64_t begin = speed_now_us(), rx = counter(port, "rx_bytes"), tx = counter(port, "tx_bytes");
        _cleanup_(run_free) struct run status = {.argv = STRV("smbstatus", "-b"), .deadline_ms = STATUS_MS};

        while (!speed_cancelled && speed_now_us() - begin < 1000000) {
                if (iperf->p.running)
                        run_poll(iperf, 1, 50);
                else if (!is_listened_to(50))
                        return;
        }
        uint64_t us = MAX2(speed_now_us() - begin, UINT64_C(1));
        rx = counter(port, "rx_bytes") - rx;
        tx = counter(port, "tx_bytes") - tx;
        run_one(&status);
        print_live(port, own, (uint64_t)((double)rx * 1e6 / (double)us), (uint64_t)((double)tx * 1e6 / (double)us),
                   status.out.buf ? status.out.buf : "");
}

int live_watch(const char *port, const char *address, unsigned seconds)
{
        uint64_t until = now_ms() + seconds * UINT64_C(1000);
        _cleanup_(run_free) struct run iperf = {.argv = STRV("iperf3", "-s", "-B", (char *)address), .forgets = true,
                                           .dies_with_us = true};

        if (has_program("iperf3"))
                run_begin(&iperf);
        while (!speed_cancelled && now_ms() < until && is_listened_to(0))
                second(port, address, &iperf);
        return 0;
}

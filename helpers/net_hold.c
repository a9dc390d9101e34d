#include "helpers/net_hold.h"

#include <dirent.h>
#include <errno.h>
#include <net/if.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"
#include "helpers/net_stack.h"
#include "helpers/net_trial.h"

#define STOP_MS 3000
#define POLL_MS 20

static volatile sig_atomic_t is_unwanted;

static void on_term(int sig _unused_)
{
        is_unwanted = 1;
}

/* --- the kernel's side --- */

static int port_flags(const char *name, bool up)
{
        struct ifreq request = {0};
        _cleanup_close_ int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

        snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", name);
        if (fd < 0 || ioctl(fd, SIOCGIFFLAGS, &request) < 0)
                return -errno;
        request.ifr_flags = (short)(up ? request.ifr_flags | IFF_UP : request.ifr_flags & ~IFF_UP);
        return ioctl(fd, SIOCSIFFLAGS, &request) < 0 ? -errno : 0;
}

/* What keeps a port silent while it is up. */
static const struct {
        const char *key, *path, *silent;
} switches[] = {
        {"arp-ignore", "/proc/sys/net/ipv4/conf/%s/arp_ignore", "8"},
        {"disable-ipv6", "/proc/sys/net/ipv6/conf/%s/disable_ipv6", "1"},
};

static char *switch_now(size_t i, const char *port)
{
        _cleanup_free_ char *path = xasprintf(switches[i].path, port);
        char *line = NULL;

        return read_line(path, &line) < 0 ? NULL : line;
}

static int switch_set(size_t i, const char *port, const char *value)
{
        _cleanup_free_ char *path = xasprintf(switches[i].path, port);
        _cleanup_fclose_ FILE *f = fopen(path, "we");

        return !f || fputs(value, f) < 0 || fflush(f) != 0 ? -errno : 0;
}

/* --- which ports --- */

/* Its own title is one word of its command line. */
static bool is_dhcpcd_manager(const char *pid)
{
        _cleanup_free_ char *path = xasprintf("/proc/%s/cmdline", pid);
        _cleanup_fclose_ FILE *f = fopen(path, "re");
        char title[256];

        size_t n = f ? fread(title, 1, sizeof(title) - 1, f) : 0;
        title[n] = '\0';
        return strstr(title, "[manager]") || strstr(title, "[master]");
}

static bool is_manager(const char *pid)
{
        static const char *const names[] = {"connmand", "ifplugd", "netplugd"};
        _cleanup_free_ char *comm = xasprintf("/proc/%s/comm", pid), *name = NULL;

        if (read_line(comm, &name) < 0)
                return false;
        for (size_t i = 0; i < ELEMENTSOF(names); i++)
                if (streq(name, names[i]))
                        return true;
        return streq(name, "dhcpcd") && is_dhcpcd_manager(pid);
}

/* Some daemons take any port that comes up. */
static bool has_manager(void)
{
        DIR *dir = opendir("/proc");
        bool found = false;
        unsigned pid;

        if (!dir)
                return true;
        for (struct dirent *d; !found && (d = readdir(dir));)
                found = parse_uint(d->d_name, 1 << 30, &pid) == 0 && is_manager(d->d_name);
        closedir(dir);
        return found;
}

/* NetworkManager does nothing to the ports that we told it to leave alone; networkd takes one down again. What netplan is
 * to set up one of them may take at any moment. */
static bool is_managed(const struct port *p)
{
        if (!p->stack && net_netplan_would(p))
                return true;
        return p->stack && p->stack != &net_ifupdown && !(p->stack == &net_networkmanager && streq_null(p->ours, "off"));
}

/* Somebody has to do with it. */
static bool is_in_use(const struct port *p)
{
        _cleanup_free_ pid_t *pids = NULL;
        size_t n = 0;

        return p->addresses || p->addresses6 || p->usedby || dhcp_clients(p->name, &pids, &n) < 0 || n > 0;
}

static bool is_holdable(const struct port *p)
{
        return p->kind == PORT_WIRED && !p->up && *p->mac && !is_managed(p) && !is_in_use(p);
}

/* --- what stands in the file --- */

static int save(const struct records *held)
{
        _cleanup_buf_ struct buf b = {0};

        if (held->n == 0)
                return file_remove(HOLD_FILE);
        buf_printf(&b, "holder pid=%d\n", (int)getpid());
        RECORDS_FOREACH(r, held)
        {
                _cleanup_free_ char *line = record_text(r);
                buf_printf(&b, "%s\n", line);
        }
        return file_replace(HOLD_FILE, b.buf, 0600);
}

static void load(struct records *ret)
{
        struct record_error error;

        if (access(HOLD_FILE, F_OK) == 0)
                records_read(HOLD_FILE, ret, &error);
}

char **hold_names(void)
{
        _cleanup_records_ struct records all = {0};
        char **names = NULL;

        if (!helper_has_root())
                load(&all);
        RECORDS_FOREACH(r, &all)
                if (streq(r->word, "held"))
                        strv_add(&names, record_str(r, "port"));
        return names;
}

/* --- putting back --- */

static struct port *port_of(const struct ports *ports, const struct record *r)
{
        for (size_t i = 0; i < ports->n; i++)
                if (streq(ports->v[i].name, record_str(r, "port")) && ports->v[i].index == record_u64(r, "index"))
                        return &ports->v[i];
        return NULL; /* it was unplugged; another one in its place has nothing to be put back */
}

/* Down first, so that nothing of it is ever heard. What somebody took over meanwhile stays up. */
static void put_back(const struct ports *ports, const struct record *r)
{
        const struct port *p = port_of(ports, r);

        if (!p)
                return;
        if (p->up && !is_in_use(p))
                port_flags(p->name, false);
        for (size_t i = 0; i < ELEMENTSOF(switches); i++) {
                const char *was = record_get(r, switches[i].key);
                _cleanup_free_ char *now = switch_now(i, p->name);
                if (was && streq_null(now, switches[i].silent))
                        switch_set(i, p->name, was);
        }
}

static void put_back_all(const struct records *held)
{
        _cleanup_ports_ struct ports ports = {0};

        if (held->n == 0 || ports_look(&ports) < 0)
                return;
        RECORDS_FOREACH(r, held)
                if (streq(r->word, "held"))
                        put_back(&ports, r);
        file_remove(HOLD_FILE);
}

/* Under the lock. */
static void put_back_left(void)
{
        _cleanup_records_ struct records left = {0};

        load(&left);
        put_back_all(&left);
}

/* --- holding --- */

void hold_begin(struct hold *h)
{
        *h = (struct hold){.lock = -1};
        if (helper_has_root() || geteuid() != 0 || lock_take(HOLD_LOCK, &h->lock) < 0)
                return;
        sigaction(SIGTERM, &(struct sigaction){.sa_handler = on_term}, NULL);
        put_back_left();
}

static struct record *describe(const struct port *p)
{
        struct record *r = record_new("held");

        record_set(r, "port", p->name);
        record_set(r, "mac", p->mac);
        record_set_u64(r, "index", p->index);
        for (size_t i = 0; i < ELEMENTSOF(switches); i++) {
                _cleanup_free_ char *now = switch_now(i, p->name);
                record_set(r, switches[i].key, now);
        }
        return r;
}

static int bring_up(const struct record *r)
{
        const char *name = record_str(r, "port");

        for (size_t i = 0; i < ELEMENTSOF(switches); i++)
                if (record_get(r, switches[i].key)) {
                        int e = switch_set(i, name, switches[i].silent);
                        if (e < 0)
                                return e; /* it would not be silent: better not looked at */
                }
        return port_flags(name, true);
}

bool hold_up(struct hold *h, struct ports *ports)
{
        _cleanup_free_ char *path = helper_path(NET_LOCK);
        _cleanup_close_ int changing = -1; /* until they are up: whoever begins a change then finds them in the file */
        size_t before = h->held.n;

        if (h->lock < 0 || is_unwanted || has_manager() || lock_take(path, &changing) < 0)
                return false;
        for (size_t i = 0; i < ports->n; i++)
                if (is_holdable(&ports->v[i]) && !records_find(&h->held, "held", "port", ports->v[i].name))
                        records_add(&h->held, describe(&ports->v[i]));
        if (h->held.n == before || save(&h->held) < 0)
                return false;
        for (size_t i = before; i < h->held.n; i++)
                if (bring_up(h->held.v[i]) == 0)
                        port_of(ports, h->held.v[i])->held = port_of(ports, h->held.v[i])->up = true;
        return true;
}

/* False: one of them is no longer only ours. */
static bool is_still_ours(const struct ports *ports, const struct record *r)
{
        const struct port *p = port_of(ports, r);

        return p && p->up && !is_in_use(p);
}

void hold_mind(struct hold *h)
{
        _cleanup_ports_ struct ports ports = {0};
        struct records kept = {0};

        if (is_unwanted)
                return hold_end(h);
        if (h->held.n == 0 || ports_look(&ports) < 0)
                return;
        RECORDS_FOREACH(r, &h->held)
        {
                if (is_still_ours(&ports, r)) {
                        records_add(&kept, r);
                        continue;
                }
                put_back(&ports, r);
                record_free(r);
        }
        bool has_fewer = kept.n < h->held.n;
        free(h->held.v);
        h->held = kept;
        if (has_fewer)
                save(&kept);
}

void hold_end(struct hold *h)
{
        put_back_all(&h->held);
        records_free(&h->held);
        h->held = (struct records){0};
        closep(&h->lock);
        h->lock = -1;
}

/* --- for the others --- */

void hold_recover(void)
{
        _cleanup_close_ int lock = -1;

        if (!helper_has_root() && geteuid() == 0 && access(HOLD_FILE, F_OK) == 0 && lock_take(HOLD_LOCK, &lock) == 0)
                put_back_left();
}

/* Its number may be another's by now; only one of ours is spoken to. */
static void ask_holder(void)
{
        _cleanup_records_ struct records all = {0};

        load(&all);
        const struct record *holder = all.n > 0 ? all.v[0] : NULL;
        uint64_t pid = holder && streq(holder->word, "holder") ? record_u64(holder, "pid") : 0;
        _cleanup_free_ char *path = xasprintf("/proc/%u/comm", (unsigned)pid), *name = NULL;
        if (pid > 1 && read_line(path, &name) == 0 && streq(name, "nas-net"))
                kill((pid_t)pid, SIGTERM);
}

void hold_stop(void)
{
        if (helper_has_root() || geteuid() != 0)
                return;
        for (uint64_t until = now_ms() + STOP_MS; access(HOLD_FILE, F_OK) == 0 && now_ms() < until;) {
                hold_recover();
                if (access(HOLD_FILE, F_OK) == 0)
                        ask_holder();
                usleep(POLL_MS * 1000);
        }
}

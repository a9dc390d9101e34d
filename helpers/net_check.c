#include "helpers/net_check.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "helpers/lib/helper.h"
#include "helpers/net_stack.h"

/* arping -c 3 -w 4 needs 3.3 to 3.8 s for a free address; everything runs side by side and has ended after 6 s. */
#define ARPING_MS 5500
#define DNS_MS 4500
#define DNS_AGAIN_MS 1500

const struct param check_params[] = {
        {"port", true, "permanent MAC address of the port"},
        {"address", false, "IPv4 address with prefix"},
        {"gateway", false, "IPv4 address"},
        {"dns", false, "list of up to three IPv4 addresses"},
        {0},
};

/* --- ARP --- */

struct probe {
        char *ip;
        char *argv[12];
        struct run run;
};

/* -D: 0 nobody answered, 1 somebody did, everything else says nothing (2: the port is down). */
static void probe_init(struct probe *b, const struct port *p, uint32_t ip)
{
        b->ip = address_text(&(struct address){.ip = ip});
        char *const argv[] = {"arping", "-D", "-c", "3", "-w", "4", "-I", p->name, b->ip, NULL};

        memcpy(b->argv, argv, sizeof(argv));
        b->run = (struct run){.argv = b->argv, .deadline_ms = ARPING_MS};
}

static void probe_free(struct probe *b)
{
        run_free(&b->run);
        free(b->ip);
}
#define _cleanup_probe_ _cleanup_(probe_free)

/* "Unicast reply from 192.168.77.66 [52:54:00:00:00:99]  0.7ms" */
static char *reply_mac(const char *out)
{
        const char *open = out ? strchr(out, '[') : NULL;
        _cleanup_free_ char *text = open ? xstrndup(open + 1, strcspn(open + 1, "]")) : NULL;
        char *mac = NULL;

        return text && mac_parse(text, &mac) == 0 ? mac : NULL;
}

/* Debian has another program of that name, whose -D draws dots. */
static bool has_arping(void)
{
        _cleanup_free_ char *out = NULL;

        return has_program("arping") && helper_ask(STRV("arping", "-V"), &out) == 0 && strstr(out, "iputils");
}

static const char *why_untested(const struct port *p)
{
        return helper_has_root() ? "failed" : !p->up ? "down" : p->carrier == 0 ? "no-cable" : NULL;
}

int check_owner(const struct port *p, uint32_t ip, char **ret_mac)
{
        _cleanup_probe_ struct probe b = {0};

        if (why_untested(p))
                return -ENETDOWN;
        if (!has_arping())
                return -ENOENT;
        probe_init(&b, p, ip);
        run_one(&b.run);
        if (b.run.status != 1)
                return b.run.status == 0 ? 0 : -EIO;
        char *mac = reply_mac(b.run.out.buf);
        *ret_mac = mac ? mac : xstrdup("unknown");
        return 1;
}

/* --- DNS --- */

struct question {
        uint32_t server;
        int fd;
        uint16_t id;
        const char *state, *why; /* state NULL: still waiting */
        uint64_t again;
};

/* RFC 1035, 4.1: one question for the name servers of the root, which everyone who answers at all can answer. */
static void ask(struct question *q)
{
        unsigned char packet[] = {0, 0, 1 /* recursion desired */, 0, 0, 1 /* one question */, 0, 0, 0, 0, 0, 0,
                                  0 /* the root */, 0, 2 /* NS */, 0, 1 /* IN */};

        packet[0] = (unsigned char)(q->id >> 8);
        packet[1] = (unsigned char)q->id;
        q->again = now_ms() + DNS_AGAIN_MS;
        if (send(q->fd, packet, sizeof(packet), MSG_NOSIGNAL) < 0 && errno == ECONNREFUSED)
                q->state = "silent";
}

static void question_fail(struct question *q, const char *why)
{
        q->state = "untested";
        q->why = why;
}

static void question_begin(struct question *q, const struct port *p, uint32_t server)
{
        struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(53), .sin_addr.s_addr = htonl(server)};

        *q = (struct question){.server = server, .fd = -1};
        if (why_untested(p))
                return question_fail(q, why_untested(p));
        if (!p->addresses)
                return question_fail(q, "no-address");
        random_bytes(&q->id, sizeof(q->id));
        q->fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (q->fd < 0 || setsockopt(q->fd, SOL_SOCKET, SO_BINDTODEVICE, p->name, (socklen_t)strlen(p->name)) < 0)
                return question_fail(q, "failed");
        if (connect(q->fd, (struct sockaddr *)&to, sizeof(to)) < 0)
                return question_fail(q, errno == ENETUNREACH ? "no-address" : "failed");
        ask(q);
}

/* The socket is connected, so only the server's own packets come in; the rest of the answer does not matter. */
static void question_poll(struct question *q)
{
        unsigned char answer[512];

        if (q->state)
                return;
        ssize_t n = recv(q->fd, answer, sizeof(answer), 0);
        if (n >= 12 && answer[0] == q->id >> 8 && answer[1] == (q->id & 255) && answer[2] & 0x80)
                q->state = "answers";
        else if (n < 0 && errno == ECONNREFUSED)
                q->state = "silent";
        else if (now_ms() >= q->again)
                ask(q);
}

/* --- all at once --- */

struct check {
        const struct port *port;
        const struct ports *ports;
        struct address address, gateway;
        struct address dns[DNS_MAX];
        size_t n_dns;
        struct probe probes[2]; /* address, gateway */
        size_t n_probes;
        struct question questions[DNS_MAX];
};

static void check_free(struct check *c)
{
        for (size_t i = 0; i < c->n_probes; i++)
                probe_free(&c->probes[i]);
        for (size_t i = 0; i < DNS_MAX; i++)
                closep(&c->questions[i].fd);
}
#define _cleanup_check_ _cleanup_(check_free)

static int parse(const struct record *args, struct check *c)
{
        enum address_fault fault = ADDRESS_GOOD;
        const char *address = record_str(args, "address"), *gateway = record_str(args, "gateway"),
                   *dns = record_str(args, "dns");
        const struct address *own = *address ? &c->address : NULL;

        if (own && address_check(address, &c->address, &fault) < 0)
                return helper_usage("address", "address=%s: %s", address, address_fault_text(fault));
        if (*gateway && (own ? gateway_check(gateway, own, &c->gateway, &fault)
                             : host_check(gateway, &c->gateway, &fault)) < 0)
                return helper_usage("gateway", "gateway=%s: %s", gateway, address_fault_text(fault));
        if (dns_check(dns, own, c->dns, &c->n_dns, &fault) < 0)
                return helper_usage("dns", "dns=%s: %s", dns, address_fault_text(fault));
        return 0;
}

static bool is_waiting(const struct check *c)
{
        for (size_t i = 0; i < c->n_dns; i++)
                if (!c->questions[i].state)
                        return true;
        return false;
}

static void serve(struct check *c, struct run *runs, size_t n)
{
        uint64_t until = now_ms() + DNS_MS;
        size_t left = n;

        while (left > 0 || (is_waiting(c) && now_ms() < until)) {
                left = run_poll(runs, n, left > 0 ? 50 : 0);
                if (left == 0)
                        poll(NULL, 0, 50);
                for (size_t i = 0; i < c->n_dns; i++)
                        question_poll(&c->questions[i]);
        }
        for (size_t i = 0; i < c->n_dns; i++)
                if (!c->questions[i].state)
                        c->questions[i].state = "silent";
}

static void run_probes(struct check *c, bool is_possible)
{
        struct run runs[2] = {0};
        size_t n = 0;

        if (is_possible)
                for (; n < c->n_probes; n++) {
                        runs[n] = c->probes[n].run;
                        if (run_begin(&runs[n]) < 0)
                                break;
                }
        serve(c, runs, n);
        for (size_t i = 0; i < n; i++)
                c->probes[i].run = runs[i];
        for (size_t i = n; i < c->n_probes; i++)
                c->probes[i].run.status = -EIO;
}

/* Whoever was given the first half of the address, as udev's database has it (hwdb, 20-OUI.hwdb); an address whose second
 * bit is set was made up by a program. */
static char *maker_of(const char *mac)
{
        char key[24] = "OUI:", *rest = NULL;
        _cleanup_free_ char *out = NULL;
        size_t n = strlen(key);

        if (strtoul((char[]){mac[0], mac[1], '\0'}, NULL, 16) & 2)
                return NULL;
        for (const char *p = mac; *p && n < sizeof(key) - 1; p++)
                if (*p != ':')
                        key[n++] = (char)toupper((unsigned char)*p);
        if (helper_ask(STRV((char *)"systemd-hwdb", (char *)"query", key), &out) < 0)
                return NULL;
        for (char *line = strtok_r(out, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
                const char *value = skip_prefix(line, "ID_OUI_FROM_DATABASE=");
                if (value)
                        return xstrdup(value);
        }
        return NULL;
}

static void report(const char *what, const char *value, const char *state, const char *by, const char *why)
{
        _cleanup_record_ struct record *r = record_new("check");

        record_set(r, "what", what);
        record_set(r, "value", value);
        record_set(r, "state", state);
        record_set(r, "by", by);
        _cleanup_free_ char *maker = streq(state, "taken") && by ? maker_of(by) : NULL;
        record_set(r, "maker", maker);
        record_set(r, "why", why);
        record_print(r, stdout);
}

static void report_probe(const struct check *c, const struct probe *b, bool is_gateway, const char *why)
{
        _cleanup_free_ char *mac = b->run.status == 1 ? reply_mac(b->run.out.buf) : NULL;
        const char *what = is_gateway ? "gateway" : "address";

        if (why || (b->run.status != 0 && b->run.status != 1))
                report(what, b->ip, "untested", NULL, why ? why : "failed");
        else if (b->run.status == 0)
                report(what, b->ip, is_gateway ? "silent" : "free", NULL, NULL);
        else if (!is_gateway && mac && ports_own_mac(c->ports, mac))
                report(what, b->ip, "ours", mac, NULL);
        else
                report(what, b->ip, is_gateway ? "answers" : "taken", mac, NULL);
}

static bool is_on_port(const struct port *p, uint32_t ip)
{
        _cleanup_free_ char *text = address_text(&(struct address){.ip = ip});

        STRV_FOREACH(a, p->addresses)
                if (has_prefix(*a, text) && (*a)[strlen(text)] == '/')
                        return true;
        return false;
}

static void check_all(struct check *c)
{
        bool is_ours = c->address.ip && is_on_port(c->port, c->address.ip);
        _cleanup_free_ char *own = address_text(&(struct address){.ip = c->address.ip});
        size_t i = 0;

        if (c->address.ip && !is_ours)
                probe_init(&c->probes[c->n_probes++], c->port, c->address.ip);
        if (c->gateway.ip)
                probe_init(&c->probes[c->n_probes++], c->port, c->gateway.ip);
        for (size_t k = 0; k < c->n_dns; k++)
                question_begin(&c->questions[k], c->port, c->dns[k].ip);
        const char *why = why_untested(c->port);
        if (!why && c->n_probes > 0 && !has_arping())
                why = "no-program";
        run_probes(c, !why);
        if (is_ours)
                report("address", own, "ours", c->port->mac, NULL);
        else if (c->address.ip)
                report_probe(c, &c->probes[i++], false, why);
        if (c->gateway.ip)
                report_probe(c, &c->probes[i++], true, why);
        for (size_t k = 0; k < c->n_dns; k++) {
                _cleanup_free_ char *server = address_text(&c->dns[k]);
                report("dns", server, c->questions[k].state, NULL, c->questions[k].why);
        }
}

int check_run(const struct record *args)
{
        _cleanup_ports_ struct ports ports = {0};
        _cleanup_check_ struct check c = {.ports = &ports};
        _cleanup_free_ char *mac = NULL;

        if (mac_parse(record_str(args, "port"), &mac) < 0)
                return helper_usage("port", "port=%s is no MAC address; one is like 52:54:00:12:34:56",
                                    record_str(args, "port"));
        for (size_t i = 0; i < DNS_MAX; i++)
                c.questions[i].fd = -1;
        int status = parse(args, &c);
        if (status)
                return status;
        int r = ports_look(&ports);
        c.port = r < 0 ? NULL : ports_by_mac(&ports, mac);
        if (!c.port)
                return helper_refuse("no-port", mac, "There is no wired network port with the address %s.", mac);
        check_all(&c);
        return helper_result(NULL);
}

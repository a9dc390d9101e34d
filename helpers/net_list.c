#include "helpers/net_list.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "helpers/lib/helper.h"
#include "helpers/net_hold.h"
#include "helpers/net_link.h"
#include "helpers/net_name.h"
#include "helpers/net_ssh.h"
#include "helpers/net_stack.h"
#include "helpers/net_trial.h"

#define SECONDS 6
#define SECONDS_MAX 60
#define RESERVE_MS 500 /* to put back and to tell */
#define STEP_MS 100
#define SETTLE_MS 300 /* the speed comes a moment after the carrier */

const struct param look_params[] = {
        {"seconds", false, "at most, 2 to 60; left out: 6"},
        {0},
};

static void set_list(struct record *r, const char *key, char *const *list)
{
        if (list)
                record_set_list(r, key, list);
}

static void set_speed(struct record *r, const char *key, uint64_t speed)
{
        if (speed > 0)
                record_set_u64(r, key, speed);
}

static struct record *host_record(const struct ports *ports)
{
        struct record *r = record_new("host");
        _cleanup_free_ char *name = name_now();

        record_set(r, "name", name);
        for (size_t i = 0; i < ports->n && !record_get(r, "domain"); i++)
                record_set(r, "domain", ports->v[i].domain);
        ssh_set_host(ports, r);
        trial_set_host(r);
        return r;
}

/* Nobody answered DHCP, and the port gave itself something (RFC 3927). */
static bool is_link_local(const struct port *p)
{
        struct address a;

        STRV_FOREACH(text, p->addresses)
                if (address_check(*text, &a, NULL) < 0 || !address_is_link_local(&a))
                        return false;
        return p->addresses != NULL;
}

static struct record *port_record(const struct port *p)
{
        struct record *r = record_new("port");

        record_set(r, "name", p->name);
        record_set(r, "mac", p->mac);
        record_set(r, "driver", p->driver);
        record_set(r, "card", *p->card ? p->card : NULL);
        record_set(r, "kind", link_kind_text(p));
        record_set(r, "bus", p->bus);
        set_list(r, "members", p->members);
        set_speed(r, "speed", p->speed);
        set_speed(r, "maxspeed", p->best);
        set_speed(r, "peerspeed", p->peer);
        record_set(r, "duplex", p->duplex);
        record_set(r, "carrier", p->carrier < 0 ? "unknown" : p->carrier ? "yes" : "no");
        record_set(r, "up", p->up && !p->held ? "yes" : "no");
        set_list(r, "address", p->addresses);
        record_set(r, "gateway", p->gateway);
        set_list(r, "dns", p->dns);
        record_set(r, "ipv6", p->ipv6);
        set_list(r, "address6", p->addresses6);
        record_set(r, "gateway6", p->gateway6);
        record_set(r, "domain", p->domain);
        record_set(r, "method", is_link_local(p) ? "link-local" : p->method);
        record_set(r, "stack", p->stack ? p->stack->name : "none");
        record_set(r, "ours", p->ours);
        record_set(r, "usedby", p->usedby);
        return r;
}

int net_look(struct ports *ret)
{
        hold_recover();
        int r = ports_look(ret);
        if (r == 0)
                net_stacks_look(ret);
        return r;
}

void net_list_records(const struct ports *ports, struct records *ret)
{
        records_add(ret, host_record(ports));
        for (size_t i = 0; i < ports->n; i++)
                records_add(ret, port_record(&ports->v[i]));
}

static int print_list(const struct ports *ports)
{
        _cleanup_records_ struct records rs = {0};

        net_list_records(ports, &rs);
        RECORDS_FOREACH(r, &rs)
                record_print(r, stdout);
        return helper_result(NULL);
}

int net_say_no_ports(int r)
{
        return helper_fail("no-ports", NULL, NULL, "The network ports cannot be looked at: %s.", strerror(-r));
}

int list_run(const struct record *args _unused_)
{
        _cleanup_ports_ struct ports ports = {0};
        int r = net_look(&ports);

        return r < 0 ? net_say_no_ports(r) : print_list(&ports);
}

/* --- with the ports up --- */

/* Names, addresses and owners as they were before; of the ports that are held, what their cables tell now. */
static bool look_again(struct ports *ports)
{
        bool is_all_known = true;

        for (size_t i = 0; i < ports->n; i++) {
                struct port *p = &ports->v[i];
                if (p->held)
                        link_look_speed(p);
                is_all_known &= !p->held || p->carrier == 1;
        }
        return is_all_known;
}

bool net_nap(int ms)
{
        struct pollfd out = {.fd = STDOUT_FILENO};

        return poll(&out, 1, ms) <= 0 || !(out.revents & (POLLERR | POLLHUP));
}

static int look(const void *until)
{
        uint64_t end = *(const uint64_t *)until;
        _cleanup_ports_ struct ports ports = {0};
        _cleanup_hold_ struct hold h;
        int r;

        hold_begin(&h);
        r = net_look(&ports);
        if (r < 0)
                return net_say_no_ports(r);
        hold_up(&h, &ports);
        while (!look_again(&ports) && now_ms() < end) {
                if (!net_nap(STEP_MS))
                        return HELPER_DONE;
                hold_mind(&h);
        }
        if (now_ms() < end && net_nap(SETTLE_MS))
                look_again(&ports);
        hold_end(&h);
        return print_list(&ports);
}

int look_run(const struct record *args)
{
        const char *text = record_str(args, "seconds");
        unsigned seconds = SECONDS;

        if (*text && (parse_uint(text, SECONDS_MAX, &seconds) < 0 || seconds < 2))
                return helper_usage("seconds", "seconds= takes a number from 2 to %d", SECONDS_MAX);
        uint64_t until = now_ms() + seconds * UINT64_C(1000) - RESERVE_MS;
        int r = run_apart(look, &until);
        return r < 0 ? net_say_no_ports(r) : r;
}

/* Network ports and the fixed address; see nas-helpers(8). */
#include <errno.h>

#include "helpers/lib/helper.h"
#include "helpers/net_check.h"
#include "helpers/net_link.h"
#include "helpers/net_name.h"
#include "helpers/net_ssh.h"
#include "helpers/net_static.h"
#include "helpers/net_trial.h"
#include "helpers/net_undo.h"

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

static void print_host(const struct ports *ports)
{
        _cleanup_record_ struct record *r = record_new("host");
        _cleanup_free_ char *name = name_now();

        record_set(r, "name", name);
        for (size_t i = 0; i < ports->n && !record_get(r, "domain"); i++)
                record_set(r, "domain", ports->v[i].domain);
        ssh_set_host(ports, r);
        trial_set_host(r);
        record_print(r, stdout);
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

static void print_port(const struct port *p)
{
        _cleanup_record_ struct record *r = record_new("port");

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
        record_set(r, "up", p->up ? "yes" : "no");
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
        record_print(r, stdout);
}

static int list_run(const struct record *args _unused_)
{
        _cleanup_ports_ struct ports ports = {0};
        int r = ports_look(&ports);

        if (r < 0)
                return helper_fail("no-ports", NULL, NULL, "The network ports cannot be looked at: %s.", strerror(-r));
        net_stacks_look(&ports);
        print_host(&ports);
        for (size_t i = 0; i < ports.n; i++)
                print_port(&ports.v[i]);
        return helper_result(NULL);
}

static const struct verb verbs[] = {
        {"list", "the network ports of this computer", NULL, false, list_run},
        {"check", "ask the network whether an address is free and a gateway and DNS servers answer", check_params, false,
         check_run},
        {"static", "one fixed address on a port, others off", static_params, true, static_run},
        {"confirm", "the change on trial stays", NULL, false, confirm_run},
        {"wait", "until the change on trial is confirmed or taken back", wait_params, false, wait_run},
        {"recover", "take back a change that nobody will any more", recover_params, false, recover_run},
        {"undo", "everything as before the last change", NULL, false, undo_run},
        {0},
};

static const struct helper nas_net = {"nas-net", "network ports and the fixed address of a NAS", verbs};

int main(int argc, char **argv)
{
        return helper_main(&nas_net, argc, argv);
}

#include "helpers/net_blink.h"

#include <errno.h>
#include <linux/ethtool.h>

#include "helpers/net_hold.h"
#include "helpers/net_link.h"
#include "helpers/net_list.h"

#define SECONDS 10
#define SECONDS_MAX 600

const struct param blink_params[] = {
        {"port", true, "permanent MAC address of the port"},
        {"seconds", false, "for how long, 1 to 600; left out: 10"},
        {0},
};

struct blink {
        char *mac;
        unsigned seconds;
};

/* The kernel waits inside of the call, so each is short. Where another one makes it blink, that will do. */
static int flash(const char *name, unsigned seconds)
{
        int r = 0;

        for (unsigned i = 0; r == 0 && i < seconds; i++) {
                struct ethtool_value request = {.cmd = ETHTOOL_PHYS_ID, .data = 1};
                r = link_ask(name, &request);
                bool has_listener = net_nap(r == -EBUSY ? 1000 : 0);
                r = r == -EBUSY ? 0 : r;
                if (!has_listener)
                        break;
        }
        return r;
}

static int say(const struct port *p, int r)
{
        if (r == 0)
                return helper_result(NULL);
        return helper_refuse("no-lamp", p->name,
                             "%s has no lamp that can be made to blink (%s). Pull its cable out and put it in again, and "
                             "see which port of the list loses it.",
                             p->name, strerror(-r));
}

static int blink(const void *ctx)
{
        const struct blink *b = ctx;
        _cleanup_ports_ struct ports ports = {0};
        int r = net_look(&ports);

        if (r < 0)
                return net_say_no_ports(r);
        struct port *p = ports_by_mac(&ports, b->mac);
        if (!p)
                return helper_refuse("no-port", b->mac, "There is no wired network port with the address %s.", b->mac);
        if (helper_has_root())
                return helper_result(NULL);
        r = flash(p->name, b->seconds);
        if (r != -EAGAIN && r != -ENETDOWN)
                return say(p, r);
        _cleanup_hold_ struct hold h;
        hold_begin(&h);
        hold_up(&h, &(struct ports){.v = p, .n = 1});
        return say(p, flash(p->name, b->seconds));
}

int blink_run(const struct record *args)
{
        const char *seconds = record_str(args, "seconds");
        _cleanup_free_ char *mac = NULL;
        struct blink b = {.seconds = SECONDS};

        if (mac_parse(record_str(args, "port"), &mac) < 0)
                return helper_usage("port", "port=%s is no MAC address; one is like 52:54:00:12:34:56",
                                    record_str(args, "port"));
        if (*seconds && (parse_uint(seconds, SECONDS_MAX, &b.seconds) < 0 || b.seconds == 0))
                return helper_usage("seconds", "seconds= takes a number from 1 to %d", SECONDS_MAX);
        b.mac = mac;
        int r = run_apart(blink, &b);
        return r < 0 ? net_say_no_ports(r) : r;
}

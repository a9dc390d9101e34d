#include "helpers/net_others.h"

#include "helpers/lib/helper.h"

#define ONLINE "/etc/systemd/system/systemd-networkd-wait-online.service.d/nas-setup.conf"

static const struct net_stack *const others[] = {&net_netplan, &net_networkd, &net_ifupdown};

/* NULL: the LAN port's. */
static const struct net_stack *other_of(const struct net_want *w, const char *mac)
{
        const struct port *p = ports_by_mac(w->ports, mac);

        if (!p || !p->stack || p->stack == w->stack || p->stack == &net_networkmanager ||
            net_stack_runner(p->stack, w->ports, p) == net_stack_runner(w->stack, w->ports, w->lan))
                return NULL;
        return p->stack;
}

/* Those that are run by this one, which is not the LAN port's. */
static char **off_of(const struct net_want *w, const struct net_stack *stack)
{
        char **list = NULL;

        STRV_FOREACH(mac, w->off)
                if (other_of(w, *mac) == stack)
                        strv_add(&list, *mac);
        return list;
}

/* Its service waits two minutes for one of its ports (seen with 252), also where all that it has are off. */
static bool has_networkd_only_off(const struct net_want *w)
{
        bool has_off = false;

        for (size_t i = 0; i < w->ports->n; i++) {
                const struct port *p = &w->ports->v[i];
                if (!net_networkd.owns(p) && !net_networkd_is_netplan(p))
                        continue;
                if (p == w->lan || !*p->mac || !strv_has(w->off, p->mac))
                        return false;
                has_off = true;
        }
        return has_off && net_stack_runner(w->stack, w->ports, w->lan) != &net_networkd;
}

int others_files(const struct net_want *w, struct net_files *ret, char **ret_why)
{
        char *none = has_networkd_only_off(w) ? xstrdup(NET_HEADER "[Service]\nExecStart=\nExecStart=/bin/true\n") : NULL;
        net_files_add(ret, ONLINE, none, 0644, false);
        int r = w->stack->files(w, ret, ret_why);

        for (size_t i = 0; i < ELEMENTSOF(others) && r == 0; i++) {
                _cleanup_strv_ char **off = off_of(w, others[i]);
                struct net_want other = {.off = off, .ports = w->ports, .stack = others[i]};
                if (off)
                        r = others[i]->files(&other, ret, ret_why);
        }
        return r;
}

static const struct net_stack *stack_of(const struct net_want *w, const char *mac)
{
        const struct net_stack *other = other_of(w, mac);

        return other ? other : w->stack;
}

void others_release(const struct net_want *w)
{
        STRV_FOREACH(mac, w->off) {
                const struct port *p = ports_by_mac(w->ports, *mac);
                if (p)
                        stack_of(w, *mac)->release(p);
        }
}

const char *others_amiss(const struct port *p)
{
        return p->up ? "another port is still on" : p->addresses ? "another port still has an address" : NULL;
}

static bool is_on(const struct net_want *w, const char *mac)
{
        const struct port *p = ports_by_mac(w->ports, mac);
        _cleanup_free_ pid_t *clients = NULL;
        size_t n = 0;

        return p && (others_amiss(p) || (dhcp_clients(p->name, &clients, &n) == 0 && n > 0));
}

bool others_are_on(const struct net_want *w)
{
        STRV_FOREACH(mac, w->off)
                if (is_on(w, *mac))
                        return true;
        return false;
}

static void read_files(const struct net_want *w, const struct net_stack *stack)
{
        _cleanup_strv_ char **off = off_of(w, stack);
        struct ports touched = {.v = xmalloc((w->ports->n + 1) * sizeof(*touched.v))}; /* shallow */
        _cleanup_free_ struct port *owned _unused_ = touched.v;

        STRV_FOREACH(mac, off)
                if (ports_by_mac(w->ports, *mac))
                        touched.v[touched.n++] = *ports_by_mac(w->ports, *mac);
        if (touched.n > 0)
                stack->restore(&touched);
}

void others_switch_off(const struct net_want *w, bool has_new)
{
        for (size_t i = 0; i < ELEMENTSOF(others) && has_new; i++)
                read_files(w, others[i]);
        STRV_FOREACH(mac, w->off)
                if (is_on(w, *mac))
                        stack_of(w, *mac)->off(ports_by_mac(w->ports, *mac));
}

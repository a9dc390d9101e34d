#include "wizard/choices_private.h"

#include <ctype.h>

#include "helpers/lib/address.h"
#include "helpers/lib/address6.h"
#include "wizard/i18n.h"

#define HOST_ADVISED "nas"

/* A blank before or behind is no part of an address or a name, and nobody sees it. */
static char *said_trimmed(const struct making *m, enum answer which, const char *advice)
{
        _cleanup_free_ char *said = said_or(m, which, advice);

        return xstrdup(strip(said));
}

/* A cable, then an address that is in use already, then the speed; at last a card that nobody can pull out. */
static unsigned long port_rank(const struct port *p)
{
        unsigned long rank = 2 * (p->speed < 1000000 ? p->speed : 0) + !streq(p->bus, "usb");

        rank += p->addresses ? 10000000 : 0;
        return rank + (p->carrier == YES ? 200000000 : p->carrier == UNKNOWN ? 100000000 : 0);
}

static const struct port *port_advised(const struct facts *f)
{
        const struct port *best = NULL;

        for (size_t i = 0; i < f->n_ports; i++)
                if (port_is_choosable(&f->ports[i]) && (!best || port_rank(&f->ports[i]) > port_rank(best)))
                        best = &f->ports[i];
        return best;
}

/* What computers take by themselves is none to keep. */
static const char *address_now(const struct port *p)
{
        struct address a;

        for (size_t i = 0; p && p->addresses && p->addresses[i]; i++)
                if (address_check(p->addresses[i], &a, NULL) == 0 && !address_is_link_local(&a))
                        return p->addresses[i];
        return "";
}

/* Whether the ports of this computer are known at all. */
static bool has_list(const struct facts *f)
{
        return records_find(&f->records, "host", NULL, NULL) && !records_find(&f->records, "missing", "helper", "nas-net");
}

static const struct port *wifi_in_use(const struct facts *f)
{
        for (size_t i = 0; i < f->n_ports; i++)
                if (streq(f->ports[i].kind, "wifi") && *address_now(&f->ports[i]))
                        return &f->ports[i];
        return NULL;
}

/* Where no cable can be had: Wi-Fi as it is, or no network at all. False where there is a port for a cable to set up. */
static bool make_kept(struct making *m)
{
        struct choices *c = m->c;
        const char *mac = m->a->v[A_PORT];
        const struct port *wifi = wifi_in_use(m->f);
        bool has_wired = port_advised(m->f) || mac;
        _cleanup_free_ char *keep = said_or(m, A_KEEP_NETWORK, !has_wired && wifi && !m->a->v[A_DO] ? "yes" : "no");

        is_one_of(m, A_KEEP_NETWORK, keep, STRV("yes", "no"));
        c->keeps_network = streq(keep, "yes");
        c->is_offline = !c->keeps_network && !has_wired && !m->a->v[A_DO] && has_list(m->f);
        if (!c->keeps_network)
                return c->is_offline;
        c->port = mac ? facts_port(m->f, mac) : wifi;
        if (!c->port || !*address_now(c->port))
                add_fault(m, A_KEEP_NETWORK, "%s", _("There is no address that could be kept. Connect this computer to your network first."));
        return true;
}

static void make_port(struct making *m)
{
        const char *mac = m->a->v[A_PORT];

        m->c->port = mac ? facts_port(m->f, mac) : port_advised(m->f);
        if (mac && !m->c->port)
                add_fault(m, A_PORT, _("This computer has no network port with the hardware address %s."), mac);
        else if (mac && *m->c->port->usedby)
                add_fault(m, A_PORT, _("%s is a part of %s, which somebody set up, and stays as it is."), m->c->port->name,
                          m->c->port->usedby);
        else if (mac && !port_is_choosable(m->c->port))
                add_fault(m, A_PORT, _("%s is not a port for a cable."), m->c->port->name);
        else if (!m->c->port)
                add_fault(m, A_PORT, "%s", _("This computer has no network port for a cable. Connect one and start again."));
}

static void make_others(struct making *m)
{
        _cleanup_free_ char *others = said_or(m, A_OTHERS, "off");

        is_one_of(m, A_OTHERS, others, STRV("off", "keep"));
        m->c->others_off = streq(others, "off");
        for (size_t i = 0; m->c->others_off && i < m->f->n_ports; i++)
                if (port_is_choosable(&m->f->ports[i]) && &m->f->ports[i] != m->c->port)
                        strv_add(&m->c->off, m->f->ports[i].mac);
}

static void make_gateway(struct making *m, const struct address *own)
{
        const struct port *p = m->c->port;
        struct address gateway;
        enum address_fault fault;
        _cleanup_free_ char *advice = NULL;

        /* A network that has none may be meant so; where none is known yet there mostly is one. */
        if (p && (*p->gateway || p->addresses) && gateway_check(p->gateway, own, &gateway, NULL) == 0) {
                advice = xstrdup(p->gateway);
        } else {
                gateway = address_propose_gateway(own);
                advice = address_text(&gateway);
                m->c->gateway_guessed = !m->a->v[A_GATEWAY];
        }
        m->c->gateway = said_trimmed(m, A_GATEWAY, advice);
        strip(m->c->gateway);
        if (gateway_check(m->c->gateway, own, &gateway, &fault) == 0)
                return;
        if (fault == ADDRESS_UNFINISHED) { /* as it is while it is typed */
                add_fault(m, A_GATEWAY, "%s", _(address_fault_text(fault)));
                return;
        }
        add_fault(m, A_GATEWAY, _("%s Usual here: %s."), _(address_fault_text(fault)), advice);
        m->c->gateway_proposed = TAKE_PTR(advice);
}

static void make_dns(struct making *m, const struct address *own)
{
        const struct port *p = m->c->port;
        struct address servers[DNS_MAX];
        enum address_fault fault;
        size_t n;
        _cleanup_free_ char *running = p && p->dns ? strv_join(p->dns, ",") : xstrdup("");
        /* Where the router is another one, so is the server that it was. */
        bool is_old = p && streq(running, p->gateway) && !streq(m->c->gateway, p->gateway);
        const char *advice = *running && !is_old && dns_check(running, own, servers, &n, NULL) == 0 ? running : m->c->gateway;

        m->c->dns = said_trimmed(m, A_DNS, advice);
        if (dns_check(m->c->dns, own, servers, &n, &fault) < 0) {
                add_fault(m, A_DNS, "%s", _(address_fault_text(fault)));
                return;
        }
        /* Kept in one form, whatever stood between them. */
        _cleanup_strv_ char **list = NULL;
        for (size_t i = 0; i < n; i++)
                strv_take(&list, address_text(&servers[i]));
        free(m->c->dns);
        m->c->dns = strv_join(list, ",");
}

/* Where the port has an address, others of its network reach it there: one in another network may be a mistake. */
static char *other_network(const struct port *p, const struct address *own)
{
        struct address now, first = {0};

        for (size_t i = 0; p && p->addresses && p->addresses[i]; i++) {
                if (address_check(p->addresses[i], &now, NULL) < 0 || address_is_link_local(&now))
                        continue;
                if (now.prefix == own->prefix && address_network(&now) == address_network(own))
                        return NULL;
                if (!first.prefix)
                        first = (struct address){.ip = address_network(&now), .prefix = now.prefix};
        }
        return first.prefix ? address_text(&first) : NULL;
}

/* Typed without its prefix, and of the network that the port is in now: it takes that network's. */
static bool take_prefix(struct making *m, const struct port *p, struct address *own)
{
        struct address now, typed;

        if (host_check(m->c->address, &typed, NULL) < 0)
                return false;
        for (size_t i = 0; p && p->addresses && p->addresses[i]; i++) {
                if (address_check(p->addresses[i], &now, NULL) < 0 || address_is_link_local(&now) ||
                    !address_same_network(&now, typed.ip))
                        continue;
                typed.prefix = now.prefix;
                _cleanup_free_ char *text = address_text(&typed);
                if (address_check(text, own, NULL) < 0)
                        return false;
                m->c->prefix_taken = true;
                return true;
        }
        return false;
}

/* Sooner or later the router answers there; asked now, it may be away. */
static bool is_routers(const struct port *p, const struct address *own)
{
        _cleanup_free_ char *ip = address_text(&(struct address){.ip = own->ip}), *text = address_text(own);

        return p && *p->gateway && streq(p->gateway, ip) && !strv_has(p->addresses, text);
}

static void make_address(struct making *m)
{
        const struct port *p = m->c->port;
        struct address own;
        enum address_fault fault;

        m->c->address = said_trimmed(m, A_ADDRESS, address_now(p));
        if (address_check(m->c->address, &own, &fault) < 0 && !(fault == ADDRESS_NO_PREFIX && take_prefix(m, p, &own))) {
                add_fault(m, A_ADDRESS, "%s", _(address_fault_text(fault)));
                m->c->gateway = said_trimmed(m, A_GATEWAY, p ? p->gateway : "");
                _cleanup_free_ char *dns = p && p->dns ? strv_join(p->dns, ",") : xstrdup("");
                m->c->dns = said_trimmed(m, A_DNS, dns);
                m->c->subnet = xstrdup("");
                return;
        }
        free(m->c->address);
        m->c->address = address_text(&own);
        struct address net = {.ip = address_network(&own), .prefix = own.prefix};
        m->c->subnet = address_text(&net);
        m->c->subnet_now = other_network(p, &own);
        m->c->link_local = address_is_link_local(&own);
        if (is_routers(p, &own)) {
                add_fault(m, A_ADDRESS, _("This is your router's address (%s). Choose another one."), p->gateway);
                m->c->gateway = said_trimmed(m, A_GATEWAY, p->gateway);
                m->c->dns = said_trimmed(m, A_DNS, p->gateway);
                return;
        }
        make_gateway(m, &own);
        make_dns(m, &own);
}

/* Of the running lease. */
static void make_domain(struct making *m)
{
        enum address_fault fault;

        bool is_ports = m->c->port && *m->c->port->domain;

        m->c->domain = said_trimmed(m, A_DOMAIN, is_ports ? m->c->port->domain : m->f->domain);
        if (domain_check(m->c->domain, &fault) < 0)
                add_fault(m, A_DOMAIN, "%s", _(address_fault_text(fault)));
}

static void make_host(struct making *m)
{
        enum address_fault fault;
        _cleanup_free_ char *kept = streq(m->f->host, "debian") ? NULL : hostname_propose(m->f->host);

        m->c->host = said_trimmed(m, A_NAME, kept ? kept : HOST_ADVISED);
        m->c->host_altered = !m->a->v[A_NAME] && kept && !streq(kept, m->f->host);
        if (hostname_check(m->c->host, &fault) < 0)
                add_fault(m, A_NAME, "%s", _(address_fault_text(fault)));
        m->c->netbios = xstrdup(m->c->host);
        for (char *p = m->c->netbios; *p; p++)
                *p = (char)toupper((unsigned char)*p);
}

/* Unless it is said otherwise, what the router announces stays as it is. */
static void make_ipv6(struct making *m)
{
        const struct port *p = m->c->port;
        enum address6_fault fault;
        struct address6 own, gateway;

        m->c->ipv6 = said_or(m, A_IPV6, m->a->v[A_ADDRESS6] ? "fixed" : "router");
        is_one_of(m, A_IPV6, m->c->ipv6, STRV("router", "off", "fixed"));
        bool is_fixed = streq(m->c->ipv6, "fixed");
        m->c->address6 = is_fixed ? said_trimmed(m, A_ADDRESS6, p && p->addresses6 ? p->addresses6[0] : "") : xstrdup("");
        m->c->gateway6 = is_fixed ? said_trimmed(m, A_GATEWAY6, p ? p->gateway6 : "") : xstrdup("");
        if (!is_fixed)
                return;
        strip(m->c->gateway6);
        if (address6_check(m->c->address6, &own, &fault) < 0)
                add_fault(m, A_ADDRESS6, "%s", _(address6_fault_text(fault)));
        else if (gateway6_check(m->c->gateway6, &own, &gateway, &fault) < 0)
                add_fault(m, A_GATEWAY6, "%s", _(address6_fault_text(fault)));
        strip(m->c->address6);
}

/* As it is now; nothing that was said of another port counts. */
static void keep_address(struct making *m)
{
        struct choices *c = m->c;
        const struct port *p = c->port;
        struct address own, net;

        c->address = xstrdup(address_now(p));
        c->gateway = xstrdup(p ? p->gateway : "");
        c->dns = p && p->dns ? strv_join(p->dns, ",") : xstrdup("");
        if (address_check(c->address, &own, NULL) < 0) {
                c->subnet = xstrdup("");
                return;
        }
        net = (struct address){.ip = address_network(&own), .prefix = own.prefix};
        c->subnet = address_text(&net);
}

void make_network(struct making *m)
{
        if (make_kept(m)) {
                keep_address(m);
        } else {
                make_port(m);
                make_others(m);
                make_address(m);
        }
        make_domain(m);
        make_ipv6(m);
        make_host(m);
}

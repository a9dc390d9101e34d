#include "helpers/net_static.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"
#include "helpers/lib/log.h"
#include "helpers/net_check.h"
#include "helpers/net_ipv6.h"
#include "helpers/net_name.h"
#include "helpers/net_others.h"
#include "helpers/net_trial.h"
#include "helpers/net_undo.h"

/* networkd asks for a second owner for 7 s before it sets an address; 13 s were seen on a busy machine. */
#define WAIT_MS 30000
#define POLL_MS 200
#define RESOLVER_MS 5000
#define CARRIER_MS 5000 /* gigabit Ethernet agrees on its speed within 2 to 4 s */

const struct param static_params[] = {
        {"port", true, "permanent MAC address of the port"},
        {"address", true, "IPv4 address with prefix, like 192.168.1.10/24"},
        {"gateway", false, "IPv4 address of the router; without it nothing beyond the own network is reached"},
        {"dns", false, "list of up to three IPv4 addresses"},
        {"domain", false, "domain in which short names are looked up"},
        {"ipv6", false, "router: as the router announces it; off; fixed: by address6= and gateway6="},
        {"address6", false, "IPv6 address with prefix, like fd12:3456::10/64"},
        {"gateway6", false, "IPv6 address of the router"},
        {"name", false, "host name, at most 15 of a-z, 0-9 and -"},
        {"others", false, "off: the other ports are switched off, all wired ones unless off= names them; keep"},
        {"off", false, "list of permanent MAC addresses of the ports to switch off"},
        {"trial", false, "seconds after which it takes itself back, unless it is confirmed before"},
        {0},
};

static void want_free(struct net_want *w)
{
        free(w->name);
        free(w->domain);
        free(w->address6);
        free(w->gateway6);
        strv_free(w->off);
}
#define _cleanup_want_ _cleanup_(want_free)

/* --- arguments --- */

static char *word(const char *text)
{
        _cleanup_free_ char *copy = xstrdup(text);
        const char *s = strip(copy);

        return *s ? xstrdup(s) : NULL;
}

static int parse_addresses(const struct record *args, struct net_want *w)
{
        enum address_fault fault = ADDRESS_GOOD;
        const char *address = record_str(args, "address"), *gateway = record_str(args, "gateway"),
                   *dns = record_str(args, "dns"), *domain = record_str(args, "domain"), *name = record_str(args, "name"),
                   *trial = record_str(args, "trial");

        if (address_check(address, &w->address, &fault) < 0)
                return helper_usage("address", "address=%s: %s", address, address_fault_text(fault));
        if (gateway_check(gateway, &w->address, &w->gateway, &fault) < 0)
                return helper_usage("gateway", "gateway=%s: %s", gateway, address_fault_text(fault));
        if (dns_check(dns, &w->address, w->dns, &w->n_dns, &fault) < 0)
                return helper_usage("dns", "dns=%s: %s", dns, address_fault_text(fault));
        if (domain_check(domain, &fault) < 0)
                return helper_usage("domain", "domain=%s: %s", domain, address_fault_text(fault));
        if (record_get(args, "name") && hostname_check(name, &fault) < 0)
                return helper_usage("name", "name=%s: %s", name, address_fault_text(fault));
        if (record_get(args, "trial") && (parse_uint(trial, TRIAL_SECONDS_MAX, &w->trial) < 0 || w->trial == 0))
                return helper_usage("trial", "trial=%s: say how many seconds, at most %d", trial, TRIAL_SECONDS_MAX);
        w->name = word(name);
        w->domain = word(domain);
        return 0;
}

static int parse_off(const struct record *args, const char *lan, struct net_want *w)
{
        _cleanup_strv_ char **off = record_get_list(args, "off");
        const char *others = record_str(args, "others");

        if (*others && !streq(others, "off") && !streq(others, "keep"))
                return helper_usage("others", "others=%s: say off or keep", others);
        if (streq(others, "keep") && off)
                return helper_usage("off", "others=keep and off= contradict each other");
        STRV_FOREACH(text, off) {
                char *mac = NULL;
                if (mac_parse(*text, &mac) < 0)
                        return helper_usage("off", "off=%s is no MAC address; one is like 52:54:00:12:34:56", *text);
                strv_take(&w->off, mac);
                if (streq(mac, lan))
                        return helper_usage("off", "%s cannot be both the port and off", mac);
        }
        for (size_t i = 0; streq(others, "off") && !record_get(args, "off") && i < w->ports->n; i++) {
                const struct port *p = &w->ports->v[i];
                if (p->kind == PORT_WIRED && *p->mac && !p->usedby && !streq(p->mac, lan) && !strv_has(w->off, p->mac))
                        strv_add(&w->off, p->mac);
        }
        return 0;
}

/* --- whether it can be done --- */

static int check_port(const struct net_want *w, const char *mac)
{
        if (!ports_by_mac(w->ports, mac))
                return helper_refuse("no-port", mac, "There is no wired network port with the address %s.", mac);
        if (ports_count_mac(w->ports, mac) > 1)
                return helper_refuse("port-ambiguous", mac, "More than one network port has the address %s.", mac);
        const struct port *p = ports_by_mac(w->ports, mac);
        if (p->usedby)
                return helper_refuse("port-used", p->name,
                                     "The port %s belongs to %s, which somebody set up by hand; nas-setup leaves "
                                     "such ports alone.", p->name, p->usedby);
        return 0;
}

static int check_off(const struct net_want *w)
{
        STRV_FOREACH(mac, w->off) {
                const struct port *p = ports_by_mac(w->ports, *mac);
                int status = p ? check_port(w, *mac) : 0; /* unplugged: the files name it all the same */
                if (status)
                        return status;
        }
        return 0;
}

static int prepare(const struct record *args, const struct ports *ports, struct net_want *w)
{
        _cleanup_free_ char *mac = NULL;

        w->ports = ports;
        if (mac_parse(record_str(args, "port"), &mac) < 0)
                return helper_usage("port", "port=%s is no MAC address; one is like 52:54:00:12:34:56",
                                    record_str(args, "port"));
        int status = parse_addresses(args, w);
        if (status == 0)
                status = net_ipv6_parse(args, w);
        if (status == 0)
                status = parse_off(args, mac, w);
        if (status == 0)
                status = check_port(w, mac);
        if (status)
                return status;
        w->lan = ports_by_mac(ports, mac);
        w->stack = w->lan->stack ? w->lan->stack : net_stack_for_free_port(ports);
        if (!w->stack)
                return helper_refuse("no-stack", w->lan->name,
                                     "No program on this computer can set up the port %s at boot; install ifupdown.",
                                     w->lan->name);
        return check_off(w);
}

/* --- what there is already --- */

static const struct port *same_port(const struct ports *now, const struct port *p)
{
        const struct port *q = p ? ports_by_mac(now, p->mac) : NULL;

        return q ? q : p;
}

static bool has_client(const struct port *p)
{
        _cleanup_free_ pid_t *pids = NULL;
        size_t n = 0;

        return dhcp_clients(p->name, &pids, &n) == 0 && n > 0;
}

static const char *amiss_routes(const struct net_want *w)
{
        _cleanup_free_ struct route *routes = NULL;
        size_t n = 0, on_lan = 0;

        if (default_routes(&routes, &n) < 0)
                return "the routes cannot be read";
        for (size_t i = 0; i < n; i++) {
                if (!streq(routes[i].name, w->lan->name))
                        continue;
                on_lan++;
                if (routes[i].gateway != w->gateway.ip)
                        return "there is another gateway";
        }
        return on_lan == (w->gateway.ip ? 1 : 0) ? NULL : on_lan ? "there are two gateways" : "the gateway is not set";
}

/* What is not as wanted on the LAN port, in a few words; NULL where all is. */
static const char *amiss_lan(const struct net_want *w, const struct ports *now)
{
        const struct port *p = same_port(now, w->lan);
        _cleanup_free_ char *wanted = address_text(&w->address);

        if (!p->up)
                return "the port is down";
        if (!strv_has(p->addresses, wanted))
                return "the address is not there";
        if (strv_len(p->addresses) > 1)
                return "there is a second address";
        if (has_client(p))
                return "a DHCP client still runs";
        if (!w->stack->holds(w))
                return "the port is not run by the new files";
        const char *why = net_ipv6_amiss(w, p);
        return why ? why : amiss_routes(w);
}

static const char *amiss(const struct net_want *w, const struct ports *now)
{
        const char *why = amiss_lan(w, now);

        STRV_FOREACH(mac, w->off) {
                const struct port *p = ports_by_mac(now, *mac);
                if (!why && p)
                        why = others_amiss(p);
        }
        return why;
}

static bool is_as_wanted(const struct net_file *f)
{
        _cleanup_free_ char *path = helper_path(f->path), *text = NULL;

        if (access(path, F_OK) < 0)
                return !f->text;
        return f->text && file_text(path, &text) == 0 && streq(text, f->text);
}

static bool has_change(const struct net_files *files, bool of_stack)
{
        for (size_t i = 0; i < files->n; i++)
                if ((files->v[i].of_stack || !of_stack) && !is_as_wanted(&files->v[i]))
                        return true;
        return false;
}

/* --- doing it --- */

/* On a computer that it takes for a new one cloud-init writes the network files and the name anew, and with
 * manage_etc_hosts /etc/hosts at each boot, unless told not to. */
static void add_cloud_init(const struct net_want *w, struct net_files *files)
{
        _cleanup_free_ char *path = helper_path("/etc/cloud/cloud.cfg.d");

        if (access(path, F_OK) == 0)
                net_files_add(files, "/etc/cloud/cloud.cfg.d/99-nas-setup.cfg",
                              xasprintf(NET_HEADER "network: {config: disabled}\n%s",
                                        w->name ? "preserve_hostname: true\nmanage_etc_hosts: false\n" : ""), 0644, false);
}

static int make_files(const struct net_want *w, struct net_files *files)
{
        _cleanup_free_ char *why = NULL;

        add_cloud_init(w, files); /* before it can put back what the next ones take out */
        int r = others_files(w, files, &why);
        if (r == 0) {
                net_networkmanager_keep_off(w, files);
                r = name_files(w, files, &why);
        }
        if (r < 0)
                return helper_refuse("files", NULL, "The network files cannot be changed: %s%s", why ? why : strerror(-r),
                                     why && has_suffix(why, ".") ? "" : ".");
        return 0;
}

static int write_files(const struct net_files *files)
{
        for (size_t i = 0; i < files->n; i++) {
                const struct net_file *f = &files->v[i];
                int r = f->text ? helper_write(f->path, f->text, f->mode) : helper_remove(f->path);
                if (r < 0)
                        return helper_fail("write-failed", f->path, NULL, "%s could not be written: %s.", f->path,
                                           strerror(-r));
        }
        return 0;
}

static int fail_taken(const struct net_want *w, const char *raw)
{
        _cleanup_free_ char *address = address_text(&w->address);

        return helper_fail("address-taken", address, raw,
                           "Another device in your network has the address %s. Choose another one.", address);
}

static const char *back_words(const struct net_want *w)
{
        return w->trial ? "The old settings are being put back." : "\"nas-net undo\" puts the old settings back.";
}

/* networkd drops an address that somebody else has, and says so only in the journal. */
static int fail_missing(const struct net_want *w, const char *why)
{
        _cleanup_free_ char *address = address_text(&w->address), *journal = NULL;

        if (has_systemd())
                helper_ask(STRV("journalctl", "-b", "-u", "systemd-networkd", "-o", "cat", "-n", "20"), &journal);
        if (journal && strstr(journal, "address conflict") && strstr(why, "address is not there"))
                return fail_taken(w, journal);
        return helper_fail("not-set", w->lan->name, NULL,
                           "The address %s was written to the files, but after 30 seconds it was not all in place on %s: "
                           "%s. %s", address, w->lan->name, why, back_words(w));
}

static int wait_until_set(const struct net_want *w)
{
        const char *why = NULL;

        for (uint64_t until = now_ms() + WAIT_MS; now_ms() < until; usleep(POLL_MS * 1000)) {
                _cleanup_ports_ struct ports now = {0};
                int r = ports_look(&now);
                why = r < 0 ? "the ports cannot be looked at" : amiss(w, &now);
                if (!why)
                        return 0;
        }
        return fail_missing(w, why);
}

static struct port *look_again(const struct net_want *w, struct ports *now)
{
        return ports_look(now) < 0 ? NULL : ports_by_mac(now, w->lan->mac);
}

static void wait_for_carrier(const struct net_want *w)
{
        for (uint64_t until = now_ms() + CARRIER_MS; now_ms() < until; usleep(POLL_MS * 1000)) {
                _cleanup_ports_ struct ports now = {0};
                const struct port *p = look_again(w, &now);
                if (!p || p->carrier == 1)
                        return;
        }
}

/* Most stacks would share a taken address silently. Without a cable or arping nobody can be asked. */
static bool find_owner(const struct net_want *w, char **ret_mac)
{
        _cleanup_ports_ struct ports now = {0};
        _cleanup_free_ char *address = address_text(&w->address), *mac = NULL;

        if (strv_has(w->lan->addresses, address) || helper_is_dry_run())
                return false;
        bool was_down = !w->lan->up && helper_exec(STRV("ip", "link", "set", "dev", w->lan->name, "up"), NULL) == 0;
        if (was_down)
                wait_for_carrier(w);
        const struct port *p = look_again(w, &now);
        bool found = p && check_owner(p, w->address.ip, &mac) > 0 && !ports_own_mac(&now, mac);
        if (found && was_down)
                net_port_down(w->lan);
        if (found)
                *ret_mac = TAKE_PTR(mac);
        return found;
}

static int live_before(const struct net_want *w, bool is_new)
{
        _cleanup_free_ char *owner = NULL, *address = address_text(&w->address);

        if (is_new && find_owner(w, &owner))
                return helper_refuse("address-taken", address,
                                     "Another device in your network (%s) has the address %s. Choose another one.", owner,
                                     address);
        return 0;
}

/* NetworkManager's word for an address that somebody else has. */
static int fail_apply(const struct net_want *w, const char *raw)
{
        if (raw && strstr(raw, "could not be reserved"))
                return fail_taken(w, raw);
        return helper_fail("apply-failed", w->lan->name, raw,
                           "%s could not set up the port %s. %s", w->stack->name, w->lan->name, back_words(w));
}

static int live_after(const struct net_want *w, bool is_new, bool has_changed)
{
        _cleanup_free_ char *raw = NULL;

        if (is_new || others_are_on(w))
                net_networkmanager_reload();
        if (is_new && w->stack->apply(w, has_changed, &raw) < 0)
                return fail_apply(w, raw);
        others_switch_off(w, is_new);
        free(raw);
        raw = NULL;
        if (w->name && name_apply(w->name, &raw) < 0)
                return helper_fail("name-failed", w->name, raw, "The computer's name could not be set to %s.", w->name);
        return helper_is_dry_run() ? 0 : wait_until_set(w);
}

/* What was there is saved, and who will take it back stands ready. */
static int save(const struct net_want *w, const struct net_files *files, bool is_tried)
{
        _cleanup_free_ char *old_name = name_now();
        int r = is_tried ? trial_begin(w) : 0;

        if (r < 0)
                return helper_refuse("no-undo", TRIAL_FILE, "Nothing would take the change back after %u seconds: %s.", w->trial,
                                     strerror(-r));
        r = undo_begin(w, files, old_name);
        if (r < 0)
                return helper_refuse("no-undo", UNDO_FILE, "What there is now cannot be saved: %s.", strerror(-r));
        return 0;
}

/* A change that is on trial and stands already stays so. */
static int end(const struct net_want *w, bool is_tried)
{
        int r = is_tried ? trial_start(w) : w->trial && trial_is_on() ? 0 : trial_keep();

        if (r < 0)
                return helper_fail("write-failed", UNDO_FILE, NULL, UNDO_FILE " could not be written: %s.", strerror(-r));
        return 0;
}

static int carry_out(const struct net_want *w, const struct net_files *files)
{
        bool is_live = !helper_has_root(), has_changed = has_change(files, true),
             is_new = has_changed || (is_live && amiss_lan(w, w->ports)),
             is_other = is_new || has_change(files, false) || (is_live && others_are_on(w)),
             is_tried = w->trial && (is_other || (undo_is_open() && !trial_is_on()));

        int status = is_live ? live_before(w, is_new) : 0;
        if (status == 0)
                status = save(w, files, is_tried);
        if (status)
                return status;
        if (is_live && is_new) {
                w->stack->release(w->lan);
                others_release(w);
        }
        status = write_files(files);
        if (status == 0 && is_live)
                status = live_after(w, is_new, has_changed);
        return status ? status : end(w, is_tried);
}

/* Read back where it can be: resolved and NetworkManager need a moment. */
static const char *resolver_by(const struct net_want *w)
{
        bool is_ours = resolver_is_ours_to_write(w);

        if (!is_ours && !w->stack->has_dns(w))
                return "left";
        for (uint64_t until = now_ms() + RESOLVER_MS; !helper_has_root() && !helper_is_dry_run() && !resolver_has(w);
             usleep(POLL_MS * 1000))
                if (now_ms() > until)
                        return "left";
        return is_ours ? "written" : "stack";
}

static void set_result(const struct net_want *w, struct record *more)
{
        _cleanup_free_ char *address = address_text(&w->address);
        _cleanup_strv_ char **off = NULL;

        STRV_FOREACH(mac, w->off) {
                const struct port *p = ports_by_mac(w->ports, *mac);
                strv_add(&off, p ? p->name : *mac);
        }
        record_set(more, "name", w->lan->name);
        record_set(more, "stack", w->stack->name);
        record_set(more, "address", address);
        if (off)
                record_set_list(more, "off", off);
        if (w->n_dns > 0)
                record_set(more, "resolver", resolver_by(w));
        if (trial_left() > 0)
                record_set_u64(more, "trial", trial_left());
}

int static_run(const struct record *args)
{
        _cleanup_ports_ struct ports ports = {0};
        _cleanup_net_files_ struct net_files files = {0};
        _cleanup_want_ struct net_want w = {0};
        _cleanup_record_ struct record *more = record_new("more");

        signal(SIGHUP, SIG_IGN); /* the terminal may hang on the very port that goes down for a moment */
        int status = net_lock();
        if (status == 0)
                status = trial_settle();
        if (status)
                return status;
        int r = ports_look(&ports);
        if (r < 0)
                return helper_refuse("no-ports", NULL, "The network ports cannot be looked at: %s.", strerror(-r));
        net_stacks_look(&ports);
        status = prepare(args, &ports, &w);
        if (status == 0)
                status = make_files(&w, &files);
        if (status)
                return status;
        status = carry_out(&w, &files);
        if (status)
                return status;
        set_result(&w, more);
        return helper_result(more);
}

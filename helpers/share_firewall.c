#include "helpers/share_firewall.h"

#include <ctype.h>
#include <errno.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"

static const char *const words[] = {"none", "ufw", "firewalld", "rules"};

/* WS-Discovery 1.1, 2.4, and where wsdd2 then tells more; RFC 6762, 3. */
static const struct port {
        const char *port, *protocol;
        bool announces;
} ports[] = {{"445", "tcp", false}, {"3702", "udp", true}, {"3702", "tcp", true}, {"5353", "udp", true}};

static bool is_wanted(const char *protocol, const char *port, const char *subnet, char *const *subnets, bool announces)
{
        for (size_t i = 0; i < ELEMENTSOF(ports); i++)
                if (streq(ports[i].port, port) && streq(ports[i].protocol, protocol))
                        return (announces || !ports[i].announces) && strv_has(subnets, subnet);
        return false;
}

const char *firewall_word(enum firewall f)
{
        return words[f];
}

/* --- which one --- */

/* ufw.conf(5): ufw loads its rules at boot where this says so. */
static bool is_ufw_on(void)
{
        _cleanup_free_ char *file = helper_path("/etc/ufw/ufw.conf"), *text = NULL;

        if (!has_program("ufw") || file_text(file, &text) < 0)
                return false;
        for (char *rest = text, *line; (line = strsep(&rest, "\n"));)
                if (streq(strip(line), "ENABLED=yes"))
                        return true;
        return false;
}

static bool is_firewalld_on(void)
{
        _cleanup_free_ char *out = NULL;

        return has_program("firewall-cmd") && helper_ask(STRV("firewall-cmd", "--state"), &out) == 0;
}

/* Whether a rule drops or refuses whatever comes, for nothing stands before its verdict but counting and logging. */
static bool is_unconditional(const char *rule, const char *const *verdicts)
{
        static const char *const harmless[] = {"counter", "packets", "bytes", "log", "prefix", "level", "flags", "limit"};
        _cleanup_free_ char *copy = xstrdup(rule);
        bool in_quotes = false;

        for (char *rest = copy, *word; (word = strsep(&rest, " \t"));) {
                bool is_known = in_quotes || !*word || isdigit((unsigned char)*word) || *word == '"';
                for (const char *p = word; *p; p++)
                        in_quotes ^= *p == '"';
                for (size_t i = 0; verdicts[i] && !is_known; i++)
                        if (streq(word, verdicts[i]))
                                return true;
                for (size_t i = 0; i < ELEMENTSOF(harmless); i++)
                        is_known |= streq(word, harmless[i]);
                if (!is_known)
                        return false;
        }
        return false;
}

/* nft(8), list ruleset: chains of lines, one that sees what comes in says "type filter hook input priority filter; policy
 * drop;". */
static bool nft_drops(char *ruleset)
{
        static const char *const verdicts[] = {"drop", "reject", NULL};
        bool is_input = false;

        for (char *rest = ruleset, *line; (line = strsep(&rest, "\n"));) {
                line = strip(line);
                if (has_prefix(line, "chain ") || *line == '}')
                        is_input = false;
                is_input |= strstr(line, "hook input") != NULL;
                if (is_input && (strstr(line, "policy drop") || is_unconditional(line, verdicts)))
                        return true;
        }
        return false;
}

/* iptables(8), -S INPUT: "-P INPUT DROP", "-A INPUT -j REJECT --reject-with …". */
static bool iptables_drops(char *rules)
{
        for (char *rest = rules, *line; (line = strsep(&rest, "\n"));)
                if (has_prefix(line, "-P INPUT DROP") || has_prefix(line, "-A INPUT -j DROP") || has_prefix(line, "-A INPUT -j REJECT"))
                        return true;
        return false;
}

/* The old tables are asked only where the kernel has them already: asking brings them. */
static bool has_old_tables(void)
{
        _cleanup_free_ char *text = NULL;

        return has_program("iptables-legacy") && read_text("/proc/net/ip_tables_names", 4096, &text) == 0 && strstr(text, "filter");
}

static bool has_rules(void)
{
        _cleanup_free_ char *nft = NULL, *old = NULL, *newer = NULL;

        if (has_program("nft") && helper_ask(STRV("nft", "list", "ruleset"), &nft) == 0 && nft_drops(nft))
                return true;
        if (!has_program("nft") && has_program("iptables-nft") && helper_ask(STRV("iptables-nft", "-S", "INPUT"), &newer) == 0 &&
            iptables_drops(newer))
                return true;
        return has_old_tables() && helper_ask(STRV("iptables-legacy", "-S", "INPUT"), &old) == 0 && iptables_drops(old);
}

enum firewall firewall_look(void)
{
        if (helper_has_root())
                return FIREWALL_NONE;
        return is_ufw_on() ? FIREWALL_UFW : is_firewalld_on() ? FIREWALLD : has_rules() ? FIREWALL_RULES : FIREWALL_NONE;
}

/* --- ufw --- */

#define MARK "nas-setup" /* the comment of our rules */
#define MARK_HEX "6e61732d7365747570"

/* Its own record of a rule, /etc/ufw/user.rules and user6.rules: "### tuple ### allow tcp 445 0.0.0.0/0 any
 * 192.168.1.0/24 in comment=6e61…". */
struct rule {
        char protocol[8], port[8], subnet[64];
        bool is_ours;
};

static bool ufw_read(const char *line, struct rule *ret)
{
        return sscanf(line, "### tuple ### allow %7s %7s %*s any %63s in", ret->protocol, ret->port, ret->subnet) == 3 &&
               ((ret->is_ours = strstr(line, " comment=" MARK_HEX) != NULL), true);
}

static char *ufw_rules(void)
{
        _cleanup_free_ char *v4 = NULL, *v6 = NULL;
        int r4 = read_text("/etc/ufw/user.rules", MIB, &v4), r6 = read_text("/etc/ufw/user6.rules", MIB, &v6);

        return xasprintf("%s\n%s", r4 < 0 ? "" : v4, r6 < 0 ? "" : v6);
}

static bool ufw_has(const struct port *p, const char *subnet)
{
        _cleanup_free_ char *text = ufw_rules();
        struct rule rule;

        for (char *rest = text, *line; (line = strsep(&rest, "\n"));)
                if (ufw_read(line, &rule) && streq(rule.protocol, p->protocol) && streq(rule.port, p->port) &&
                    streq(rule.subnet, subnet))
                        return true;
        return false;
}

static int ufw_add(const struct port *p, const char *subnet, char **ret_raw)
{
        return helper_exec(STRV("ufw", "allow", "proto", (char *)p->protocol, "from", (char *)subnet, "to", "any", "port",
                                (char *)p->port, "comment", MARK),
                           ret_raw);
}

static int ufw_sweep(char *const *subnets, bool announces, char **ret_raw)
{
        _cleanup_free_ char *text = ufw_rules();
        struct rule u;
        int r = 0;

        for (char *rest = text, *line; r == 0 && (line = strsep(&rest, "\n"));)
                if (ufw_read(line, &u) && u.is_ours && !is_wanted(u.protocol, u.port, u.subnet, subnets, announces))
                        r = helper_exec(STRV("ufw", "delete", "allow", "proto", u.protocol, "from", u.subnet, "to", "any", "port", u.port),
                                        ret_raw);
        return r;
}

/* --- firewalld: firewall-cmd(1), firewalld.richlanguage(5); without a zone the default one is meant --- */

/* Rules of ours are told from others by their priority; being above 0 it lets others' own refusals come first. */
#define PRIORITY "rule priority=\"445\" "

static char *rich_rule(const char *option, const struct port *p, const char *subnet)
{
        return xasprintf("%s=" PRIORITY "family=\"%s\" source address=\"%s\" port port=\"%s\" protocol=\"%s\" accept", option,
                         strchr(subnet, ':') ? "ipv6" : "ipv4", subnet, p->port, p->protocol);
}

/* The same question or order for what counts now and after a boot. */
static int firewalld_say(bool permanent, char *what, char **ret_raw)
{
        return helper_exec(permanent ? STRV("firewall-cmd", "--permanent", what) : STRV("firewall-cmd", what), ret_raw);
}

static bool firewalld_has(const struct port *p, const char *subnet, bool permanent)
{
        _cleanup_free_ char *query = rich_rule("--query-rich-rule", p, subnet), *out = NULL;

        return helper_ask(permanent ? STRV("firewall-cmd", "--permanent", query) : STRV("firewall-cmd", query), &out) == 0;
}

static int firewalld_add(const struct port *p, const char *subnet, char **ret_raw)
{
        _cleanup_free_ char *add = rich_rule("--add-rich-rule", p, subnet);
        int r = 0;

        for (int permanent = 1; permanent >= 0 && r == 0; permanent--)
                if (!firewalld_has(p, subnet, permanent))
                        r = firewalld_say(permanent, add, ret_raw);
        return r;
}

static bool firewalld_read(const char *line, struct rule *ret)
{
        const char *more = skip_prefix(line, PRIORITY);

        ret->is_ours = more && sscanf(more, "family=\"%*[^\"]\" source address=\"%63[^\"]\" port port=\"%7[^\"]\" protocol=\"%7[^\"]\" accept",
                                      ret->subnet, ret->port, ret->protocol) == 3;
        return ret->is_ours;
}

static int firewalld_sweep_one(bool permanent, char *const *subnets, bool announces, char **ret_raw)
{
        _cleanup_free_ char *text = NULL;
        struct rule u;
        int r = helper_ask(permanent ? STRV("firewall-cmd", "--permanent", "--list-rich-rules") : STRV("firewall-cmd", "--list-rich-rules"),
                           &text);

        for (char *rest = text, *line; r == 0 && (line = strsep(&rest, "\n"));) {
                if (!firewalld_read(line, &u) || is_wanted(u.protocol, u.port, u.subnet, subnets, announces))
                        continue;
                _cleanup_free_ char *remove = xasprintf("--remove-rich-rule=%s", line);
                r = firewalld_say(permanent, remove, ret_raw);
        }
        return r;
}

static int firewalld_sweep(char *const *subnets, bool announces, char **ret_raw)
{
        int r = firewalld_sweep_one(true, subnets, announces, ret_raw);

        return r == 0 ? firewalld_sweep_one(false, subnets, announces, ret_raw) : r;
}

/* --- both --- */

static bool has(enum firewall f, const struct port *p, const char *subnet)
{
        return f == FIREWALL_UFW ? ufw_has(p, subnet) : firewalld_has(p, subnet, true) && firewalld_has(p, subnet, false);
}

bool firewall_is_open(enum firewall f, char *const *subnets, bool announces)
{
        if (f == FIREWALL_NONE || f == FIREWALL_RULES)
                return f == FIREWALL_NONE;
        for (size_t i = 0; i < ELEMENTSOF(ports); i++)
                STRV_FOREACH(s, subnets)
        if ((announces || !ports[i].announces) && !has(f, &ports[i], *s))
                return false;
        return true;
}

static int add_all(enum firewall f, char *const *subnets, bool announces, char **ret_raw)
{
        for (size_t i = 0; i < ELEMENTSOF(ports); i++)
                STRV_FOREACH(s, subnets)
        {
                if ((!announces && ports[i].announces) || has(f, &ports[i], *s))
                        continue;
                int r = f == FIREWALL_UFW ? ufw_add(&ports[i], *s, ret_raw) : firewalld_add(&ports[i], *s, ret_raw);
                if (r < 0)
                        return r;
        }
        return 0;
}

int firewall_open(enum firewall f, char *const *subnets, bool announces, char **ret_raw)
{
        if (f == FIREWALL_NONE || f == FIREWALL_RULES)
                return f == FIREWALL_NONE ? 0 : -EOPNOTSUPP;
        int r = add_all(f, subnets, announces, ret_raw);
        if (r == 0)
                r = f == FIREWALL_UFW ? ufw_sweep(subnets, announces, ret_raw) : firewalld_sweep(subnets, announces, ret_raw);
        return r < 0 || helper_is_dry_run() || firewall_is_open(f, subnets, announces) ? r : -EIO;
}

bool firewall_was_opened(enum firewall f, bool *ret_announces)
{
        _cleanup_free_ char *text = f == FIREWALL_UFW ? ufw_rules() : NULL;
        bool found = false;
        struct rule u;

        *ret_announces = false;
        if (f == FIREWALLD && helper_ask(STRV("firewall-cmd", "--permanent", "--list-rich-rules"), &text) < 0)
                return false;
        for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
                bool is_ours = f == FIREWALL_UFW ? ufw_read(line, &u) && u.is_ours : firewalld_read(line, &u);
                found |= is_ours;
                *ret_announces |= is_ours && !streq(u.port, ports[0].port);
        }
        return found;
}

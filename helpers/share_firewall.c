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

/* Rules as "tcp 445 192.168.1.0/24", in lists. */
struct rule {
        char protocol[8], port[8], subnet[64];
};

static struct rule rule_of(const char *text)
{
        struct rule r = {0};

        sscanf(text, "%7s %7s %63s", r.protocol, r.port, r.subnet);
        return r;
}

static char *rule_text(const struct rule *r)
{
        return xasprintf("%s %s %s", r->protocol, r->port, r->subnet);
}

static char **wanted_rules(char *const *subnets, bool announces)
{
        char **all = NULL;

        for (size_t i = 0; i < ELEMENTSOF(ports); i++)
                STRV_FOREACH(s, subnets)
        if (announces || !ports[i].announces)
                strv_take(&all, xasprintf("%s %s %s", ports[i].protocol, ports[i].port, *s));
        return all;
}

/* Those of a that are not in b. */
static char **without(char *const *a, char *const *b)
{
        char **rest = NULL;

        STRV_FOREACH(s, a)
        if (!strv_has(b, *s))
                strv_add(&rest, *s);
        return rest;
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
static char **ufw_rules(bool only_ours)
{
        static const char *const files[] = {"/etc/ufw/user.rules", "/etc/ufw/user6.rules"};
        char **rules = NULL;

        for (size_t i = 0; i < ELEMENTSOF(files); i++) {
                _cleanup_free_ char *text = NULL;
                struct rule r;
                if (read_text(files[i], MIB, &text) < 0)
                        continue;
                for (char *rest = text, *line; (line = strsep(&rest, "\n"));)
                        if (sscanf(line, "### tuple ### allow %7s %7s %*s any %63s in", r.protocol, r.port, r.subnet) == 3 &&
                            (!only_ours || strstr(line, " comment=" MARK_HEX)))
                                strv_take(&rules, rule_text(&r));
        }
        return rules;
}

static int ufw_change(char *const *wanted, char **ret_raw)
{
        _cleanup_strv_ char **all = ufw_rules(false), **ours = ufw_rules(true), **add = without(wanted, all), **old = without(ours, wanted);
        int r = 0;

        for (size_t i = 0; i < strv_len(add) && r == 0; i++) {
                struct rule u = rule_of(add[i]);
                r = helper_exec(STRV("ufw", "allow", "proto", u.protocol, "from", u.subnet, "to", "any", "port", u.port, "comment", MARK), ret_raw);
        }
        for (size_t i = 0; i < strv_len(old) && r == 0; i++) {
                struct rule u = rule_of(old[i]);
                r = helper_exec(STRV("ufw", "delete", "allow", "proto", u.protocol, "from", u.subnet, "to", "any", "port", u.port), ret_raw);
        }
        return r;
}

/* --- firewalld: firewall-cmd(1), firewalld.richlanguage(5); without a zone the default one is meant --- */

/* Rules of ours are told from others by their priority; being above 0 it lets others' own refusals come first. */
#define PRIORITY "rule priority=\"445\" "

/* Ours, which count now, or after a boot too. */
static int firewalld_rules(bool permanent, char ***ret)
{
        _cleanup_free_ char *text = NULL;
        struct rule u;
        int r = helper_ask(permanent ? STRV("firewall-cmd", "--permanent", "--list-rich-rules") : STRV("firewall-cmd", "--list-rich-rules"),
                           &text);

        for (char *rest = text, *line; r == 0 && (line = strsep(&rest, "\n"));)
                if (sscanf(line, PRIORITY "family=\"%*[^\"]\" source address=\"%63[^\"]\" port port=\"%7[^\"]\" protocol=\"%7[^\"]\" accept",
                           u.subnet, u.port, u.protocol) == 3)
                        strv_take(ret, rule_text(&u));
        return r;
}

/* All in one call, for each takes it a good while. */
static int firewalld_say(bool permanent, const char *option, char *const *rules, char **ret_raw)
{
        _cleanup_strv_ char **argv = NULL;

        strv_add(&argv, "firewall-cmd");
        if (permanent)
                strv_add(&argv, "--permanent");
        STRV_FOREACH(s, rules) {
                struct rule u = rule_of(*s);
                strv_take(&argv, xasprintf("%s=" PRIORITY "family=\"%s\" source address=\"%s\" port port=\"%s\" protocol=\"%s\" accept",
                                           option, strchr(u.subnet, ':') ? "ipv6" : "ipv4", u.subnet, u.port, u.protocol));
        }
        return strv_len(rules) > 0 ? helper_exec(argv, ret_raw) : 0;
}

static int firewalld_change(char *const *wanted, char **ret_raw)
{
        int r = 0;

        for (int permanent = 1; permanent >= 0 && r == 0; permanent--) {
                _cleanup_strv_ char **ours = NULL;
                r = firewalld_rules(permanent, &ours);
                _cleanup_strv_ char **add = without(wanted, ours), **old = without(ours, wanted);
                if (r == 0)
                        r = firewalld_say(permanent, "--add-rich-rule", add, ret_raw);
                if (r == 0)
                        r = firewalld_say(permanent, "--remove-rich-rule", old, ret_raw);
        }
        return r;
}

/* --- both --- */

/* What is open now and after a boot too. */
static bool has(enum firewall f, char *const *wanted)
{
        _cleanup_strv_ char **now = f == FIREWALL_UFW ? ufw_rules(false) : NULL, **later = NULL;

        if (f == FIREWALLD && (firewalld_rules(false, &now) < 0 || firewalld_rules(true, &later) < 0))
                return false;
        STRV_FOREACH(s, wanted)
        if (!strv_has(now, *s) || (f == FIREWALLD && !strv_has(later, *s)))
                return false;
        return true;
}

int firewall_open(enum firewall f, char *const *subnets, bool announces, char **ret_raw)
{
        if (f == FIREWALL_NONE || f == FIREWALL_RULES)
                return f == FIREWALL_NONE ? 0 : -EOPNOTSUPP;
        _cleanup_strv_ char **wanted = wanted_rules(subnets, announces);
        int r = f == FIREWALL_UFW ? ufw_change(wanted, ret_raw) : firewalld_change(wanted, ret_raw);
        return r < 0 || helper_is_dry_run() || has(f, wanted) ? r : -EIO;
}

bool firewall_was_opened(enum firewall f, bool *ret_announces)
{
        _cleanup_strv_ char **ours = f == FIREWALL_UFW ? ufw_rules(true) : NULL;

        *ret_announces = false;
        if (f == FIREWALLD && firewalld_rules(true, &ours) < 0)
                return false;
        STRV_FOREACH(s, ours) {
                struct rule u = rule_of(*s);
                *ret_announces |= !streq(u.port, ports[0].port);
        }
        return strv_len(ours) > 0;
}

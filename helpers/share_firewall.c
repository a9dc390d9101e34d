#include "helpers/share_firewall.h"

#include <errno.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"

static const char *const words[] = {"none", "ufw", "firewalld", "rules"};

/* WS-Discovery 1.1, 2.4, and where wsdd2 then tells more; RFC 6762, 3. */
static const struct port {
        const char *port, *protocol;
        bool announces;
} ports[] = {{"445", "tcp", false}, {"3702", "udp", true}, {"3702", "tcp", true}, {"5353", "udp", true}};

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

/* nft(8), list ruleset: "type filter hook input priority filter; policy drop;" */
static bool has_rules(void)
{
        _cleanup_free_ char *out = NULL;

        if (!has_program("nft") || helper_ask(STRV("nft", "list", "ruleset"), &out) < 0)
                return false;
        for (char *rest = out, *line; (line = strsep(&rest, "\n"));)
                if (strstr(line, "hook input") && strstr(line, "policy drop"))
                        return true;
        return false;
}

enum firewall firewall_look(void)
{
        if (helper_has_root())
                return FIREWALL_NONE;
        return is_ufw_on() ? FIREWALL_UFW : is_firewalld_on() ? FIREWALLD : has_rules() ? FIREWALL_RULES : FIREWALL_NONE;
}

/* --- ufw --- */

/* Its own record of a rule, /etc/ufw/user.rules and user6.rules: "### tuple ### allow tcp 445 0.0.0.0/0 any
 * 192.168.1.0/24 in". */
static bool ufw_has(const struct port *p, const char *subnet)
{
        bool is_v6 = strchr(subnet, ':');
        _cleanup_free_ char *text = NULL, *rule = xasprintf("### tuple ### allow %s %s %s any %s in", p->protocol, p->port,
                                                            is_v6 ? "::/0" : "0.0.0.0/0", subnet);

        if (read_text(is_v6 ? "/etc/ufw/user6.rules" : "/etc/ufw/user.rules", MIB, &text) < 0)
                return false;
        for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
                const char *more = skip_prefix(line, rule);
                if (more && (!*more || *more == ' '))
                        return true;
        }
        return false;
}

static int ufw_add(const struct port *p, const char *subnet, char **ret_raw)
{
        return helper_exec(STRV("ufw", "allow", "proto", (char *)p->protocol, "from", (char *)subnet, "to", "any", "port",
                                (char *)p->port, "comment", "nas-setup"),
                           ret_raw);
}

/* --- firewalld: firewall-cmd(1), firewalld.richlanguage(5); without a zone the default one is meant --- */

static char *rich_rule(const char *option, const struct port *p, const char *subnet)
{
        return xasprintf("%s=rule family=\"%s\" source address=\"%s\" port port=\"%s\" protocol=\"%s\" accept", option,
                         strchr(subnet, ':') ? "ipv6" : "ipv4", subnet, p->port, p->protocol);
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

        if (!firewalld_has(p, subnet, true))
                r = helper_exec(STRV("firewall-cmd", "--permanent", add), ret_raw);
        if (r == 0 && !firewalld_has(p, subnet, false))
                r = helper_exec(STRV("firewall-cmd", add), ret_raw);
        return r;
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

int firewall_open(enum firewall f, char *const *subnets, bool announces, char **ret_raw)
{
        if (f == FIREWALL_NONE || f == FIREWALL_RULES)
                return f == FIREWALL_NONE ? 0 : -EOPNOTSUPP;
        for (size_t i = 0; i < ELEMENTSOF(ports); i++)
                STRV_FOREACH(s, subnets)
        {
                if ((!announces && ports[i].announces) || has(f, &ports[i], *s))
                        continue;
                int r = f == FIREWALL_UFW ? ufw_add(&ports[i], *s, ret_raw) : firewalld_add(&ports[i], *s, ret_raw);
                if (r < 0)
                        return r;
        }
        return helper_is_dry_run() || firewall_is_open(f, subnets, announces) ? 0 : -EIO;
}

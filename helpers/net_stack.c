#include "helpers/net_stack.h"

#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"
#include "helpers/lib/log.h"

/* The first that owns a port has it: netplan's ports are run by one of the other two. */
static const struct net_stack *const stacks[] = {&net_netplan, &net_networkd, &net_networkmanager, &net_ifupdown};

const struct net_stack *net_stack_by_name(const char *name)
{
        for (size_t i = 0; i < ELEMENTSOF(stacks); i++)
                if (streq(stacks[i]->name, name))
                        return stacks[i];
        return NULL;
}

const struct net_stack *net_stack_for_free_port(const struct ports *ports)
{
        for (size_t i = 0; i < ports->n; i++)
                if (ports->v[i].kind == PORT_WIRED && ports->v[i].stack)
                        return ports->v[i].stack;
        return net_ifupdown.is_installed()                   ? &net_ifupdown
               : net_is_active("NetworkManager.service")     ? &net_networkmanager
               : net_networkd.is_installed()                 ? &net_networkd
                                                             : NULL;
}

const struct net_stack *net_stack_runner(const struct net_stack *stack, const struct ports *ports, const struct port *p)
{
        return stack == &net_netplan ? net_netplan_renderer(ports, p) : stack;
}

/* Whoever answered DHCP wrote these: only what can be a domain or an address is taken over. */
static void look_resolver(struct port *p)
{
        _cleanup_strv_ char **dns = NULL;
        _cleanup_free_ char *domain = NULL;
        struct address a;

        net_resolver(&dns, &domain);
        if (!p->dns && p->addresses)
                p->dns = TAKE_PTR(dns);
        if (!p->domain && p->addresses)
                p->domain = TAKE_PTR(domain);
        _cleanup_strv_ char **good = NULL;
        STRV_FOREACH(s, p->dns)
                if (host_check(*s, &a, NULL) == 0)
                        strv_add(&good, *s);
        strv_free(p->dns);
        p->dns = TAKE_PTR(good);
        if (p->domain && domain_check(p->domain, NULL) < 0) {
                free(p->domain);
                p->domain = NULL;
        }
}

void net_stacks_look(struct ports *ports)
{
        for (size_t i = 0; i < ports->n; i++) {
                struct port *p = &ports->v[i];
                if (p->kind != PORT_WIRED && p->kind != PORT_WIFI)
                        continue;
                for (size_t k = 0; k < ELEMENTSOF(stacks) && !p->stack; k++)
                        if (stacks[k]->owns(p))
                                p->stack = stacks[k];
                if (!p->stack && !p->addresses)
                        p->method = "none";
                if (p->stack && p->stack->look)
                        p->stack->look(p);
                look_resolver(p);
        }
}

void net_files_add(struct net_files *f, const char *path, char *text, mode_t mode, bool of_stack)
{
        f->v = xreallocarray(f->v, f->n + 1, sizeof(*f->v));
        f->v[f->n++] = (struct net_file){xstrdup(path), text, mode, of_stack};
}

void net_files_free(struct net_files *f)
{
        for (size_t i = 0; i < f->n; i++) {
                free(f->v[i].path);
                free(f->v[i].text);
        }
        free(f->v);
        *f = (struct net_files){0};
}

/* --- asking the system --- */

bool net_has_program(const char *name)
{
        static const char *const folders[] = {"/usr/sbin", "/usr/bin", "/sbin", "/bin"};

        for (size_t i = 0; i < ELEMENTSOF(folders); i++) {
                _cleanup_free_ char *inside = path_join(folders[i], name), *path = helper_path(inside);
                if (access(path, F_OK) == 0)
                        return true;
        }
        return false;
}

bool net_is_active(const char *unit)
{
        _cleanup_free_ char *out = NULL;

        return has_systemd() && helper_ask(STRV("systemctl", "is-active", "--quiet", (char *)unit), &out) == 0;
}

static void parse_resolver(char *text, char ***ret_dns, char **ret_domain)
{
        char *rest = NULL, *in = NULL;

        for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
                const char *key = strtok_r(line, " \t", &in), *value = strtok_r(NULL, " \t", &in);
                if (!key || !value)
                        continue;
                if (streq(key, "nameserver"))
                        strv_add(ret_dns, value);
                else if (!*ret_domain && (streq(key, "search") || streq(key, "domain")))
                        *ret_domain = xstrdup(value);
        }
}

void net_resolver(char ***ret_dns, char **ret_domain)
{
        static const char *const files[] = {"/etc/resolv.conf", "/run/systemd/resolve/resolv.conf"};

        for (size_t i = 0; i < ELEMENTSOF(files); i++) {
                _cleanup_free_ char *path = helper_path(files[i]), *text = NULL, *domain = NULL;
                _cleanup_strv_ char **dns = NULL;
                if (file_text(path, &text) < 0)
                        continue;
                parse_resolver(text, &dns, &domain);
                if (strv_has(dns, "127.0.0.53"))
                        continue;
                *ret_dns = TAKE_PTR(dns);
                *ret_domain = TAKE_PTR(domain);
                return;
        }
}

char **net_glob(const char *pattern)
{
        _cleanup_free_ char *full = helper_path(pattern), *root = helper_path("/");
        char **list = NULL;
        glob_t found;

        if (glob(full, 0, NULL, &found) != 0)
                return NULL;
        for (size_t i = 0; i < found.gl_pathc; i++)
                strv_add(&list, found.gl_pathv[i] + strlen(root) - 1);
        globfree(&found);
        return list;
}

char *net_mac_digits(const char *mac)
{
        char *digits = xstrdup(mac), *to = digits;

        for (const char *c = mac; *c; c++)
                if (*c != ':')
                        *to++ = *c;
        *to = '\0';
        return digits;
}

char *net_list_text(const struct net_want *w, const char *sep)
{
        _cleanup_strv_ char **list = NULL;

        for (size_t i = 0; i < w->n_dns; i++)
                strv_take(&list, address_text(&w->dns[i]));
        return strv_join(list, sep);
}

/* --- the kernel's side of a port --- */

int net_port_flush(const struct port *p)
{
        return helper_exec(STRV("ip", "-4", "addr", "flush", "dev", p->name), NULL);
}

int net_port_down(const struct port *p)
{
        int r = helper_exec(STRV("ip", "link", "set", "dev", p->name, "down"), NULL);
        int f = helper_exec(STRV("ip", "addr", "flush", "dev", p->name), NULL);

        return r < 0 ? r : f;
}

void net_end_clients(const struct port *p)
{
        _cleanup_free_ pid_t *pids = NULL;
        size_t n = 0;

        if (dhcp_clients(p->name, &pids, &n) < 0)
                return;
        for (size_t i = 0; i < n; i++) {
                _cleanup_free_ char *pid = xasprintf("%d", (int)pids[i]);
                if (helper_is_dry_run()) {
                        helper_exec(STRV("kill", pid), NULL);
                        continue;
                }
                helper_changed();
                log_line("kill %s → %d", pid, kill(pids[i], SIGTERM));
        }
}

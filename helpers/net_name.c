#include "helpers/net_name.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "helpers/lib/edit.h"
#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"

#define HOSTNAME "/etc/hostname"
#define HOSTS "/etc/hosts"

char *name_now(void)
{
        _cleanup_free_ char *path = helper_path(HOSTNAME), *line = NULL;
        char kernel[65] = "";

        if (!helper_has_root() && gethostname(kernel, sizeof(kernel) - 1) == 0 && *kernel)
                line = xstrdup(kernel);
        else if (read_line(path, &line) < 0)
                return xstrdup("");
        line[strcspn(line, ".")] = '\0';
        return TAKE_PTR(line);
}

/* --- /etc/hosts --- */

static const char *get(struct edit *e, const char *entry, const char *key)
{
        _cleanup_free_ char *path = xasprintf("%s/%s", entry, key);
        const char *value = NULL;

        return aug_get(e->aug, path, &value) == 1 && value ? value : "";
}

static void set(struct edit *e, const char *entry, const char *key, const char *value)
{
        _cleanup_free_ char *path = xasprintf("%s/%s", entry, key);

        aug_set(e->aug, path, value);
}

static bool is_name(const char *full, const char *name)
{
        const char *rest = *name ? skip_prefix(full, name) : NULL;

        return rest && (!*rest || *rest == '.');
}

static char **aliases_of(struct edit *e, const char *entry)
{
        _cleanup_free_ char *path = xasprintf("%s/alias", entry);
        char **found = NULL, **paths = NULL;
        int n = aug_match(e->aug, path, &found);

        for (int i = 0; i < n; i++)
                strv_take(&paths, found[i]);
        free(found);
        return paths;
}

static bool entry_names(struct edit *e, const char *entry, const char *name)
{
        _cleanup_strv_ char **aliases = aliases_of(e, entry);
        bool found = is_name(get(e, entry, "canonical"), name);

        STRV_FOREACH(path, aliases) {
                const char *value = NULL;
                found |= aug_get(e->aug, *path, &value) == 1 && value && is_name(value, name);
        }
        return found;
}

/* name with the domain that full has. */
static void rename_node(struct edit *e, const char *path, const char *full, const char *name)
{
        const char *dot = strchr(full, '.');
        _cleanup_free_ char *text = xasprintf("%s%s", name, dot ? dot : "");

        aug_set(e->aug, path, text);
}

/* "nas.example.org nas", or "nas" where there was no domain; other aliases stay, and so does what is right. */
static void entry_rename(struct edit *e, const char *entry, const char *old, const char *name)
{
        _cleanup_strv_ char **aliases = aliases_of(e, entry);
        _cleanup_free_ char *canonical = xasprintf("%s/canonical", entry);
        const char *full = get(e, entry, "canonical");
        bool has_domain = strchr(full, '.'), has_short = false;

        if (!is_name(full, name))
                rename_node(e, canonical, full, name);
        STRV_FOREACH(path, aliases) {
                const char *value = NULL;
                aug_get(e->aug, *path, &value);
                if (value && is_name(value, old) && !is_name(value, name))
                        rename_node(e, *path, value, name);
                has_short |= aug_get(e->aug, *path, &value) == 1 && value && streq(value, name);
        }
        if (has_domain && !has_short)
                set(e, entry, "alias[last()+1]", name);
}

static bool is_loopback(const char *ip)
{
        return has_prefix(ip, "127.") || strchr(ip, ':');
}

static bool update_entry(struct edit *e, const char *entry, const char *old, const char *name, const char *address)
{
        const char *ip = get(e, entry, "ipaddr");

        if (streq(ip, "127.0.1.1") || (!is_loopback(ip) && (entry_names(e, entry, old) || entry_names(e, entry, name)))) {
                if (!is_loopback(ip))
                        set(e, entry, "ipaddr", address);
                entry_rename(e, entry, old, name);
                return true;
        }
        return is_loopback(ip) && entry_names(e, entry, name);
}

static void add_entry(struct edit *e, const char *name)
{
        char **local = NULL;
        int n = aug_match(e->aug, EDIT_ROOT "/*[ipaddr = '127.0.0.1']", &local);

        if (n > 0)
                aug_insert(e->aug, local[n - 1], "01", 0);
        for (int i = 0; i < n; i++)
                free(local[i]);
        free(local);
        set(e, EDIT_ROOT "/01", "ipaddr", "127.0.1.1");
        set(e, EDIT_ROOT "/01", "canonical", name);
}

int hosts_text(const char *text, const char *old, const char *name, const char *address, char **ret, char **ret_why)
{
        _cleanup_(edit_close) struct edit e = {0};
        char **entries = NULL;
        bool found = false;

        int r = edit_open(&e, "Hosts.lns", text, ret_why);
        if (r < 0)
                return r;
        int n = aug_match(e.aug, EDIT_ROOT "/*[ipaddr]", &entries);
        for (int i = 0; i < n; i++) {
                found |= update_entry(&e, entries[i], old, name, address);
                free(entries[i]);
        }
        free(entries);
        if (!found)
                add_entry(&e, name);
        return edit_text(&e, ret, ret_why);
}

/* --- /etc/resolv.conf --- */

/* Whether a line "search" or "domain" of the file names it. */
static bool has_domain(const char *text, const char *domain)
{
        _cleanup_free_ char *copy = xstrdup(text);
        char *rest = NULL, *in = NULL;

        for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
                const char *key = strtok_r(line, " \t", &in);
                if (!key || (!streq(key, "search") && !streq(key, "domain")))
                        continue;
                for (const char *word = strtok_r(NULL, " \t", &in); word; word = strtok_r(NULL, " \t", &in))
                        if (streq(word, domain))
                                return true;
        }
        return false;
}

static bool has_key(const char *line, const char *key)
{
        const char *value = skip_prefix(line + strspn(line, " \t"), key);

        return value && (*value == ' ' || *value == '\t');
}

char *resolver_text(const char *text, char *const *servers, const char *domain)
{
        bool is_new = domain && !has_domain(text, domain);
        _cleanup_free_ char *copy = xstrdup(text);
        _cleanup_buf_ struct buf b = {0};
        char *rest = NULL;

        buf_puts(&b, NET_HEADER);
        for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
                bool is_header = has_prefix(NET_HEADER, line) && strlen(line) + 1 == strlen(NET_HEADER);
                if (!is_header && !has_key(line, "nameserver") &&
                    !(is_new && (has_key(line, "search") || has_key(line, "domain"))))
                        buf_printf(&b, "%s\n", line);
        }
        if (is_new)
                buf_printf(&b, "search %s\n", domain);
        STRV_FOREACH(s, servers)
                buf_printf(&b, "nameserver %s\n", *s);
        return TAKE_PTR(b.buf);
}

/* Not there at all counts too: nobody else will make it then, or its owner makes a link in its place. */
bool resolver_is_ours_to_write(const struct net_want *w)
{
        _cleanup_free_ char *path = helper_path(RESOLVER), *text = NULL;
        struct stat st;

        if (w->stack->writes_resolver && w->stack->writes_resolver(w))
                return false;
        if (lstat(path, &st) < 0)
                return errno == ENOENT;
        return S_ISREG(st.st_mode) && file_text(path, &text) == 0 && !strstr(text, "enerated by resolvconf") &&
               !strstr(text, "resolvconf(8)");
}

bool resolver_has(const struct net_want *w)
{
        _cleanup_strv_ char **dns = NULL;
        _cleanup_free_ char *domain = NULL;
        bool has = true;

        net_resolver(&dns, &domain);
        for (size_t i = 0; i < w->n_dns && has; i++) {
                _cleanup_free_ char *server = address_text(&w->dns[i]);
                has = strv_has(dns, server);
        }
        return has;
}

/* --- all three --- */

static int add_resolver(const struct net_want *w, struct net_files *ret)
{
        _cleanup_free_ char *path = helper_path(RESOLVER), *text = NULL;
        _cleanup_strv_ char **servers = NULL;

        if (w->n_dns == 0 || !resolver_is_ours_to_write(w))
                return 0;
        for (size_t i = 0; i < w->n_dns; i++)
                strv_take(&servers, address_text(&w->dns[i]));
        int r = file_text(path, &text);
        if (r == 0)
                net_files_add(ret, RESOLVER, resolver_text(text, servers, w->domain), 0644, false);
        return r;
}

static int add_name(const struct net_want *w, struct net_files *ret, char **ret_why)
{
        _cleanup_free_ char *path = helper_path(HOSTS), *text = NULL, *old = name_now(),
                            *address = address_text(&(struct address){.ip = w->address.ip});
        char *hosts = NULL;

        int r = file_text(path, &text);
        if (r == 0)
                r = hosts_text(*text ? text : "127.0.0.1\tlocalhost\n", old, w->name, address, &hosts, ret_why);
        if (r < 0)
                return r;
        net_files_add(ret, HOSTS, hosts, 0644, false);
        net_files_add(ret, HOSTNAME, xasprintf("%s\n", w->name), 0644, false);
        return 0;
}

int name_files(const struct net_want *w, struct net_files *ret, char **ret_why)
{
        int r = add_resolver(w, ret);

        return r == 0 && w->name ? add_name(w, ret, ret_why) : r;
}

int name_apply(const char *name, char **ret_raw)
{
        _cleanup_free_ char *now = name_now();

        if (helper_has_root() || streq(now, name))
                return 0;
        return helper_exec(STRV("hostname", (char *)name), ret_raw);
}

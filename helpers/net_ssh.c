#include "helpers/net_ssh.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <unistd.h>

#include "helpers/lib/address6.h"
#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"

#define ANCESTORS_MAX 64
#define ENVIRON_MAX (256 * KIB)

/* --- where it stands --- */

static char *environ_value(unsigned pid, const char *key)
{
        _cleanup_free_ char *path = xasprintf("/proc/%u/environ", pid), *text = xmalloc(ENVIRON_MAX + 1);
        _cleanup_fclose_ FILE *f = fopen(path, "re");
        size_t n = f ? fread(text, 1, ENVIRON_MAX, f) : 0;

        for (const char *at = text; at < text + n; at += strlen(at) + 1) {
                const char *value = skip_prefix(at, key);
                if (value && *value == '=')
                        return xstrdup(value + 1);
        }
        return NULL;
}

/* Name and parent, by "PID (NAME) STATE PARENT …", where a name may hold blanks and brackets. */
static unsigned parent_of(unsigned pid, char **ret_name)
{
        _cleanup_free_ char *path = xasprintf("/proc/%u/stat", pid), *line = NULL;
        unsigned parent;

        if (read_line(path, &line) < 0)
                return 0;
        char *open = strchr(line, '('), *end = strrchr(line, ')');
        if (!open || !end || sscanf(end + 1, " %*c %u", &parent) != 1)
                return 0;
        *ret_name = xstrndup(open + 1, (size_t)(end - open - 1));
        return parent;
}

/* "tmux: server" and "tmux: client"; both of screen's are called "screen" */
static bool is_multiplexer(const char *name)
{
        return has_prefix(name, "tmux") || streq(name, "screen") || streq(name, "SCREEN");
}

/* The user who really started it: neither a program of another's rights nor an unreadable one changes that. */
static bool uid_of(unsigned pid, unsigned *ret)
{
        _cleanup_free_ char *path = xasprintf("/proc/%u/status", pid);
        _cleanup_fclose_ FILE *f = fopen(path, "re");
        char line[128];

        while (f && fgets(line, sizeof(line), f))
                if (sscanf(line, "Uid: %u", ret) == 1)
                        return true;
        return false;
}

/* Anybody can give a process such a name, and such an environment: only those of whoever runs ours count, and root's. */
static char *by_clients(unsigned multiplexer)
{
        DIR *dir = opendir("/proc");
        char *found = NULL;
        unsigned pid, owner, uid;

        if (!dir || !uid_of(multiplexer, &owner)) {
                if (dir)
                        closedir(dir);
                return NULL;
        }
        for (struct dirent *d; !found && (d = readdir(dir));) {
                _cleanup_free_ char *name = NULL;
                if (parse_uint(d->d_name, 1 << 30, &pid) == 0 && parent_of(pid, &name) && is_multiplexer(name) &&
                    uid_of(pid, &uid) && (uid == 0 || uid == owner))
                        found = environ_value(pid, "SSH_CONNECTION");
        }
        closedir(dir);
        return found;
}

static char *by_ancestors(void)
{
        unsigned pid = (unsigned)getppid();

        for (int i = 0; i < ANCESTORS_MAX && pid > 1; i++) {
                _cleanup_free_ char *name = NULL;
                char *value = environ_value(pid, "SSH_CONNECTION");
                if (value)
                        return value;
                unsigned parent = parent_of(pid, &name);
                if (name && is_multiplexer(name))
                        return by_clients(pid);
                pid = parent;
        }
        return NULL;
}

static char *connection(void)
{
        const char *own = getenv("SSH_CONNECTION");
        char *line = NULL;

        if (helper_has_root()) {
                _cleanup_free_ char *path = helper_path("/recorded/ssh-connection");
                return read_line(path, &line) < 0 ? NULL : line;
        }
        return own ? xstrdup(own) : by_ancestors();
}

/* --- what it says --- */

/* An address as we write them ourselves; NULL for anything else. ret_port: what stands behind a '%'. */
static char *clean(const char *text, char **ret_port)
{
        _cleanup_free_ char *ip = xstrndup(text, strcspn(text, "%"));
        struct address6 six = {0};
        struct in_addr four;

        if (inet_pton(AF_INET, ip, &four) == 1)
                return address_text(&(struct address){.ip = ntohl(four.s_addr)});
        if (inet_pton(AF_INET6, ip, &six.ip) != 1)
                return NULL;
        if (text[strlen(ip)] && ret_port)
                *ret_port = xstrdup(text + strlen(ip) + 1);
        return address6_text(&six);
}

static bool has_ip(char *const *addresses, const char *ip)
{
        STRV_FOREACH(a, addresses)
                if (has_prefix(*a, ip) && (*a)[strlen(ip)] == '/')
                        return true;
        return false;
}

static const char *port_with(const struct ports *ports, const char *ip, const char *name)
{
        for (size_t i = 0; i < ports->n; i++) {
                const struct port *p = &ports->v[i];
                if (name ? streq(p->name, name) : has_ip(p->addresses, ip) || has_ip(p->addresses6, ip))
                        return p->name;
        }
        return NULL;
}

void ssh_set_host(const struct ports *ports, struct record *host)
{
        _cleanup_free_ char *line = connection(), *from = NULL, *to = NULL, *port = NULL;
        char client[128], server[128];

        if (!line)
                return;
        record_set(host, "ssh", "yes");
        if (sscanf(line, "%127s %*s %127s", client, server) != 2)
                return;
        from = clean(client, NULL);
        to = clean(server, &port);
        record_set(host, "from", from);
        record_set(host, "via", to ? port_with(ports, to, port) : NULL);
}

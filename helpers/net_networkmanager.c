/* NetworkManager: only looked at so far. */
#include "helpers/net_stack.h"

#include <errno.h>

#include "helpers/lib/helper.h"

#define CONF "/etc/NetworkManager/conf.d/90-nas-setup.conf"

static bool is_installed(void)
{
        return net_has_program("NetworkManager");
}

/* Three lines: state, managed, connection. "connected (externally)": it watches what somebody else set up. */
static char **device(const struct port *p)
{
        static int active = -1;
        _cleanup_free_ char *record = xasprintf("nmcli-%s", p->name), *out = NULL;
        char **lines = NULL, *rest = NULL;

        if (active < 0)
                active = helper_has_root() || net_is_active("NetworkManager.service");
        if (!active || port_ask(record, STRV("nmcli", "-g", "GENERAL.STATE,GENERAL.NM-MANAGED,GENERAL.CONNECTION", "dev",
                                             "show", p->name), &out) < 0)
                return NULL;
        for (char *line = strtok_r(out, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
                strv_add(&lines, line);
        return lines;
}

static bool is_managed(char *const *lines)
{
        return strv_len(lines) >= 2 && streq(lines[1], "yes") && !strstr(lines[0], "externally");
}

bool net_networkmanager_is_netplan(const struct port *p)
{
        _cleanup_strv_ char **lines = device(p);

        return is_managed(lines) && lines[2] && has_prefix(lines[2], "netplan-");
}

static bool owns(const struct port *p)
{
        _cleanup_strv_ char **lines = device(p);

        return is_managed(lines);
}

/* Its state file has a section for a lease; no process runs for it. */
static void look(struct port *p)
{
        _cleanup_free_ char *inside = xasprintf("/run/NetworkManager/devices/%u", p->index), *path = helper_path(inside),
                            *text = NULL;

        if (read_text(path, MIB, &text) < 0)
                return;
        p->method = strstr(text, "[dhcp4]") ? "dhcp" : p->addresses ? "static" : "none";
}

void net_networkmanager_keep_off(const struct net_want *w, struct net_files *ret)
{
        _cleanup_buf_ struct buf b = {0};

        if (!is_installed())
                return;
        buf_printf(&b, NET_HEADER "[keyfile]\nunmanaged-devices+=mac:%s", w->lan->mac);
        STRV_FOREACH(mac, w->off)
                buf_printf(&b, ";mac:%s", *mac);
        buf_puts(&b, "\n");
        net_files_add(ret, CONF, TAKE_PTR(b.buf), 0644, false);
}

void net_networkmanager_reload(void)
{
        if (is_installed() && net_is_active("NetworkManager.service"))
                helper_exec(STRV("nmcli", "general", "reload", "conf"), NULL);
}

const struct net_stack net_networkmanager = {
        .name = "networkmanager",
        .is_installed = is_installed,
        .owns = owns,
        .look = look,
};

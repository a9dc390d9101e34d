#include "helpers/share_announce.h"

#include <errno.h>

#include "helpers/lib/helper.h"
#include "helpers/share_listen.h"
#include "helpers/share_smbd.h"

#define WSD_DROP_IN "/etc/systemd/system/wsdd2.service.d/nas-setup.conf"
#define WSD_TEXT                                                                                                       \
        "# nas-setup: WS-Discovery only; names are systemd-resolved's and Avahi's business\n"                          \
        "[Service]\nExecStart=\nExecStart=/usr/sbin/wsdd2 -w\n"

/* Ports: WS-Discovery 1.1, 2.4; RFC 6762, 3. */
static const struct announcer announcers[] = {
    {"wsd", "wsdd2", "wsdd2", "wsdd2.service", 3702},
    {"mdns", "avahi-daemon", "avahi-daemon", "avahi-daemon.service", 5353},
};

const struct announcer *share_announcer(size_t n)
{
        return n < ELEMENTSOF(announcers) ? &announcers[n] : NULL;
}

bool share_announcer_is_there(const struct announcer *a)
{
        return !helper_has_root() && has_program(a->program);
}

bool share_announcer_is_running(const struct announcer *a)
{
        return share_listens("udp", a->port);
}

static int start(const struct announcer *a, bool renew, char **ret_raw)
{
        bool is_active = smbd_unit_is(a->unit, "is-active", "active");
        int r = 0;

        if (smbd_unit_is(a->unit, "is-enabled", "masked"))
                return 0; /* somebody's decision */
        if (!smbd_unit_is(a->unit, "is-enabled", "enabled"))
                r = helper_exec(STRV("systemctl", "enable", (char *)a->unit), ret_raw);
        if (r == 0 && (!is_active || renew))
                r = helper_exec(STRV("systemctl", "restart", (char *)a->unit), ret_raw);
        if (r < 0 || helper_is_dry_run())
                return r;
        return share_wait_for_port("udp", a->port, true);
}

static int prepare_wsd(bool *ret_is_new, char **ret_raw)
{
        _cleanup_free_ char *text = NULL;
        int r = read_text(WSD_DROP_IN, 4096, &text);

        if (r == 0 && streq(text, WSD_TEXT))
                return 0;
        *ret_is_new = true;
        r = helper_write(WSD_DROP_IN, WSD_TEXT, 0644);
        return r == 0 ? helper_exec(STRV("systemctl", "daemon-reload"), ret_raw) : r;
}

int share_announce(bool renew, char **ret_raw)
{
        int r = 0;

        for (size_t i = 0; i < ELEMENTSOF(announcers) && r == 0 && has_systemd(); i++) {
                const struct announcer *a = &announcers[i];
                bool is_wsd = streq(a->what, "wsd"), is_new = false;
                if (!share_announcer_is_there(a))
                        continue;
                if (is_wsd)
                        r = prepare_wsd(&is_new, ret_raw);
                if (r == 0) /* Avahi learns of smbd from smbd itself */
                        r = start(a, is_wsd && (renew || is_new), ret_raw);
        }
        return r;
}

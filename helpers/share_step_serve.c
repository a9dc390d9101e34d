#include <errno.h>

#include "helpers/lib/helper.h"
#include "helpers/share_allow.h"
#include "helpers/share_announce.h"
#include "helpers/share_firewall.h"
#include "helpers/share_probe.h"
#include "helpers/share_smbd.h"
#include "helpers/share_step.h"

int share_step_serve(struct share_set *s)
{
        _cleanup_ini_ struct ini ini;
        _cleanup_free_ char *raw = NULL;

        ini_read(s->after, &ini);
        const char *ports = ini_get(&ini, "global", "smb ports");
        int r = smbd_serve(ports && streq(ports, "445"), &raw);
        if (r == -ETIMEDOUT)
                return helper_fail(
                    "smbd", "smbd", raw,
                    "Samba was started but answers nobody; what it says is in /var/log/samba/log.smbd");
        if (r < 0)
                return helper_fail("smbd", "smbd", raw,
                                   "Samba could not be started; journalctl -u smbd tells more");
        return 0;
}

int share_step_announce(struct share_set *s)
{
        _cleanup_free_ char *raw = NULL;
        int r = s->announces ? share_announce(!streq(s->before, s->after), &raw) : 0;

        if (r < 0)
                return helper_fail("announce", s->want.netbios, raw,
                                   "the share works, but this computer could not be announced on the network; "
                                   "journalctl -u wsdd2 -u avahi-daemon tells more");
        return 0;
}

int share_step_open(struct share_set *s)
{
        _cleanup_free_ char *raw = NULL;
        _cleanup_strv_ char **subnets = strv_copy(s->want.allow);
        enum firewall f = s->opens ? firewall_look() : FIREWALL_NONE;

        strv_add(&subnets, OWN_LINK);
        int r = firewall_open(f, subnets, s->announces, &raw);
        if (r == -EOPNOTSUPP)
                return helper_fail("firewall", firewall_word(f), NULL,
                                   "the share works, but the firewall rules of this computer are somebody's own: let TCP port 445 "
                                   "in from the LAN there%s",
                                   s->announces ? ", and UDP and TCP 3702 and UDP 5353 for being found" : "");
        if (r < 0)
                return helper_fail("firewall", firewall_word(f), raw, "the share works, but %s could not be told to let the LAN in",
                                   firewall_word(f));
        return 0;
}

static int refuse_words(const char *where, int error)
{
        return helper_fail("write", where, NULL, "the share works, but how to reach it could not be written down there: %s",
                           strerror(-error));
}

static int tell_on_share(struct share_set *s, const struct summary *m)
{
        _cleanup_free_ char *text = s->tells ? summary_text(m) : NULL;
        int r = helper_has_root() ? 0 : summary_on_share(s->want.path, text, s->account.uid, s->account.gid, &s->told);

        return r == 0 ? 0 : refuse_words(SUMMARY_ON_SHARE, r);
}

int share_step_tell(struct share_set *s)
{
        const struct summary m = {s->want.netbios, s->want.name, s->address, s->want.login, s->want.is_locked};
        _cleanup_free_ char *text = m.host ? summary_text(&m) : NULL;
        int r = s->greets ? summary_greet(&m) : summary_greet_no_more();

        if (r < 0)
                return refuse_words("/etc/issue.d", r);
        if (text)
                r = helper_write(SUMMARY_FILE, text, 0644);
        return r == 0 ? tell_on_share(s, &m) : refuse_words(SUMMARY_FILE, r);
}

/* Over the address that people will use, which says more than loopback does: somebody may have told smbd which
 * interfaces it listens on. */
static int prove_as(const struct share_set *s, const char *who, const struct probe *as)
{
        struct probe p = *as;
        _cleanup_free_ char *raw = NULL;

        p.address = *s->address ? s->address : LOOPBACK;
        p.share = s->want.name;
        p.path = s->want.path;
        p.uid = s->account.uid;
        if (share_probe(&p, &raw) == 0)
                return 0;
        return helper_fail("probe", p.address, raw,
                           "the share was set up, but %s could not put a file there over %s and get the same back%s", who,
                           p.address, *s->address ? "; does this computer have that address?" : "");
}

static int prove_locked(const struct share_set *s)
{
        _cleanup_free_ char *raw = NULL;
        const char *address = *s->address ? s->address : LOOPBACK;

        if (share_probe_locked(address, s->want.name, &raw) == 0)
                return 0;
        return helper_fail("probe", address, raw, "the share was set up, but a guest without a password was not turned away");
}

int share_step_prove(struct share_set *s)
{
        const char *name = s->want.login;
        int r = s->want.is_locked ? prove_locked(s) : prove_as(s, "a guest", &(struct probe){0});

        for (int encrypted = 0; encrypted < 2 && r == 0 && s->password; encrypted++)
                r = prove_as(s, name, &(struct probe){.user = name, .password = s->password, .is_encrypted = encrypted});
        return r;
}

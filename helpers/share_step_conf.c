#include <errno.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"
#include "helpers/share_copy.h"
#include "helpers/share_follow.h"
#include "helpers/share_old.h"
#include "helpers/share_smbd.h"
#include "helpers/share_step.h"

int share_step_read(struct share_set *s)
{
        _cleanup_free_ char *conf = helper_path(SMB_CONF);
        int r = file_text(conf, &s->before);

        if (r == 0)
                return 0;
        return helper_refuse("smb-conf", SMB_CONF, "%s cannot be read: %s", SMB_CONF, strerror(-r));
}

static int refuse_conf(int error, const struct share_wanted *w, const char *why)
{
        switch (error) {
        case -EEXIST:
                return helper_refuse("name-taken", w->name, "there is a share \"%s\" already, for %s; choose another name",
                                     w->name, why);
        case -EOPNOTSUPP:
                return helper_refuse(
                    "samba-role", why,
                    "this computer's Samba is part of a domain (%s), which a share for everyone does "
                    "not fit",
                    why);
        default:
                return helper_refuse(
                    "smb-conf", SMB_CONF,
                    "%s was changed by hand in a way that is not understood (%s), so it was left "
                    "alone; correct that line and try again",
                    SMB_CONF, why);
        }
}

static int refuse_guests(const struct share_set *s)
{
        _cleanup_ini_ struct ini ini;
        struct old old;

        ini_read(s->before, &ini);
        for (size_t i = 0; !s->want.is_locked && share_old(&ini, i, &old); i++)
                if (old.harm == OLD_GUESTS)
                        return helper_refuse("guests", old.line->key,
                                             "%s says \"%s = %s\", which %s; take that line out, or share with a password only",
                                             SMB_CONF, old.line->key, old.line->value, old.text);
        return 0;
}

static int apply_one(const char *before, const struct share_wanted *w, char **ret)
{
        _cleanup_free_ char *why = NULL;
        int r = share_conf_apply(before, w, ret, &why);

        return r < 0 ? refuse_conf(r, w, why) : 0;
}

static int check_one(const struct share_set *s, const char *effective, const struct share_wanted *w)
{
        _cleanup_free_ char *why = NULL;
        int r = share_conf_check(s->after, effective, w, &why);

        if (r == 0)
                return 0;
        return helper_refuse("testparm", SMB_CONF,
                             "Samba would not take the share as it is meant (%s), so %s was left alone",
                             why ? why : strerror(-r), SMB_CONF);
}

static int test_conf(struct share_set *s)
{
        _cleanup_free_ char *why = NULL, *effective = NULL;
        int r = smbd_test(s->after, s->before, &effective, &why);

        if (r == -EINVAL)
                return refuse_conf(-EBADMSG, &s->want, why);
        if (r < 0)
                return helper_refuse("testparm", SMB_CONF,
                                     "Samba would not take the share as it is meant (%s), so %s was left alone",
                                     why ? why : strerror(-r), SMB_CONF);
        r = check_one(s, effective, &s->want);
        return r == 0 && s->backups.backup_size ? check_one(s, effective, &s->backups) : r;
}

/* The new text, and the proof that Samba takes it as it is meant; nothing is touched yet. */
int share_step_make(struct share_set *s)
{
        _cleanup_free_ char *first = NULL;
        int r = refuse_guests(s);

        if (r == 0)
                r = apply_one(s->before, &s->want, &first);
        if (r == 0 && s->backups.backup_size)
                r = apply_one(first, &s->backups, &s->after);
        else if (r == 0)
                s->after = TAKE_PTR(first);
        return r != 0 || helper_has_root() ? r : test_conf(s);
}

int share_step_write(struct share_set *s)
{
        if (streq(s->before, s->after))
                return 0;
        int r = share_copy(s->before);
        if (r == 0)
                r = helper_write(SMB_CONF, s->after, 0644);
        if (r < 0)
                return helper_fail("write", SMB_CONF, NULL, "%s could not be written: %s", SMB_CONF,
                                   strerror(-r));
        return 0;
}

int share_step_wait(struct share_set *s)
{
        _cleanup_ini_ struct ini ini;
        _cleanup_strv_ char **paths = NULL;
        _cleanup_free_ char *raw = NULL;

        ini_read(s->after, &ini);
        paths = share_conf_paths(&ini);
        int r = smbd_wait_for(paths, &raw);
        if (r == 0)
                r = share_follow_unit(strv_len(s->want.allow) > 0, &raw);
        if (r < 0)
                return helper_fail("systemd", "smbd.service", raw, "systemd could not be told what the share in %s needs",
                                   s->want.path);
        return 0;
}

/* Our lines in smb.conf: how they get into a text that others wrote, whether they count there. Texts in, texts out; no file
 * is touched. */
#pragma once

#include "helpers/share_ini.h"

#define SHARE_MARK "nas-setup:" /* how a comment of ours begins; a share that has one is ours */
#define SHARE_BACKUP_FOLDER ".time-machine" /* in the share's own, for backups; guests do not see it */

struct share_wanted {
        const char *name, *path, *uuid, *comment;
        const char *workgroup, *netbios; /* NULL: left as they are */
        const char *user;                /* account and group that files belong to */
        char *const *allow;              /* subnets; none: every computer */
        const char *login;               /* who has a password; NULL: nobody */
        bool is_locked;                  /* only for login; guests are turned away */
        bool for_macs;                   /* with Samba's modules for Macs, in this share alone */
        const char *mount;               /* where the file system is mounted */
        uint64_t backup_size;            /* not 0: it is for Time Machine's backups, up to so many bytes, and is login's */
        bool prints;                     /* this computer has printers: leave what concerns them alone */
        bool has_homes;                  /* somebody has a password for Samba: leave [homes] alone */
};

/* The text with our lines in it, everything else byte for byte; the same text where they are there already. A section
 * of ours with the same path is renamed. -EBADMSG: not understood; -EEXIST: the name belongs to a share that is not
 * ours; -EOPNOTSUPP: a domain's server. *ret_why is a sentence fragment. */
int share_conf_apply(const char *text, const struct share_wanted *w, char **ret_text, char **ret_why);
/* The text with one line in a section of ours set; -errno where it is not understood. */
int share_conf_put(const char *text, const char *section, const char *key, const char *value, char **ret);
/* The sections that Debian's file offers, printers and home folders, and that after this nobody is offered any more, for
 * nobody uses them: those in after that are switched off and were not in before. */
char **share_conf_off(const struct ini *before, const struct ini *after) _must_check_;
/* Compares what testparm -sv said about text with what is wanted; -EINVAL with the first difference in *ret_why. */
int share_conf_check(const char *text, const char *effective, const struct share_wanted *w, char **ret_why);
/* The name of our section with this path, or NULL. */
const char *share_conf_ours(const struct ini *ini, const char *path);
bool share_conf_is_ours(const struct ini *ini, const char *section);
/* Every path that a share of ours has, but for those of backups, which lie inside. */
char **share_conf_paths(const struct ini *ini) _must_check_;

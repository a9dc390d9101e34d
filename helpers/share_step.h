/* The steps of the verb set of nas-share, in the order of share_set.c. Each looks first and does only what is missing; it
 * returns an enum helper_status, the error told where that is not HELPER_DONE. Those on files alone work below --root. */
#pragma once

#include "helpers/share_account.h"
#include "helpers/share_conf.h"
#include "helpers/share_give.h"
#include "helpers/share_summary.h"

#define LOOPBACK "127.0.0.1"

struct share_set {
        struct share_wanted want, backups; /* backups.backup_size 0: none */
        struct account account;
        const char *address;
        const char *password_fd; /* "" for none */
        char *password;
        uint64_t backup_size;
        char *backup_path;
        bool gives;     /* files=give */
        bool announces; /* announce=yes */
        bool opens;     /* firewall=open */
        bool greets;    /* greet=yes */
        bool tells;     /* summary=yes */
        enum on_share told;
        struct given given;
        char *before, *after; /* smb.conf */
};

/* share_step_conf.c: smb.conf and the unit that waits for the mount */
int share_step_read(struct share_set *s); /* s->before */
int share_step_make(struct share_set *s); /* s->after, and the proof that Samba takes it as it is meant; nothing is touched */
int share_step_write(struct share_set *s);
int share_step_wait(struct share_set *s);

/* share_step_people.c: accounts, passwords and who owns the files */
int share_step_choose_account(struct share_set *s);
int share_step_choose_login(struct share_set *s); /* and reads the password */
int share_step_make_account(struct share_set *s);
int share_step_make_login(struct share_set *s);
int share_step_make_backups(struct share_set *s);
int share_step_give(struct share_set *s);
int share_step_password(struct share_set *s);

/* share_step_serve.c: Samba runs, the share was seen to work, people find it */
int share_step_serve(struct share_set *s);
int share_step_prove(struct share_set *s);
int share_step_announce(struct share_set *s);
int share_step_open(struct share_set *s);
int share_step_tell(struct share_set *s); /* how to reach it, in words; once it was seen to work */

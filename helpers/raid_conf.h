/* What makes an array come back under its name after a restart: mdadm.conf, the initramfs's copy of it, and the size
 * of the stripe cache. */
#pragma once

#include "helpers/lib/md.h"

/* Looks only: whether the line can be written. Refuses (an enum helper_status, told) where mdadm.conf cannot be
 * understood or gives the name to an array of somebody else. */
int conf_check(const char *name, const char *uuid);
/* Exactly one ARRAY line for it, with its UUID and nothing else that would have to fit, and the initramfs knows: so the
 * node has this name after each start, whatever name and home host the superblock has. *ret_stale says that the initramfs could not be made anew:
 * the array then starts all the same, perhaps under another name, and the next call tries again. */
int conf_ensure(const char *name, const char *uuid, bool *ret_stale);
/* Whether conf_ensure once wrote the array into mdadm.conf. conf is the file's text, see conf_text. */
bool is_conf_ours(const char *conf, const char *uuid);
char *conf_text(void) _must_check_; /* "" where there is none */
/* What mdadm.conf calls the array, "public" of /dev/md/public; NULL where it does not tell. */
char *conf_name(const char *uuid) _must_check_;

/* mdadm's monitor calls that program (PROGRAM), and mails to mail (MAILADDR; NULL: as it is). Somebody else's program stays:
 * *ret_other. An enum helper_status, told. */
int conf_monitor(const char *program, const char *mail, bool *ret_other);

/* The stripe cache of arrays with parity, now and after every start. -errno. */
int cache_ensure(const struct md *md);

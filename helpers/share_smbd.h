/* Samba's programs: is a configuration good, is smbd running with it, start it, make it read it again. */
#pragma once

#include "helpers/lib/util.h"

#define SMB_CONF "/etc/samba/smb.conf"

/* What testparm makes of a text, all defaults included. -EBADMSG where it refuses it or where it complains about
 * anything that it did not complain about in before (the text that counts now), -EINVAL where it refuses before too:
 * *ret_why is the line that it said. */
int smbd_test(const char *text, const char *before, char **ret_effective, char **ret_why);
/* "4.17.12-Debian"; -ENOENT without Samba. */
int smbd_version(char **ret);
bool smbd_is_running(void);
bool smbd_is_masked(void); /* somebody forbade systemd to start it */

/* Running, started at every boot, listening, with the configuration as it is now; without the old name service where
 * only_445 is set. No connection is cut unless a port has to be closed. -ETIMEDOUT: it does not listen. *ret_raw is what
 * the programs said. */
int smbd_serve(bool only_445, char **ret_raw);
/* Lets it read its configuration again. */
int smbd_reload(char **ret_raw);
/* What systemctl says of a unit: "is-active" begins with "active"; never below --root. */
bool smbd_unit_is(const char *unit, const char *question, const char *answer);
/* Writes systemd's drop-in that lets smbd wait for these mounts, and tells systemd. */
int smbd_wait_for(char *const *paths, char **ret_raw);

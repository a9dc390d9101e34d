/* A Samba of our own for a few seconds: the settings of the real one, but on a port of the loopback that nobody else uses, with
 * a password that nobody knows, for a user who has to sign. Nothing of it outlives the test: it ends when its standard
 * input does (server.c of Samba), and its files are in /run. */
#pragma once

#include "helpers/lib/run.h"

struct speed_smbd {
        struct run run;
        char *folder, *conf, *user, *password, *log_in; /* log_in: a file for smbclient's -A */
        char **argv;
        unsigned port;
};

/* Serves mount as the share "speed"; -ENOPKG without smbd and smbpasswd. Close it in any case. */
int speed_smbd_open(struct speed_smbd *d, const char *mount);
void speed_smbd_close(struct speed_smbd *d);
/* What killed tests left in /run. Only while none runs. */
void speed_smbd_sweep(void);

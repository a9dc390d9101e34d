/* What goes over a port just now, and who is at the share: the kernel's counters and Samba's list of sessions. */
#pragma once

#include "helpers/lib/record.h"

/* Name of the port that has this IPv4 address; -ENODEV: none has. */
int live_port(const char *address, char **ret);
/* Prints live records once a second for so many seconds, or until its output is closed or SIGTERM; 0. */
int live_watch(const char *port, const char *address, unsigned seconds);

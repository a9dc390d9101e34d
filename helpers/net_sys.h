/* The files of one port in /sys/class/net, also below --root. What allocates returns NULL for what is not there. */
#pragma once

#include "helpers/lib/util.h"

char *sys_line(const char *port, const char *what) _must_check_;
uint64_t sys_number(const char *port, const char *what, int base); /* 0 also for a negative one */
/* The last word of a link, also of one whose target was not recorded. */
char *sys_link(const char *port, const char *what) _must_check_;
bool sys_has(const char *port, const char *what);
/* The rest of each name in its folder that begins so ("upper_"), in the order of the alphabet. */
char **sys_names(const char *port, const char *prefix) _must_check_;
/* KEY= in its file uevent. */
char *sys_uevent(const char *port, const char *key) _must_check_;

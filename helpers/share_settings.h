/* Which lines a share of ours consists of, and when each of them is written. The values and their reasons are those of
 * smb.conf(5) and of measurements: 1 MiB reads and writes are 1.15 and 1.5 times as fast as the default of 8 MiB where the
 * cache serves, never slower. Those for Macs are vfs_fruit(8)'s and stand in our shares only, so that others keep what they
 * have. */
#pragma once

#include "helpers/share_conf.h"

#define GLOBAL "global"

enum when {
        ALWAYS,     /* set it, whatever stands there */
        IF_ABSENT,  /* somebody's own value stays */
        IF_PRINTS,  /* the same, and not at all where this computer has printers */
        IF_NETBIOS, /* the same, and not where somebody decided about NetBIOS */
        AGAINST,    /* set it in our share only where somebody's line, in [global] too, says otherwise */
        GONE,       /* remove our line */
};

struct setting {
        const char *section, *key;
        char *value;
        enum when when;
        bool is_loose; /* whatever means the same is left as it was written */
};

struct settings {
        struct setting v[64];
        size_t n;
};

void settings_of(const struct share_wanted *w, struct settings *ret); /* *ret begins zeroed */
/* The value of "hosts allow" for these subnets, NULL for none: this computer itself and its own link are let in beside them, or
 * the test of the share could not reach it. */
char *settings_hosts_allow(char *const *allow) _must_check_;
void settings_free(struct settings *s);

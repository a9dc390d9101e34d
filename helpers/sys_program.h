/* Which programs a NAS is made with: the one table of package, program and purpose. Package names are those of Debian 12
 * and 13. */
#pragma once

#include "helpers/lib/util.h"

struct program {
        const char *package;
        const char *file;    /* a program on the PATH, or what glob finds */
        const char *purpose; /* array, share, xfs, btrfs, check, health, windows, mdns, macs, clock */
        bool needed;         /* for any NAS; the others for one that wants the purpose */
};

/* The n-th, counted from 0; NULL where there are not so many. */
const struct program *program_at(size_t n);
/* Its file is there. Never below --root, where nothing can be started. */
bool program_is_there(const struct program *p);
/* A package is wholly there: every program of the table that it has, and dpkg, where it knows it, calls it installed. */
bool package_is_there(const char *package);
/* As Debian Policy 5.6.1 has it; so that none is taken for an option. */
bool is_package_name(const char *name);

#include "helpers/sys_program.h"

#include <glob.h>

#include "helpers/lib/run.h"

static const struct program programs[] = {
        {"mdadm", "mdadm", "array", true},
        {"samba", "smbd", "share", true},
        {"smbclient", "smbclient", "share", true},
        {"iputils-arping", "arping", "check", false},
        {"smartmontools", "smartctl", "health", false},
        {"xfsprogs", "mkfs.xfs", "xfs", false},
        {"btrfs-progs", "mkfs.btrfs", "btrfs", false},
        {"wsdd2", "wsdd2", "windows", false},
        {"avahi-daemon", "avahi-daemon", "mdns", false},
        {"samba-vfs-modules", "/usr/lib/*/samba/vfs/fruit.so", "macs", false},
};

const struct program *program_at(size_t n)
{
        return n < ELEMENTSOF(programs) ? &programs[n] : NULL;
}

bool program_is_there(const struct program *p)
{
        glob_t found = {0};

        if (*p->file != '/')
                return has_program(p->file);
        int r = glob(p->file, 0, NULL, &found);
        globfree(&found);
        return r == 0;
}

/* "" where dpkg has never heard of it. */
static char *status_of(const char *package)
{
        _cleanup_(run_free) struct run r = {.argv = STRV("dpkg-query", "-W", "-f", "${Status}\n", (char *)package),
                                            .deadline_ms = 30000};

        run_one(&r);
        buf_puts(&r.out, "");
        return xstrdup(strip(r.out.buf));
}

bool package_is_there(const char *package)
{
        bool is_known = false;

        for (size_t i = 0; i < ELEMENTSOF(programs); i++) {
                if (!streq(programs[i].package, package))
                        continue;
                is_known = true;
                if (!program_is_there(&programs[i]))
                        return false;
        }
        _cleanup_free_ char *status = status_of(package);
        bool is_installed = has_suffix(status, " ok installed");
        /* One that somebody built himself is no business of dpkg. */
        return is_installed || (is_known && (!*status || has_suffix(status, "not-installed") || has_suffix(status, "config-files")));
}

bool is_package_name(const char *name)
{
        return strlen(name) > 1 && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789+.-") == strlen(name) &&
               strspn(name, "+.-") == 0;
}

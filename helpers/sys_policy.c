#include "helpers/sys_policy.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"

#define POLICY "/usr/sbin/policy-rc.d"
#define SCRIPT "/run/nas-setup/policy-rc.d"
#define TEXT                                                                                                           \
        "#!/bin/sh\n"                                                                                                  \
        "# nas-setup installs programs; their services start when they are configured.\n"                             \
        "[ \"$1\" = --quiet ] && shift\n"                                                                              \
        "case ${1%.*} in\n"                                                                                            \
        "smbd|nmbd|samba|samba-ad-dc|winbind|wsdd2|avahi-daemon|mdadm|mdmonitor|smartd|smartmontools) exit 101 ;;\n"   \
        "esac\n"                                                                                                       \
        "exit 0\n"

static bool is_ours(const char *path)
{
        char target[sizeof(SCRIPT) + 1];
        ssize_t n = readlink(path, target, sizeof(target));

        return n == (ssize_t)strlen(SCRIPT) && memcmp(target, SCRIPT, (size_t)n) == 0;
}

int policy_begin(void)
{
        _cleanup_free_ char *path = helper_path(POLICY), *script = helper_path(SCRIPT);
        struct stat st;
        bool is_there = lstat(path, &st) == 0;

        if (is_there && !is_ours(path))
                return 0;
        int r = file_replace(script, TEXT, 0755);
        if (r == 0 && chmod(script, 0755) < 0)
                r = -errno;
        return r == 0 && !is_there ? file_symlink(path, SCRIPT) : r;
}

int policy_end(void)
{
        _cleanup_free_ char *path = helper_path(POLICY), *script = helper_path(SCRIPT);
        int r = is_ours(path) ? file_remove(path) : 0;

        return r < 0 ? r : file_remove(script);
}

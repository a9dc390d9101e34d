#include "helpers/share_need.h"

#include <errno.h>
#include <glob.h>
#include <string.h>

#include "helpers/lib/helper.h"
#include "helpers/share_mount.h"
#include "helpers/share_smbd.h"

int share_need_programs(void)
{
        static const struct {
                const char *program, *package;
        } needed[] = {{"smbd", "samba"}, {"testparm", "samba"}, {"smbclient", "smbclient"}};

        for (size_t i = 0; i < ELEMENTSOF(needed) && !helper_has_root(); i++)
                if (!has_program(needed[i].program))
                        return helper_refuse("no-program", needed[i].program,
                                             "the program %s is missing; install it with: apt install %s",
                                             needed[i].program, needed[i].package);
        if (smbd_is_masked())
                return helper_refuse(
                    "masked", "smbd.service",
                    "somebody switched Samba off for good on this computer; this allows it again: "
                    "systemctl unmask smbd");
        return 0;
}

/* Where Samba lacks a module it lets nobody in. */
int share_need_modules(void)
{
        glob_t found;

        if (helper_has_root())
                return 0;
        int r = glob("/usr/lib/*/samba/vfs/fruit.so", 0, NULL, &found);
        globfree(&found);
        return r == 0 ? 0
                      : helper_refuse("no-program", "fruit", "Samba's modules for Macs are missing; install them with: apt install "
                                                              "samba-vfs-modules");
}

int share_need_mount(const char *path, const char *uuid)
{
        switch (share_mount_check(path, uuid)) {
        case 0:
                return 0;
        case -ENOTDIR:
                return helper_refuse(
                    "not-mounted", path,
                    "nothing is mounted at %s, so the share would fill the system disk; mount the "
                    "file system first",
                    path);
        case -EROFS:
                return helper_refuse(
                    "read-only", path,
                    "what is mounted at %s can only be read; look into the file system's state first", path);
        default:
                return helper_refuse(
                    "not-mounted", path,
                    "what is mounted at %s is not the file system %s; mount that one there first", path,
                    uuid);
        }
}

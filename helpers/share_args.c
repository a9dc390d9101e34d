#include "helpers/share_args.h"

#include <arpa/inet.h>

#include "helpers/lib/address.h"
#include "helpers/lib/helper.h"
#include "helpers/lib/sharename.h"
#include "helpers/share_allow.h"
#include "helpers/share_mount.h"

#define BACKUPS_MIN 1000000000

static int check_name(const struct record *args, const char *key, enum sharename_kind kind)
{
        char character[5] = "";
        const char *value = record_get(args, key);
        enum sharename_fault fault = value ? sharename_check(kind, value, character) : SHARENAME_FINE;

        if (fault == SHARENAME_FINE)
                return 0;
        _cleanup_free_ char *why = xasprintf(sharename_message(kind, fault), character);
        return helper_usage(key, "%s=%s: %s", key, value, why);
}

static int check_login_args(const struct record *args)
{
        const char *user = record_str(args, "user"), *fd = record_str(args, "password-fd"), *size = record_str(args, "timemachine");
        uint64_t bytes;
        unsigned n;

        if (streq(record_str(args, "access"), "user") && !*user)
                return helper_usage("user", "access=user needs user=");
        if (*fd && !*user)
                return helper_usage("user", "password-fd= needs user=");
        if (*size && (parse_u64(size, &bytes) < 0 || bytes < BACKUPS_MIN || !*user))
                return helper_usage("timemachine", "timemachine= takes at least 1000000000 bytes, and needs user=");
        if (*record_str(args, "macs") && !streq(record_str(args, "macs"), "yes"))
                return helper_usage("macs", "macs= can only be yes");
        if (*fd && parse_uint(fd, 1023, &n) < 0)
                return helper_usage("password-fd", "password-fd= takes the number of a descriptor");
        return 0;
}

int share_check_args(const struct record *args, char *const *allow)
{
        const char *path = record_str(args, "path"), *netbios = record_get(args, "netbios"),
                   *address = record_str(args, "address"), *access = record_get(args, "access");
        struct in_addr a;
        int r = check_name(args, "name", SHARENAME_SHARE);

        if (r == 0)
                r = check_name(args, "comment", SHARENAME_COMMENT);
        if (r == 0)
                r = check_name(args, "workgroup", SHARENAME_WORKGROUP);
        if (r != 0)
                return r;
        if (netbios && hostname_check(netbios, NULL) < 0)
                return helper_usage("netbios", "netbios= takes at most 15 letters, digits and dashes");
        if (netbios && sharename_workgroup_is_host(record_str(args, "workgroup"), netbios))
                return helper_usage("workgroup", "the workgroup and the computer need different names");
        if (!share_mount_may_be(path))
                return helper_usage("path", "path=%s: a share has a folder of its own such as /srv/public",
                                    path);
        if (!is_uuid(record_str(args, "uuid")))
                return helper_usage("uuid", "uuid= takes a file system's UUID");
        if (access && !streq(access, "everyone") && !streq(access, "user"))
                return helper_usage("access", "access= can only be everyone or user");
        if (*record_str(args, "announce") && !streq(record_str(args, "announce"), "yes"))
                return helper_usage("announce", "announce= can only be yes");
        for (size_t i = 0; i < 2; i++) {
                const char *key = i == 0 ? "greet" : "summary";
                if (*record_str(args, key) && (!streq(record_str(args, key), "yes") || !*address || !netbios))
                        return helper_usage(key, "%s= can only be yes, and needs address= and netbios=", key);
        }
        if (*record_str(args, "firewall") && (!streq(record_str(args, "firewall"), "open") || !allow))
                return helper_usage("firewall", "firewall= can only be open, for the subnets in allow=");
        if (*record_str(args, "files") && !streq(record_str(args, "files"), "give"))
                return helper_usage("files", "files= can only be give");
        if (*address && inet_pton(AF_INET, address, &a) != 1)
                return helper_usage("address", "address= takes an IPv4 address without prefix");
        STRV_FOREACH(s, allow)
        if (!share_allow_is_subnet(*s))
                return helper_usage("allow", "'%s' is no subnet such as 192.168.1.0/24", *s);
        return check_login_args(args);
}

#include "helpers/raid_join.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/fs.h>

#include "helpers/lib/helper.h"
#include "helpers/raid_member.h"
#include "helpers/raid_partition.h"
#include "helpers/raid_run.h"

int join_mdadm(char *const *argv, char **ret_raw)
{
        for (unsigned i = 1;; i++) {
                _cleanup_(run_free) struct run run = {.argv = argv, .deadline_ms = 300000};
                int r = helper_run(&run);
                bool is_passing = run.err.buf && strstr(run.err.buf, "busy");
                if (r == 0)
                        return 0;
                if (i == ARRAY_TRIES || !is_passing) {
                        *ret_raw = xasprintf("%s%s", run.out.buf ? run.out.buf : "", run.err.buf ? run.err.buf : "");
                        return r;
                }
                array_nap(i);
        }
}

char *join_node(const char *guid)
{
        _cleanup_partitions_ struct partitions all = {0};
        struct partition *p = NULL;

        return partitions_list(&all) == 0 && partitions_find(&all, guid, &p) == 0 ? xstrdup(p->node) : NULL;
}

static bool is_member(const struct md *md, const char *node)
{
        return strv_has(md->members, node + strlen("/dev/"));
}

/* --- looking --- */

static int cannot_find(const char *guid, int r)
{
        if (r == -ENOTUNIQ)
                return helper_refuse("ambiguous", guid,
                                     "two partitions have the identity %s; one of the two disks is a copy of the other: unplug "
                                     "the one that is not meant, and try again",
                                     guid);
        return helper_refuse("no-member", guid,
                             "the new disk (its partition %s) is not there: look at its cables and power, and try again", guid);
}

static int check_contents(const struct md *md, const struct member *v)
{
        if (v->uuid && uuid_equal(v->uuid, md->uuid))
                return 0; /* was a member, or was just about to be one */
        if (v->uuid)
                return helper_refuse("not-blank", v->node, "%s belongs to another array (%s); nothing was changed", v->node,
                                     v->uuid);
        if (v->is_blank)
                return 0;
        return helper_refuse("not-blank", v->node, "there is something on %s (%s); nothing was changed", v->node,
                             v->found ? v->found : "not zeros");
}

static int check_size(const struct member *v, uint64_t needs)
{
        uint64_t size = 0;

        if (ioctl(v->fd, BLKGETSIZE64, &size) < 0)
                return helper_refuse("unreadable", v->node, "how large %s is could not be read", v->node);
        if (size >= needs)
                return 0;
        return helper_refuse("too-small", v->node, "%s is too small by %llu bytes: it has %llu, and the array takes %llu of each",
                             v->node, (unsigned long long)(needs - size), (unsigned long long)size, (unsigned long long)needs);
}

/* The array would take on the larger sectors while a file system on it counts in the smaller ones. */
static int check_sector(const struct member *v, unsigned sector)
{
        int is = 0;

        if (sector == 0 || ioctl(v->fd, BLKSSZGET, &is) < 0 || (unsigned)is <= sector)
                return 0;
        return helper_refuse("sector", v->node,
                             "%s has sectors of %d bytes, and the array was made for disks with %u: such a disk cannot join it",
                             v->node, is, sector);
}

/* Held by another array, a mount, a volume. */
static int check_unused(const struct member *v)
{
        _cleanup_close_ int fd = open(v->node, O_RDONLY | O_EXCL | O_CLOEXEC);

        if (fd >= 0 || errno != EBUSY)
                return 0;
        return helper_refuse("in-use", v->node, "%s is in use by something else; nothing was changed", v->node);
}

int join_check(const struct md *md, char *const *guids, uint64_t needs, unsigned sector)
{
        _cleanup_members_ struct members m = {0};
        _cleanup_free_ char *raw = NULL;
        const char *guid = NULL, *node = NULL;
        int r = members_find(guids, &m, &guid);

        if (r < 0)
                return cannot_find(guid ? guid : "", r);
        r = members_examine(&m, &node, &raw);
        if (r < 0)
                return helper_refuse("unreadable", node, "what is on %s could not be read (%s); the disk may be defective", node,
                                     raw);
        r = 0;
        for (size_t i = 0; i < m.n && r == 0; i++) {
                if (is_member(md, m.v[i].node))
                        continue;
                r = check_contents(md, &m.v[i]);
                if (r == 0)
                        r = check_unused(&m.v[i]);
                if (r == 0)
                        r = check_size(&m.v[i], needs);
                if (r == 0)
                        r = check_sector(&m.v[i], sector);
        }
        return r;
}

/* --- joining --- */

static int add(const struct md *md, const char *node)
{
        _cleanup_free_ char *array = xasprintf("/dev/%s", md->kernel), *raw = NULL;

        if (join_mdadm(STRV("mdadm", "--manage", array, "--add", (char *)node), &raw) < 0)
                return helper_fail("add-failed", node, raw, "%s could not be added to %s; the details are in the log", node,
                                   md->path);
        return 0;
}

int join(const struct md *md, char *const *guids)
{
        int r = 0;

        STRV_FOREACH(guid, guids) {
                _cleanup_free_ char *node = join_node(*guid);
                if (!node)
                        return cannot_find(*guid, -ENOENT);
                if (!is_member(md, node) && r == 0)
                        r = add(md, node);
        }
        return r;
}

#include <errno.h>
#include <sys/statvfs.h>

#include "helpers/fs_type.h"
#include "helpers/lib/helper.h"

/* On one device, which the array is: its files once, for md has copies or parity, its own records twice. */
static int make(const struct array *a, const char *uuid)
{
        _cleanup_(run_free) struct run run = {
                .argv = STRV("mkfs.btrfs", "-f", "-K", "-L", LABEL_UNFINISHED, "-U", (char *)uuid, "-m", "dup", "-d",
                             "single", a->node),
        };

        if (helper_run(&run) < 0)
                return array_fail(a, "format-failed", run.err.buf,
                                  "the file system could not be made on %s; the details are in the log", a->md->path);
        return 0;
}

static int dump(const struct array *a, char **ret)
{
        if (helper_ask(STRV("btrfs", "inspect-internal", "dump-super", a->node), ret) < 0)
                return array_fail(a, "unreadable", NULL, "the file system on %s cannot be read", a->md->path);
        return 0;
}

static int check(const struct array *a, const char *uuid)
{
        _cleanup_free_ char *sb = NULL;
        int r = dump(a, &sb);

        if (r)
                return r;
        _cleanup_free_ char *is = line_value(sb, "fsid"), *devices = line_value(sb, "num_devices"),
                            *magic = line_value(sb, "magic"), *sum = line_value(sb, "csum\t");
        if (!uuid_equal(is, uuid) || !streq(devices, "1") || !strstr(magic, "[match]") || !strstr(sum, "[match]"))
                return array_fail(a, "format-failed", sb, "the new file system on %s is not as it should be", a->md->path);
        return 0;
}

static int label(const struct array *a, const char *label)
{
        _cleanup_free_ char *raw = NULL;

        if (helper_exec(STRV("btrfs", "filesystem", "label", a->node, (char *)label), &raw) < 0)
                return array_fail(a, "format-failed", raw, "the label could not be written to %s", a->md->path);
        return 0;
}

/* What is on other devices too is not whole here. */
static int sound(const struct array *a)
{
        _cleanup_free_ char *sb = NULL;
        int r = dump(a, &sb);

        if (r)
                return r;
        _cleanup_free_ char *devices = line_value(sb, "num_devices");
        return streq(devices, "1") ? 0
                                   : helper_refuse("spans", a->md->path,
                                                   "the file system on %s lies on other disks too (%s devices); such a one "
                                                   "cannot be taken over",
                                                   a->md->path, devices);
}

/* --- growing --- */

static int size(const struct array *a, const char *mount, uint64_t *ret, uint64_t *ret_step)
{
        struct statvfs v;

        if (statvfs(mount, &v) < 0)
                return array_fail(a, "unreadable", NULL, "the file system on %s cannot be read: %s", a->md->path, strerror(errno));
        *ret = (uint64_t)v.f_blocks * v.f_frsize;
        *ret_step = MIB;
        return 0;
}

static int grow(const struct array *a, const char *mount)
{
        _cleanup_(run_free) struct run run = {.argv = STRV("btrfs", "filesystem", "resize", "max", (char *)mount)};

        if (helper_run(&run) < 0)
                return array_fail(a, "not-grown", run.err.buf, "the file system on %s did not take its new room", a->md->path);
        return 0;
}

static int heal(const struct array *a)
{
        _cleanup_free_ char *raw = NULL;
        int status = 0, r = fs_look(STRV("btrfs", "check", "--readonly", a->node), &status, &raw);

        if (r < 0)
                return array_fail(a, "not-checked", NULL, "the file system on %s could not be checked: %s", a->md->path, strerror(-r));
        return status ? fs_refuse_damaged(a, "btrfs check") : 0;
}

/* The whole of it, also where another subvolume was made the one to begin with. */
const struct fs_type fs_btrfs = {
        .name = "btrfs",
        .programs = (char *const[]){"mkfs.btrfs", "btrfs", NULL},
        .label_max = 255,
        .option = "subvolid=5",
        .untouched = "rescue=nologreplay",
        .make = make,
        .check = check,
        .label = label,
        .sound = sound,
        .size = size,
        .grow = grow,
        .heal = heal,
};

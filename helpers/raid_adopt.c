#include "helpers/raid_adopt.h"

#include <errno.h>

#include "helpers/lib/helper.h"
#include "helpers/raid_run.h"

static bool is_running(const struct md *md)
{
        return is_md_usable(md) || streq(md->array_state, "readonly");
}

static int look(struct mds *ret)
{
        int r = md_list(ret);

        return r < 0 ? helper_fail("no-sysfs", "/sys/block", NULL, "/sys/block: %s", strerror(-r)) : 0;
}

static int refuse_partial(const char *what, const char *here)
{
        return helper_refuse("not-whole", what,
                             "not all disks of the array %s are there%s%s: look at the cables and power of the others and "
                             "try again, or repair it first; nothing was changed",
                             what, *here ? ", only " : "", here);
}

/* A disk that is just being filled is there; one that failed is not. */
static int check_whole(const struct md *md)
{
        _cleanup_free_ char *here = strv_join(md->members, ", ");

        if (md->is_external)
                return helper_refuse("external", md->name ? md->name : md->uuid,
                                     "this array belongs to the RAID of the mainboard's firmware and cannot be taken over");
        return md->missing > 0 || !is_running(md) ? refuse_partial(md->name ? md->name : md->uuid, here) : 0;
}

/* --- starting it --- */

/* mdadm takes down what it could not start, and udev may have put it together again, as it was found, or be about to. */
static int not_started(const char *uuid, const char *raw)
{
        _cleanup_mds_ struct mds mds = {0};
        int r = look(&mds);
        const struct md *md = r == 0 ? md_find(&mds, uuid) : NULL;

        if (r)
                return r;
        if (md && !is_running(md))
                return check_whole(md);
        if (strstr(raw, "assembled from"))
                return refuse_partial(uuid, "");
        if (*raw)
                return helper_fail("assemble-failed", uuid, raw,
                                   "the array %s does not start; nothing on it was changed, and the details are in the log", uuid);
        return helper_refuse("no-array", uuid,
                             "no disk of the array %s is there: look at their cables and power, and try again", uuid);
}

/* By its UUID alone, wherever its members lie: --config=partitions leaves out what mdadm.conf says of devices and hosts. */
static int start(const char *uuid, const char *name)
{
        _cleanup_free_ char *device = xasprintf("/dev/md/%s", name), *want = xasprintf("--uuid=%s", uuid), *raw = NULL;
        char *const *argv = STRV("mdadm", "--assemble", "--config=partitions", "--readonly", device, want);

        return array_run_mdadm(uuid, argv, &raw) < 0 ? not_started(uuid, raw ? raw : "") : 0;
}

/* A reshape goes on only then, and until it does the kernel shows its data at the wrong places (RAID 10). */
static int write_enable(const struct md *md)
{
        _cleanup_free_ char *node = xasprintf("/dev/%s", md->kernel), *raw = NULL;

        if (!streq(md->array_state, "readonly") && !md->is_reshaping)
                return 0;
        if (streq(md->array_state, "active") || streq(md->array_state, "clean"))
                return 0;
        if (helper_exec(STRV("mdadm", "--readwrite", node), &raw) < 0)
                return helper_fail("not-running", md->name, raw, "the array %s cannot be made writable", md->path);
        return 0;
}

static int take(const char *uuid, bool was_started, struct mds *mds)
{
        const struct md *md = md_find(mds, uuid);

        if (!md)
                return helper_fail("not-running", uuid, NULL, "the array %s was started but does not run", uuid);
        int r = check_whole(md);
        if (r && was_started)
                array_stop(md);
        return r ? r : write_enable(md);
}

/* As array_adopt, up to where the array may have to be made writable. */
static int run(const char *uuid, const char *name)
{
        _cleanup_mds_ struct mds mds = {0};
        int r = look(&mds);
        const struct md *md = r == 0 ? md_find(&mds, uuid) : NULL;
        bool runs = md && is_running(md);

        if (r == 0 && !runs && helper_has_root())
                return helper_refuse("no-devices", uuid, "under --root no array is started");
        if (r == 0 && !runs) {
                r = start(uuid, name);
                if (r || helper_is_dry_run())
                        return r;
                md_free_all(&mds);
                r = look(&mds);
        }
        return r ? r : take(uuid, !runs, &mds);
}

int array_adopt(const char *uuid, const char *name, struct mds *ret)
{
        int r = array_check_name(name, uuid);

        if (r == 0)
                r = run(uuid, name);
        return r ? r : look(ret);
}

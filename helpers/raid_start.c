#include "helpers/raid_start.h"

#include <errno.h>
#include <unistd.h>

#include "helpers/lib/helper.h"
#include "helpers/raid_conf.h"
#include "helpers/raid_run.h"
#include "helpers/raid_super.h"

static int look(const char *uuid, struct mds *mds, const struct md **ret)
{
        int r = md_list(mds);

        if (r < 0)
                return helper_fail("no-sysfs", "/sys/block", NULL, "/sys/block: %s", strerror(-r));
        *ret = md_find(mds, uuid);
        return 0;
}

static int no_array(const char *uuid)
{
        return helper_refuse("no-array", uuid, "no disk of the array %s is there: look at their cables and power, and try again",
                             uuid);
}

/* What its superblocks allow; *ret_force: only mdadm --force starts it. */
static int check(const struct md *md, bool force, bool *ret_force)
{
        _cleanup_supers_ struct supers s = {0};
        const char *name = md->name ? md->name : md->uuid;
        unsigned lacks = 0;

        supers_read(md->members, &s);
        enum start start = start_of(&s, &lacks);
        if (md->is_external || s.n == 0)
                return helper_refuse("external", name, "the array %s has metadata that cannot be read here; nothing was changed",
                                     name);
        for (size_t i = 0; i < s.n; i++)
                if (s.v[i].needs_backup)
                        return helper_refuse("backup", name,
                                             "the shape of %s was being changed with a backup file by another program: it can only "
                                             "be started with that file; nothing was changed",
                                             name);
        if (start == START_NO)
                return helper_refuse("not-enough", name,
                                     "%u more of the disks of %s must be there before it can start: look at their cables and "
                                     "power; nothing was changed",
                                     lacks, name);
        if (start == START_FORCE && !force)
                return helper_refuse("needs-force", name,
                                     "%s was cut off while it was written to with a disk missing: what was being written just "
                                     "then may be damaged; with force=yes it is started all the same",
                                     name);
        *ret_force = start == START_FORCE;
        return 0;
}

/* By the UUID alone, see raid_adopt.c. --run: also where fewer disks are here than there were last time. */
static int assemble(const struct md *md, bool force)
{
        _cleanup_free_ char *name = conf_name(md->uuid), *device = NULL, *want = xasprintf("--uuid=%s", md->uuid), *raw = NULL;

        if (!name)
                name = md->name && !strchr(md->name, '/') ? xstrdup(md->name) : xstrdup(md->kernel);
        device = xasprintf("/dev/md/%s", name);
        _cleanup_strv_ char **argv = strv_copy(STRV("mdadm", "--assemble", "--config=partitions", "--run"));
        if (force)
                strv_add(&argv, "--force");
        strv_add(&argv, device);
        strv_add(&argv, want);
        if (array_run_mdadm(md->uuid, argv, &raw) < 0)
                return helper_fail("assemble-failed", name, raw, "the array %s does not start; the details are in the log", name);
        return 0;
}

/* A reshape goes on only then, and until it does the kernel shows a RAID 10's data at the wrong places. */
static int write_enable(const struct md *md)
{
        _cleanup_free_ char *node = xasprintf("/dev/%s", md->kernel), *raw = NULL;

        if (!streq(md->array_state, "readonly") && !(md->is_reshaping && streq(md->array_state, "read-auto")))
                return 0;
        if (helper_exec(STRV("mdadm", "--readwrite", node), &raw) < 0)
                return helper_fail("not-running", md->name, raw, "the array %s cannot be made writable", md->path);
        return 0;
}

static int result(const char *uuid, bool forced)
{
        _cleanup_record_ struct record *more = record_new("result");
        _cleanup_mds_ struct mds mds = {0};
        const struct md *md = NULL;
        int r = look(uuid, &mds, &md);

        if (r)
                return r;
        if (!md || !is_md_usable(md))
                return helper_is_dry_run() ? helper_result(NULL)
                                           : helper_fail("not-running", uuid, NULL, "the array %s was started but does not run", uuid);
        r = write_enable(md);
        if (r)
                return r;
        record_set(more, "path", md->path);
        record_set_u64(more, "degraded", md->degraded);
        record_set(more, "force", forced ? "yes" : NULL);
        return helper_result(more);
}

int array_start(const char *uuid, bool force)
{
        _cleanup_mds_ struct mds mds = {0};
        const struct md *md = NULL;
        int r = look(uuid, &mds, &md);

        if (r)
                return r;
        bool forced = false, runs = md && (is_md_usable(md) || streq(md->array_state, "readonly"));
        if (!runs && helper_has_root())
                return helper_refuse("no-devices", uuid, "under --root no array is started");
        if (!md)
                return no_array(uuid);
        if (!runs) {
                r = check(md, force, &forced);
                if (r == 0)
                        r = assemble(md, forced);
        }
        return r ? r : result(uuid, forced);
}

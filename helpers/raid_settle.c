#include "helpers/raid_settle.h"

#include <errno.h>
#include <syslog.h>
#include <time.h>

#include "helpers/lib/helper.h"
#include "helpers/raid_conf.h"
#include "helpers/raid_replace.h"
#include "helpers/raid_state.h"
#include "helpers/raid_sync.h"
#include "helpers/raid_task.h"

static int look(struct mds *mds)
{
        md_free_all(mds);
        int r = md_list(mds);

        return r < 0 ? helper_fail("no-sysfs", "/sys/block", NULL, "/sys/block: %s", strerror(-r)) : 0;
}

/* --- the file system --- */

/* By the helper beside us, under our lock. Its own words of what is wrong are its own error record, which ours repeats. */
static int let_grow(const struct md *md)
{
        _cleanup_free_ char *folder = own_folder(), *program = path_join(folder, "nas-fs"), *array = xasprintf("array=%s", md->uuid),
                            *fd = xasprintf("%d", helper_lock_fd());
        _cleanup_(run_free) struct run run = {
                .argv = STRV(program, "--lock-fd", fd, "grow", array),
                .keep_fd = MAX2(helper_lock_fd(), 0),
        };

        if (helper_run(&run) == 0 || strstr(run.out.buf, "code=no-filesystem"))
                return 0; /* what else is on it is somebody's own */
        return helper_fail("not-grown", md->path, run.err.buf, "the file system on %s does not use its new room yet", md->path);
}

static int finish_growth(const struct record *task, const struct md *md, const struct places *p, bool *ret_done)
{
        if (streq(task_step(task, md, p), "reshape"))
                return sync_wake(md);
        int r = helper_has_root() ? 0 : let_grow(md);
        *ret_done = r == 0;
        return r == 0 && task_remove(md->uuid) < 0 ? helper_fail("write-failed", "tasks", NULL, "what was done could not be noted") : r;
}

/* --- each array --- */

static int settle(const struct record *task, const struct md *md, bool *ret_done)
{
        _cleanup_places_ struct places p = {0};

        if (!is_md_usable(md))
                return 0;
        places_read(md, &p);
        return record_is(task, "what", "replace") ? replace_go_on(task, md, &p, ret_done) : finish_growth(task, md, &p, ret_done);
}

static int settle_all(const char *uuid)
{
        _cleanup_records_ struct records tasks = {0};
        _cleanup_mds_ struct mds mds = {0};
        int r = look(&mds);

        if (r)
                return r;
        tasks_read(&tasks);
        RECORDS_FOREACH(task, &tasks) {
                const struct md *md = md_find(&mds, record_str(task, "array"));
                bool done = false;
                if (!md || (uuid && !uuid_equal(md->uuid, uuid)))
                        continue;
                int e = settle(task, md, &done);
                r = r ? r : e;
        }
        return r;
}

static bool is_all_whole(void)
{
        _cleanup_mds_ struct mds mds = {0};
        _cleanup_free_ char *conf = conf_text();
        size_t here = 0, wanted = 0;

        if (md_list(&mds) < 0)
                return false;
        for (size_t i = 0; i < mds.n; i++)
                if (mds.v[i].uuid && is_conf_ours(conf, mds.v[i].uuid)) {
                        here += is_md_usable(&mds.v[i]) && mds.v[i].missing == 0;
                        wanted++;
                }
        return wanted > 0 && here == wanted;
}

int raid_settle(const char *uuid, unsigned wait)
{
        _cleanup_mds_ struct mds mds = {0};

        for (uint64_t until = now_ms() + wait * UINT64_C(1000); now_ms() < until && !is_all_whole();)
                nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
        int r = helper_lock(); /* not while it waits: others have things to do */
        if (r)
                return r;
        r = settle_all(uuid);
        int e = look(&mds);
        if (e == 0 && disks_remember(&mds) < 0)
                e = helper_fail("write-failed", "disks", NULL, "which disks are here could not be noted");
        if (e == 0 && state_show(&mds) < 0)
                e = helper_fail("write-failed", "/etc/issue.d", NULL, "the login screen's text could not be written");
        return r ? r : e;
}

/* --- what the monitor tells --- */

/* What people should read of it; the rest is told as it goes by. */
static int priority_of(const char *name)
{
        return strv_has(STRV("Fail", "DegradedArray", "FailSpare", "DeviceDisappeared"), name) ? LOG_CRIT : LOG_NOTICE;
}

int raid_event(const char *name, const char *array, const char *member)
{
        _cleanup_mds_ struct mds mds = {0};
        int r = look(&mds);

        if (r)
                return r;
        openlog("nas-setup", 0, LOG_DAEMON);
        syslog(priority_of(name), "%s of %s%s%s", name, array, member ? ", " : "", member ? member : "");
        helper_log();
        if (state_show(&mds) < 0)
                return helper_fail("write-failed", "/etc/issue.d", NULL, "the login screen's text could not be written");
        return raid_settle(NULL, 0); /* where somebody else has the lock, that one or nas-settle.timer does what is next */
}

#include "helpers/raid_run.h"

#include <errno.h>
#include <time.h>

#include "helpers/lib/helper.h"

void array_nap(unsigned i)
{
        nanosleep(&(struct timespec){.tv_sec = i / 5, .tv_nsec = (long)(i % 5) * 200000000}, NULL);
}

int array_stop(const struct md *md)
{
        _cleanup_free_ char *node = xasprintf("/dev/%s", md->kernel), *raw = NULL;

        return helper_exec(STRV("mdadm", "--stop", node), &raw);
}

int array_stop_partial(const char *uuid)
{
        _cleanup_mds_ struct mds mds = {0};
        int r = md_list(&mds);

        if (r < 0)
                return r;
        const struct md *md = md_find(&mds, uuid);
        return md && !is_md_usable(md) ? array_stop(md) : 0;
}

bool is_array_running(const char *uuid)
{
        _cleanup_mds_ struct mds mds = {0};

        if (md_list(&mds) < 0)
                return false;
        const struct md *md = md_find(&mds, uuid);
        return md && is_md_usable(md);
}

/* udev is just reading what was written a moment ago, or a mdadm that outlived whoever started it is just finishing. */
static bool is_passing(const struct run *run)
{
        return run->err.buf && (strstr(run->err.buf, "busy") || strstr(run->err.buf, "in use already"));
}

int array_run_mdadm(const char *uuid, char *const *argv, char **ret_raw)
{
        for (unsigned i = 1;; i++) {
                _cleanup_(run_free) struct run run = {.argv = argv, .deadline_ms = 120000};
                int r = array_stop_partial(uuid);
                if (r == 0)
                        r = helper_run(&run);
                if (r == 0 || is_array_running(uuid))
                        return 0;
                if (i == ARRAY_TRIES || !is_passing(&run)) {
                        *ret_raw = xasprintf("%s%s", run.out.buf ? run.out.buf : "", run.err.buf ? run.err.buf : "");
                        return r;
                }
                array_nap(i);
        }
}

int array_check_name(const char *name, const char *uuid)
{
        _cleanup_free_ char *path = xasprintf("/dev/md/%s", name);
        _cleanup_mds_ struct mds mds = {0};

        if (md_list(&mds) < 0)
                return 0;
        for (size_t i = 0; i < mds.n; i++)
                if (streq(mds.v[i].path, path) && !(mds.v[i].uuid && uuid_equal(mds.v[i].uuid, uuid)))
                        return helper_refuse("name-taken", name,
                                             "another array (%s) runs as %s; choose another name, or stop it first",
                                             mds.v[i].uuid ? mds.v[i].uuid : mds.v[i].kernel, path);
        return 0;
}

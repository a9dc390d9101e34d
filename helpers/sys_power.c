#include "helpers/sys_power.h"

#include "helpers/lib/helper.h"
#include "helpers/sys_apt.h"

static int shut_down(const char *how)
{
        _cleanup_free_ char *holder = helper_has_root() ? NULL : apt_holder(), *raw = NULL;

        if (holder)
                return helper_refuse("installing", holder, "%s is installing programs; wait until it has finished", holder);
        /* shutdown(8), which every init has */
        if (helper_exec(STRV("shutdown", (char *)how, "now"), &raw) < 0)
                return helper_fail("no-shutdown", NULL, raw, "the computer could not be told to stop");
        return helper_result(NULL);
}

int restart_run(const struct record *args _unused_)
{
        return shut_down("-r");
}

int off_run(const struct record *args _unused_)
{
        return shut_down("-P");
}

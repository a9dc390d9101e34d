#include "helpers/sys_sleep.h"

#include <errno.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include "helpers/lib/file.h"

#define UNITS "/etc/systemd/system"
#define DROP_IN "/etc/systemd/logind.conf.d/nas-setup.conf"
/* logind.conf(5); the targets alone would leave logind trying again and again */
#define MARK "# masked with it: "
#define TEXT                                                                                                           \
        "# nas-setup: a NAS does not sleep\n"                                                                          \
        "[Login]\nIdleAction=ignore\nHandleLidSwitch=ignore\nHandleLidSwitchExternalPower=ignore\nHandleLidSwitchDocked=ignore\n"

/* systemd.special(7): what every way to sleep goes through, whoever asks for it, a desktop included. */
static const char *const targets[] = {"sleep.target", "suspend.target", "hibernate.target", "hybrid-sleep.target",
                                      "suspend-then-hibernate.target"};

const struct param sleep_params[] = {
        {"allowed", true, "no: nothing puts this computer to sleep; yes: as it was before"},
        {0},
};

/* --- looking --- */

static bool is_masked(const char *unit)
{
        _cleanup_free_ char *name = xasprintf(UNITS "/%s", unit), *path = helper_path(name);
        char target[16];

        return readlink(path, target, sizeof(target)) == (ssize_t)strlen("/dev/null");
}

static bool is_off(void)
{
        for (size_t i = 0; i < ELEMENTSOF(targets); i++)
                if (!is_masked(targets[i]))
                        return false;
        return true;
}

static bool finds(const char *pattern)
{
        _cleanup_free_ char *path = helper_path(pattern);
        glob_t found = {0};
        int r = glob(path, 0, NULL, &found);

        globfree(&found);
        return r == 0;
}

static bool says(const char *pattern, const char *wanted)
{
        _cleanup_free_ char *path = helper_path(pattern);
        glob_t found = {0};
        bool is_so = false;

        if (glob(path, 0, NULL, &found) == 0)
                for (size_t i = 0; i < found.gl_pathc && !is_so; i++) {
                        _cleanup_free_ char *text = NULL;
                        if (file_text(found.gl_pathv[i], &text) < 0)
                                continue;
                        const char *at = has_prefix(text, wanted) ? text : NULL;
                        _cleanup_free_ char *inner = xasprintf("\n%s", wanted);
                        at = at ? at : strstr(text, inner);
                        is_so = at && !has_prefix(strchr(at + 1, '=') + 1, "ignore");
                }
        globfree(&found);
        return is_so;
}

static const struct {
        const char *why;
        const char *there; /* what glob finds where it can be a cause */
        const char *says;  /* and what stands in it; NULL: being there is enough */
} causes[] = {
        {"lid", "/proc/acpi/button/lid/*", NULL},
        {"idle", "/etc/systemd/logind.conf", "IdleAction="},
        {"idle", "/etc/systemd/logind.conf.d/*.conf", "IdleAction="},
        {"desktop", UNITS "/display-manager.service", NULL}, /* GNOME sleeps after 15 minutes, also at its login screen */
};

void sleep_print(void)
{
        const char *last = "";

        for (size_t i = 0; i < ELEMENTSOF(causes) && !is_off(); i++) {
                if (streq(causes[i].why, last) || !(causes[i].says ? says(causes[i].there, causes[i].says) : finds(causes[i].there)))
                        continue;
                _cleanup_record_ struct record *r = record_new("sleep");
                record_set(r, "why", last = causes[i].why);
                record_print(r, stdout);
        }
}

/* --- setting --- */

/* Which masks are ours stands in our file, which is written first: a mask that nobody knows of would stay for ever. */
static char **ours(void)
{
        _cleanup_free_ char *path = helper_path(DROP_IN), *text = NULL;
        char **list = NULL;

        if (file_text(path, &text) < 0)
                return NULL;
        for (size_t i = 0; i < ELEMENTSOF(targets); i++) {
                _cleanup_free_ char *line = xasprintf("\n" MARK "%s\n", targets[i]);
                if (strstr(text, line))
                        strv_add(&list, targets[i]);
        }
        return list;
}

static char *drop_in_text(void)
{
        _cleanup_strv_ char **list = ours();
        struct buf b = {0};

        buf_puts(&b, TEXT);
        for (size_t i = 0; i < ELEMENTSOF(targets); i++)
                if (strv_has(list, targets[i]) || !is_masked(targets[i]))
                        buf_printf(&b, MARK "%s\n", targets[i]);
        return b.buf;
}

static int mask(const char *unit)
{
        _cleanup_free_ char *name = xasprintf(UNITS "/%s", unit), *path = helper_path(name),
                            *would = xasprintf("systemctl mask %s", unit);
        struct stat st;

        if (is_masked(unit))
                return 0;
        if (lstat(path, &st) == 0 && !S_ISLNK(st.st_mode))
                return -EEXIST; /* a unit that somebody wrote */
        return helper_would(would) ? 0 : file_symlink(path, "/dev/null");
}

static int unmask(const char *unit)
{
        _cleanup_free_ char *name = xasprintf(UNITS "/%s", unit), *path = helper_path(name),
                            *would = xasprintf("systemctl unmask %s", unit);

        return is_masked(unit) && !helper_would(would) ? file_remove(path) : 0;
}

/* logind reads its configuration anew at SIGHUP; restarting it would throw people out. */
static int tell_systemd(void)
{
        _cleanup_free_ char *raw = NULL;

        if (!has_systemd())
                return 0;
        int r = helper_exec(STRV("systemctl", "daemon-reload"), &raw);
        if (r < 0)
                return helper_fail("systemd", NULL, raw, "systemd could not be told");
        _cleanup_free_ char *said = NULL;
        helper_exec(STRV("systemctl", "kill", "-s", "HUP", "systemd-logind.service"), &said);
        return 0;
}

static int set_off(bool *ret_is_new)
{
        _cleanup_free_ char *text = drop_in_text();
        int r = helper_write(DROP_IN, text, 0644);

        *ret_is_new = !is_off();
        for (size_t i = 0; i < ELEMENTSOF(targets) && r == 0; i++)
                r = mask(targets[i]);
        return r;
}

static int set_back(bool *ret_is_new)
{
        _cleanup_strv_ char **list = ours();
        int r = 0;

        *ret_is_new = list != NULL;
        STRV_FOREACH(unit, list)
                r = r == 0 ? unmask(*unit) : r;
        return r == 0 ? helper_remove(DROP_IN) : r;
}

int sleep_run(const struct record *args)
{
        const char *allowed = record_str(args, "allowed");

        if (!streq(allowed, "yes") && !streq(allowed, "no"))
                return helper_usage("allowed", "allowed= is yes or no");
        bool off = streq(allowed, "no"), is_new = false;
        int r = off ? set_off(&is_new) : set_back(&is_new);
        if (r < 0)
                return helper_fail("write", UNITS, NULL, UNITS ": %s", strerror(-r));
        r = is_new ? tell_systemd() : 0;
        if (r == 0 && off && !helper_is_dry_run() && !is_off())
                r = helper_fail("write", UNITS, NULL, "this computer may still go to sleep");
        return r != 0 ? r : helper_result(NULL);
}

#include "helpers/raid_monitor.h"

#include <errno.h>
#include <unistd.h>

#include "helpers/lib/helper.h"
#include "helpers/raid_conf.h"

#define UNITS "/etc/systemd/system"
#define SERVICE UNITS "/nas-settle.service"
#define TIMER UNITS "/nas-settle.timer"

/* --- what goes on at each start --- */

/* Half a minute is what md waits for a disk that is missing before it starts an array without it. */
static char *service_text(void)
{
        _cleanup_free_ char *folder = own_folder();

        return xasprintf("# Written by nas-setup.\n"
                         "[Unit]\n"
                         "Description=What is next for the arrays, and their state on the login screen\n"
                         "After=local-fs.target\n\n"
                         "[Service]\n"
                         "Type=oneshot\n"
                         "ExecStart=\"%s/nas-raid\" settle wait=45\n",
                         folder);
}

static const char timer_text[] = "# Written by nas-setup.\n"
                                 "[Unit]\n"
                                 "Description=What is next for the arrays, also where an event was missed\n\n"
                                 "[Timer]\n"
                                 "OnBootSec=1s\n"
                                 "OnUnitInactiveSec=30min\n\n"
                                 "[Install]\n"
                                 "WantedBy=timers.target\n";

static bool is_unit(const char *what, const char *unit)
{
        _cleanup_free_ char *out = NULL;

        return helper_ask(STRV("systemctl", "--quiet", (char *)what, (char *)unit), &out) == 0;
}

static bool has_unit(const char *unit)
{
        _cleanup_free_ char *out = NULL;

        return helper_ask(STRV("systemctl", "cat", (char *)unit), &out) == 0;
}

static int fail_systemd(const char *unit, const char *raw)
{
        return helper_fail("systemd", unit, raw, "%s does not start; the details are in the log", unit);
}

static int enable(const char *unit)
{
        _cleanup_free_ char *raw = NULL;

        if (is_unit("is-enabled", unit) && is_unit("is-active", unit))
                return 0;
        return helper_exec(STRV("systemctl", "enable", "--now", (char *)unit), &raw) < 0 ? fail_systemd(unit, raw) : 0;
}

static int write_unit(const char *path, const char *text, bool *ret_new)
{
        _cleanup_free_ char *full = helper_path(path), *before = NULL;
        bool is_new = read_text(full, MIB, &before) < 0 || !streq(before, text);
        int r = helper_write(path, text, 0644);

        *ret_new |= is_new;
        return r < 0 ? helper_fail("write-failed", path, NULL, "%s: %s", path, strerror(-r)) : 0;
}

static int at_start(void)
{
        _cleanup_free_ char *service = service_text(), *raw = NULL;
        bool is_new = false;
        int r = write_unit(SERVICE, service, &is_new);

        if (r == 0)
                r = write_unit(TIMER, timer_text, &is_new);
        if (r || !has_systemd())
                return r;
        if (is_new && helper_exec(STRV("systemctl", "daemon-reload"), &raw) < 0)
                return fail_systemd("nas-settle.timer", raw);
        return enable("nas-settle.timer");
}

/* --- the monitor --- */

/* It reads mdadm.conf when it starts. udev starts it with the first array. */
static int run_monitor(bool was_changed)
{
        _cleanup_free_ char *raw = NULL;

        if (!was_changed && is_unit("is-active", "mdmonitor.service"))
                return 0;
        if (helper_exec(STRV("systemctl", "restart", "mdmonitor.service"), &raw) < 0)
                return fail_systemd("mdmonitor.service", raw);
        return helper_is_dry_run() || is_unit("is-active", "mdmonitor.service") ? 0 : fail_systemd("mdmonitor.service", raw);
}

/* The distribution's, by cron or a timer; one that somebody switched off (masked) stays off. */
static int monthly_check(const char **ret)
{
        _cleanup_free_ char *cron = helper_path("/etc/cron.d/mdadm");
        bool by_cron = access(cron, F_OK) == 0 && is_unit("is-active", "cron.service");

        *ret = "distribution";
        if (by_cron || is_unit("is-active", "mdcheck_start.timer"))
                return 0;
        if (!has_unit("mdcheck_start.timer") || is_unit("is-enabled", "mdcheck_start.timer")) {
                *ret = "none";
                return 0;
        }
        *ret = "ours";
        return enable("mdcheck_start.timer");
}

/* It ends where no disk has SMART, as in a virtual machine: no reason to fail. */
static const char *watch_smart(void)
{
        const char *unit = has_unit("smartmontools.service") ? "smartmontools.service" : "smartd.service";

        if (!has_program("smartd"))
                return "missing";
        if (is_unit("is-active", unit) || is_unit("is-enabled", unit))
                return is_unit("is-active", unit) ? "yes" : "no";
        helper_exec(STRV("systemctl", "enable", "--now", (char *)unit), NULL);
        return is_unit("is-active", unit) ? "yes" : "no";
}

int raid_monitor(const char *mail)
{
        _cleanup_record_ struct record *more = record_new("result");
        _cleanup_free_ char *folder = own_folder(), *program = path_join(folder, "nas-watch"), *before = conf_text();
        const char *check = NULL;
        bool is_other = false;
        int r = conf_monitor(program, mail, &is_other);

        if (r == 0)
                r = at_start();
        if (r == 0 && has_systemd()) {
                _cleanup_free_ char *after = conf_text();
                r = run_monitor(!streq(before, after));
                if (r == 0)
                        r = monthly_check(&check);
                record_set(more, "check", check);
                record_set(more, "smart", watch_smart());
        }
        record_set(more, "program", is_other ? "other" : "ours");
        record_set(more, "mail", has_program("sendmail") ? "yes" : "no");
        return r ? r : helper_result(more);
}

#include "helpers/sys_clock.h"

#include <errno.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "helpers/lib/file.h"

#define RELEASED 1793491200 /* 2026-11-01: no clock that is right can be before it */
#define ZONES "/usr/share/zoneinfo"
#define LOCALTIME "/etc/localtime"
#define TIMEZONE "/etc/timezone" /* Debian's own copy of the name, up to 12 */

const struct param clock_params[] = {
        {"zone", false, "time zone, such as Europe/Berlin"},
        {"sync", false, "yes: the clock follows the time of the internet"},
        {"atleast", false, "the clock is not before this, seconds since 1970"},
        {0},
};

/* --- looking --- */

static char *zone_now(void)
{
        _cleanup_free_ char *path = helper_path(LOCALTIME);
        char target[256];
        ssize_t n = readlink(path, target, sizeof(target) - 1);

        if (n <= 0)
                return xstrdup("");
        target[n] = '\0';
        const char *at = strstr(target, "zoneinfo/");
        return xstrdup(at ? at + strlen("zoneinfo/") : "");
}

/* yes, no; none: nothing here could */
static char *sync_now(void)
{
        static const char *const others[] = {"chronyd", "ntpd", "openntpd"};
        _cleanup_free_ char *out = NULL;

        for (size_t i = 0; i < ELEMENTSOF(others) && !helper_has_root(); i++)
                if (has_program(others[i]))
                        return xstrdup("yes");
        if (!has_systemd() || helper_ask(STRV("timedatectl", "show", "-p", "CanNTP", "-p", "NTP"), &out) < 0 ||
            !strstr(out, "CanNTP=yes"))
                return xstrdup("none");
        return xstrdup(strstr(out, "\nNTP=yes") || has_prefix(out, "NTP=yes") ? "yes" : "no");
}

void clock_print(void)
{
        _cleanup_record_ struct record *r = record_new("clock");
        _cleanup_free_ char *zone = zone_now(), *sync = sync_now();
        time_t now = time(NULL);

        record_set(r, "past", now < RELEASED ? "yes" : "no");
        record_set(r, "zone", zone);
        record_set(r, "sync", sync);
        record_print(r, stdout);
}

/* --- setting --- */

static bool is_zone_name(const char *zone)
{
        return *zone && *zone != '/' && !strstr(zone, "..") &&
               strspn(zone, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-/") == strlen(zone);
}

static int set_zone(const char *zone)
{
        _cleanup_free_ char *now = zone_now(), *file = xasprintf(ZONES "/%s", zone), *known = helper_path(file),
                            *link = helper_path(LOCALTIME), *name = helper_path(TIMEZONE),
                            *line = xasprintf("%s\n", zone), *target = xasprintf("..%s", file),
                            *would = xasprintf("ln -sf %s " LOCALTIME, file);
        struct stat st;

        if (!is_zone_name(zone) || stat(known, &st) < 0 || !S_ISREG(st.st_mode))
                return helper_refuse("no-zone", zone, "there is no time zone '%s'", zone);
        int r = access(name, F_OK) == 0 ? helper_write(TIMEZONE, line, 0644) : 0;
        if (r == 0 && !streq(now, zone) && !helper_would(would))
                r = file_symlink(link, target);
        return r < 0 ? helper_fail("write", LOCALTIME, NULL, LOCALTIME ": %s", strerror(-r)) : 0;
}

static int set_sync(void)
{
        _cleanup_free_ char *now = sync_now(), *raw = NULL;

        if (!streq(now, "no"))
                return 0; /* it is, or nothing here could: list tells */
        int r = helper_exec(STRV("timedatectl", "set-ntp", "true"), &raw);
        if (r < 0)
                return helper_fail("no-sync", NULL, raw, "the clock could not be made to follow the internet's time");
        _cleanup_free_ char *after = helper_is_dry_run() ? xstrdup("yes") : sync_now();
        if (!streq(after, "yes"))
                return helper_fail("no-sync", NULL, raw, "the clock does not follow the internet's time");
        return 0;
}

static int set_least(const char *text)
{
        uint64_t least;

        if (parse_u64(text, &least) < 0 || least > UINT64_C(4102444800))
                return helper_usage("atleast", "atleast= takes seconds since 1970");
        if ((uint64_t)time(NULL) >= least || helper_would("set the clock"))
                return 0;
        struct timespec ts = {.tv_sec = (time_t)least};
        if (clock_settime(CLOCK_REALTIME, &ts) < 0)
                return helper_fail("no-clock", NULL, NULL, "the clock can't be set: %s", strerror(errno));
        _cleanup_free_ char *raw = NULL;
        if (access("/dev/rtc0", F_OK) == 0)
                helper_exec(STRV("hwclock", "--systohc"), &raw); /* without it the next start begins in the past again */
        return 0;
}

int clock_run(const struct record *args)
{
        const char *zone = record_get(args, "zone"), *least = record_get(args, "atleast");
        int r = least ? set_least(least) : 0;

        if (r == 0 && zone)
                r = set_zone(zone);
        if (r == 0 && record_is(args, "sync", "yes"))
                r = set_sync();
        return r != 0 ? r : helper_result(NULL);
}

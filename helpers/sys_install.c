#include "helpers/sys_install.h"

#include <errno.h>
#include <sys/statvfs.h>

#include "helpers/lib/log.h"
#include "helpers/sys_apt.h"
#include "helpers/sys_policy.h"
#include "helpers/sys_program.h"

#define SPARE_ROOM (100 * MIB) /* what the system disk keeps for itself */

const struct param install_params[] = {
        {"packages", false, "packages that must be there, a list"},
        {"wished", false, "packages that should be there, a list; one that can't be had is no failure"},
        {0},
};

/* What was asked for and is not there. */
struct missing {
        char **needed, **wished, **all;
};

static void missing_free(struct missing *m)
{
        strv_free(m->needed);
        strv_free(m->wished);
        strv_free(m->all);
}

static int take_list(const struct record *args, const char *key, char ***ret)
{
        _cleanup_strv_ char **list = record_get(args, key) ? record_get_list(args, key) : NULL;

        STRV_FOREACH(p, list) {
                if (!is_package_name(*p))
                        return helper_usage(key, "'%s' is no name of a package", *p);
                if (!package_is_there(*p) && !strv_has(*ret, *p))
                        strv_add(ret, *p);
        }
        return 0;
}

static int look(const struct record *args, struct missing *ret)
{
        int r = take_list(args, "packages", &ret->needed);

        if (r == 0)
                r = take_list(args, "wished", &ret->wished);
        if (r != 0)
                return r;
        STRV_FOREACH(p, ret->needed)
                strv_add(&ret->all, *p);
        STRV_FOREACH(p, ret->wished)
                strv_add(&ret->all, *p);
        if (helper_has_root())
                return helper_refuse("not-here", NULL, "programs are installed on the running system only");
        _cleanup_free_ char *all = ret->all ? strv_join(ret->all, " ") : xstrdup("");
        if (ret->needed && !has_program("apt-get"))
                return helper_refuse("no-apt", all, "this system has no apt-get; install by its own means: %s", all);
        return 0;
}

/* --- beforehand --- */

static int refuse_mirror(enum mirror m, const char *where, char *const *needed)
{
        _cleanup_free_ char *list = strv_join(needed, " ");

        if (m == MIRROR_NONE)
                return helper_refuse("no-sources", list,
                                     "no source of programs is set in /etc/apt/sources.list; set one, or install by hand: %s", list);
        return helper_refuse("no-mirror", list,
                             "the programs that are missing can't be fetched: %s does not answer; check the way to the internet, "
                             "or install by hand: %s",
                             where, list);
}

static uint64_t room_wanted(const struct apt_plan *p)
{
        return p->download + p->size + SPARE_ROOM;
}

static uint64_t room_left(void)
{
        struct statvfs st;

        return statvfs("/usr", &st) < 0 ? UINT64_MAX : (uint64_t)st.f_bavail * st.f_frsize;
}

static bool has_room(const struct apt_plan *p)
{
        return room_left() >= room_wanted(p);
}

static int check_room(const struct apt_plan *p)
{
        if (has_room(p))
                return 0;
        return helper_refuse("no-room", "/usr", "the system disk has %llu MB left and the programs need %llu MB",
                             (unsigned long long)(room_left() / 1000000), (unsigned long long)(room_wanted(p) / 1000000));
}

static bool lacks_needed(const struct apt_plan *p, const struct missing *m)
{
        STRV_FOREACH(l, p->lacks)
                if (strv_has(m->needed, *l))
                        return true;
        return false;
}

static int refuse_lacking(const struct apt_plan *p)
{
        _cleanup_free_ char *list = strv_join(p->lacks, " ");

        return helper_refuse("no-package", list, "the sources in /etc/apt/sources.list have no: %s", list);
}

/* The lists may be older than what is asked for, or none may be there. */
static int ask_apt(const struct missing *m, enum mirror mirror, struct apt_plan *ret)
{
        struct apt_plan fresh = {0};
        int r = apt_would(m->all, false, ret);

        if (r == 0 && ret->lacks && mirror == MIRROR_ANSWERS && apt_would(m->all, true, &fresh) == 0) {
                apt_plan_free(ret);
                *ret = fresh;
        }
        return r;
}

static int say_plan(const struct missing *m, const struct apt_plan *p, enum mirror mirror)
{
        _cleanup_record_ struct record *r = record_new("would");
        _cleanup_free_ char *list = strv_join(m->all, " "), *run = xasprintf("apt-get install %s", list);

        record_set(r, "run", run);
        record_set_list(r, "packages", p->installs ? p->installs : m->all);
        record_set_u64(r, "download", p->download);
        record_set_u64(r, "size", p->size);
        record_set(r, "mirror", mirror_word(mirror));
        if (p->lacks)
                record_set_list(r, "lacks", p->lacks);
        record_print(r, stdout);
        helper_changed();
        return helper_result(NULL);
}

/* What is only wished is gone without where it can't be had, for whatever reason. */
static int say_gone_without(const struct missing *m, enum mirror mirror)
{
        _cleanup_apt_plan_ struct apt_plan p = {.lacks = strv_copy(m->wished)};

        return say_plan(m, &p, mirror);
}

/* What can be known before anything is written. */
static int foresee(const struct missing *m)
{
        _cleanup_free_ char *where = NULL;
        _cleanup_apt_plan_ struct apt_plan p = {0};

        if (!m->all)
                return helper_result(NULL);
        enum mirror mirror = apt_mirror(&where);
        bool is_away = mirror == MIRROR_SILENT || mirror == MIRROR_NONE;
        if (is_away && m->needed)
                return refuse_mirror(mirror, where, m->needed);
        int r = is_away ? -ENETUNREACH : ask_apt(m, mirror, &p);
        if (!m->needed && (r < 0 || !has_room(&p)))
                return say_gone_without(m, mirror);
        if (r < 0)
                return helper_fail("apt", NULL, strerror(-r), "apt could not be asked: %s", strerror(-r));
        if (mirror == MIRROR_ANSWERS && lacks_needed(&p, m))
                return refuse_lacking(&p);
        if (p.refused && m->needed)
                return helper_refuse("apt-refuses", NULL, "apt can't install them: %s", p.refused);
        r = check_room(&p);
        return r != 0 ? r : say_plan(m, &p, mirror);
}

int check_run(const struct record *args)
{
        _cleanup_(missing_free) struct missing m = {0};
        int r = look(args, &m);

        return r != 0 ? r : foresee(&m);
}

/* --- doing it --- */

static int fail_install(int e, const char *raw, char *const *packages)
{
        _cleanup_free_ char *list = strv_join(packages, " ");

        if (e == -ETIMEDOUT)
                return HELPER_FAILED; /* said by whoever waited */
        if (raw && (strstr(raw, "Failed to fetch") || strstr(raw, "Unable to fetch")))
                return helper_fail("no-mirror", list, raw,
                                   "the programs that are missing could not be fetched; check the way to the internet and try "
                                   "again");
        return helper_fail("not-installed", list, raw, "not all programs could be installed: %s", list);
}

/* Each by itself, so that one that can't be had leaves the others. */
static void install_wished(char *const *wished)
{
        STRV_FOREACH(p, wished) {
                _cleanup_free_ char *raw = NULL;
                if (apt_install(STRV(*p), &raw) < 0)
                        log_line("%s could not be installed: %s", *p, raw ? raw : "");
        }
}

static int carry_out(const struct missing *m)
{
        _cleanup_free_ char *raw = NULL, *old = NULL;
        int e = dpkg_is_cut_off() ? dpkg_go_on(&raw) : 0;

        if (e < 0)
                return fail_install(e, raw, m->all);
        /* Lists that can't be renewed may do all the same. */
        if (m->all && apt_update(&old) == -ETIMEDOUT)
                return HELPER_FAILED;
        e = m->needed ? apt_install(m->needed, &raw) : 0;
        if (e < 0)
                return fail_install(e, raw, m->needed);
        install_wished(m->wished);
        return 0;
}

static char **still_missing(char *const *packages)
{
        char **list = NULL;

        STRV_FOREACH(p, packages)
                if (!package_is_there(*p))
                        strv_add(&list, *p);
        return list;
}

static int say_done(const struct missing *m)
{
        _cleanup_strv_ char **missing = still_missing(m->needed), **lacks = still_missing(m->wished), **here = NULL;
        _cleanup_record_ struct record *more = record_new("result");

        if (missing)
                return fail_install(-EIO, NULL, missing);
        STRV_FOREACH(p, m->all)
                if (!strv_has(lacks, *p))
                        strv_add(&here, *p);
        if (here)
                record_set_list(more, "installed", here);
        if (lacks)
                record_set_list(more, "lacks", lacks);
        return helper_result(more);
}

/* Only what is wished, and nobody to give it: nothing is tried that would take its time and fail. */
static bool is_hopeless(const struct missing *m)
{
        _cleanup_free_ char *where = NULL;

        return !m->needed && !dpkg_is_cut_off() && apt_mirror(&where) != MIRROR_ANSWERS;
}

int install_run(const struct record *args)
{
        _cleanup_(missing_free) struct missing m = {0};
        int r = look(args, &m);

        if (r != 0)
                return r;
        if (helper_is_dry_run())
                return foresee(&m);
        if ((m.all && !is_hopeless(&m)) || (!m.all && dpkg_is_cut_off())) {
                r = policy_begin();
                if (r < 0)
                        return helper_fail("policy", "/usr/sbin/policy-rc.d", NULL, "/usr/sbin/policy-rc.d can't be written: %s",
                                           strerror(-r));
                r = carry_out(&m);
        }
        int ended = policy_end();
        if (ended < 0)
                log_line("policy-rc.d can't be removed: %s", strerror(-ended));
        return r != 0 ? r : say_done(&m);
}

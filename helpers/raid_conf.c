#include "helpers/raid_conf.h"

#include <errno.h>
#include <unistd.h>

#include "helpers/lib/edit.h"
#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"

#define MARK "by nas-setup: "
#define ARRAYS EDIT_ROOT "/array"
#define STALE_FILE "/var/lib/nas-setup/initramfs-stale"
#define CACHE_RULE "/etc/udev/rules.d/65-nas-stripe-cache.rules"

/* Debian's place; others have it in /etc. */
static const char *conf_path(void)
{
        _cleanup_free_ char *debian = helper_path("/etc/mdadm"), *other = helper_path("/etc/mdadm.conf");

        return access(debian, F_OK) < 0 && access(other, F_OK) == 0 ? "/etc/mdadm.conf" : "/etc/mdadm/mdadm.conf";
}

char *conf_text(void)
{
        _cleanup_free_ char *full = helper_path(conf_path());
        char *text = NULL;

        return file_text(full, &text) < 0 ? xstrdup("") : text;
}

bool is_conf_ours(const char *conf, const char *uuid)
{
        for (const char *p = conf; (p = strstr(p, "# " MARK)); p++) {
                const char *value = p + strlen("# " MARK);
                _cleanup_free_ char *word = xstrndup(value, strcspn(value, " \t\n"));
                if ((p == conf || p[-1] == '\n') && uuid_equal(word, uuid))
                        return true;
        }
        return false;
}

/* --- the ARRAY lines --- */

static const char *value_at(const struct edit *e, const char *array, const char *key)
{
        _cleanup_free_ char *path = xasprintf("%s/%s", array, key);
        const char *value = NULL;

        return aug_get(e->aug, path, &value) == 1 && value ? value : "";
}

/* mdadm takes "public" for "/dev/md/public". */
static bool is_named(const char *device, const char *name)
{
        const char *base = skip_prefix(device, "/dev/md/");

        return streq(base ? base : device, name);
}

/* The UUID alone tells which it is: mdadm takes a line with name= or metadata= only for a superblock that says the same,
 * and one of another computer says "arch:photos". */
static bool is_as_wanted(const struct edit *e, const char *array, const char *name, const char *uuid)
{
        return uuid_equal(value_at(e, array, "uuid"), uuid) && is_named(value_at(e, array, "devicename"), name) &&
               !*value_at(e, array, "name") && !*value_at(e, array, "metadata");
}

/* A line that we once wrote for an array that does not run may lose its name to another, but stays: the array may be
 * unplugged, and comes back under a name that mdadm chooses. */
static bool gives_name_away(const char *conf, const char *uuid)
{
        _cleanup_mds_ struct mds mds = {0};

        return *uuid && is_conf_ours(conf, uuid) && md_list(&mds) == 0 && !md_find(&mds, uuid);
}

static char **arrays(const struct edit *e)
{
        char **found = NULL, **paths = NULL;
        int n = aug_match(e->aug, ARRAYS, &found);

        for (int i = 0; i < n; i++)
                strv_take(&paths, found[i]);
        free(found);
        return paths;
}

static int refuse_taken(const char *name, const char *uuid)
{
        return helper_refuse("name-taken", name,
                             "%s gives the name %s to another array (%s); choose another name, or take that line out "
                             "if the array is gone for good",
                             conf_path(), name, *uuid ? uuid : "without UUID");
}

static int open_conf(struct edit *e, const char *conf)
{
        _cleanup_free_ char *why = NULL;

        if (edit_open(e, "Mdadm_conf.lns", conf, &why) == 0)
                return 0;
        return helper_refuse("conf-syntax", conf_path(), "%s cannot be understood (%s); repair it and try again",
                             conf_path(), why ? why : "no lens");
}

static int check_arrays(const struct edit *e, const char *conf, const char *name, const char *uuid)
{
        _cleanup_strv_ char **paths = arrays(e);

        STRV_FOREACH(p, paths) {
                const char *other = value_at(e, *p, "uuid");
                if (is_named(value_at(e, *p, "devicename"), name) && !uuid_equal(other, uuid) &&
                    !gives_name_away(conf, other))
                        return refuse_taken(name, other);
        }
        return 0;
}

int conf_check(const char *name, const char *uuid)
{
        _cleanup_(edit_close) struct edit e = {0};
        _cleanup_free_ char *conf = conf_text();
        int r = open_conf(&e, conf);

        return r ? r : check_arrays(&e, conf, name, uuid);
}

char *conf_name(const char *uuid)
{
        _cleanup_(edit_close) struct edit e = {0};
        _cleanup_free_ char *conf = conf_text(), *why = NULL;

        if (edit_open(&e, "Mdadm_conf.lns", conf, &why) < 0)
                return NULL;
        _cleanup_strv_ char **paths = arrays(&e);
        STRV_FOREACH(p, paths) {
                const char *device = value_at(&e, *p, "devicename"), *name = skip_prefix(device, "/dev/md/");
                if (!uuid_equal(value_at(&e, *p, "uuid"), uuid))
                        continue;
                name = name ? name : device;
                return *name && !strchr(name, '/') ? xstrdup(name) : NULL;
        }
        return NULL;
}

/* Our mark for that array, wherever it stands. */
static void remove_mark(struct edit *e, const char *uuid)
{
        _cleanup_strv_ char **paths = NULL;
        char **found = NULL;
        int n = aug_match(e->aug, EDIT_ROOT "/#comment", &found);

        for (int i = 0; i < n; i++)
                strv_take(&paths, found[i]);
        free(found);
        for (size_t i = strv_len(paths); i-- > 0;) {
                const char *value = NULL, *marked = NULL;
                aug_get(e->aug, paths[i], &value);
                marked = value ? skip_prefix(value, MARK) : NULL;
                if (marked && uuid_equal(marked, uuid))
                        aug_rm(e->aug, paths[i]);
        }
}

static void remove_name(struct edit *e, const char *array)
{
        static const char *const keys[] = {"devicename", "name"};

        for (size_t i = 0; i < ELEMENTSOF(keys); i++) {
                _cleanup_free_ char *path = xasprintf("%s/%s", array, keys[i]);
                aug_rm(e->aug, path);
        }
}

/* Takes away every line of this array, and this name from others; from the last, so that the paths before stay right. */
static void remove_arrays(struct edit *e, const char *name, const char *uuid)
{
        _cleanup_strv_ char **paths = arrays(e);

        for (size_t i = strv_len(paths); i-- > 0;)
                if (uuid_equal(value_at(e, paths[i], "uuid"), uuid))
                        aug_rm(e->aug, paths[i]);
                else if (is_named(value_at(e, paths[i], "devicename"), name))
                        remove_name(e, paths[i]);
        remove_mark(e, uuid);
}

static bool has_only_ours(const struct edit *e, const char *name, const char *uuid)
{
        _cleanup_strv_ char **paths = arrays(e);
        size_t ours = 0, others = 0;

        STRV_FOREACH(p, paths)
                if (is_as_wanted(e, *p, name, uuid))
                        ours++;
                else if (uuid_equal(value_at(e, *p, "uuid"), uuid) || is_named(value_at(e, *p, "devicename"), name))
                        others++;
        return ours == 1 && others == 0;
}

static void add_array(struct edit *e, const char *name, const char *uuid)
{
        _cleanup_free_ char *device = xasprintf("/dev/md/%s", name), *mark = xasprintf(MARK "%s", uuid);
        const char *const fields[][2] = {
                {EDIT_ROOT "/#comment[last()+1]", mark},
                {ARRAYS "[last()+1]/devicename", device},
                {ARRAYS "[last()]/uuid", uuid},
        };

        for (size_t i = 0; i < ELEMENTSOF(fields); i++)
                aug_set(e->aug, fields[i][0], fields[i][1]);
}

static int write_array(const char *name, const char *uuid)
{
        _cleanup_(edit_close) struct edit e = {0};
        _cleanup_free_ char *conf = conf_text(), *text = NULL, *why = NULL;
        int r = open_conf(&e, conf);

        if (r == 0)
                r = check_arrays(&e, conf, name, uuid);
        if (r || (has_only_ours(&e, name, uuid) && is_conf_ours(conf, uuid)))
                return r;
        remove_arrays(&e, name, uuid);
        add_array(&e, name, uuid);
        if (edit_text(&e, &text, &why) < 0)
                return helper_fail("conf-syntax", conf_path(), why, "%s could not be changed", conf_path());
        /* The mark first: a power cut between the two must not leave an initramfs that nobody renews. */
        if (has_program("update-initramfs") && !helper_has_root())
                r = helper_write(STALE_FILE, "the initramfs has an older mdadm.conf\n", 0644);
        if (r == 0)
                r = helper_write(conf_path(), text, 0644);
        if (r < 0)
                return helper_fail("write-failed", conf_path(), NULL, "%s: %s", conf_path(), strerror(-r));
        return 0;
}

static bool renew_initramfs(void)
{
        _cleanup_free_ char *stale = helper_path(STALE_FILE);
        _cleanup_(run_free) struct run run = {.argv = STRV("update-initramfs", "-u"), .deadline_ms = 600000};

        if (access(stale, F_OK) < 0 || helper_has_root())
                return true;
        helper_progress(0, 1, "initramfs");
        if (helper_run(&run) < 0 || helper_remove(STALE_FILE) < 0)
                return false;
        helper_progress(1, 1, "initramfs");
        return true;
}

int conf_ensure(const char *name, const char *uuid, bool *ret_stale)
{
        int r = write_array(name, uuid);

        if (r)
                return r;
        *ret_stale = !renew_initramfs();
        return 0;
}

/* --- what the monitor does --- */

#define PROGRAM EDIT_ROOT "/program"
#define MAIL EDIT_ROOT "/mailaddr"

static const char *first_value(const struct edit *e, const char *path)
{
        _cleanup_free_ char *at = xasprintf("%s[1]/value[1]", path);
        const char *value = NULL;

        return aug_get(e->aug, at, &value) == 1 && value ? value : NULL;
}

static void set_value(struct edit *e, const char *path, const char *value)
{
        _cleanup_free_ char *at = xasprintf("%s/value", path);

        if (streq_null(first_value(e, path), value))
                return;
        aug_rm(e->aug, path);
        aug_set(e->aug, at, value);
}

int conf_monitor(const char *program, const char *mail, bool *ret_other)
{
        _cleanup_(edit_close) struct edit e = {0};
        _cleanup_free_ char *conf = conf_text(), *text = NULL, *why = NULL;
        int r = open_conf(&e, conf);

        if (r)
                return r;
        const char *is = first_value(&e, PROGRAM);
        *ret_other = is && !has_suffix(is, "/nas-watch");
        if (!*ret_other)
                set_value(&e, PROGRAM, program);
        if (mail)
                set_value(&e, MAIL, mail);
        if (edit_text(&e, &text, &why) < 0)
                return helper_fail("conf-syntax", conf_path(), why, "%s could not be changed", conf_path());
        r = helper_write(conf_path(), text, 0644);
        return r < 0 ? helper_fail("write-failed", conf_path(), NULL, "%s: %s", conf_path(), strerror(-r)) : 0;
}

/* --- the stripe cache --- */

/* Each entry costs 4 KiB a member, taken at once. */
static unsigned cache_entries(void)
{
        _cleanup_free_ char *path = helper_path("/proc/meminfo"), *text = NULL;
        unsigned long long kib;

        if (read_text(path, MIB, &text) < 0 || sscanf(text, "MemTotal: %llu kB", &kib) != 1)
                return 1024;
        return kib * KIB > 2 * GIB ? 4096 : 1024;
}

static int cache_now(const struct md *md, unsigned entries)
{
        _cleanup_free_ char *path = xasprintf("/sys/block/%s/md/stripe_cache_size", md->kernel),
                            *full = helper_path(path);
        uint64_t now;

        if (helper_is_dry_run() || read_u64(full, &now) < 0 || now == entries)
                return 0;
        _cleanup_fclose_ FILE *f = fopen(full, "we");
        if (!f)
                return -errno;
        if (fprintf(f, "%u", entries) < 0 || fflush(f) != 0)
                return -errno;
        helper_changed();
        return read_u64(full, &now) == 0 && now == entries ? 0 : -EIO;
}

int cache_ensure(const struct md *md)
{
        unsigned entries = cache_entries();
        _cleanup_free_ char *rule = xasprintf(
                "# Written by nas-setup: arrays with parity write whole stripes with this many stripes in memory.\n"
                "SUBSYSTEM==\"block\", ACTION==\"add|change\", KERNEL==\"md*\", ENV{DEVTYPE}==\"disk\", "
                "ATTR{md/level}==\"raid[456]\", TEST==\"md/stripe_cache_size\", ATTR{md/stripe_cache_size}=\"%u\"\n",
                entries);
        int r = helper_write(CACHE_RULE, rule, 0644);

        return r < 0 ? r : cache_now(md, entries);
}

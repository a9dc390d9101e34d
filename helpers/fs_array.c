#include "helpers/fs_array.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <unistd.h>

#include "helpers/lib/helper.h"
#include "helpers/lib/mounts.h"

/* The disk that a partition is on: the folder above it in sysfs. */
static char *disk_of(const char *name)
{
        _cleanup_free_ char *path = path_join("/sys/class/block", name), *part = path_join(path, "partition");
        char real[PATH_MAX];

        if (access(part, F_OK) < 0 || !realpath(path, real))
                return xstrdup(name);
        return xstrdup(basename(dirname(real)));
}

static char *words_of(const char *disk)
{
        _cleanup_free_ char *path = xasprintf("/sys/class/block/%s/dev", disk), *devno = NULL;

        if (read_line(path, &devno) < 0)
                return xstrdup(disk);
        _cleanup_free_ char *model = udev_property(devno, "ID_MODEL"), *serial = udev_serial(devno);
        char *words = !model && !serial ? xstrdup(disk)
                                        : xasprintf("%s (%s%s%s)", disk, model ? model : "", model && serial ? ", " : "",
                                                    serial ? serial : "");
        defuse(words);
        return words;
}

/* Commands that ended in an error; hexadecimal. None are counted for what is no SCSI device. */
static uint64_t errors_of(const char *disk)
{
        _cleanup_free_ char *path = xasprintf("/sys/class/block/%s/device/ioerr_cnt", disk), *count = NULL;

        return read_line(path, &count) == 0 ? strtoull(count, NULL, 16) : 0;
}

int array_hold(const struct md *md, struct array *ret)
{
        _cleanup_free_ char *node = xasprintf("/dev/%s", md->kernel), *devno = devno_of(node);
        _cleanup_close_ int fd = open(node, O_RDONLY | O_CLOEXEC);
        _cleanup_mds_ struct mds mds = {0};
        const struct md *now = fd >= 0 && md_list(&mds) == 0 ? md_find(&mds, md->uuid) : NULL;

        if (!now || !streq(now->kernel, md->kernel) || !streq_null(devno, md->devno))
                return helper_refuse("no-array", md->path, "the array %s does not run any more; nothing was changed",
                                     md->path);
        *ret = (struct array){.md = md, .node = TAKE_PTR(node), .devno = TAKE_PTR(devno), .fd = TAKE_FD(fd)};
        ret->members = xmalloc((strv_len(md->members) + 1) * sizeof *ret->members);
        STRV_FOREACH(m, md->members) {
                char *disk = disk_of(*m);
                ret->members[ret->n++] = (struct member){xstrdup(*m), disk, words_of(disk), errors_of(disk)};
        }
        return 0;
}

void array_drop(struct array *a)
{
        for (size_t i = 0; i < a->n; i++) {
                free(a->members[i].name);
                free(a->members[i].disk);
                free(a->members[i].words);
        }
        free(a->members);
        free(a->node);
        free(a->devno);
        if (a->md) /* only then is fd one of ours */
                closep(&a->fd);
        *a = (struct array){0};
}

int array_sync(const struct array *a)
{
        return fsync(a->fd) < 0 ? -errno : 0;
}

static char *state_of(const struct array *a, const struct member *m)
{
        _cleanup_free_ char *path = xasprintf("/sys/block/%s/md/dev-%s/state", a->md->kernel, m->name);
        char *state = NULL;

        return read_line(path, &state) < 0 ? NULL : state;
}

/* Gone from the computer, given up by the SCSI layer, or thrown out of the array. */
static bool is_lost(const struct array *a, const struct member *m)
{
        _cleanup_free_ char *disk = path_join("/sys/class/block", m->disk), *scsi = path_join(disk, "device/state"),
                            *state = state_of(a, m), *power = NULL;

        if (access(disk, F_OK) < 0 || !state || strstr(state, "faulty"))
                return true;
        return read_line(scsi, &power) == 0 && streq(power, "offline");
}

/* The last disk that holds the data stays in its array, whatever it reports. */
static bool is_erring(const struct array *a, const struct member *m)
{
        _cleanup_free_ char *state = state_of(a, m);

        return (state && strstr(state, "write_error")) || errors_of(m->disk) > m->errors;
}

static char **members_that(bool (*are)(const struct array *, const struct member *), const struct array *a,
                           char ***ret_words)
{
        char **disks = NULL;

        for (size_t i = 0; i < a->n; i++)
                if (are(a, &a->members[i])) {
                        strv_add(&disks, a->members[i].disk);
                        strv_add(ret_words, a->members[i].words);
                }
        return disks;
}

int array_fail(const struct array *a, const char *code, const char *raw, const char *fmt, ...)
{
        _cleanup_strv_ char **words = NULL, **disks = members_that(is_lost, a, &words);
        const char *did = "stopped working meanwhile";
        va_list ap;

        if (!disks) {
                disks = members_that(is_erring, a, &words);
                did = "reported errors meanwhile";
        }
        _cleanup_free_ char *what = strv_join(disks, ","), *names = strv_join(words, ", ");
        if (disks)
                return helper_fail("disk-failed", what, raw,
                                   "%s %s: check the cables and the power, then run this again; if it happens again, that "
                                   "disk is defective",
                                   names, did);
        va_start(ap, fmt);
        _cleanup_free_ char *text = xvasprintf(fmt, ap);
        va_end(ap);
        return helper_fail(code, a->md->path, raw, "%s", text);
}

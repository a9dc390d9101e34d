#include "helpers/fs_format.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "helpers/fs_fstab.h"
#include "helpers/fs_probe.h"
#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"
#include "helpers/lib/usable.h"

/* --- what lies there --- */

enum found { BLANK, UNFINISHED, COMPLETE, OTHER };

static enum found judge(const struct probe *p, const struct fs_type *type, const char *uuid, const char *label)
{
        if (strv_len(p->found) == 0)
                return BLANK;
        if (strv_len(p->found) > 1 || !streq_null(p->type, type->name) || !p->uuid || !uuid_equal(p->uuid, uuid) ||
            !p->label)
                return OTHER;
        if (streq(p->label, label))
                return COMPLETE;
        return streq(p->label, LABEL_UNFINISHED) ? UNFINISHED : OTHER;
}

static int refuse_other(const struct md *md, const struct probe *p, const char *uuid)
{
        _cleanup_free_ char *found = strv_join(p->found, ", ");

        if (p->uuid && uuid_equal(p->uuid, uuid))
                return helper_refuse("other-label", md->path,
                                     "this very file system is on %s, but with the label '%s'; nothing was changed",
                                     md->path, p->label ? p->label : "");
        return helper_refuse("not-blank", md->path, "there is something on %s already (%s%s%s); nothing was changed",
                             md->path, found, p->label ? ", label " : "", p->label ? p->label : "");
}

/* --- one that was cut off --- */

/* Before they write their superblock, the programs have written much else: what was seen to be blank is noted first. */
#define BEGUN "/var/lib/nas-setup/formatting"

static char *begun_text(const struct md *md, const char *uuid)
{
        return xasprintf("array=%s uuid=%s\n", md->uuid, uuid);
}

static bool is_begun(const struct md *md, const char *uuid)
{
        _cleanup_free_ char *full = helper_path(BEGUN), *is = NULL, *text = begun_text(md, uuid);

        return file_text(full, &is) == 0 && streq(is, text);
}

static int begin(const struct md *md, const char *uuid)
{
        _cleanup_free_ char *text = begun_text(md, uuid);
        int r = helper_is_dry_run() || is_begun(md, uuid) ? 0 : helper_write(BEGUN, text, 0644);

        return r < 0 ? helper_fail("write-failed", BEGUN, NULL, "%s: %s", BEGUN, strerror(-r)) : 0;
}

static int forget_begun(const struct md *md, const char *uuid)
{
        int r = !helper_is_dry_run() && is_begun(md, uuid) ? helper_remove(BEGUN) : 0;

        return r < 0 ? helper_fail("write-failed", BEGUN, NULL, "%s: %s", BEGUN, strerror(-r)) : 0;
}

/* --- looking --- */

static int read_head(const char *node, bool *ret_zero)
{
        _cleanup_close_ int fd = open(node, O_RDONLY | O_CLOEXEC);
        _cleanup_free_ char *p = xmalloc(MIB);
        ssize_t n = fd < 0 ? -1 : pread(fd, p, MIB, 0);

        if (n < 0)
                return -errno;
        *ret_zero = is_zero(p, (size_t)n);
        return 0;
}

/* nas-fs mount writes the line once the file system has been written to and read back. */
static bool is_in_fstab(const char *uuid)
{
        _cleanup_fstab_ struct fstab f = {0};
        _cleanup_free_ char *why = NULL;
        bool any = false;

        if (fstab_read(&f, &why) < 0)
                return false;
        for (size_t i = 0; i < f.n; i++)
                any |= streq(f.v[i].uuid, uuid);
        return any;
}

static int look(const struct array *a, const struct fs_type *type, const char *uuid, const char *label, enum found *ret)
{
        _cleanup_probe_ struct probe p = {0};
        const struct md *md = a->md;
        bool zero = false;
        int r = probe_device(a->node, &p);

        if (r == 0)
                r = read_head(a->node, &zero);
        if (r < 0)
                return array_fail(a, "unreadable", NULL, "what is on %s could not be read: %s", md->path, strerror(-r));
        *ret = judge(&p, type, uuid, label);
        if ((*ret == BLANK || *ret == UNFINISHED) && is_in_fstab(uuid))
                return helper_refuse("needs-repair", md->path,
                                     "the file system that /etc/fstab names, %s, was on %s and has lost its beginning; nothing was "
                                     "changed: its files may be saved yet. To give them up, take its line out of /etc/fstab",
                                     uuid, md->path);
        if (*ret == BLANK && !zero && !is_begun(md, uuid))
                return helper_refuse("not-blank", md->path,
                                     "there is something on %s already, though nobody knows what; nothing was changed",
                                     md->path);
        return *ret == OTHER ? refuse_other(md, &p, uuid) : 0;
}

static int check_size(const struct md *md, const struct fs_type *type)
{
        uint64_t least = MAX2(fs_least(type->name), md->chunk ? type->least_striped : 0);

        if (md->size >= least)
                return 0;
        return helper_refuse("too-small", md->path, "%s has %llu MB, and %s needs at least %llu MB", md->path,
                             (unsigned long long)(md->size / 1000000), type->name,
                             (unsigned long long)(least / 1000000 + 1));
}

/* Nothing mounted, no swap, no volume of it: the kernel gives it out exclusively. */
static int check_free(const struct array *a)
{
        _cleanup_close_ int fd = open(a->node, O_RDONLY | O_EXCL | O_CLOEXEC);

        if (fd >= 0)
                return 0;
        return helper_refuse("in-use", a->md->path, "%s is in use (%s); nothing was changed", a->md->path,
                             strerror(errno));
}

/* --- making it --- */

/* What an earlier run left half made goes first: mkfs.btrfs refuses a UUID that any device has, this one too. */
static int clear_head(const struct array *a)
{
        _cleanup_close_ int fd = open(a->node, O_WRONLY | O_CLOEXEC);
        _cleanup_free_ char *zeros = xmalloc(MIB);
        size_t n = MIN2(a->md->size, MIB);

        if (fd < 0 || pwrite(fd, zeros, n, 0) != (ssize_t)n || fsync(fd) < 0)
                return array_fail(a, "format-failed", NULL, "writing to %s failed: %s", a->md->path, strerror(errno));
        return 0;
}

static int finish(const struct array *a, const struct fs_type *type, const char *uuid, const char *label)
{
        int r = 0;

        if (!helper_is_dry_run()) {
                r = type->check(a, uuid);
                if (r == 0 && array_sync(a) < 0)
                        r = array_fail(a, "format-failed", NULL, "writing to %s failed", a->md->path);
        }
        if (r == 0)
                r = type->label(a, label);
        if (r == 0 && !helper_is_dry_run() && array_sync(a) < 0)
                r = array_fail(a, "format-failed", NULL, "the label could not be written to %s", a->md->path);
        return r;
}

/* udev reads a device when its writer closes it, and misses a close while it is still reading after the one before: it
 * would know the label of the unfinished for ever, and so would /dev/disk/by-label. */
static void tell_udev(const struct array *a)
{
        _cleanup_free_ char *said = NULL;

        if (!helper_has_root())
                helper_ask(STRV("udevadm", "trigger", "--action=change", a->node), &said);
}

static int make(const struct array *a, const struct fs_type *type, const char *uuid, const char *label, enum found found)
{
        int r = check_free(a);

        if (r == 0)
                r = begin(a->md, uuid);
        if (r == 0 && found == UNFINISHED && !helper_is_dry_run())
                r = clear_head(a);
        if (r == 0)
                r = type->make(a, uuid);
        if (r == 0)
                r = finish(a, type, uuid, label);
        if (r || helper_is_dry_run())
                return r;
        tell_udev(a);
        r = look(a, type, uuid, label, &found);
        if (r == 0 && found != COMPLETE)
                r = array_fail(a, "format-failed", NULL, "the file system is not to be found on %s", a->md->path);
        return r;
}

int fs_format(const struct md *md, const struct fs_type *type, const char *uuid, const char *label)
{
        _cleanup_array_ struct array a = {0};
        enum found found;
        int r = array_hold(md, &a);

        if (r == 0)
                r = look(&a, type, uuid, label, &found);
        if (r == 0 && found != COMPLETE)
                r = check_size(md, type);
        if (r == 0 && found != COMPLETE)
                r = make(&a, type, uuid, label, found);
        return r ? r : forget_begun(md, uuid);
}

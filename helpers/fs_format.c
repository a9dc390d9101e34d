#include "helpers/fs_format.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"

static char *node_of(const struct md *md)
{
        return xasprintf("/dev/%s", md->kernel);
}

/* --- ext4 --- */

/* mke2fs chooses blocks of 1 KiB below 512 MiB (mke2fs.conf, "small"). */
static uint64_t block_size(const struct md *md)
{
        return md->size < 512 * MIB ? KIB : 4 * KIB;
}

/* From the array's own shape, none for a mirror: what the kernel reports as its best I/O size follows the members, and
 * USB bridges report nonsense. */
static char *extended_options(const struct md *md)
{
        static const char always[] = "lazy_itable_init=1,lazy_journal_init=1,nodiscard";
        uint64_t stride = md->chunk / block_size(md);

        return xasprintf("%s,stride=%llu,stripe_width=%llu", always, (unsigned long long)stride,
                         (unsigned long long)stride * md_data_disks(md));
}

struct watch {
        char *phase;
        uint64_t done, total;
};

/* "Writing inode tables:   12/160", then backspaces and "  13/160". */
static void on_part(void *ctx, const char *part)
{
        struct watch *w = ctx;
        const char *colon = strchr(part, ':'), *numbers = colon ? colon + 1 : part;
        unsigned long long done, total;

        if (colon) {
                free(w->phase);
                w->phase = xstrndup(part, (size_t)(colon - part));
                for (char *p = w->phase; *p; p++)
                        *p = isalnum((unsigned char)*p) ? (char)tolower((unsigned char)*p) : '-';
        }
        if (w->phase && sscanf(numbers, " %llu/%llu", &done, &total) == 2 && total > 0)
                helper_progress(done, total, w->phase);
}

static int ext4_make(const struct md *md, const char *uuid)
{
        _cleanup_free_ char *node = node_of(md), *extended = extended_options(md);
        struct watch watch = {0};
        _cleanup_(run_free) struct run run = {
                .argv = STRV("mke2fs", "-t", "ext4", "-F", "-L", LABEL_UNFINISHED, "-m", "0", "-U", (char *)uuid, "-E",
                             extended, node),
                .on_line = on_part,
                .on_parts = true,
                .ctx = &watch,
        };
        int r = helper_run(&run);

        free(watch.phase);
        if (r < 0)
                return helper_fail("format-failed", md->path, run.err.buf,
                                   "the file system could not be made on %s; the details are in the log", md->path);
        return 0;
}

static char *header_value(const char *text, const char *key)
{
        const char *line = strstr(text, key);

        if (!line || (line != text && line[-1] != '\n'))
                return xstrdup("");
        line += strlen(key);
        _cleanup_free_ char *copy = xstrndup(line, strcspn(line, "\n"));
        return xstrdup(strip(copy));
}

/* What mke2fs wrote, read again from the device. */
static int ext4_check(const struct md *md, const char *uuid)
{
        _cleanup_free_ char *node = node_of(md), *head = NULL;

        if (helper_ask(STRV("dumpe2fs", "-h", node), &head) < 0)
                return helper_fail("format-failed", md->path, NULL, "the new file system on %s cannot be read", md->path);
        _cleanup_free_ char *state = header_value(head, "Filesystem state:"),
                            *is = header_value(head, "Filesystem UUID:"), *block = header_value(head, "Block size:"),
                            *stride = header_value(head, "RAID stride:"),
                            *width = header_value(head, "RAID stripe width:");
        uint64_t b = 0, s = 0, w = 0;

        if (!streq(state, "clean") || !uuid_equal(is, uuid) || parse_u64(block, &b) < 0)
                return helper_fail("format-failed", md->path, head, "the new file system on %s is not as it should be",
                                   md->path);
        parse_u64(stride, &s);
        parse_u64(width, &w);
        if (s * b != md->chunk || w != s * md_data_disks(md))
                return helper_fail("geometry", md->path, head,
                                   "the new file system on %s does not fit the stripes of its array", md->path);
        return 0;
}

/* e2label ends with an fsync of the device; asking for another costs nothing. */
static int sync_device(const char *node)
{
        _cleanup_close_ int fd = open(node, O_RDONLY | O_CLOEXEC);

        return fd < 0 || fsync(fd) < 0 ? -errno : 0;
}

static int ext4_finish(const struct md *md, const char *uuid, const char *label)
{
        _cleanup_free_ char *node = node_of(md), *raw = NULL;
        int r = 0;

        if (!helper_is_dry_run()) {
                r = ext4_check(md, uuid);
                if (r == 0 && sync_device(node) < 0)
                        r = helper_fail("format-failed", md->path, NULL, "writing to %s failed", md->path);
        }
        if (r)
                return r;
        if (helper_exec(STRV("e2label", node, (char *)label), &raw) < 0 ||
            (!helper_is_dry_run() && sync_device(node) < 0))
                return helper_fail("format-failed", md->path, raw, "the label could not be written to %s", md->path);
        return 0;
}

static const struct fs_type types[] = {
        {.name = "ext4", .program = "mke2fs", .label_max = 16, .fstab_pass = 2, .make = ext4_make, .finish = ext4_finish},
};

const struct fs_type *fs_type_find(const char *name)
{
        for (size_t i = 0; i < ELEMENTSOF(types); i++)
                if (streq(types[i].name, name))
                        return &types[i];
        return NULL;
}

char *fs_type_names(void)
{
        _cleanup_strv_ char **names = NULL;

        for (size_t i = 0; i < ELEMENTSOF(types); i++)
                strv_add(&names, types[i].name);
        return strv_join(names, ", ");
}

/* --- what to do --- */

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

/* Nothing mounted, no swap, no volume of it: the kernel gives it out exclusively. */
static int check_free(const struct md *md)
{
        _cleanup_free_ char *node = node_of(md);
        _cleanup_close_ int fd = open(node, O_RDONLY | O_EXCL | O_CLOEXEC);

        if (fd >= 0)
                return 0;
        return helper_refuse("in-use", md->path, "%s is in use (%s); nothing was changed", md->path, strerror(errno));
}

/* --- one that was cut off --- */

/* Before it writes its superblock, mke2fs has written much else: what was seen to be blank is noted first. */
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

/* --- all of it --- */

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

static int look(const struct md *md, const struct fs_type *type, const char *uuid, const char *label, enum found *ret)
{
        _cleanup_free_ char *node = node_of(md);
        _cleanup_probe_ struct probe p = {0};
        bool zero = false;
        int r = probe_device(node, &p);

        if (r == 0)
                r = read_head(node, &zero);
        if (r < 0)
                return helper_refuse("unreadable", md->path, "what is on %s could not be read: %s", md->path,
                                     strerror(-r));
        *ret = judge(&p, type, uuid, label);
        if (*ret == BLANK && !zero && !is_begun(md, uuid))
                return helper_refuse("not-blank", md->path,
                                     "there is something on %s already, though nobody knows what; nothing was changed",
                                     md->path);
        return *ret == OTHER ? refuse_other(md, &p, uuid) : 0;
}

/* An array that somebody has open cannot be stopped, so its node keeps meaning it. */
static int hold(const struct md *md, int *ret_fd)
{
        _cleanup_free_ char *node = node_of(md), *devno = devno_of(node);
        _cleanup_close_ int fd = open(node, O_RDONLY | O_CLOEXEC);
        _cleanup_mds_ struct mds mds = {0};
        const struct md *now = fd >= 0 && md_list(&mds) == 0 ? md_find(&mds, md->uuid) : NULL;

        if (!now || !streq(now->kernel, md->kernel) || !streq_null(devno, md->devno))
                return helper_refuse("no-array", md->path, "the array %s does not run any more; nothing was changed",
                                     md->path);
        *ret_fd = TAKE_FD(fd);
        return 0;
}

static int make(const struct md *md, const struct fs_type *type, const char *uuid, const char *label)
{
        enum found found;
        int r = check_free(md);

        if (r == 0)
                r = begin(md, uuid);
        if (r == 0)
                r = type->make(md, uuid);
        if (r == 0)
                r = type->finish(md, uuid, label);
        if (r || helper_is_dry_run())
                return r;
        r = look(md, type, uuid, label, &found);
        if (r == 0 && found != COMPLETE)
                r = helper_fail("format-failed", md->path, NULL, "the file system is not to be found on %s", md->path);
        return r;
}

int fs_format(const struct md *md, const struct fs_type *type, const char *uuid, const char *label)
{
        _cleanup_close_ int fd = -1;
        enum found found;
        int r = hold(md, &fd);

        if (r == 0)
                r = look(md, type, uuid, label, &found);
        if (r == 0 && found != COMPLETE)
                r = make(md, type, uuid, label);
        return r ? r : forget_begun(md, uuid);
}

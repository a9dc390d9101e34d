#include <ctype.h>

#include "helpers/fs_type.h"
#include "helpers/lib/helper.h"

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

static int make(const struct array *a, const char *uuid)
{
        _cleanup_free_ char *extended = extended_options(a->md);
        struct watch watch = {0};
        _cleanup_(run_free) struct run run = {
                .argv = STRV("mke2fs", "-t", "ext4", "-F", "-L", LABEL_UNFINISHED, "-m", "0", "-U", (char *)uuid, "-E",
                             extended, a->node),
                .on_line = on_part,
                .on_parts = true,
                .ctx = &watch,
        };
        int r = helper_run(&run);

        free(watch.phase);
        if (r < 0)
                return array_fail(a, "format-failed", run.err.buf,
                                  "the file system could not be made on %s; the details are in the log", a->md->path);
        return 0;
}

static int check(const struct array *a, const char *uuid)
{
        _cleanup_free_ char *head = NULL;
        const struct md *md = a->md;

        if (helper_ask(STRV("dumpe2fs", "-h", a->node), &head) < 0)
                return array_fail(a, "format-failed", NULL, "the new file system on %s cannot be read", md->path);
        _cleanup_free_ char *state = line_value(head, "Filesystem state:"), *is = line_value(head, "Filesystem UUID:"),
                            *block = line_value(head, "Block size:"), *stride = line_value(head, "RAID stride:"),
                            *width = line_value(head, "RAID stripe width:");
        uint64_t b = 0, s = 0, w = 0;

        if (!streq(state, "clean") || !uuid_equal(is, uuid) || parse_u64(block, &b) < 0)
                return array_fail(a, "format-failed", head, "the new file system on %s is not as it should be", md->path);
        parse_u64(stride, &s);
        parse_u64(width, &w);
        if (s * b != md->chunk || w != s * md_data_disks(md))
                return array_fail(a, "geometry", head, "the new file system on %s does not fit the stripes of its array",
                                  md->path);
        return 0;
}

static int label(const struct array *a, const char *label)
{
        _cleanup_free_ char *raw = NULL;

        if (helper_exec(STRV("e2label", a->node, (char *)label), &raw) < 0)
                return array_fail(a, "format-failed", raw, "the label could not be written to %s", a->md->path);
        return 0;
}

/* A journal that was not finished leaves "clean": the kernel plays it back. */
static int sound(const struct array *a)
{
        _cleanup_free_ char *head = NULL;

        if (helper_ask(STRV("dumpe2fs", "-h", a->node), &head) < 0)
                return array_fail(a, "needs-repair", NULL,
                                  "what the file system on %s says of itself makes no sense; it was not repaired",
                                  a->md->path);
        _cleanup_free_ char *state = line_value(head, "Filesystem state:");
        if (streq(state, "clean"))
                return 0;
        return helper_refuse("needs-repair", a->md->path,
                             "the file system on %s is damaged (%s) and was not repaired: copy what you can still read, "
                             "then repair it with: e2fsck -f %s",
                             a->md->path, state, a->node);
}

/* --- growing --- */

static int numbers(const struct array *a, uint64_t *ret_blocks, uint64_t *ret_block, uint64_t *ret_group)
{
        _cleanup_free_ char *head = NULL;

        if (helper_ask(STRV("dumpe2fs", "-h", a->node), &head) < 0)
                return array_fail(a, "unreadable", NULL, "the file system on %s cannot be read", a->md->path);
        _cleanup_free_ char *blocks = line_value(head, "Block count:"), *block = line_value(head, "Block size:"),
                            *group = line_value(head, "Blocks per group:");
        if (parse_u64(blocks, ret_blocks) < 0 || parse_u64(block, ret_block) < 0 || parse_u64(group, ret_group) < 0)
                return array_fail(a, "unreadable", head, "the file system on %s cannot be read", a->md->path);
        return 0;
}

/* A last group that would be too small for its own records is left out. */
static int size(const struct array *a, const char *mount _unused_, uint64_t *ret, uint64_t *ret_step)
{
        uint64_t blocks, block, group;
        int r = numbers(a, &blocks, &block, &group);

        if (r)
                return r;
        *ret = blocks * block;
        *ret_step = group * block;
        return 0;
}

/* Where new files are put: by whole stripes, which are wider with more disks. */
static int set_stripes(const struct array *a)
{
        uint64_t blocks, block, group;
        int r = numbers(a, &blocks, &block, &group);
        _cleanup_free_ char *raw = NULL, *what = NULL;

        if (r || a->md->chunk == 0)
                return r;
        uint64_t stride = a->md->chunk / block;
        what = xasprintf("stride=%llu,stripe_width=%llu", (unsigned long long)stride,
                         (unsigned long long)stride * md_data_disks(a->md));
        if (helper_exec(STRV("tune2fs", "-E", what, a->node), &raw) < 0)
                return array_fail(a, "not-grown", raw, "the file system on %s was not told of the new stripes", a->md->path);
        return 0;
}

static int resize(const struct array *a)
{
        _cleanup_(run_free) struct run run = {.argv = STRV("resize2fs", a->node)};

        if (helper_run(&run) < 0)
                return array_fail(a, "not-grown", run.err.buf, "the file system on %s did not take its new room", a->md->path);
        return set_stripes(a);
}

static int grow(const struct array *a, const char *mount _unused_)
{
        return resize(a);
}

/* e2fsck(8): 1 repaired, 2 repaired and the computer should be restarted where it was mounted, from 4 on not repaired. */
static int check_all(const struct array *a, const char *how)
{
        _cleanup_free_ char *raw = NULL;
        int status = 0, r = fs_look(STRV("e2fsck", "-f", (char *)how, a->node), &status, &raw);

        if (r < 0)
                return array_fail(a, "not-checked", NULL, "the file system on %s could not be checked: %s", a->md->path, strerror(-r));
        if (status & ~3)
                return fs_refuse_damaged(a, "e2fsck -f");
        if (status)
                helper_changed();
        return 0;
}

/* Only the counters are wrong then, and the kernel, asked to go on while it is mounted, stops the computer (6.1). */
static int finish(const struct array *a)
{
        int r = check_all(a, "-y");

        return r ? r : resize(a);
}

static int heal(const struct array *a)
{
        return check_all(a, "-p");
}

/* Were "continue" or "panic" in the file system itself, it would go on writing to a damaged one or stop the computer. */
const struct fs_type fs_ext4 = {
        .name = "ext4",
        .programs = (char *const[]){"mke2fs", "dumpe2fs", "e2label", NULL},
        .label_max = 16,
        .fstab_pass = 2,
        .option = "errors=remount-ro",
        .untouched = "noload",
        .make = make,
        .check = check,
        .label = label,
        .sound = sound,
        .size = size,
        .grow = grow,
        .finish = finish,
        .heal = heal,
};

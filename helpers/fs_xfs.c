#include "helpers/fs_type.h"
#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"

/* Reverse mappings (on by itself from xfsprogs 6.x) would take 1.2 % of the room, for repairs while mounted that no
 * Debian release offers. */
#define METADATA "rmapbt=0"

/* From the array's own shape, as for ext4. */
static char *data_options(const struct md *md)
{
        if (md->chunk == 0)
                return xstrdup("noalign");
        return xasprintf("su=%llu,sw=%u", (unsigned long long)md->chunk, md_data_disks(md));
}

/* --- how far it is --- */

/* mkfs.xfs says nothing while it works, and nearly all its work is one thing: it fills its journal, up to 2 GB, with zeros. */
struct watch {
        const struct array *a;
        uint64_t before, total;
};

/* Bytes; Documentation/block/stat.rst of the kernel: the seventh is sectors written. */
static uint64_t written(const struct array *a)
{
        _cleanup_free_ char *path = xasprintf("/sys/class/block/%s/stat", a->md->kernel), *text = NULL;
        unsigned long long sectors;

        return read_line(path, &text) == 0 && sscanf(text, "%*u %*u %*u %*u %*u %*u %llu", &sectors) == 1 ? sectors * 512 : 0;
}

/* "log      =internal log           bsize=4096   blocks=521728, version=2" of a mkfs.xfs that only says what it would do. */
static uint64_t journal_bytes(char *const *argv)
{
        _cleanup_strv_ char **words = NULL;
        _cleanup_free_ char *text = NULL;
        unsigned long long block, blocks;

        STRV_FOREACH(a, argv) {
                strv_add(&words, *a);
                if (words[1] == NULL)
                        strv_add(&words, "-N");
        }
        if (helper_ask(words, &text) < 0)
                return 0;
        _cleanup_free_ char *line = line_value(text, "log ");
        const char *p = strstr(line, "bsize=");
        return p && sscanf(p, "bsize=%llu blocks=%llu", &block, &blocks) == 2 ? block * blocks : 0;
}

static void on_wait(void *ctx)
{
        const struct watch *w = ctx;
        uint64_t now = written(w->a);

        if (w->total > 0 && now > w->before)
                helper_progress(MIN2(now - w->before, w->total), w->total, "writing-journal");
}

static int make(const struct array *a, const char *uuid)
{
        _cleanup_free_ char *data = data_options(a->md), *metadata = xasprintf(METADATA ",uuid=%s", uuid);
        char *const *argv = STRV("mkfs.xfs", "-f", "-K", "-L", LABEL_UNFINISHED, "-m", metadata, "-d", data, a->node);
        struct watch watch = {a, written(a), journal_bytes(argv)};
        _cleanup_(run_free) struct run run = {.argv = argv, .on_wait = on_wait, .ctx = &watch};

        if (helper_run(&run) < 0)
                return array_fail(a, "format-failed", run.err.buf,
                                  "the file system could not be made on %s; the details are in the log", a->md->path);
        return 0;
}

/* --- what it is --- */

static uint64_t number(const char *text, const char *key)
{
        _cleanup_free_ char *value = line_value(text, key);
        uint64_t n;

        return parse_u64(value, &n) < 0 ? UINT64_MAX : n;
}

/* unit and width are in blocks; inprogress is 1 until mkfs.xfs has written the rest. */
static int check(const struct array *a, const char *uuid)
{
        _cleanup_free_ char *sb = NULL;
        const struct md *md = a->md;

        if (helper_ask(STRV("xfs_db", "-r", "-c", "sb 0", "-c", "print uuid inprogress blocksize unit width", a->node),
                       &sb) < 0)
                return array_fail(a, "format-failed", NULL, "the new file system on %s cannot be read", md->path);
        _cleanup_free_ char *is = line_value(sb, "uuid =");
        uint64_t block = number(sb, "blocksize =");

        if (!uuid_equal(is, uuid) || number(sb, "inprogress =") != 0)
                return array_fail(a, "format-failed", sb, "the new file system on %s is not as it should be", md->path);
        if (number(sb, "unit =") * block != md->chunk ||
            number(sb, "width =") * block != md->chunk * (md->chunk ? md_data_disks(md) : 0))
                return array_fail(a, "geometry", sb, "the new file system on %s does not fit the stripes of its array",
                                  md->path);
        return 0;
}

static int label(const struct array *a, const char *label)
{
        _cleanup_free_ char *command = xasprintf("label %s", label), *raw = NULL;

        if (helper_exec(STRV("xfs_db", "-x", "-c", command, a->node), &raw) < 0)
                return array_fail(a, "format-failed", raw, "the label could not be written to %s", a->md->path);
        return 0;
}

/* --- growing --- */

#define LOOK "/run/nas-setup/look"

/* "data     =                       bsize=4096   blocks=65536, imaxpct=25" */
static int size(const struct array *a, const char *mount, uint64_t *ret, uint64_t *ret_step)
{
        _cleanup_free_ char *text = NULL;
        unsigned long long block, blocks;

        if (helper_ask(STRV("xfs_growfs", "-n", (char *)mount), &text) == 0) {
                _cleanup_free_ char *line = line_value(text, "data ");
                const char *p = strstr(line, "bsize=");
                if (p && sscanf(p, "bsize=%llu blocks=%llu", &block, &blocks) == 2) {
                        *ret = block * blocks;
                        *ret_step = MIB;
                        return 0;
                }
        }
        return array_fail(a, "unreadable", text, "the file system on %s cannot be read", a->md->path);
}

static int grow(const struct array *a, const char *mount)
{
        _cleanup_(run_free) struct run run = {.argv = STRV("xfs_growfs", "-d", (char *)mount)};

        if (helper_run(&run) < 0)
                return array_fail(a, "not-grown", run.err.buf, "the file system on %s did not take its new room", a->md->path);
        return 0;
}

/* Its journal is played back by mounting it; then xfs_repair looks through all of it, and repairs nothing. */
static int heal(const struct array *a)
{
        _cleanup_free_ char *raw = NULL;
        int status = 0;

        if (!helper_is_dry_run() && make_folders(LOOK) < 0)
                return array_fail(a, "not-checked", NULL, LOOK " cannot be made");
        if (helper_exec(STRV("mount", "-t", "xfs", "-o", "ro,nosuid,nodev", a->node, LOOK), &raw) < 0)
                return fs_refuse_damaged(a, "xfs_repair");
        if (helper_exec(STRV("umount", LOOK), NULL) < 0)
                return array_fail(a, "not-checked", NULL, LOOK " cannot be unmounted; try again");
        free(raw);
        raw = NULL;
        int r = fs_look(STRV("xfs_repair", "-n", a->node), &status, &raw);
        if (r < 0)
                return array_fail(a, "not-checked", NULL, "the file system on %s could not be checked: %s", a->md->path, strerror(-r));
        return status ? fs_refuse_damaged(a, "xfs_repair") : 0;
}

const struct fs_type fs_xfs = {
        .name = "xfs",
        .programs = (char *const[]){"mkfs.xfs", "xfs_db", NULL},
        .label_max = 12,
        .least_striped = 513 * MIB, /* up to 512, mkfs.xfs finds no room for its journal beside the stripes */
        .untouched = "norecovery",
        .make = make,
        .check = check,
        .label = label,
        .size = size,
        .grow = grow,
        .heal = heal,
};

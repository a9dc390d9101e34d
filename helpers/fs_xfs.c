#include "helpers/fs_type.h"
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

static int make(const struct array *a, const char *uuid)
{
        _cleanup_free_ char *data = data_options(a->md), *metadata = xasprintf(METADATA ",uuid=%s", uuid);
        _cleanup_(run_free) struct run run = {
                .argv = STRV("mkfs.xfs", "-f", "-K", "-L", LABEL_UNFINISHED, "-m", metadata, "-d", data, a->node),
        };

        if (helper_run(&run) < 0)
                return array_fail(a, "format-failed", run.err.buf,
                                  "the file system could not be made on %s; the details are in the log", a->md->path);
        return 0;
}

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

const struct fs_type fs_xfs = {
        .name = "xfs",
        .programs = (char *const[]){"mkfs.xfs", "xfs_db", NULL},
        .label_max = 12,
        .make = make,
        .check = check,
        .label = label,
};

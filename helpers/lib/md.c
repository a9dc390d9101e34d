#include "helpers/lib/md.h"

#include <ctype.h>
#include <dirent.h>
#include <endian.h>
#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include <linux/raid/md_p.h>

#include "helpers/lib/helper.h"

#define SUPERBLOCK_MAX 4096

char *uuid_plain(const char *spelling)
{
        char digits[32], out[37];
        size_t n = 0, o = 0;

        for (; spelling && *spelling; spelling++) {
                if (strchr("-:. ", *spelling))
                        continue;
                if (!isxdigit((unsigned char)*spelling) || n == 32)
                        return NULL;
                digits[n++] = (char)tolower((unsigned char)*spelling);
        }
        if (n != 32)
                return NULL;
        for (size_t i = 0; i < 32; i++) {
                if (i == 8 || i == 12 || i == 16 || i == 20)
                        out[o++] = '-';
                out[o++] = digits[i];
        }
        return xstrndup(out, o);
}

/* linux/raid/md_p.h, and the kernel's md.c, calc_sb_1_csum: the sum of all words with its own left out, a last half of one
 * added alone, the carries added. */
bool md_is_sound(const void *superblock, size_t room)
{
        struct mdp_superblock_1 sb;
        uint64_t sum = 0;
        size_t i = 0;

        if (room < sizeof sb)
                return false;
        memcpy(&sb, superblock, sizeof sb);
        size_t size = sizeof sb + 2 * (size_t)le32toh(sb.max_dev);
        if (le32toh(sb.magic) != MD_SB_MAGIC || size > MIN2(room, SUPERBLOCK_MAX))
                return false;
        for (; i < size; i += 4) {
                uint32_t word = 0;
                memcpy(&word, (const char *)superblock + i, MIN2(size - i, sizeof word));
                sum += le32toh(word);
        }
        uint32_t own = le32toh(sb.sb_csum);
        sum -= own;
        return (uint32_t)((sum & UINT32_MAX) + (sum >> 32)) == own;
}

char *udev_property(const char *devno, const char *key)
{
        _cleanup_free_ char *path = xasprintf("/run/udev/data/b%s", devno), *full = helper_path(path), *text = NULL,
                            *start = xasprintf("E:%s=", key);
        size_t n = strlen(start);

        if (read_text(full, MIB, &text) < 0)
                return NULL;
        for (char *line = text, *end; *line; line = end) {
                end = line + strcspn(line, "\n");
                if (*end)
                        *end++ = '\0';
                if (strncmp(line, start, n) == 0)
                        return xstrdup(line + n);
        }
        return NULL;
}

/* A SCSI disk's own serial number is the one on its label; ID_SERIAL_SHORT is its WWN there. */
char *udev_serial(const char *devno)
{
        char *scsi = udev_property(devno, "ID_SCSI_SERIAL");

        return scsi ? scsi : udev_property(devno, "ID_SERIAL_SHORT");
}

/* --- one array --- */

static char *attribute(const char *kernel, const char *name)
{
        _cleanup_free_ char *path = xasprintf("/sys/block/%s/%s", kernel, name), *full = helper_path(path);
        char *value = NULL;

        return read_line(full, &value) < 0 ? NULL : value;
}

/* While its shape is changed some read "4 (3)": new and old. */
static uint64_t number(const char *kernel, const char *name)
{
        _cleanup_free_ char *text = attribute(kernel, name);
        uint64_t value = 0;

        if (text) {
                text[strcspn(text, " ")] = '\0';
                parse_u64(text, &value);
        }
        return value;
}

static int is_array(const struct dirent *d)
{
        return has_prefix(d->d_name, "md") && isdigit((unsigned char)d->d_name[2]);
}

static int is_member(const struct dirent *d)
{
        return has_prefix(d->d_name, "dev-");
}

/* "slot" is a number, or "none" for a spare. */
static unsigned slot_of(const char *kernel, const char *entry)
{
        _cleanup_free_ char *name = xasprintf("md/%s/slot", entry), *text = attribute(kernel, name);
        unsigned slot = UINT_MAX;

        if (text)
                parse_uint(text, 4096, &slot);
        return slot;
}

static char *state_of(const char *kernel, const char *entry)
{
        _cleanup_free_ char *name = xasprintf("md/%s/state", entry);
        char *text = attribute(kernel, name);

        return text ? text : xstrdup("");
}

/* Every member of an array that does not run calls itself a spare. */
static void add_member(struct md *md, const char *entry)
{
        _cleanup_free_ char *state = state_of(md->kernel, entry);
        const char *name = entry + strlen("dev-");

        if (strstr(state, "faulty")) {
                strv_add(&md->faulty, name);
                return;
        }
        strv_add(&md->members, name);
        if (strstr(state, "spare") && !streq(md->array_state, "inactive"))
                strv_add(&md->spares, name);
}

static void read_members(struct md *md)
{
        _cleanup_free_ char *path = xasprintf("/sys/block/%s/md", md->kernel), *full = helper_path(path);
        struct dirent **entries = NULL;
        int n = scandir(full, &entries, is_member, alphasort);

        for (unsigned last = 0, next; n > 0; last = next + 1) {
                next = UINT_MAX;
                for (int i = 0; i < n; i++) {
                        unsigned slot = slot_of(md->kernel, entries[i]->d_name);
                        if (slot >= last && slot < next)
                                next = slot;
                }
                for (int i = 0; i < n; i++)
                        if (slot_of(md->kernel, entries[i]->d_name) == next)
                                add_member(md, entries[i]->d_name);
                if (next == UINT_MAX)
                        break;
        }
        for (int i = 0; i < n; i++)
                free(entries[i]);
        free(entries);
        if (md->degraded > 0 && md->spares)
                md->is_pending = true; /* a place to fill, and nothing copies yet */
}

static bool has_redundancy(const struct md *md)
{
        return md->level && !streq(md->level, "raid0") && !streq(md->level, "linear");
}

/* "done / total" in sectors, "delayed", or "none". */
static void read_sync(struct md *md)
{
        _cleanup_free_ char *completed = attribute(md->kernel, "md/sync_completed"),
                            *start = attribute(md->kernel, "md/resync_start");
        unsigned long long done, total;

        md->sync_action = attribute(md->kernel, "md/sync_action");
        if (!md->sync_action)
                md->sync_action = xstrdup("idle");
        md->is_delayed = completed && streq(completed, "delayed");
        if (completed && sscanf(completed, "%llu / %llu", &done, &total) == 2) {
                md->done = (uint64_t)done * 512;
                md->total = (uint64_t)total * 512;
                md->speed = number(md->kernel, "md/sync_speed") * KIB;
        }
        if (has_redundancy(md) && start && !streq(start, "none"))
                md->is_pending = true;
        if (!streq(md->sync_action, "idle") && !streq(md->sync_action, "frozen"))
                md->is_pending = false;
}

/* --- its name --- */

/* "host:name"; mdadm's word for no certain host is "any". */
static void take_name(struct md *md, const char *full)
{
        const char *colon = full ? strchr(full, ':') : NULL;

        if (md->name || !full || !*full)
                return;
        md->name = xstrdup(colon ? colon + 1 : full);
        if (colon > full && !has_prefix(full, "any:"))
                md->host = xstrndup(full, (size_t)(colon - full));
}

static char *value_of(const char *exported, const char *key)
{
        size_t n = strlen(key);

        for (const char *line = exported; line && *line; line = strchr(line, '\n'), line += line != NULL)
                if (strncmp(line, key, n) == 0 && line[n] == '=')
                        return xstrndup(line + n + 1, strcspn(line + n + 1, "\n"));
        return NULL;
}

/* What udev does not know is asked of mdadm: of an active array itself, of an inactive one's first member. */
static void ask_mdadm(struct md *md)
{
        bool active = !streq(md->array_state, "inactive");
        _cleanup_free_ char *dev = active           ? xasprintf("/dev/%s", md->kernel)
                                   : md->members ? xasprintf("/dev/%s", md->members[0])
                                                 : NULL;
        _cleanup_free_ char *out = NULL, *uuid = NULL, *name = NULL;

        if (helper_has_root() || !dev ||
            helper_ask(STRV("mdadm", active ? "--detail" : "--examine", "--export", dev), &out) < 0)
                return;
        uuid = value_of(out, "MD_UUID");
        name = value_of(out, "MD_NAME");
        if (!md->uuid)
                md->uuid = uuid_plain(uuid);
        take_name(md, name);
        if (!md->level)
                md->level = value_of(out, "MD_LEVEL");
        if (!md->devices) {
                _cleanup_free_ char *devices = value_of(out, "MD_DEVICES");
                parse_uint(devices ? devices : "", 4096, &md->devices);
        }
}

/* An inactive array has no identity in sysfs (md/uuid is all zeros), but udev has read its members. */
static void ask_member(struct md *md)
{
        _cleanup_free_ char *at = NULL, *devno = NULL, *uuid = NULL, *name = NULL;

        if (!md->members)
                return;
        at = xasprintf("md/dev-%s/block/dev", md->members[0]);
        devno = attribute(md->kernel, at);
        if (!devno)
                return;
        uuid = udev_property(devno, "ID_FS_UUID"); /* of a linux_raid_member: the array's */
        name = udev_property(devno, "ID_FS_LABEL");
        md->uuid = uuid_plain(uuid);
        take_name(md, name);
}

/* In metadata 0.90 it is four words of the computer that made them; sysfs tells their bytes, everybody else the words. */
static char *words_of(const char *bytes)
{
        char digits[32], swapped[33] = "";
        size_t n = 0;

        for (; *bytes && n < 32; bytes++)
                if (*bytes != '-')
                        digits[n++] = *bytes;
        for (size_t i = 0; n == 32 && i < 16; i++)
                memcpy(swapped + 2 * i, digits + 2 * (i / 4 * 4 + (htole32(1) == 1 ? 3 - i % 4 : i % 4)), 2);
        return uuid_plain(swapped);
}

static void read_uuid(struct md *md)
{
        _cleanup_free_ char *uuid = attribute(md->kernel, "md/uuid"), *version = attribute(md->kernel, "md/metadata_version"),
                            *known = NULL;

        if (uuid && strspn(uuid, "0-") < strlen(uuid)) {
                md->uuid = version && has_prefix(version, "0.9") ? words_of(uuid) : uuid_plain(uuid);
                return;
        }
        known = udev_property(md->devno, "MD_UUID");
        md->uuid = uuid_plain(known);
}

/* udev's link, where it leads there: by the name that mdadm gave to the node, which mdadm.conf may have chosen. */
static char *link_of(const struct md *md, const char *name)
{
        _cleanup_free_ char *link = NULL, *full = NULL, *target = xmalloc(PATH_MAX);

        if (!name || !*name || strchr(name, '/'))
                return NULL;
        link = xasprintf("/dev/md/%s", name);
        full = helper_path(link);
        ssize_t n = readlink(full, target, PATH_MAX - 1);
        if (n <= 0)
                return NULL;
        target[n] = '\0';
        return streq(basename(target), md->kernel) ? TAKE_PTR(link) : NULL;
}

static void read_name(struct md *md)
{
        _cleanup_free_ char *name = udev_property(md->devno, "MD_NAME"),
                            *node = udev_property(md->devno, "MD_DEVNAME");

        read_uuid(md);
        take_name(md, name);
        if (!md->uuid)
                ask_member(md);
        if (!md->uuid || !md->name || !md->level)
                ask_mdadm(md);
        md->path = link_of(md, node);
        if (!md->path)
                md->path = link_of(md, md->name);
        if (!md->path)
                md->path = xasprintf("/dev/%s", md->kernel);
}

static unsigned missing_of(const struct md *md)
{
        size_t here = strv_len(streq(md->array_state, "inactive") ? md->members : md->spares);
        unsigned empty = streq(md->array_state, "inactive") ? md->devices : md->degraded;

        return empty > here ? empty - (unsigned)here : 0;
}

static void read_kind(struct md *md)
{
        _cleanup_free_ char *version = attribute(md->kernel, "md/metadata_version"),
                            *position = attribute(md->kernel, "md/reshape_position");

        md->is_external = version && has_prefix(version, "external:");
        md->is_reshaping = position && !streq(position, "none");
}

static bool read_md(const char *kernel, struct md *md)
{
        *md = (struct md){.kernel = xstrdup(kernel), .array_state = attribute(kernel, "md/array_state")};
        if (!md->array_state || streq(md->array_state, "clear"))
                return false;
        md->devno = attribute(kernel, "dev");
        if (!md->devno)
                return false;
        md->level = attribute(kernel, "md/level");
        if (md->level && !*md->level) {
                free(md->level);
                md->level = NULL;
        }
        md->devices = (unsigned)number(kernel, "md/raid_disks");
        md->degraded = (unsigned)number(kernel, "md/degraded");
        md->size = number(kernel, "size") * 512;
        md->chunk = number(kernel, "md/chunk_size");
        read_kind(md);
        read_members(md);
        read_sync(md);
        read_name(md);
        md->missing = missing_of(md);
        return true;
}

static void md_done(struct md *md)
{
        free(md->kernel);
        free(md->devno);
        free(md->path);
        free(md->name);
        free(md->host);
        free(md->uuid);
        free(md->level);
        free(md->array_state);
        free(md->sync_action);
        strv_free(md->members);
        strv_free(md->spares);
        strv_free(md->faulty);
}

int md_list(struct mds *ret)
{
        _cleanup_free_ char *folder = helper_path("/sys/block");
        struct dirent **entries = NULL;
        struct mds mds = {0};
        int n = scandir(folder, &entries, is_array, versionsort);

        if (n < 0)
                return -errno;
        mds.v = xmalloc(((size_t)n + 1) * sizeof *mds.v);
        for (int i = 0; i < n; i++) {
                if (read_md(entries[i]->d_name, &mds.v[mds.n]))
                        mds.n++;
                else
                        md_done(&mds.v[mds.n]);
                free(entries[i]);
        }
        free(entries);
        *ret = mds;
        return 0;
}

void md_free_all(struct mds *mds)
{
        for (size_t i = 0; i < mds->n; i++)
                md_done(&mds->v[i]);
        free(mds->v);
        *mds = (struct mds){0};
}

const struct md *md_find(const struct mds *mds, const char *uuid)
{
        for (size_t i = 0; i < mds->n; i++)
                if (mds->v[i].uuid && uuid_equal(mds->v[i].uuid, uuid))
                        return &mds->v[i];
        return NULL;
}

/* --- what it says --- */

bool is_md_usable(const struct md *md)
{
        return md->size > 0 && strv_has(STRV("clean", "active", "active-idle", "write-pending", "read-auto"),
                                        md->array_state);
}

const char *md_sync(const struct md *md)
{
        static const struct {
                const char *kernel, *ours;
        } words[] = {{"resync", "resync"}, {"recover", "recover"}, {"reshape", "reshape"},
                     {"check", "check"},   {"repair", "check"}};

        if (md->is_delayed)
                return "delayed";
        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if (streq(md->sync_action, words[i].kernel))
                        return words[i].ours;
        return md->is_pending ? "pending" : "idle";
}

unsigned md_data_disks(const struct md *md)
{
        const char *level = md->level ? md->level : "";
        unsigned n = md->devices;

        if (streq(level, "raid0"))
                return MAX2(n, 1U);
        if (streq(level, "raid4") || streq(level, "raid5"))
                return n > 1 ? n - 1 : 1;
        if (streq(level, "raid6"))
                return n > 2 ? n - 2 : 1;
        if (streq(level, "raid10")) /* two copies; an odd number repeats only after as many chunks as disks */
                return n % 2 ? n : MAX2(n / 2, 1U);
        return 1;
}

#include "helpers/disk_device.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <libudev.h>
#include <limits.h>
#include <strings.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"

/* --- sysfs --- */

char *sysfs_line(const char *dir, const char *file)
{
        _cleanup_free_ char *path = path_join(dir, file);
        char *line = NULL;

        if (read_line(path, &line) < 0)
                return NULL;
        if (*line)
                return line;
        free(line);
        return NULL;
}

uint64_t sysfs_number(const char *dir, const char *file)
{
        _cleanup_free_ char *path = path_join(dir, file);
        uint64_t n = 0;

        return read_u64(path, &n) < 0 ? 0 : n;
}

static int by_name(const void *a, const void *b)
{
        return strcmp(*(char *const *)a, *(char *const *)b);
}

char **list_folder(const char *dir)
{
        DIR *d = opendir(dir);
        char **names = NULL;

        for (struct dirent *e; d && (e = readdir(d));)
                if (e->d_name[0] != '.')
                        strv_add(&names, e->d_name);
        if (d)
                closedir(d);
        if (names)
                qsort(names, strv_len(names), sizeof *names, by_name);
        return names;
}

char *partition_name(const char *disk, unsigned number)
{
        size_t n = strlen(disk);

        return xasprintf("%s%s%u", disk, n && isdigit((unsigned char)disk[n - 1]) ? "p" : "", number);
}

/* --- udev's database --- */

struct udevdb {
        char **env;   /* KEY=VALUE */
        char **links; /* disk/by-id/… */
};

static void udevdb_free(struct udevdb *db)
{
        strv_free(db->env);
        strv_free(db->links);
}

static void read_udev(struct udevdb *db, const char *name)
{
        struct udev *u = udev_new();
        struct udev_device *d = u ? udev_device_new_from_subsystem_sysname(u, "block", name) : NULL;
        struct udev_list_entry *e;

        if (d) {
                udev_list_entry_foreach(e, udev_device_get_properties_list_entry(d))
                        strv_take(&db->env, xasprintf("%s=%s", udev_list_entry_get_name(e),
                                                      udev_list_entry_get_value(e) ? udev_list_entry_get_value(e)
                                                                                   : ""));
                udev_list_entry_foreach(e, udev_device_get_devlinks_list_entry(d))
                {
                        const char *link = skip_prefix(udev_list_entry_get_name(e), "/dev/");
                        if (link)
                                strv_add(&db->links, link);
                }
        }
        udev_device_unref(d);
        udev_unref(u);
}

/* The lines of a recorded /run/udev/data/bMAJOR:MINOR (systemd, sd-device/device-private.c): E:KEY=VALUE, S:link. */
static void read_recorded(struct udevdb *db, dev_t devno)
{
        _cleanup_free_ char *file = xasprintf("/run/udev/data/b%u:%u", major(devno), minor(devno));
        _cleanup_free_ char *path = helper_path(file), *text = NULL;

        if (file_text(path, &text) < 0)
                return;
        for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
                if (has_prefix(line, "E:"))
                        strv_add(&db->env, line + 2);
                else if (has_prefix(line, "S:"))
                        strv_add(&db->links, line + 2);
        }
}

static const char *property(const struct udevdb *db, const char *key)
{
        STRV_FOREACH(e, db->env) {
                const char *v = skip_prefix(*e, key);
                if (v && *v == '=' && v[1])
                        return v + 1;
        }
        return NULL;
}

/* udev writes blanks and odd bytes of ID_MODEL_ENC as \xHH. */
static char *decode(const char *s)
{
        struct buf b = {0};

        buf_puts(&b, "");
        while (*s) {
                unsigned c;
                char byte;
                if (s[0] == '\\' && s[1] == 'x' && isxdigit((unsigned char)s[2]) &&
                    isxdigit((unsigned char)s[3]) && sscanf(s + 2, "%2x", &c) == 1 && c != 0) {
                        byte = (char)c;
                        s += 4;
                } else {
                        byte = *s++;
                }
                buf_add(&b, &byte, 1);
        }
        return b.buf;
}

/* --- what each field comes from, best source first --- */

static char *stripped(char *s)
{
        if (s) {
                const char *t = strip(s);
                memmove(s, t, strlen(t) + 1);
        }
        if (s && !*s) {
                free(s);
                s = NULL;
        }
        return s;
}

/* SPC-5 7.7.13, unit serial number page: a 4-byte head with the length in bytes 2 and 3, then ASCII. */
static char *vpd_serial(const char *sysfs)
{
        _cleanup_free_ char *path = path_join(sysfs, "device/vpd_pg80");
        _cleanup_fclose_ FILE *f = fopen(path, "re");
        unsigned char page[4 + 256];
        size_t n = f ? fread(page, 1, sizeof page, f) : 0;

        if (n <= 4)
                return NULL;
        n = MIN2(n - 4, (size_t)page[2] << 8 | page[3]);
        return stripped(xstrndup((char *)page + 4, n));
}

/* A SCSI disk's own serial number is the one on its label; ID_SERIAL_SHORT is its WWN there. */
static char *find_serial(const struct disk *d, const struct udevdb *db)
{
        const char *scsi = property(db, "ID_SCSI_SERIAL"), *any = property(db, "ID_SERIAL_SHORT");
        char *s = stripped(xstrdup(scsi ? scsi : any));

        if (!s)
                s = sysfs_line(d->sysfs, "device/serial");
        if (!s)
                s = vpd_serial(d->sysfs);
        if (!s)
                s = sysfs_line(d->sysfs, "serial"); /* virtio */
        if (s && streq(s, "(null)")) { /* ubd of Linux 6.1 */
                free(s);
                s = NULL;
        }
        return s;
}

static char *find_wwn(const struct disk *d, const struct udevdb *db)
{
        const char *wwn = property(db, "ID_WWN_WITH_EXTENSION");

        if (!wwn)
                wwn = property(db, "ID_WWN");
        if (wwn)
                return xstrdup(wwn);
        _cleanup_free_ char *id = sysfs_line(d->sysfs, "device/wwid"), *nvme = sysfs_line(d->sysfs, "wwid");
        const char *naa = id ? skip_prefix(id, "naa.") : NULL;
        if (naa)
                return xasprintf("0x%s", naa);
        if (id && has_prefix(id, "eui."))
                return TAKE_PTR(id);
        return TAKE_PTR(nvme);
}

static char *find_model(const struct disk *d, const struct udevdb *db)
{
        const char *enc = property(db, "ID_MODEL_ENC");
        char *s = enc ? stripped(decode(enc)) : NULL;

        if (!s)
                s = sysfs_line(d->sysfs, "device/model");
        if (!s)
                s = sysfs_line(d->sysfs, "device/name"); /* SD cards */
        return s;
}

/* The last of these that stands in the device's place in the tree of buses. */
static char *find_bus(const struct disk *d, const struct udevdb *db)
{
        static const struct {
                const char *part, *bus;
        } places[] = {{"/usb", "usb"},       {"/nvme", "nvme"}, {"/mmc", "mmc"},      {"/virtio", "virtio"},
                      {"/ata", "ata"},       {"/vbd-", "xen"},  {"uml-blkdev", "uml"}, {"/host", "scsi"}};
        const char *bus = property(db, "ID_BUS");
        char real[PATH_MAX];

        if (bus)
                return xstrdup(bus);
        for (size_t i = 0; realpath(d->sysfs, real) && i < ELEMENTSOF(places); i++)
                if (strstr(real, places[i].part))
                        return xstrdup(places[i].bus);
        return NULL;
}

static bool is_virtual(const struct disk *d)
{
        static const char *const names[] = {"vd", "xvd", "ubd"};
        static const char *const makers[] = {"QEMU", "VBOX", "VMware", "Virtual", "LIO-ORG"};
        _cleanup_free_ char *vendor = sysfs_line(d->sysfs, "device/vendor");

        for (size_t i = 0; i < ELEMENTSOF(names); i++)
                if (has_prefix(d->name, names[i]))
                        return true;
        for (size_t i = 0; i < ELEMENTSOF(makers); i++)
                if ((d->model && has_prefix(d->model, makers[i])) || (vendor && has_prefix(vendor, makers[i])))
                        return true;
        return false;
}

static const char *find_kind(const struct disk *d)
{
        if (has_prefix(d->name, "nvme"))
                return "nvme";
        if (has_prefix(d->name, "mmcblk"))
                return "sd";
        if (streq_null(d->bus, "usb"))
                return "usb";
        if (is_virtual(d))
                return "virtual";
        return sysfs_number(d->sysfs, "queue/rotational") ? "disk" : "ssd";
}

/* Where by-id gives several names: the one that a person can compare with the disk's label comes first. */
static unsigned id_rank(const char *id)
{
        static const char *const order[] = {"ata-", "nvme-", "usb-", "mmc-", "virtio-", "scsi-"};

        if (has_prefix(id, "nvme-eui.") || has_prefix(id, "nvme-nvme.") || has_prefix(id, "nvme-uuid."))
                return ELEMENTSOF(order) + 1;
        for (unsigned i = 0; i < ELEMENTSOF(order); i++)
                if (has_prefix(id, order[i]))
                        return i;
        return ELEMENTSOF(order);
}

static void take_links(struct disk *d, const struct udevdb *db)
{
        const char *path = property(db, "ID_PATH");

        STRV_FOREACH(l, db->links) {
                const char *id = skip_prefix(*l, "disk/by-id/"), *at = skip_prefix(*l, "disk/by-path/");
                if (!id && !at)
                        continue;
                strv_add(&d->links, id ? id : at);
                if (at && (!d->bypath || (path && streq(at, path)))) {
                        free(d->bypath);
                        d->bypath = xstrdup(at);
                }
                if (id && (!d->id || id_rank(id) < id_rank(d->id) ||
                           (id_rank(id) == id_rank(d->id) && strcmp(id, d->id) < 0))) {
                        free(d->id);
                        d->id = xstrdup(id);
                }
        }
}

static unsigned find_rpm(const struct disk *d, const struct udevdb *db)
{
        const char *rpm = property(db, "ID_ATA_ROTATION_RATE_RPM");
        unsigned n = 0;

        if (!sysfs_number(d->sysfs, "queue/rotational") || !rpm || parse_uint(rpm, 100000, &n) < 0)
                return 0;
        return n;
}

/* --- the list --- */

static bool is_other_kind(const char *name)
{
        static const char *const others[] = {"loop", "ram", "zram", "md",  "dm-",  "sr",   "fd",
                                             "mtd",  "nbd", "rbd",  "drbd", "zd", "ublk", "pmem"};

        for (size_t i = 0; i < ELEMENTSOF(others); i++) {
                const char *rest = skip_prefix(name, others[i]);
                if (rest && (isdigit((unsigned char)*rest) || has_prefix(rest, "block") || *rest == '_'))
                        return true;
        }
        return has_prefix(name, "mmcblk") && (strstr(name, "boot") || strstr(name, "rpmb"));
}

static void disk_free(struct disk *d)
{
        if (!d)
                return;
        char *const all[] = {d->name, d->path, d->sysfs, d->id, d->bypath, d->serial, d->wwn, d->model, d->bus};

        for (size_t i = 0; i < ELEMENTSOF(all); i++)
                free(all[i]);
        strv_free(d->links);
        strv_free(d->protectedby);
        strv_free(d->usedby);
        free(d);
}

static void disk_freep(struct disk **d)
{
        disk_free(*d);
}

void disks_free(struct disks *ds)
{
        for (size_t i = 0; i < ds->n; i++)
                disk_free(ds->v[i]);
        free(ds->v);
        *ds = (struct disks){0};
}

static dev_t read_devno(const char *sysfs)
{
        _cleanup_free_ char *line = sysfs_line(sysfs, "dev");
        unsigned ma, mi;

        return line && sscanf(line, "%u:%u", &ma, &mi) == 2 ? makedev(ma, mi) : 0;
}

static void take_numbers(struct disk *d)
{
        d->sector = (unsigned)sysfs_number(d->sysfs, "queue/logical_block_size");
        d->physical = (unsigned)sysfs_number(d->sysfs, "queue/physical_block_size");
        if (d->sector < 512 || d->sector > 4096)
                d->sector = 512;
        d->physical = MAX2(d->physical, d->sector);
        d->diskseq = sysfs_number(d->sysfs, "diskseq");
        d->readonly = sysfs_number(d->sysfs, "ro") != 0;
}

static struct disk *look(const char *sysblock, const char *name)
{
        _cleanup_(disk_freep) struct disk *d = xmalloc(sizeof *d);
        _cleanup_(udevdb_free) struct udevdb db = {0};

        d->name = xstrdup(name);
        d->sysfs = path_join(sysblock, name);
        d->size = sysfs_number(d->sysfs, "size") * 512;
        if (d->size == 0 || sysfs_number(d->sysfs, "hidden"))
                return NULL;
        d->path = path_join("/dev", name);
        for (char *p = d->path; (p = strchr(p, '!'));)
                *p = '/';
        d->devno = read_devno(d->sysfs);
        if (helper_has_root())
                read_recorded(&db, d->devno);
        else
                read_udev(&db, name);
        if (property(&db, "ID_CDROM"))
                return NULL;
        take_numbers(d);
        take_links(d, &db);
        d->serial = find_serial(d, &db);
        d->wwn = find_wwn(d, &db);
        d->model = find_model(d, &db);
        d->bus = find_bus(d, &db);
        d->kind = find_kind(d);
        d->rpm = find_rpm(d, &db);
        return TAKE_PTR(d);
}

static int by_version(const void *a, const void *b)
{
        const struct disk *x = *(struct disk *const *)a, *y = *(struct disk *const *)b;
        size_t n = strcspn(x->name, "0123456789"), m = strcspn(y->name, "0123456789");

        return n != m ? (n < m ? -1 : 1) : strverscmp(x->name, y->name);
}

int disks_look(struct disks *ret)
{
        _cleanup_free_ char *sysblock = helper_path("/sys/block");
        _cleanup_strv_ char **names = list_folder(sysblock);
        struct disks ds = {0};

        if (access(sysblock, R_OK | X_OK) < 0)
                return -errno;
        STRV_FOREACH(n, names) {
                struct disk *d = is_other_kind(*n) ? NULL : look(sysblock, *n);
                if (!d)
                        continue;
                ds.v = xreallocarray(ds.v, ds.n + 1, sizeof *ds.v);
                ds.v[ds.n++] = d;
        }
        if (ds.n)
                qsort(ds.v, ds.n, sizeof *ds.v, by_version);
        *ret = ds;
        return 0;
}

static bool is_named(const struct disk *d, const char *name)
{
        static const char *const folders[] = {"/dev/disk/by-id/", "/dev/disk/by-path/"};

        for (size_t i = 0; i < ELEMENTSOF(folders); i++) {
                const char *rest = skip_prefix(name, folders[i]);
                if (rest)
                        return strv_has(d->links, rest);
        }
        if ((d->serial && streq(d->serial, name)) || (d->wwn && strcasecmp(d->wwn, name) == 0))
                return true;
        if (!d->serial && !d->wwn && !d->links)
                return streq(d->name, name) || streq(d->path, name);
        return strv_has(d->links, name);
}

/* At most max are put into ret; how many there are. */
static size_t find_all(const struct disks *ds, const char *name, const struct disk **ret, size_t max)
{
        size_t n = 0;

        for (size_t i = 0; i < ds->n; i++)
                if (is_named(ds->v[i], name)) {
                        if (n < max)
                                ret[n] = ds->v[i];
                        n++;
                }
        return n;
}

static int say_ambiguous(const char *name, const struct disk *const *found, size_t listed, size_t n)
{
        _cleanup_strv_ char **places = NULL;

        for (size_t i = 0; i < listed; i++)
                if (found[i]->bypath)
                        strv_add(&places, found[i]->bypath);
        _cleanup_free_ char *list = strv_join(places, ", ");
        return helper_refuse("ambiguous", name,
                             "'%s' fits %zu disks, so it names none (a dock may give all its disks one serial "
                             "number); name the disk by its place: %s",
                             name, n, *list ? list : "see bypath= of nas-disk list");
}

int disk_named(const struct disks *ds, const char *name, const struct disk **ret)
{
        const struct disk *found[16];
        size_t n = find_all(ds, name, found, ELEMENTSOF(found));

        if (n == 0)
                return helper_refuse("no-disk", name,
                                     "there is no disk '%s'; it may have been unplugged, see nas-disk list", name);
        if (n > 1)
                return say_ambiguous(name, found, MIN2(n, ELEMENTSOF(found)), n);
        *ret = found[0];
        return 0;
}

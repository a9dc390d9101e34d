#include "helpers/raid_place.h"

#include <ctype.h>
#include <libgen.h>
#include <limits.h>
#include <unistd.h>

#include "helpers/lib/helper.h"

/* --- which disk it is --- */

static char *attribute(const char *name, const char *what)
{
        _cleanup_free_ char *path = xasprintf("/sys/class/block/%s/%s", name, what), *full = helper_path(path);
        char *value = NULL;

        return read_line(full, &value) < 0 ? NULL : value;
}

static uint64_t number_at(const char *name, const char *what)
{
        _cleanup_free_ char *text = attribute(name, what);
        uint64_t value = 0;

        if (text)
                parse_u64(text, &value);
        return value;
}

/* The folder above the partition's in sysfs. */
static char *disk_of(const char *name)
{
        _cleanup_free_ char *path = path_join("/sys/class/block", name), *full = helper_path(path),
                            *part = path_join(full, "partition"), *real = realpath(full, NULL);

        if (!real || access(part, F_OK) < 0)
                return xstrdup(name);
        return xstrdup(basename(dirname(real)));
}

/* A SCSI disk's own serial number is the one on its label; ID_SERIAL_SHORT is its WWN there. */
static char *serial_of(const char *devno)
{
        char *scsi = udev_property(devno, "ID_SCSI_SERIAL");

        return scsi ? scsi : udev_property(devno, "ID_SERIAL_SHORT");
}

void place_identify(const char *name, struct place *ret)
{
        _cleanup_free_ char *devno = attribute(name, "dev"), *disk_devno = NULL, *guid = NULL;

        ret->name = xstrdup(name);
        ret->disk = disk_of(name);
        ret->size = number_at(name, "size") * 512;
        ret->sector = (unsigned)number_at(ret->disk, "queue/logical_block_size");
        guid = devno ? udev_property(devno, "ID_PART_ENTRY_UUID") : NULL;
        ret->guid = uuid_plain(guid);
        disk_devno = attribute(ret->disk, "dev");
        if (disk_devno) {
                ret->serial = serial_of(disk_devno);
                ret->model = udev_property(disk_devno, "ID_MODEL");
        }
}

/* --- which place it fills --- */

static char *member_attribute(const struct md *md, const char *member, const char *what)
{
        _cleanup_free_ char *path = xasprintf("/sys/block/%s/md/dev-%s/%s", md->kernel, member, what), *full = helper_path(path);
        char *value = NULL;

        return read_line(full, &value) < 0 ? xstrdup("") : value;
}

/* The kernel's words: Documentation/admin-guide/md.rst. */
static const char *state_of(const char *words, bool has_place)
{
        if (strstr(words, "faulty"))
                return "faulty";
        if (strstr(words, "want_replacement"))
                return "replaced";
        if (strstr(words, "in_sync"))
                return "active";
        return has_place ? "filling" : "spare";
}

static struct place *add(struct places *p)
{
        p->v = xreallocarray(p->v, p->n + 1, sizeof *p->v);
        p->v[p->n] = (struct place){.number = PLACE_NONE, .state = "spare"};
        return &p->v[p->n++];
}

static void add_running(const struct md *md, const char *member, struct places *p)
{
        struct place *v = add(p);
        _cleanup_free_ char *slot = member_attribute(md, member, "slot"), *words = member_attribute(md, member, "state"),
                            *offset = member_attribute(md, member, "offset");

        place_identify(member, v);
        if (parse_uint(slot, 4096, &v->number) < 0)
                v->number = PLACE_NONE;
        v->state = state_of(words, v->number != PLACE_NONE);
        if (streq(v->state, "faulty"))
                v->number = PLACE_NONE;
        if (parse_u64(offset, &v->offset) < 0)
                v->offset = 0;
        v->offset *= 512;
}

/* An array that does not run calls all its members spares. How many places it has. */
static unsigned add_inactive(const struct md *md, struct places *p)
{
        _cleanup_supers_ struct supers s = {0};
        unsigned devices = md->devices;

        supers_read(md->members, &s);
        STRV_FOREACH(m, md->members) {
                struct place *v = add(p);
                place_identify(*m, v);
                for (size_t i = 0; i < s.n; i++) {
                        if (!streq(s.v[i].name, *m))
                                continue;
                        devices = MAX2(devices, s.v[i].devices);
                        v->number = s.v[i].place;
                        v->state = s.v[i].place == PLACE_NONE ? "spare" : s.v[i].is_filling ? "filling" : "active";
                }
        }
        return devices;
}

static bool is_filled(const struct places *p, unsigned number)
{
        for (size_t i = 0; i < p->n; i++)
                if (p->v[i].number == number)
                        return true;
        return false;
}

static int by_place(const void *a, const void *b)
{
        const struct place *x = a, *y = b;

        if (x->number != y->number)
                return x->number < y->number ? -1 : 1;
        return strcmp(x->name ? x->name : "", y->name ? y->name : "");
}

void places_read(const struct md *md, struct places *ret)
{
        bool runs = !streq(md->array_state, "inactive");
        struct places p = {0};
        unsigned devices = runs ? md->devices : add_inactive(md, &p);

        STRV_FOREACH(m, runs ? md->members : NULL)
                add_running(md, *m, &p);
        STRV_FOREACH(m, md->faulty)
                add_running(md, *m, &p);
        for (unsigned i = 0; i < MIN2(devices, 4096U); i++)
                if (!is_filled(&p, i)) {
                        struct place *v = add(&p);
                        v->number = i;
                        v->state = "missing";
                }
        if (p.n > 1)
                qsort(p.v, p.n, sizeof *p.v, by_place);
        *ret = p;
}

void places_free(struct places *p)
{
        for (size_t i = 0; i < p->n; i++) {
                free(p->v[i].name);
                free(p->v[i].disk);
                free(p->v[i].guid);
                free(p->v[i].serial);
                free(p->v[i].model);
        }
        free(p->v);
        *p = (struct places){0};
}

const struct place *place_find(const struct places *p, const char *guid_or_name)
{
        for (size_t i = 0; i < p->n; i++) {
                const struct place *v = &p->v[i];
                if (v->name && (streq(v->name, guid_or_name) || (v->guid && uuid_equal(v->guid, guid_or_name))))
                        return v;
        }
        return NULL;
}

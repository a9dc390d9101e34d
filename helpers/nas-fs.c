/* nas-fs: file systems on arrays. */
#include <dirent.h>
#include <errno.h>
#include <sys/statvfs.h>

#include "helpers/fs_format.h"
#include "helpers/fs_fstab.h"
#include "helpers/fs_grow.h"
#include "helpers/fs_mount.h"
#include "helpers/fs_probe.h"
#include "helpers/lib/helper.h"
#include "helpers/lib/md.h"
#include "helpers/lib/mounts.h"

/* --- list --- */

static void set_space(struct record *r, const char *mount)
{
        struct statvfs v;

        if (helper_has_root() || !mount || statvfs(mount, &v) < 0)
                return;
        record_set_u64(r, "size", (uint64_t)v.f_blocks * v.f_frsize);
        record_set_u64(r, "used", (uint64_t)(v.f_blocks - v.f_bfree) * v.f_frsize);
        record_set_u64(r, "free", (uint64_t)v.f_bavail * v.f_frsize);
}

static const struct fstab_line *fstab_find(const struct fstab *f, const char *uuid)
{
        for (size_t i = 0; uuid && i < f->n; i++)
                if (streq(f->v[i].uuid, uuid))
                        return &f->v[i];
        return NULL;
}

/* udev has read it already; without udev it is read here. */
static void look_at(const struct md *md, struct probe *p)
{
        _cleanup_free_ char *node = xasprintf("/dev/%s", md->kernel);

        p->type = udev_property(md->devno, "ID_FS_TYPE");
        p->uuid = udev_property(md->devno, "ID_FS_UUID");
        p->label = udev_property(md->devno, "ID_FS_LABEL");
        if (!p->type && !helper_has_root() && is_md_usable(md)) {
                probe_free(p);
                if (probe_device(node, p) < 0)
                        *p = (struct probe){0};
        }
}

static void print_on_array(const struct md *md, const struct fstab *f, struct record *r)
{
        _cleanup_probe_ struct probe p = {0};
        _cleanup_free_ char *node = xasprintf("/dev/%s", md->kernel), *mount = mount_of(node, md->devno);

        look_at(md, &p);
        if (!p.type)
                return;
        const struct fstab_line *line = fstab_find(f, p.uuid);
        record_set(r, "uuid", p.uuid);
        record_set(r, "type", p.type);
        record_set(r, "label", p.label);
        record_set(r, "path", md->path);
        record_set(r, "mount", mount ? mount : line ? line->mount : NULL);
        record_set(r, "mounted", mount ? "yes" : "no");
        set_space(r, mount);
        record_set(r, "array", md->uuid);
        record_set(r, "fstab", line ? "yes" : "no");
        record_print(r, stdout);
}

/* A line of fstab below /srv whose file system was not among the arrays'. */
static void print_in_fstab(const struct fstab_line *line, struct record *r)
{
        _cleanup_mounted_ struct mounted m = {0};
        bool mounted = mounted_on(line->mount, &m);

        record_set(r, "uuid", *line->uuid ? line->uuid : NULL);
        record_set(r, "type", line->type);
        record_set(r, "path", *line->uuid ? NULL : line->spec);
        record_set(r, "mount", line->mount);
        record_set(r, "mounted", mounted ? "yes" : "no");
        set_space(r, mounted ? line->mount : NULL);
        record_set(r, "fstab", "yes");
        record_print(r, stdout);
}

/* Folders and other things in /srv that nothing can be mounted on. */
static void print_folders(void)
{
        _cleanup_free_ char *top = helper_path("/srv");
        DIR *d = opendir(top);

        for (struct dirent *e; d && (e = readdir(d));) {
                _cleanup_record_ struct record *r = record_new("folder");
                if (streq(e->d_name, ".") || streq(e->d_name, ".."))
                        continue;
                _cleanup_free_ char *mount = xasprintf("/srv/%s", e->d_name);
                if (is_mount_folder(mount))
                        continue;
                record_set(r, "mount", mount);
                record_print(r, stdout);
        }
        if (d)
                closedir(d);
}

static int list_all(const struct mds *mds, const struct fstab *f)
{
        _cleanup_strv_ char **told = NULL;

        for (size_t i = 0; i < mds->n; i++) {
                _cleanup_record_ struct record *r = record_new("filesystem");
                print_on_array(&mds->v[i], f, r);
                if (record_get(r, "uuid"))
                        strv_add(&told, record_str(r, "uuid"));
        }
        for (size_t i = 0; i < f->n; i++) {
                _cleanup_record_ struct record *r = record_new("filesystem");
                if (has_prefix(f->v[i].mount, "/srv/") && !strv_has(told, f->v[i].uuid))
                        print_in_fstab(&f->v[i], r);
        }
        print_folders();
        return helper_result(NULL);
}

static int verb_list(const struct record *args _unused_)
{
        _cleanup_mds_ struct mds mds = {0};
        _cleanup_fstab_ struct fstab f = {0};
        _cleanup_free_ char *why = NULL;
        int r = md_list(&mds);

        if (r < 0)
                return helper_fail("no-sysfs", "/sys/block", NULL, "/sys/block: %s", strerror(-r));
        r = fstab_read(&f, &why);
        if (r < 0)
                return helper_fail("fstab-syntax", "/etc/fstab", NULL, "/etc/fstab cannot be understood (%s)",
                                   why ? why : strerror(-r));
        return list_all(&mds, &f);
}

/* --- format --- */

static int parse_type(const struct record *args, const struct fs_type **ret)
{
        _cleanup_free_ char *names = fs_type_names();
        const struct fs_type *type = fs_type_find(record_str(args, "type"));

        if (!type)
                return helper_usage("type", "type=%s is none of %s", record_str(args, "type"), names);
        *ret = type;
        return 0;
}

static int parse_uuid(const struct record *args, const char *key, char **ret)
{
        char *uuid = uuid_plain(record_str(args, key));

        if (!uuid)
                return helper_usage(key, "%s=%s is not a UUID", key, record_str(args, key));
        *ret = uuid;
        return 0;
}

static int check_label(const char *label, const struct fs_type *type)
{
        if (strlen(label) > type->label_max || streq(label, LABEL_UNFINISHED) || *label == '-' ||
            strspn(label, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") != strlen(label))
                return helper_usage("label", "label=%s is not 1 to %zu of a-z, A-Z, 0-9, '.', '_' and '-'", label,
                                    type->label_max);
        return 0;
}

static int find_array(const char *uuid, struct mds *mds, const struct md **ret)
{
        if (helper_has_root())
                return helper_refuse("no-devices", uuid, "under --root nothing is formatted");
        int r = md_list(mds);
        if (r < 0)
                return helper_fail("no-sysfs", "/sys/block", NULL, "/sys/block: %s", strerror(-r));
        const struct md *md = md_find(mds, uuid);
        if (!md)
                return helper_refuse("no-array", uuid, "the array %s does not run: are all its disks connected?", uuid);
        if (!is_md_usable(md))
                return helper_refuse("no-array", md->path, "the array %s cannot be written to (%s)", md->path,
                                     md->array_state);
        *ret = md;
        return 0;
}

static int check_programs(const struct fs_type *type)
{
        STRV_FOREACH(p, type->programs)
        if (!has_program(*p))
                return helper_refuse("no-program", *p, "the program %s is not installed", *p);
        return 0;
}

static int verb_format(const struct record *args)
{
        _cleanup_record_ struct record *more = record_new("result");
        _cleanup_mds_ struct mds mds = {0};
        _cleanup_free_ char *array = NULL, *uuid = NULL;
        const struct fs_type *type = NULL;
        const struct md *md = NULL;
        int r = parse_uuid(args, "array", &array);

        if (r == 0)
                r = parse_uuid(args, "uuid", &uuid);
        if (r == 0)
                r = parse_type(args, &type);
        if (r == 0)
                r = check_label(record_str(args, "label"), type);
        if (r == 0)
                r = check_programs(type);
        if (r == 0)
                r = find_array(array, &mds, &md);
        if (r == 0)
                r = fs_format(md, type, uuid, record_str(args, "label"));
        if (r)
                return r;
        record_set(more, "path", md->path);
        return helper_result(more);
}

/* --- mount --- */

static int verb_mount(const struct record *args)
{
        _cleanup_record_ struct record *more = record_new("result");
        _cleanup_free_ char *array = NULL, *uuid = NULL;
        const char *mount = record_str(args, "mount"), *files = record_str(args, "files");
        struct fs_wanted wanted = {.mount = mount, .is_kept = streq(files, "kept")};
        int r = parse_uuid(args, "array", &array);

        if (r == 0)
                r = parse_uuid(args, "uuid", &uuid);
        if (r == 0)
                r = parse_type(args, &wanted.type);
        if (r == 0 && !is_mount_point(mount))
                r = helper_usage("mount", "mount=%s is not a folder in /srv, such as /srv/public", mount);
        if (r == 0 && *files && !wanted.is_kept)
                r = helper_usage("files", "files= can only be kept");
        if (r == 0) {
                wanted.array = array;
                wanted.uuid = uuid;
                r = fs_mount(&wanted);
        }
        if (r)
                return r;
        if (!helper_is_dry_run())
                set_space(more, mount);
        return helper_result(more);
}

/* --- check, grow --- */

static int find_running(const struct record *args, struct mds *mds, const struct md **ret, char **ret_uuid)
{
        _cleanup_free_ char *array = NULL;
        int r = parse_uuid(args, "array", &array);

        if (r == 0 && record_get(args, "uuid"))
                r = parse_uuid(args, "uuid", ret_uuid);
        return r ? r : find_array(array, mds, ret);
}

static int verb_check(const struct record *args)
{
        _cleanup_free_ char *uuid = NULL;
        _cleanup_mds_ struct mds mds = {0};
        const struct md *md = NULL;
        int r = find_running(args, &mds, &md, &uuid);

        if (r == 0)
                r = fs_check(md, uuid);
        return r ? r : helper_result(NULL);
}

static int verb_grow(const struct record *args)
{
        _cleanup_record_ struct record *more = record_new("result");
        _cleanup_free_ char *mount = NULL, *uuid = NULL;
        _cleanup_mds_ struct mds mds = {0};
        const struct md *md = NULL;
        int r = find_running(args, &mds, &md, &uuid);

        if (r == 0)
                r = fs_grow(md, uuid, &mount);
        if (r)
                return r;
        set_space(more, mount);
        return helper_result(more);
}

static const struct verb verbs[] = {
        {.name = "list", .help = "file systems on arrays, and in fstab below /srv", .run = verb_list},
        {.name = "format",
         .help = "that file system is on that array",
         .params = (const struct param[]){{"array", true, "UUID of the array"},
                                          {"uuid", true, "of the file system, new"},
                                          {"label", true, "of the file system"},
                                          {"type", true, "ext4, xfs or btrfs"},
                                          {0}},
         .writes = true,
         .run = verb_format},
        {.name = "mount",
         .help = "in fstab, mounted, written to and read back",
         .params = (const struct param[]){{"array", true, "UUID of the array that it is on"},
                                          {"uuid", true, "of the file system"},
                                          {"type", true, "ext4, xfs or btrfs"},
                                          {"mount", true, "a folder in /srv"},
                                          {"files", false, "kept: somebody else made it, any label will do"},
                                          {0}},
         .writes = true,
         .run = verb_mount},
        {.name = "check",
         .help = "it is sound, looked through before it is mounted",
         .params = (const struct param[]){{"array", true, "UUID of the array that it is on"},
                                          {"uuid", false, "of the file system; left out: whichever is there"},
                                          {0}},
         .writes = true,
         .run = verb_check},
        {.name = "grow",
         .help = "it fills its array",
         .params = (const struct param[]){{"array", true, "UUID of the array that it is on"},
                                          {"uuid", false, "of the file system; left out: whichever is there"},
                                          {0}},
         .writes = true,
         .run = verb_grow},
        {0},
};

int main(int argc, char **argv)
{
        static const struct helper helper = {.name = "nas-fs", .help = "file systems on arrays", .verbs = verbs};

        return helper_main(&helper, argc, argv);
}

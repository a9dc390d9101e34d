#include "helpers/fs_fstab.h"

#include <ctype.h>
#include <errno.h>

#include "helpers/lib/edit.h"
#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"

#define FSTAB "/etc/fstab"
#define ENTRIES EDIT_ROOT "/*[label() != '#comment']"

/* nofail and the timeout: a disk that is gone must not keep the computer from starting; md itself waits 30 s before it
 * starts an array with a disk missing. */
static const struct {
        const char *name, *value;
} options[] = {{"defaults", NULL}, {"noatime", NULL}, {"nofail", NULL}, {"x-systemd.device-timeout", "90s"}};

static const char *get(struct edit *e, const char *entry, const char *key)
{
        _cleanup_free_ char *path = xasprintf("%s/%s", entry, key);
        const char *value = NULL;

        return aug_get(e->aug, path, &value) == 1 && value ? value : "";
}

/* \040 is a blank, and so on; slashes at the end do not count. */
static char *decoded(const char *s)
{
        char *out = xmalloc(strlen(s) + 1);
        size_t n = 0;

        for (; *s; s++)
                if (s[0] == '\\' && strspn(s + 1, "01234567") >= 3) {
                        out[n++] = (char)((s[1] - '0') * 64 + (s[2] - '0') * 8 + (s[3] - '0'));
                        s += 3;
                } else
                        out[n++] = *s;
        while (n > 1 && out[n - 1] == '/')
                n--;
        out[n] = '\0';
        return out;
}

static char *uuid_of(const char *spec)
{
        const char *value = skip_prefix(spec, "UUID=");
        _cleanup_free_ char *copy = NULL;

        if (!value)
                value = skip_prefix(spec, "/dev/disk/by-uuid/");
        if (!value)
                return xstrdup("");
        copy = xstrdup(value + (*value == '"'));
        copy[strcspn(copy, "\"")] = '\0';
        for (char *p = copy; *p; p++)
                *p = (char)tolower((unsigned char)*p);
        return TAKE_PTR(copy);
}

/* One that makes it no file system to share: mounted by hand only, or not to be written to. */
static char *unfit_option(struct edit *e, const char *entry)
{
        for (unsigned i = 1;; i++) {
                _cleanup_free_ char *key = xasprintf("opt[%u]", i);
                const char *name = get(e, entry, key);
                if (!*name)
                        return NULL;
                if (strv_has(STRV("noauto", "ro"), name))
                        return xstrdup(name);
        }
}

static int parse(struct edit *e, struct fstab *f, char **ret_why)
{
        char **entries = NULL;
        int r = edit_open(e, "Fstab.lns", f->text, ret_why), n;

        if (r < 0)
                return r;
        n = aug_match(e->aug, ENTRIES, &entries);
        f->v = xmalloc(((size_t)MAX2(n, 0) + 1) * sizeof *f->v);
        for (int i = 0; i < n; i++)
                f->v[f->n++] = (struct fstab_line){.spec = xstrdup(get(e, entries[i], "spec")),
                                                   .uuid = uuid_of(get(e, entries[i], "spec")),
                                                   .mount = decoded(get(e, entries[i], "file")),
                                                   .type = xstrdup(get(e, entries[i], "vfstype")),
                                                   .unfit = unfit_option(e, entries[i]),
                                                   .path = entries[i]};
        free(entries);
        return 0;
}

static int read_file(struct fstab *f)
{
        _cleanup_free_ char *full = helper_path(FSTAB);

        return file_text(full, &f->text);
}

int fstab_read(struct fstab *ret, char **ret_why)
{
        _cleanup_(edit_close) struct edit e = {0};
        _cleanup_fstab_ struct fstab f = {0};
        int r = read_file(&f);

        if (r == 0)
                r = parse(&e, &f, ret_why);
        if (r < 0)
                return r;
        *ret = f;
        f = (struct fstab){0};
        return 0;
}

void fstab_free(struct fstab *f)
{
        for (size_t i = 0; i < f->n; i++) {
                free(f->v[i].uuid);
                free(f->v[i].spec);
                free(f->v[i].mount);
                free(f->v[i].type);
                free(f->v[i].unfit);
                free(f->v[i].path);
        }
        free(f->v);
        free(f->text);
        *f = (struct fstab){0};
}

/* --- one line more --- */

static int check_line(const struct fstab_line *l, const char *uuid, const char *mount)
{
        bool same_uuid = streq(l->uuid, uuid), same_mount = streq(l->mount, mount);

        if (same_uuid && !same_mount)
                return helper_refuse("fstab-other", FSTAB,
                                     "%s mounts this file system on %s already, not on %s; nothing was changed", FSTAB,
                                     l->mount, mount);
        if (same_uuid && l->unfit)
                return helper_refuse("fstab-option", l->unfit,
                                     "%s mounts this file system on %s with the option %s; take that out and try again",
                                     FSTAB, mount, l->unfit);
        if (same_mount && !same_uuid)
                return helper_refuse("mount-taken", mount,
                                     "%s mounts something else on %s (%s); choose another name, or take that line out "
                                     "if it is not needed any more",
                                     FSTAB, mount, l->spec);
        return 0;
}

static int check(struct edit *e, struct fstab *f, const char *uuid, const char *mount)
{
        _cleanup_free_ char *why = NULL;
        int r = read_file(f);

        if (r == 0)
                r = parse(e, f, &why);
        if (r < 0)
                return helper_refuse("fstab-syntax", FSTAB, "%s cannot be understood (%s); repair it and try again", FSTAB,
                                     why ? why : strerror(-r));
        for (size_t i = 0; i < f->n; i++) {
                r = check_line(&f->v[i], uuid, mount);
                if (r)
                        return r;
        }
        return 0;
}

int fstab_check(const char *uuid, const char *mount)
{
        _cleanup_(edit_close) struct edit e = {0};
        _cleanup_fstab_ struct fstab f = {0};

        return check(&e, &f, uuid, mount);
}

static void set(struct edit *e, const char *at, const char *key, const char *value)
{
        _cleanup_free_ char *path = xasprintf("%s/%s", at, key);

        aug_set(e->aug, path, value);
}

static void add_line(struct edit *e, const char *uuid, const char *type, const char *mount, unsigned passno)
{
        static const char at[] = EDIT_ROOT "/01000"; /* the lens wants a number that no line has yet */
        _cleanup_free_ char *spec = xasprintf("UUID=%s", uuid), *pass = xasprintf("%u", passno);

        set(e, at, "spec", spec);
        set(e, at, "file", mount);
        set(e, at, "vfstype", type);
        for (size_t i = 0; i < ELEMENTSOF(options); i++) {
                set(e, at, "opt[last()+1]", options[i].name);
                if (options[i].value)
                        set(e, at, "opt[last()]/value", options[i].value);
        }
        set(e, at, "dump", "0");
        set(e, at, "passno", pass);
}

int fstab_ensure(const char *uuid, const char *type, const char *mount, unsigned passno)
{
        _cleanup_(edit_close) struct edit e = {0};
        _cleanup_fstab_ struct fstab f = {0};
        _cleanup_free_ char *text = NULL, *why = NULL;
        int r = check(&e, &f, uuid, mount);

        if (r)
                return r;
        for (size_t i = 0; i < f.n; i++)
                if (streq(f.v[i].uuid, uuid))
                        return 0;
        add_line(&e, uuid, type, mount, passno);
        if (edit_text(&e, &text, &why) < 0)
                return helper_fail("fstab-syntax", FSTAB, why, "%s could not be changed", FSTAB);
        r = helper_write(FSTAB, text, 0644);
        if (r < 0)
                return helper_fail("write-failed", FSTAB, NULL, "%s: %s", FSTAB, strerror(-r));
        return 0;
}

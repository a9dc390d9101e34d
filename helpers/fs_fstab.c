#include "helpers/fs_fstab.h"

#include <ctype.h>
#include <errno.h>

#include "helpers/lib/edit.h"
#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"
#include "helpers/lib/mounts.h"

#define FSTAB "/etc/fstab"
#define ENTRIES EDIT_ROOT "/*[label() != '#comment']"

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

/* By whatever name the line calls its device: /dev/md0, /dev/disk/by-label/photos, LABEL=photos. */
static bool is_same_device(const struct fstab_line *l, const char *node)
{
        _cleanup_free_ char *link = has_prefix(l->spec, "LABEL=") ? path_join("/dev/disk/by-label", l->spec + 6) : NULL;
        _cleanup_free_ char *devno = node ? devno_of(node) : NULL, *is = devno ? devno_of(link ? link : l->spec) : NULL;

        return is && streq(is, devno);
}

static int check_line(const struct fstab_line *l, bool is_same, const char *mount)
{
        bool same_mount = streq(l->mount, mount);

        if (is_same && !same_mount)
                return helper_refuse("fstab-other", FSTAB,
                                     "%s mounts this file system on %s already, not on %s; nothing was changed", FSTAB,
                                     l->mount, mount);
        if (is_same && l->unfit)
                return helper_refuse("fstab-option", l->unfit,
                                     "%s mounts this file system on %s with the option %s; take that out and try again",
                                     FSTAB, mount, l->unfit);
        if (same_mount && !is_same)
                return helper_refuse("mount-taken", mount,
                                     "%s mounts something else on %s (%s); choose another name, or take that line out "
                                     "if it is not needed any more",
                                     FSTAB, mount, l->spec);
        return 0;
}

static int check(struct edit *e, struct fstab *f, const char *uuid, const char *node, const char *mount, bool *ret_has_line)
{
        _cleanup_free_ char *why = NULL;
        bool has_line = false;
        int r = read_file(f);

        if (r == 0)
                r = parse(e, f, &why);
        if (r < 0)
                return helper_refuse("fstab-syntax", FSTAB, "%s cannot be understood (%s); repair it and try again", FSTAB,
                                     why ? why : strerror(-r));
        for (size_t i = 0; i < f->n; i++) {
                bool is_same = streq(f->v[i].uuid, uuid) || is_same_device(&f->v[i], node);
                r = check_line(&f->v[i], is_same, mount);
                if (r)
                        return r;
                has_line |= is_same;
        }
        *ret_has_line = has_line;
        return 0;
}

int fstab_check(const char *uuid, const char *node, const char *mount, bool *ret_has_line)
{
        _cleanup_(edit_close) struct edit e = {0};
        _cleanup_fstab_ struct fstab f = {0};

        return check(&e, &f, uuid, node, mount, ret_has_line);
}

static void set(struct edit *e, const char *at, const char *key, const char *value)
{
        _cleanup_free_ char *path = xasprintf("%s/%s", at, key);

        aug_set(e->aug, path, value);
}

static void set_options(struct edit *e, const char *at, const char *options)
{
        _cleanup_free_ char *copy = xstrdup(options);

        for (char *rest = copy, *name; (name = strsep(&rest, ","));) {
                char *value = strchr(name, '=');
                if (value)
                        *value++ = '\0';
                set(e, at, "opt[last()+1]", name);
                if (value)
                        set(e, at, "opt[last()]/value", value);
        }
}

static void add_line(struct edit *e, const struct fstab_new *l)
{
        static const char at[] = EDIT_ROOT "/01000"; /* the lens wants a number that no line has yet */
        _cleanup_free_ char *spec = xasprintf("UUID=%s", l->uuid), *pass = xasprintf("%u", l->passno);

        set(e, at, "spec", spec);
        set(e, at, "file", l->mount);
        set(e, at, "vfstype", l->type);
        set_options(e, at, l->options);
        set(e, at, "dump", "0");
        set(e, at, "passno", pass);
}

int fstab_add(const struct fstab_new *l)
{
        _cleanup_(edit_close) struct edit e = {0};
        _cleanup_fstab_ struct fstab f = {0};
        _cleanup_free_ char *text = NULL, *why = NULL;
        bool has_line = false;
        int r = check(&e, &f, l->uuid, NULL, l->mount, &has_line);

        if (r || has_line)
                return r;
        add_line(&e, l);
        if (edit_text(&e, &text, &why) < 0)
                return helper_fail("fstab-syntax", FSTAB, why, "%s could not be changed", FSTAB);
        r = helper_write(FSTAB, text, 0644);
        if (r == 0 && !helper_is_dry_run()) { /* read back */
                _cleanup_(edit_close) struct edit again = {0};
                _cleanup_fstab_ struct fstab now = {0};
                int told = check(&again, &now, l->uuid, NULL, l->mount, &has_line);
                if (told)
                        return told;
                r = has_line ? 0 : -EIO;
        }
        if (r < 0)
                return helper_fail("write-failed", FSTAB, NULL, "%s: %s", FSTAB, strerror(-r));
        return 0;
}

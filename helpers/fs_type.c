#include "helpers/fs_type.h"

#include "helpers/lib/helper.h"
#include "helpers/lib/log.h"

static const struct fs_type *const types[] = {&fs_ext4, &fs_xfs, &fs_btrfs};

const struct fs_type *fs_type_find(const char *name)
{
        for (size_t i = 0; i < ELEMENTSOF(types); i++)
                if (streq(types[i]->name, name))
                        return types[i];
        return NULL;
}

char *fs_type_names(void)
{
        _cleanup_strv_ char **names = NULL;

        for (size_t i = 0; i < ELEMENTSOF(types); i++)
                strv_add(&names, types[i]->name);
        return strv_join(names, ", ");
}

char *fs_type_options(const struct fs_type *type)
{
        return xasprintf("defaults,noatime,nosuid,nodev,nofail,x-systemd.device-timeout=90s%s%s", type->option ? "," : "",
                         type->option ? type->option : "");
}

int fs_look(char *const *argv, int *ret_status, char **ret_raw)
{
        _cleanup_(run_free) struct run run = {.argv = argv};
        _cleanup_free_ char *text = run_text(argv);

        if (helper_is_dry_run()) {
                *ret_status = 0;
                *ret_raw = xstrdup("");
                return helper_run(&run);
        }
        int r = run_one(&run);
        if (r < 0 || run.status < 0)
                return r < 0 ? r : run.status;
        *ret_status = run.status;
        *ret_raw = xasprintf("%s%s", run.out.buf ? run.out.buf : "", run.err.buf ? run.err.buf : "");
        log_line("%s → %d %.2000s", text, run.status, *ret_raw);
        return 0;
}

int fs_refuse_damaged(const struct array *a, const char *command)
{
        return helper_refuse("needs-repair", a->md->path,
                             "the file system on %s is damaged and was not mounted: copy the disks first if the files matter, then "
                             "repair it with: %s %s",
                             a->md->path, command, a->node);
}

char *line_value(const char *text, const char *key)
{
        for (const char *line = text; line; line = strchr(line, '\n')) {
                line += *line == '\n';
                const char *rest = skip_prefix(line, key);
                if (!rest)
                        continue;
                _cleanup_free_ char *copy = xstrndup(rest, strcspn(rest, "\n"));
                return xstrdup(strip(copy));
        }
        return xstrdup("");
}

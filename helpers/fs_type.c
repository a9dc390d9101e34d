#include "helpers/fs_type.h"

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

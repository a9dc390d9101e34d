#include "helpers/disk_smart.h"

void smart_look(const struct disks *ds, const char **ret)
{
        for (size_t i = 0; i < ds->n; i++)
                ret[i] = "unknown";
}

/* What lies on a device, by libblkid's own reading of it. */
#pragma once

#include "helpers/lib/util.h"

struct probe {
        char *type, *uuid, *label; /* of the one file system found; NULL where there is none or no such value */
        char **found;              /* every kind of signature, "gpt" and such too; empty: blank */
};

/* Reads the device. -errno where it cannot be read: then nothing is known, and it is not blank. */
int probe_device(const char *node, struct probe *ret);
void probe_free(struct probe *p);
#define _cleanup_probe_ _cleanup_(probe_free)

/* Every device that carries a file system of that UUID, by reading them all. */
char **devices_of_uuid(const char *uuid) _must_check_;

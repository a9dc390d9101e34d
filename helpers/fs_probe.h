/* What lies on a device, by libblkid's own reading of it, and where it is mounted. */
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
/* "9:127" of a block device; NULL where it is none. */
char *devno_of(const char *node) _must_check_;

struct mounted {
        char *devno; /* "9:127", also where a folder of it is mounted only */
        char *target, *type;
        bool is_readonly;
};

/* What is mounted on that folder, the topmost; false where nothing is. Free with mounted_free. */
bool mounted_on(const char *target, struct mounted *ret);
/* Where that device is mounted, for the first time; NULL where it is not. */
char *mount_of(const char *devno) _must_check_;
void mounted_free(struct mounted *m);
#define _cleanup_mounted_ _cleanup_(mounted_free)

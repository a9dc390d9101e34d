/* The array that a file system is on, held open, and which of its disks failed while something was done with it. */
#pragma once

#include "helpers/lib/md.h"

struct member {
        char *name;  /* "sda1" */
        char *disk;  /* "sda" */
        char *words; /* "sda (WDC_WD40EFRX, WD-BOX00001)", while it could still be asked */
        uint64_t errors; /* that the SCSI layer had counted when it was held (ioerr_cnt of the device) */
};

struct array {
        const struct md *md;
        char *node;  /* "/dev/md127" */
        char *devno; /* "9:127" */
        int fd;      /* keeps the array from being stopped, so that its node goes on meaning it */
        struct member *members;
        size_t n;
};

/* md must outlive it. An enum helper_status, told: refused where the array does not run any more. */
int array_hold(const struct md *md, struct array *ret);
void array_drop(struct array *a);
#define _cleanup_array_ _cleanup_(array_drop)

/* What was written is on the disks: reports every write error since array_hold, whoever wrote. -errno. */
int array_sync(const struct array *a);
/* helper_fail, but with code=disk-failed and the disks in what= where some of them were lost, thrown out of the array or
 * reported errors since array_hold: then that is why. */
int array_fail(const struct array *a, const char *code, const char *raw, const char *fmt, ...) _printf_(4, 5);

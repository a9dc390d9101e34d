/* The partition table of a member disk: a GPT with one partition, byte for byte.
 *
 * libparted 3.5 (and 3.6) makes up the GUIDs of disk and partition itself, but ours are chosen with the plan, so that a
 * disk that was half done when the power went is known again. So the table is laid out here, the same bytes each
 * time for the same wish; libparted is the independent reader that has to find it sound afterwards (disk_kernel.h).
 * Format: UEFI 2.10, chapter 5 (5.2.3 protective MBR, 5.3.2 header, 5.3.3 entries). */
#pragma once

#include "helpers/lib/util.h"

struct gpt_want {
        const char *disk_guid, *part_guid; /* 8-4-4-4-12 */
        const char *name;                  /* printable ASCII, at most GPT_NAME_MAX characters */
        uint64_t start, end;               /* bytes from the disk's beginning; end is not included; whole sectors */
        uint64_t size;                     /* bytes of the disk */
        unsigned sector;                   /* bytes of a logical sector, 512 … 4096 */
};
#define GPT_NAME_MAX 36
#define GPT_TYPE_RAID "a19d880f-05fc-4d3b-a006-743f0f84911e" /* Linux RAID */

enum gpt_state {
        GPT_OTHER,  /* something else is there, or nothing */
        GPT_TORN,   /* each sector of both copies is zero or as gpt_write writes it, and not all are zero: ours, cut off */
        GPT_WANTED, /* protective MBR and both copies are sound and hold this one partition (its name may differ) */
};

/* Bytes that the table takes up at the disk's beginning and end. */
uint64_t gpt_head_size(unsigned sector);
uint64_t gpt_tail_size(unsigned sector);

int gpt_look(int fd, const struct gpt_want *w, enum gpt_state *ret);
/* Writes the copy at the end, then the one at the beginning, each durably before the next. The two places must hold
 * zeros before, or GPT_TORN cannot tell. */
int gpt_write(int fd, const struct gpt_want *w);

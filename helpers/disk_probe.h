/* What is on a disk: every signature that libblkid knows, on the whole disk and inside each partition, and whether the
 * rest is zeros. Only reads; partition nodes are not needed and not opened, and neither udev's nor blkid's cache is
 * believed.
 *
 * A token tells one signature: TYPE@OFFSET or TYPE@OFFSET:UUID, with libblkid's names (blkid -k), the magic's offset in
 * bytes from the disk's beginning, and the UUID as libblkid prints it. Both copies of a GPT and its protective MBR are
 * a token each. "unknown@OFFSET": bytes other than zero that no signature explains, or (offset 0) a stretch that cannot
 * be read. */
#pragma once

#include "helpers/disk_member.h"

struct finding {
        char *type;
        uint64_t offset;      /* of its magic on the disk, bytes */
        char *uuid, *label;   /* NULL where it has none */
        bool is_table;        /* a partition table, not a content */
        bool is_member;       /* of an array, volume group or pool */
        unsigned part;        /* number of the partition that it is in; 0: the disk itself */
        uint64_t size;        /* bytes of a file system; 0 where unknown */
        uint64_t used;        /* bytes of its files; UINT64_MAX where unknown */
        struct member *member; /* what it tells of its set; NULL where it is in none */
};

struct part {
        unsigned number;      /* from 1 */
        uint64_t start, size; /* bytes */
        char *type;           /* GPT: GUID in lower case; MBR: 0x07 */
        bool is_active;       /* MBR: the one to start from */
};

struct contents {
        struct finding *v;
        size_t n;
        struct part *parts;
        size_t n_parts;
        bool has_unknown;
        uint64_t unknown; /* where */
        int error;        /* -errno of what could not be read (a partition table, say): nothing is known then */
};
void contents_free(struct contents *c);
#define _cleanup_contents_ _cleanup_(contents_free)

/* Looks at size bytes of fd. The first skip_head and last skip_tail bytes count as zeros: pieces of a table that are
 * known to be ours. Errors are in ret->error. May be called by several threads.
 *
 * A disk is blank only when 21 stretches are zeros: a good MiB at each end, which is where signatures and Windows's second
 * boot sector are; eight places where file systems, their second superblocks and the data of old arrays begin; eleven
 * samples in between, 2 MiB at the quarters and 64 KiB elsewhere, for a disk whose ends alone were erased. They are asked
 * for at once, so that a disk sorts them into one sweep, and libblkid, which would read some forty times, finds what it
 * wants in memory. Where the ends hold something, the others are not read. */
void contents_look(int fd, uint64_t size, uint64_t skip_head, uint64_t skip_tail, struct contents *ret);

bool is_blank(const struct contents *c);
char **contents_tokens(const struct contents *c) _must_check_;
/* blank data member unknown, as holds= says it. */
const char *contents_holds(const struct contents *c);
bool has_content(const struct contents *c, const char *type);
/* A Windows installation made this table (reserved partition, or an active NTFS one). */
bool has_windows(const struct contents *c);

/* Those of now that are not among known (a list of tokens). One that has lost its UUID since is the same one. "unknown"
 * is new only where known is empty: who agreed to lose what is there agreed to its remains. Whether it is remains, only
 * signatures_are_zero (disk_wipe.h) tells. */
char **tokens_new(char *const *now, char *const *known) _must_check_;

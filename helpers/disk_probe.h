/* What is on a disk: every signature that libblkid knows, on the whole disk and inside each partition, and whether the
 * rest is zeros. Only reads; partition nodes are not needed and not opened, and neither udev's nor blkid's cache is
 * believed.
 *
 * Tokens tell what is there, so that what a person agreed to lose can be compared with what is there later:
 *   TYPE@OFFSET[:UUID]    one signature, with libblkid's names (blkid -k), the magic's offset in bytes from the disk's
 *                         beginning, and the UUID as libblkid prints it (uuid_word, disk_region.h). Both copies of a GPT and its
 *                         protective MBR are a token each
 *   used@OFFSET:BYTES     beside a file system whose files are counted (disk_fill.h): how much they are. So files that
 *                         were put there since are noticed, and being mounted and unmounted alone is not. Not noticed are
 *                         files exchanged for others of the same size in all, files of a few hundred bytes that btrfs and
 *                         NTFS keep in their indexes, what files that were there grew by in an NTFS above 550 GB, what was
 *                         stored into a file system that nobody can count (unclean, ReiserFS …), and what lies inside
 *                         arrays, volumes and containers, whose superblocks change by being started alone
 *   unknown@OFFSET:DIGEST bytes other than zero that no signature explains, the first in a stretch that was looked at;
 *                         and of their sector of 512 bytes the FNV-1a of 64 bits, against mistakes, not against an enemy
 *   unknown@0             something that cannot be read */
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

/* Bytes other than zero in a stretch that was looked at. */
struct nameless {
        uint64_t from;   /* where the stretch begins */
        uint64_t at;     /* the first of them */
        uint64_t digest; /* of its sector */
};

struct contents {
        struct finding *v;
        size_t n;
        struct part *parts;
        size_t n_parts;
        struct nameless *nameless; /* only where nothing was found that has a name */
        size_t n_nameless;
        int error;        /* -errno of what could not be read (a partition table, say): nothing is known then */
};
void contents_free(struct contents *c);
#define _cleanup_contents_ _cleanup_(contents_free)

typedef void contents_looker(int fd, uint64_t size, uint64_t skip_head, uint64_t skip_tail, struct contents *ret);

/* Looks at size bytes of fd. The first skip_head and last skip_tail bytes count as zeros: pieces of a table that are
 * known to be ours. Errors are in ret->error. May be called by several threads.
 *
 * A disk is blank only when all the stretches are zeros that are looked at: a good MiB at each end, which is where signatures
 * and Windows's second boot sector are; some twenty places where partitions, file systems, their second superblocks and the
 * data of old arrays begin; eleven samples in between, 2 MiB at the quarters and 64 KiB elsewhere, for a disk whose ends
 * alone were erased. What lies only between them is not seen: a single stretch of one twelfth of the disk always is, one
 * of a hundredth in one case of eight; of files that are strewn all over, one per cent of the disk in one case of ten, ten
 * per cent in two of three. So "blank" means that no sample holds anything, and is never said to be more. The stretches
 * are asked for at once, so that a disk sorts them into one sweep, and libblkid, which would read some forty times, finds
 * what it wants in memory. Where a signature is found, those between the ends are not read. */
contents_looker contents_look;
/* The same without the stretches in between: whether a signature is there, such as after a wipe. */
contents_looker contents_look_signatures;

bool is_blank(const struct contents *c);
/* with_used: those of how much is used, too; not of what is mounted or runs, where it may change any moment. */
char **contents_tokens(const struct contents *c, bool with_used) _must_check_;
/* blank data member unknown, as holds= says it. */
const char *contents_holds(const struct contents *c);
bool has_content(const struct contents *c, const char *type);
/* A Windows installation made this table (reserved partition, or an active NTFS one). */
bool has_windows(const struct contents *c);

char *nameless_token(const struct nameless *b) _must_check_;

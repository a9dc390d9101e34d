/* The partitions that are to carry an array: which they are, what is on them, making them blank at the ends. */
#pragma once

#include "helpers/lib/util.h"

struct member {
        char *guid;      /* of the partition, as the plan names it */
        char *node;      /* "/dev/sda1" */
        char *uuid;      /* of the array whose superblock it carries, lower case with dashes; NULL where there is none */
        uint64_t events; /* how often that superblock was written; see EVENTS_FRESH */
        char *found;     /* other signatures on it, for a message, a superblock too that mdadm cannot read; NULL: none */
        char *ends;      /* its first and its last MiB as they were read */
        bool is_blank;   /* no signature, and nothing but zeros there: as nas-disk leaves it */
        int fd;          /* holds it, see raid_partition.h */
};

struct members {
        struct member *v;
        size_t n;
};

/* A superblock that mdadm wrote and no kernel has written since: mdadm was killed at each of its writes and ioctls
 * (mdadm 4.2, kernel 6.1). Nothing was ever stored in such an array, except in a RAID 0, whose superblocks the kernel
 * never writes: there members_unused tells. */
#define EVENTS_FRESH 0
#define EVENTS_UNKNOWN UINT64_MAX /* mdadm did not say, or the superblock is damaged */

/* Finds the partitions with these GUIDs and holds them. -ENOENT or -ENOTUNIQ with *ret_guid (not owned) the one that is
 * missing, or there more than once. */
int members_find(char *const *guids, struct members *ret, const char **ret_guid);
/* Reads what is on each, all at the same time. -EIO where one could not be read: *ret_node (not owned) names it, *ret_raw is
 * what was said. */
int members_examine(struct members *m, const char **ret_node, char **ret_raw);
/* 1 where the first bytes of each one's data are as members_clear leaves them, so that no file system was ever made in
 * the array; 0 where not, -errno where that cannot be read. */
int members_unused(const struct members *m, uint64_t offset);
/* Zeros over the first bytes of each one's data and its last ones, so that nothing that lay there before shines
 * through inside the array; only what is not zero is written, and it is durable on return. offset is where the data
 * begin. -EBUSY where one is in use, -ESTALE where it is not what members_examine saw: then none was written to.
 * *ret_node (not owned) names it. */
int members_clear(const struct members *m, uint64_t offset, const char **ret_node);
char **members_nodes(const struct members *m) _must_check_;
void members_free(struct members *m);
#define _cleanup_members_ _cleanup_(members_free)

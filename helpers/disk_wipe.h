/* Erasing what makes a disk's contents known, and reading and writing of whole stretches. */
#pragma once

#include "helpers/disk_probe.h"

/* All of n bytes at offset at; -EIO where the device ends before. */
int read_fully(int fd, void *p, size_t n, uint64_t at);
int write_fully(int fd, const void *p, size_t n, uint64_t at);

/* Zeros in: superblocks of arrays and volume groups, first and last MiB of every partition found and of the stretch start … end (the coming partition; 0, 0 for
 * none), 4 KiB around every signature, then last and first MiB of the disk. Contents before tables, so that after
 * a power cut the tables still tell where the rest is; everything durable in that order. */
int wipe(int fd, uint64_t size, const struct contents *c, uint64_t start, uint64_t end);

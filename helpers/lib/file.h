/* Files that are the old or the new one at every moment, reading and writing of whole stretches, and locks. */
#pragma once

#include <sys/types.h>

#include "helpers/lib/util.h"

/* Puts text in the place of path: a hidden temporary file beside it (what a killed run left is removed), fsync, rename,
 * fsync of the folder. An existing file keeps its mode and owner, and a symbolic link keeps pointing to its target, which
 * is what gets replaced; but in a folder that others may write to, the link itself is. A new file gets mode and the
 * folders above it are made (0755). */
int file_replace(const char *path, const char *text, mode_t mode);
/* The same for a file that a person asked for: never through a link, -ELOOP. */
int file_save(const char *path, const char *text, mode_t mode);
/* Only removes what a killed run left beside it. */
void file_sweep(const char *path);
/* Puts a symbolic link to target in the place of path, also of a file; old or new at every moment. */
int file_symlink(const char *path, const char *target);
/* Removes it and makes that durable; a file that is not there is success. */
int file_remove(const char *path);
/* Every folder of path with mode 0755, durably. */
int make_folders(const char *path);
/* Reads a text file of ours or of others, at most 1 MiB; a file that is not there is success with "". */
int file_text(const char *path, char **ret);
/* A unified difference between two texts, by diff(1), with path in its head; "" where they are the same. */
int text_diff(const char *path, const char *before, const char *after, char **ret);

/* All of n bytes at byte at, however the kernel cuts them up; -EIO where the file or device ends before. */
int read_fully(int fd, void *p, size_t n, uint64_t at);
int write_fully(int fd, const void *p, size_t n, uint64_t at);

/* Takes the lock file (made 0600 if need be) exclusively, without waiting: -EWOULDBLOCK where another holds it. The
 * lock lasts until every copy of the descriptor is closed. */
int lock_take(const char *path, int *ret_fd);
/* Whether fd is an open description of that very lock file. */
bool is_lock_of(int fd, const char *path);

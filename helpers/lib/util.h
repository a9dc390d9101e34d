/* Small things that every part uses: cleanup attributes, strings, lists of strings, numbers with bounds.
 *
 * Conventions of the whole project: an int result is 0 or -errno; outputs come last, are named ret_… and stay
 * untouched on failure; predicates are is_/has_/can_. Whoever allocates says so; xmalloc and friends end the
 * program when memory is gone, so allocation is never checked elsewhere. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define _cleanup_(f) __attribute__((cleanup(f)))
#define _cleanup_free_ _cleanup_(freep)
#define _cleanup_close_ _cleanup_(closep)
#define _cleanup_fclose_ _cleanup_(fclosep)
#define _cleanup_strv_ _cleanup_(strv_freep)
#define _printf_(a, b) __attribute__((format(printf, a, b)))
#define _must_check_ __attribute__((warn_unused_result))
#define _unused_ __attribute__((unused))

#define ELEMENTSOF(a) (sizeof(a) / sizeof((a)[0]))
#define TAKE_PTR(p)                                                                                           \
        __extension__({                                                                                       \
                __typeof__(p) *_pp = &(p);                                                                    \
                __typeof__(p) _v = *_pp;                                                                      \
                *_pp = NULL;                                                                                  \
                _v;                                                                                           \
        })
#define TAKE_FD(fd)                                                                                           \
        __extension__({                                                                                       \
                int *_pf = &(fd);                                                                             \
                int _v = *_pf;                                                                                \
                *_pf = -1;                                                                                    \
                _v;                                                                                           \
        })
#define MIN2(a, b) ((a) < (b) ? (a) : (b))
#define MAX2(a, b) ((a) > (b) ? (a) : (b))

/* Bytes. Disks are sold in decimal units, sectors and alignments are binary. */
#define KIB (UINT64_C(1) << 10)
#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)
#define TIB (UINT64_C(1) << 40)
#define GB UINT64_C(1000000000)

void freep(void *p);   /* p points to a pointer from malloc */
void closep(int *fd);  /* closes fd unless negative */
void fclosep(FILE **f);

void *xmalloc(size_t n) _must_check_; /* zeroed */
void *xrealloc(void *p, size_t n) _must_check_;
void *xreallocarray(void *p, size_t n, size_t size) _must_check_; /* ends the program on overflow too */
char *xstrdup(const char *s) _must_check_;                         /* NULL stays NULL */
char *xstrndup(const char *s, size_t n) _must_check_;
char *xasprintf(const char *fmt, ...) _printf_(1, 2) _must_check_;
char *xvasprintf(const char *fmt, va_list ap) _must_check_;

static inline bool streq(const char *a, const char *b)
{
        return strcmp(a, b) == 0;
}
bool streq_null(const char *a, const char *b); /* NULL equals NULL only */
bool has_prefix(const char *s, const char *prefix);
bool has_suffix(const char *s, const char *suffix);
const char *skip_prefix(const char *s, const char *prefix); /* NULL where s does not begin with it */
bool is_zero(const void *p, size_t n);                      /* nothing but zero bytes */
char *strip(char *s);                                       /* cuts white space at both ends, in place */

/* A growing text. Begin with {0}; buf is NULL or NUL-terminated; free with buf_free (or take buf). */
struct buf {
        char *buf;
        size_t len, size;
};
void buf_add(struct buf *b, const char *s, size_t n);
void buf_puts(struct buf *b, const char *s);
void buf_printf(struct buf *b, const char *fmt, ...) _printf_(2, 3);
void buf_free(struct buf *b);
#define _cleanup_buf_ _cleanup_(buf_free)

/* A NULL-terminated list of strings that owns them; NULL is the empty list. */
size_t strv_len(char *const *v);
void strv_add(char ***v, const char *s);
void strv_take(char ***v, char *s); /* owns s from now on */
bool strv_has(char *const *v, const char *s);
char **strv_copy(char *const *v) _must_check_;
void strv_free(char **v);
void strv_freep(char ***v);
char *strv_join(char *const *v, const char *sep) _must_check_;
#define STRV(...) ((char *[]){__VA_ARGS__, NULL})
#define STRV_FOREACH(s, v) for (char *const *s = (v); s && *s; s++)

/* Decimal, no sign, no blanks, nothing behind it. -EINVAL or -ERANGE. */
int parse_u64(const char *s, uint64_t *ret);
int parse_uint(const char *s, unsigned max, unsigned *ret);
/* "64KiB", "2GiB", "4TB", "4096": bytes, with the units B, K/KiB, M/MiB, G/GiB, T/TiB (binary) and KB, MB, GB, TB
 * (decimal). -EINVAL or -ERANGE. */
int parse_size(const char *s, uint64_t *ret);

/* What every main() begins with. Standard input, output and error are open from then on, so that no disk or file that is
 * opened later takes the place of one and receives the messages; new files get the mode that their maker asks for. */
void begin_process(void);
/* Control characters (C1 included) become '?', in place: names that disks and networks give themselves tell a terminal
 * nothing. */
void defuse(char *text);

uint64_t now_ms(void);     /* monotonic */
void random_bytes(void *p, size_t n);
char *uuid_new(void) _must_check_; /* random (version 4), lower case, 8-4-4-4-12 */
bool is_uuid(const char *s);
/* Compares two UUIDs by their 32 hexadecimal digits alone: case, dashes and mdadm's colons do not count. */
bool uuid_equal(const char *a, const char *b);

/* One file as text; at most max bytes are read (-EFBIG beyond); a NUL inside is -EBADMSG. */
int read_text(const char *path, size_t max, char **ret);
/* The first line of a small file such as those of sysfs, blanks at its ends cut. */
int read_line(const char *path, char **ret);
int read_u64(const char *path, uint64_t *ret);
/* The folder that this program itself lies in: helpers lie beside nas-setup, wherever that was put. Not from the
 * environment, so that nobody can lead a program of root elsewhere. */
char *own_folder(void) _must_check_;
char *path_join(const char *a, const char *b) _must_check_; /* exactly one '/' between them */

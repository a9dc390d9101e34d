#include "helpers/lib/util.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void freep(void *p)
{
        free(*(void **)p);
}

void closep(int *fd)
{
        if (*fd >= 0)
                close(*fd);
}

void fclosep(FILE **f)
{
        if (*f)
                fclose(*f);
}

static void *or_end(void *p)
{
        if (!p) {
                fputs("nas-setup: out of memory\n", stderr);
                _exit(1);
        }
        return p;
}

void *xmalloc(size_t n)
{
        return or_end(calloc(1, n ? n : 1));
}

void *xrealloc(void *p, size_t n)
{
        return or_end(realloc(p, n ? n : 1));
}

void *xreallocarray(void *p, size_t n, size_t size)
{
        return or_end(reallocarray(p, n ? n : 1, size));
}

char *xstrdup(const char *s)
{
        return s ? or_end(strdup(s)) : NULL;
}

char *xstrndup(const char *s, size_t n)
{
        return or_end(strndup(s, n));
}

char *xvasprintf(const char *fmt, va_list ap)
{
        char *s = NULL;

        return vasprintf(&s, fmt, ap) < 0 ? or_end(NULL) : s;
}

char *xasprintf(const char *fmt, ...)
{
        va_list ap;

        va_start(ap, fmt);
        char *s = xvasprintf(fmt, ap);
        va_end(ap);
        return s;
}

bool streq_null(const char *a, const char *b)
{
        return a && b ? streq(a, b) : a == b;
}

bool has_prefix(const char *s, const char *prefix)
{
        return strncmp(s, prefix, strlen(prefix)) == 0;
}

bool has_suffix(const char *s, const char *suffix)
{
        size_t n = strlen(s), m = strlen(suffix);

        return n >= m && streq(s + n - m, suffix);
}

const char *skip_prefix(const char *s, const char *prefix)
{
        return has_prefix(s, prefix) ? s + strlen(prefix) : NULL;
}

bool is_zero(const void *p, size_t n)
{
        const char *bytes = p;

        return n == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, n - 1) == 0);
}

char *strip(char *s)
{
        while (isspace((unsigned char)*s))
                s++;
        for (size_t n = strlen(s); n > 0 && isspace((unsigned char)s[n - 1]); n--)
                s[n - 1] = '\0';
        return s;
}

void buf_add(struct buf *b, const char *s, size_t n)
{
        if (b->len + n + 1 > b->size) {
                b->size = (b->len + n + 1) * 2;
                b->buf = xrealloc(b->buf, b->size);
        }
        if (n)
                memcpy(b->buf + b->len, s, n);
        b->len += n;
        b->buf[b->len] = '\0';
}

void buf_puts(struct buf *b, const char *s)
{
        buf_add(b, s, strlen(s));
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
        va_list ap;

        va_start(ap, fmt);
        _cleanup_free_ char *s = xvasprintf(fmt, ap);
        va_end(ap);
        buf_puts(b, s);
}

void buf_free(struct buf *b)
{
        free(b->buf);
        *b = (struct buf){0};
}

size_t strv_len(char *const *v)
{
        size_t n = 0;

        while (v && v[n])
                n++;
        return n;
}

void strv_take(char ***v, char *s)
{
        size_t n = strv_len(*v);

        *v = xreallocarray(*v, n + 2, sizeof(char *));
        (*v)[n] = s;
        (*v)[n + 1] = NULL;
}

void strv_add(char ***v, const char *s)
{
        strv_take(v, xstrdup(s));
}

bool strv_has(char *const *v, const char *s)
{
        STRV_FOREACH(i, v)
                if (streq(*i, s))
                        return true;
        return false;
}

char **strv_copy(char *const *v)
{
        char **copy = NULL;

        STRV_FOREACH(i, v)
                strv_add(&copy, *i);
        return copy;
}

void strv_free(char **v)
{
        STRV_FOREACH(i, v)
                free(*i);
        free(v);
}

void strv_freep(char ***v)
{
        strv_free(*v);
}

char *strv_join(char *const *v, const char *sep)
{
        struct buf b = {0};

        buf_puts(&b, "");
        STRV_FOREACH(i, v) {
                if (i != v)
                        buf_puts(&b, sep);
                buf_puts(&b, *i);
        }
        return b.buf;
}

static int parse_digits(const char *s, uint64_t *ret, const char **ret_end)
{
        uint64_t n = 0;

        if (!isdigit((unsigned char)*s))
                return -EINVAL;
        for (; isdigit((unsigned char)*s); s++)
                if (__builtin_mul_overflow(n, UINT64_C(10), &n) ||
                    __builtin_add_overflow(n, (uint64_t)(*s - '0'), &n))
                        return -ERANGE;
        *ret = n;
        *ret_end = s;
        return 0;
}

int parse_u64(const char *s, uint64_t *ret)
{
        const char *end;
        uint64_t n;
        int r = parse_digits(s, &n, &end);

        if (r < 0)
                return r;
        if (*end)
                return -EINVAL;
        *ret = n;
        return 0;
}

int parse_uint(const char *s, unsigned max, unsigned *ret)
{
        uint64_t n;
        int r = parse_u64(s, &n);

        if (r < 0)
                return r;
        if (n > max)
                return -ERANGE;
        *ret = (unsigned)n;
        return 0;
}

int parse_size(const char *s, uint64_t *ret)
{
        static const struct {
                const char *name;
                uint64_t factor;
        } units[] = {
                {"", 1},     {"B", 1},      {"K", KIB},          {"KiB", KIB},    {"M", MIB},
                {"MiB", MIB}, {"G", GIB},   {"GiB", GIB},        {"T", TIB},      {"TiB", TIB},
                {"KB", 1000}, {"MB", 1000000}, {"GB", GB}, {"TB", 1000 * GB},
        };
        const char *end;
        uint64_t n;
        int r = parse_digits(s, &n, &end);

        if (r < 0)
                return r;
        for (size_t i = 0; i < ELEMENTSOF(units); i++)
                if (streq(end, units[i].name))
                        return __builtin_mul_overflow(n, units[i].factor, ret) ? -ERANGE : 0;
        return -EINVAL;
}

void begin_process(void)
{
        for (int fd = 0; fd <= 2; fd++)
                if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR | O_NOCTTY) != fd)
                        _exit(1); /* the lowest free number: anything else cannot be */
        umask(022);
}

/* Bytes of the UTF-8 character at s; 0 where it is a control character or none. */
static size_t harmless(const unsigned char *s)
{
        size_t n = *s < 0x80 ? 1 : *s < 0xc2 ? 0 : *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : *s < 0xf5 ? 4 : 0;

        if (*s < 0x20 || *s == 0x7f || (*s == 0xc2 && s[1] < 0xa0))
                return 0;
        for (size_t i = 1; i < n; i++)
                if ((s[i] & 0xc0) != 0x80)
                        return 0;
        return n;
}

void defuse(char *text)
{
        for (char *p = text; *p;) {
                size_t n = harmless((unsigned char *)p);
                if (n == 0)
                        *p = '?';
                p += MAX2(n, 1);
        }
}

uint64_t now_ms(void)
{
        struct timespec t;

        clock_gettime(CLOCK_MONOTONIC, &t);
        return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

void random_bytes(void *p, size_t n)
{
        for (size_t done = 0; done < n;) {
                ssize_t r = getrandom((char *)p + done, n - done, 0);
                if (r > 0)
                        done += (size_t)r;
                else if (errno != EINTR) {
                        perror("nas-setup: getrandom");
                        _exit(1);
                }
        }
}

char *uuid_new(void)
{
        uint8_t b[16];

        random_bytes(b, sizeof b);
        b[6] = (b[6] & 0x0f) | 0x40;
        b[8] = (b[8] & 0x3f) | 0x80;
        return xasprintf("%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1], b[2],
                         b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
}

bool is_uuid(const char *s)
{
        if (strlen(s) != 36)
                return false;
        for (int i = 0; i < 36; i++) {
                bool dash = i == 8 || i == 13 || i == 18 || i == 23;
                if (dash ? s[i] != '-' : !isxdigit((unsigned char)s[i]))
                        return false;
        }
        return true;
}

static const char *next_hex(const char *s)
{
        while (*s == '-' || *s == ':')
                s++;
        return s;
}

bool uuid_equal(const char *a, const char *b)
{
        size_t digits = 0;

        for (;; a++, b++, digits++) {
                a = next_hex(a);
                b = next_hex(b);
                if (!*a || !*b)
                        return *a == *b && digits == 32;
                if (!isxdigit((unsigned char)*a) || tolower((unsigned char)*a) != tolower((unsigned char)*b))
                        return false;
        }
}

int read_text(const char *path, size_t max, char **ret)
{
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        _cleanup_buf_ struct buf b = {0};
        char chunk[16384];

        if (fd < 0)
                return -errno;
        for (;;) {
                ssize_t n = read(fd, chunk, sizeof chunk);
                if (n < 0 && errno == EINTR)
                        continue;
                if (n < 0)
                        return -errno;
                if (n == 0)
                        break;
                if (b.len + (size_t)n > max)
                        return -EFBIG;
                buf_add(&b, chunk, (size_t)n);
        }
        if (b.len && memchr(b.buf, '\0', b.len))
                return -EBADMSG;
        *ret = b.buf ? TAKE_PTR(b.buf) : xstrdup("");
        return 0;
}

int read_line(const char *path, char **ret)
{
        _cleanup_free_ char *text = NULL;
        int r = read_text(path, 65536, &text);

        if (r < 0)
                return r;
        text[strcspn(text, "\n")] = '\0';
        *ret = xstrdup(strip(text));
        return 0;
}

int read_u64(const char *path, uint64_t *ret)
{
        _cleanup_free_ char *line = NULL;
        int r = read_line(path, &line);

        return r < 0 ? r : parse_u64(line, ret);
}

char *own_folder(void)
{
        char path[4096];
        ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

        if (n <= 0)
                return xstrdup("/usr/sbin");
        path[n] = '\0';
        char *slash = strrchr(path, '/');
        *(slash == path ? slash + 1 : slash) = '\0';
        return xstrdup(path);
}

char *path_join(const char *a, const char *b)
{
        size_t n = strlen(a);

        while (n > 0 && a[n - 1] == '/')
                n--;
        while (*b == '/')
                b++;
        return xasprintf("%.*s/%s", (int)n, a, b);
}

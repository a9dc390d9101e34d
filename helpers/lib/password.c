#include "helpers/lib/password.h"

#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>

#define N_(s) s
#define LENGTH_MIN 8
#define LENGTH_MAX 127
#define GROUP 4
#define LETTERS (4 * GROUP)
#define LINE 1024

static const char *const messages[PASSWORD_FAULTS] = {
    [PASSWORD_FINE] = "",
    [PASSWORD_SHORT] = N_("A password needs at least 8 characters."),
    [PASSWORD_LONG] = N_("This password is too long: 127 characters at most."),
    [PASSWORD_CHARACTER] = N_("A password takes letters without accents, digits and signs: these can be typed on every computer."),
    [PASSWORD_EDGE] = N_("A password cannot begin or end with a blank."),
};

const char *password_message(enum password_fault fault)
{
        return messages[fault];
}

enum password_fault password_check(const char *s)
{
        size_t n = strlen(s);

        for (const char *p = s; *p; p++)
                if (*p < ' ' || *p > '~')
                        return PASSWORD_CHARACTER;
        if (n < LENGTH_MIN)
                return PASSWORD_SHORT;
        if (n > LENGTH_MAX)
                return PASSWORD_LONG;
        return *s == ' ' || s[n - 1] == ' ' ? PASSWORD_EDGE : PASSWORD_FINE;
}

static void leave_out_of_cores(void)
{
        setrlimit(RLIMIT_CORE, &(struct rlimit){0});
}

/* Bytes past the last whole multiple would make the first letters likelier. */
static char random_letter(void)
{
        static const char letters[] = "abcdefghjkmnpqrstuvwx23456789";
        const unsigned n = sizeof letters - 1;
        uint8_t byte;

        do
                random_bytes(&byte, 1);
        while (byte >= 256 / n * n);
        return letters[byte % n];
}

char *password_new(void)
{
        char *s = xmalloc(LETTERS + LETTERS / GROUP), *p = s;

        leave_out_of_cores();
        for (unsigned i = 0; i < LETTERS; i++) {
                if (i && i % GROUP == 0)
                        *p++ = '-';
                *p++ = random_letter();
        }
        *p = '\0';
        return s;
}

int password_read(int fd, char **ret)
{
        char line[LINE];
        size_t n = 0;
        ssize_t got = 0;

        leave_out_of_cores();
        while (n < sizeof line && (got = read(fd, line + n, 1)) != 0) {
                if (got < 0 && errno != EINTR)
                        return -errno;
                if (got > 0 && line[n++] == '\n')
                        break;
        }
        size_t length = n > 0 && line[n - 1] == '\n' ? n - 1 : n;
        int r = length == sizeof line ? -E2BIG : length == 0 ? -ENODATA : memchr(line, 0, length) ? -EBADMSG : 0;
        if (r == 0)
                *ret = xstrndup(line, length);
        explicit_bzero(line, sizeof line);
        return r;
}

void password_free(char **password)
{
        if (*password)
                explicit_bzero(*password, strlen(*password));
        free(*password);
        *password = NULL;
}

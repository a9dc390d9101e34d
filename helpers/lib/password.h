/* Passwords: one that is made, one that was typed, one that comes through a descriptor. Never printed or logged here;
 * a process that has one leaves no core file. */
#pragma once

#include "helpers/lib/util.h"

enum password_fault {
        PASSWORD_FINE,
        PASSWORD_SHORT,     /* fewer than 8 characters */
        PASSWORD_LONG,      /* more than 127, which is what Samba's programs read */
        PASSWORD_CHARACTER, /* none of ASCII's printable ones */
        PASSWORD_EDGE,      /* a blank at the beginning or the end, which nobody sees */
        PASSWORD_FAULTS,
};

enum password_fault password_check(const char *s);
/* The fault as an English sentence for the person who typed it, marked for gettext. "" for PASSWORD_FINE. */
const char *password_message(enum password_fault fault);

/* "abcd-2efg-hjkm-npqr": 77 random bits; no characters that look alike, none that the keyboards of other countries have
 * elsewhere (y, z). */
char *password_new(void) _must_check_;
/* The first line that descriptor fd gives. -ENODATA: nothing came; -E2BIG: no end within 1 KiB. */
int password_read(int fd, char **ret);
void password_free(char **password); /* wipes it first */
#define _cleanup_password_ _cleanup_(password_free)

#include "helpers/share_greet.h"

#include <ctype.h>

#include "helpers/lib/helper.h"

#define ISSUE "/etc/issue.d/nas-setup.issue"

/* To agetty a '\' begins something of its own. */
static char *escaped(const char *s)
{
        struct buf b = {0};

        buf_puts(&b, "");
        for (; *s; s++) {
                if (*s == '\\')
                        buf_puts(&b, "\\");
                buf_add(&b, s, 1);
        }
        return b.buf;
}

/* RFC 3986, 2.1: what is neither letter nor digit goes by its bytes. */
static char *in_url(const char *s)
{
        struct buf b = {0};

        for (; *s; s++)
                if (isalnum((unsigned char)*s) || strchr("-._~", *s))
                        buf_add(&b, s, 1);
                else
                        buf_printf(&b, "%%%02X", (unsigned char)*s);
        return b.buf;
}

int share_greet(const char *host, const char *share, const char *address)
{
        _cleanup_free_ char *url = in_url(share), *plain = xasprintf("\\\\%s\\%s   smb://%s/%s   %s\n\n", host, share, host, url, address),
                            *text = escaped(plain);

        return helper_write(ISSUE, text, 0644);
}

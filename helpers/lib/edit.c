#include "helpers/lib/edit.h"

#include <errno.h>

#define IN "/text/in"
#define OUT "/text/out"

static char *error_of(augeas *aug, const char *where)
{
        _cleanup_free_ char *base = xasprintf("/augeas/text%s/error", where);
        _cleanup_free_ char *at_message = xasprintf("%s/message", base), *at_line = xasprintf("%s/line", base),
                            *at_column = xasprintf("%s/char", base);
        const char *message = NULL, *line = NULL, *column = NULL;

        aug_get(aug, at_message, &message);
        aug_get(aug, at_line, &line);
        aug_get(aug, at_column, &column);
        if (!message)
                message = aug_error_minor_message(aug) ? aug_error_minor_message(aug) : aug_error_message(aug);
        return line ? xasprintf("line %s, column %s: %s", line, column ? column : "?", message) : xstrdup(message);
}

int edit_open(struct edit *e, const char *lens, const char *text, char **ret_why)
{
        size_t n = strlen(text);
        /* Every lens wants the last line ended. */
        _cleanup_free_ char *whole = xasprintf("%s%s", text, n > 0 && text[n - 1] != '\n' ? "\n" : "");

        e->lens = lens;
        e->aug = aug_init(NULL, NULL, AUG_NO_LOAD | AUG_NO_MODL_AUTOLOAD | AUG_NO_ERR_CLOSE);
        if (!e->aug)
                return -ENOMEM;
        if (aug_set(e->aug, IN, whole) < 0 || aug_text_store(e->aug, lens, IN, EDIT_ROOT) < 0 ||
            aug_match(e->aug, "/augeas/text" EDIT_ROOT "/error", NULL) > 0) {
                *ret_why = error_of(e->aug, EDIT_ROOT);
                return -EBADMSG;
        }
        return 0;
}

int edit_text(struct edit *e, char **ret, char **ret_why)
{
        const char *text = NULL;

        if (aug_text_retrieve(e->aug, e->lens, IN, EDIT_ROOT, OUT) < 0 || aug_get(e->aug, OUT, &text) != 1 || !text) {
                *ret_why = error_of(e->aug, EDIT_ROOT);
                return -EBADMSG;
        }
        *ret = xstrdup(text);
        return 0;
}

void edit_close(struct edit *e)
{
        if (e->aug)
                aug_close(e->aug);
        e->aug = NULL;
}

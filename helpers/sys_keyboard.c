#include "helpers/sys_keyboard.h"

#include <errno.h>
#include <unistd.h>

#include "helpers/lib/edit.h"
#include "helpers/lib/file.h"

#define FILE_NAME "/etc/default/keyboard"

const struct param keyboard_params[] = {
        {"layout", true, "the keyboard's country, as XKB has it: de, us, gb, ch"},
        {"variant", false, "its variant; left out: the plain one"},
        {0},
};

static char *read_file(void)
{
        _cleanup_free_ char *path = helper_path(FILE_NAME);
        char *text = NULL;

        return access(path, F_OK) == 0 && file_text(path, &text) == 0 ? text : NULL;
}

/* Without the quotes that the grammar leaves. */
static char *value_of(struct edit *e, const char *key)
{
        _cleanup_free_ char *path = xasprintf(EDIT_ROOT "/%s", key);
        const char *value = NULL;

        aug_get(e->aug, path, &value);
        if (!value)
                return xstrdup("");
        value += strspn(value, "\"'");
        return xstrndup(value, strcspn(value, "\"'"));
}

static int open_it(struct edit *e, const char *text)
{
        _cleanup_free_ char *why = NULL;
        int r = edit_open(e, "Shellvars.lns", text, &why);

        return r < 0 ? helper_refuse("not-understood", FILE_NAME, FILE_NAME " can't be understood: %s", why ? why : "") : 0;
}

void keyboard_print(void)
{
        _cleanup_free_ char *text = read_file(), *why = NULL;
        _cleanup_(edit_close) struct edit e = {0};

        if (!text || edit_open(&e, "Shellvars.lns", text, &why) < 0)
                return;
        _cleanup_record_ struct record *r = record_new("keyboard");
        _cleanup_free_ char *layout = value_of(&e, "XKBLAYOUT"), *variant = value_of(&e, "XKBVARIANT");
        record_set(r, "layout", layout);
        record_set(r, "variant", variant);
        record_print(r, stdout);
}

static bool is_word(const char *s)
{
        return strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_-") == strlen(s) && strlen(s) <= 32;
}

static void set_value(struct edit *e, const char *key, const char *value)
{
        _cleanup_free_ char *path = xasprintf(EDIT_ROOT "/%s", key), *quoted = xasprintf("\"%s\"", value),
                            *now = value_of(e, key);

        if (!streq(now, value))
                aug_set(e->aug, path, quoted);
}

/* The console that is in front takes it at once; all others when they are opened. */
static int take_effect(void)
{
        _cleanup_free_ char *raw = NULL;

        if (helper_has_root() || !has_program("setupcon"))
                return 0;
        return helper_exec(STRV("setupcon", "-k", "--force"), &raw) < 0
                   ? helper_fail("no-keyboard", NULL, raw, "the keyboard is set for the next start, and could not be set now")
                   : 0;
}

int keyboard_run(const struct record *args)
{
        const char *layout = record_str(args, "layout"), *variant = record_str(args, "variant");
        _cleanup_free_ char *text = read_file(), *after = NULL, *why = NULL;
        _cleanup_(edit_close) struct edit e = {0};

        if (!*layout || !is_word(layout) || !is_word(variant))
                return helper_usage("layout", "a keyboard is named by letters, such as de");
        if (!text)
                return helper_refuse("no-keyboard", FILE_NAME, FILE_NAME " is not there: apt install keyboard-configuration console-setup");
        int r = open_it(&e, text);
        if (r != 0)
                return r;
        set_value(&e, "XKBLAYOUT", layout);
        set_value(&e, "XKBVARIANT", variant);
        r = edit_text(&e, &after, &why);
        if (r < 0)
                return helper_fail("not-understood", FILE_NAME, why, FILE_NAME " can't be changed");
        if (streq(text, after))
                return helper_result(NULL);
        r = helper_write(FILE_NAME, after, 0644);
        if (r < 0)
                return helper_fail("write", FILE_NAME, NULL, FILE_NAME ": %s", strerror(-r));
        r = take_effect();
        return r != 0 ? r : helper_result(NULL);
}

#include "helpers/net_trial_unit.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"

#define UNITS "/etc/systemd/system"
#define UNIT UNITS "/nas-net-recover.service"
#define WANTS UNITS "/multi-user.target.wants"
#define WANTED WANTS "/nas-net-recover.service"
#define MADE_LINE "# multi-user.target.wants was made for it.\n"

char *trial_program(void)
{
        char path[PATH_MAX];
        ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

        if (n <= 0)
                return NULL;
        path[n] = '\0';
        return access(path, X_OK) == 0 ? xstrdup(path) : NULL; /* "… (deleted)" is no such file */
}

/* As systemd.service(5) reads a quoted word. */
static char *unit_word(const char *path)
{
        _cleanup_buf_ struct buf b = {0};

        for (; *path; path++)
                buf_printf(&b, "%s%c", *path == '%' ? "%" : strchr("\"\\", *path) ? "\\" : "", *path);
        return TAKE_PTR(b.buf);
}

/* After local-fs.target: /var/lib may be a file system of its own. After udevd, which is asked for the ports' names, and
 * ifupdown-pre.service, where there is one: they have them then. The limit is for a computer that has to start. */
static char *unit_text(const char *program, bool has_made_wants)
{
        _cleanup_free_ char *word = unit_word(program);

        return xasprintf("# Written by nas-setup, and gone once the change is confirmed or taken back.\n"
                         "%s[Unit]\n"
                         "Description=Take back a network change that nobody confirmed\n"
                         "DefaultDependencies=no\n"
                         "After=local-fs.target systemd-udevd.service ifupdown-pre.service\n"
                         "Wants=network-pre.target\n"
                         "Before=network-pre.target shutdown.target\n"
                         "Conflicts=shutdown.target\n\n"
                         "[Service]\n"
                         "Type=oneshot\n"
                         "ExecStart=\"%s\" recover early=yes\n"
                         "TimeoutStartSec=90\n\n"
                         "[Install]\n"
                         "WantedBy=multi-user.target\n", has_made_wants ? MADE_LINE : "", word);
}

/* The unit itself remembers whether the folder of its link was there before it. */
static bool has_made_wants(void)
{
        _cleanup_free_ char *path = helper_path(UNIT), *wants = helper_path(WANTS), *text = NULL;

        return access(wants, F_OK) < 0 || (file_text(path, &text) == 0 && strstr(text, MADE_LINE));
}

static bool has_units(void)
{
        _cleanup_free_ char *folder = helper_path(UNITS);

        return access(folder, F_OK) == 0;
}

int trial_unit_write(void)
{
        _cleanup_free_ char *program = trial_program(), *text = program ? unit_text(program, has_made_wants()) : NULL,
                            *wanted = helper_path(WANTED);

        if (!has_units())
                return 0;
        if (!text)
                return -ENOENT;
        int r = helper_write(UNIT, text, 0644);
        return r < 0 || helper_is_dry_run() ? r : file_symlink(wanted, UNIT);
}

int trial_unit_remove(void)
{
        _cleanup_free_ char *wanted = helper_path(WANTED), *wants = helper_path(WANTS);

        if (!has_units() || helper_is_dry_run())
                return 0;
        bool is_ours = has_made_wants();
        int r = file_remove(wanted);
        if (is_ours)
                rmdir(wants); /* which fails where others use it by now */
        return r < 0 ? r : helper_remove(UNIT);
}

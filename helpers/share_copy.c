#include "helpers/share_copy.h"

#include <errno.h>
#include <glob.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"
#include "helpers/share_smbd.h"

static bool has_copy(const char *text)
{
        _cleanup_free_ char *pattern = helper_path(SMB_CONF ".nas-setup-*");
        glob_t found;
        bool has = false;

        if (glob(pattern, 0, NULL, &found) != 0)
                return false;
        for (size_t i = 0; i < found.gl_pathc && !has; i++) {
                _cleanup_free_ char *copy = NULL;
                has = file_text(found.gl_pathv[i], &copy) == 0 && streq(copy, text);
        }
        globfree(&found);
        return has;
}

/* A name with the time that no file has yet. */
static char *copy_name(void)
{
        time_t now = time(NULL);
        struct tm tm;
        char when[32];

        strftime(when, sizeof when, "%Y%m%d-%H%M%S", localtime_r(&now, &tm));
        for (unsigned i = 1;; i++) {
                _cleanup_free_ char *name = i == 1 ? xasprintf(SMB_CONF ".nas-setup-%s", when)
                                                   : xasprintf(SMB_CONF ".nas-setup-%s-%u", when, i);
                _cleanup_free_ char *full = helper_path(name);
                if (access(full, F_OK) < 0)
                        return TAKE_PTR(name);
        }
}

int share_copy(const char *text)
{
        _cleanup_free_ char *conf = helper_path(SMB_CONF);
        struct stat st;

        if (!*text || helper_is_dry_run() || has_copy(text))
                return 0;
        if (stat(conf, &st) < 0)
                return -errno;
        _cleanup_free_ char *copy = copy_name();
        return helper_write(copy, text, st.st_mode & 0777);
}

#include "helpers/share_smbd.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"
#include "helpers/share_listen.h"
#include "helpers/share_mount.h"

#define DROP_IN "/etc/systemd/system/smbd.service.d/nas-setup.conf"
#define TEMP_CONF "/run/nas-setup/smb.conf.test"
#define PORT_SMB 445
#define PORT_NETBIOS 139
#define STOP_MS 20000
#define SMBD "smbd.service"
#define NMBD "nmbd.service"

/* --- testparm --- */

static int testparm(const char *text, struct run *run)
{
        int r = file_replace(TEMP_CONF, text, 0600);

        if (r < 0)
                return r;
        run->argv = STRV("testparm", "-s", "-v", "--suppress-prompt", TEMP_CONF);
        run->deadline_ms = 30000;
        r = run_one(run);
        unlink(TEMP_CONF);
        buf_puts(&run->out, "");
        buf_puts(&run->err, "");
        return r;
}

/* Its exit status is 0 for unknown parameters, so what it says counts: which lines are complaints that are
 * new. */
static char *new_complaint(const char *said, const char *said_before)
{
        static const char *const usual[] = {"Load smb config files from", "Loaded services file OK",
                                            "Weak crypto is", "rlimit_max:", "Processing section",
                                            /* before smbd's first start, whatever the text is */
                                            "WARNING: lock directory", "WARNING: pid directory",
                                            "Server role: ROLE_STANDALONE",
                                            /* what is switched off by intent */
                                            "NOTE: Service ", "WARNING: some services use vfs_fruit"};
        _cleanup_free_ char *copy = xstrdup(said);

        for (char *rest = copy, *line; (line = strsep(&rest, "\n"));) {
                bool is_usual = !*strip(line) || strstr(said_before, line);
                for (size_t i = 0; i < ELEMENTSOF(usual); i++)
                        is_usual |= has_prefix(line, usual[i]);
                if (!is_usual)
                        return xstrdup(line);
        }
        return NULL;
}

/* What it gives up on need not be new; what it said before is asked only where it complains now. */
static int judge(const struct run *now, const char *before, char **ret_why)
{
        _cleanup_(run_free) struct run old = {0};
        _cleanup_free_ char *complaint = new_complaint(now->err.buf, "");

        if (now->status == 0 && !complaint)
                return 0;
        int r = testparm(before, &old);
        if (r < 0)
                return r;
        free(complaint);
        complaint = new_complaint(now->err.buf, now->status == 0 ? old.err.buf : "");
        if (now->status == 0 && !complaint)
                return 0;
        *ret_why = complaint ? TAKE_PTR(complaint) : xstrdup("it does not say why");
        return old.status != 0 ? -EINVAL : -EBADMSG;
}

int smbd_test(const char *text, const char *before, char **ret_effective, char **ret_why)
{
        _cleanup_(run_free) struct run now = {0};
        int r = testparm(text, &now);

        if (r == 0)
                r = judge(&now, before, ret_why);
        if (r == 0)
                *ret_effective = TAKE_PTR(now.out.buf);
        return r;
}

int smbd_version(char **ret)
{
        _cleanup_free_ char *out = NULL;
        int r = helper_ask(STRV("smbd", "--version"), &out);

        if (r < 0)
                return r;
        const char *version = skip_prefix(strip(out), "Version ");
        *ret = xstrdup(version ? version : strip(out));
        return 0;
}

/* --- running --- */

static bool is_smbd(const char *pid)
{
        _cleanup_free_ char *path = xasprintf("/proc/%s/comm", pid), *file = helper_path(path), *name = NULL;

        return read_line(file, &name) == 0 && streq(name, "smbd");
}

/* smbd.pid may outlive its process. */
bool smbd_is_running(void)
{
        static const char *const files[] = {"/run/samba/smbd.pid", "/var/run/samba/smbd.pid"};

        for (size_t i = 0; i < ELEMENTSOF(files); i++) {
                _cleanup_free_ char *file = helper_path(files[i]), *pid = NULL;
                uint64_t n;
                if (read_line(file, &pid) == 0 && parse_u64(pid, &n) == 0 && is_smbd(pid))
                        return true;
        }
        return false;
}

/* --- starting --- */

bool smbd_unit_is(const char *unit, const char *question, const char *answer)
{
        _cleanup_(run_free) struct run r = {.argv = STRV("systemctl", (char *)question, (char *)unit),
                                            .deadline_ms = 30000};

        run_one(&r);
        buf_puts(&r.out, "");
        return has_prefix(r.out.buf, answer);
}

bool smbd_is_masked(void)
{
        return has_systemd() && smbd_unit_is(SMBD, "is-enabled", "masked");
}

static int start_unit(char **ret_raw, bool *ret_is_fresh)
{
        bool was_down = smbd_unit_is(SMBD, "is-active", "inactive");

        if (!was_down && smbd_unit_is(SMBD, "is-enabled", "enabled") && smbd_unit_is(SMBD, "is-active", "active"))
                return 0;
        int r = helper_exec(STRV("systemctl", "enable", "--now", SMBD), ret_raw);
        *ret_is_fresh = r == 0 && was_down;
        return r;
}

/* The old name service has nothing to do where NetBIOS is off, and would not start at the next boot either.
 */
static int stop_name_service(char **ret_raw)
{
        if (!has_systemd() ||
            !(smbd_unit_is(NMBD, "is-enabled", "enabled") || smbd_unit_is(NMBD, "is-active", "active")))
                return 0;
        return helper_exec(STRV("systemctl", "disable", "--now", NMBD), ret_raw);
}

/* ret_is_fresh: it was not running, so it has just read its configuration. */
static int start(char **ret_raw, bool *ret_is_fresh)
{
        if (has_systemd())
                return start_unit(ret_raw, ret_is_fresh);
        if (smbd_is_running())
                return 0;
        int r = helper_exec(STRV("smbd", "-D"), ret_raw);
        *ret_is_fresh = r == 0;
        return r;
}

static void stop_without_systemd(void)
{
        _cleanup_free_ char *pid = NULL;
        uint64_t n;

        if (read_line("/run/samba/smbd.pid", &pid) < 0 || !is_smbd(pid) || parse_u64(pid, &n) < 0 || n < 2)
                return;
        kill((pid_t)n, SIGTERM);
        for (uint64_t until = now_ms() + STOP_MS; is_smbd(pid) && now_ms() < until;)
                poll(NULL, 0, 10);
}

static int restart(char **ret_raw)
{
        helper_changed();
        if (has_systemd())
                return helper_exec(STRV("systemctl", "restart", SMBD), ret_raw);
        stop_without_systemd();
        return helper_exec(STRV("smbd", "-D"), ret_raw);
}

/* Reading the same configuration again changes nothing, and nobody can tell from outside whether smbd has: so
 * it is not asked. */
int smbd_reload(char **ret_raw)
{
        _cleanup_(run_free) struct run r = {.argv = STRV("smbcontrol", "smbd", "reload-config"),
                                            .deadline_ms = 20000};
        int e = run_one(&r);

        buf_puts(&r.err, "");
        if (e == 0 && r.status == 0)
                return 0;
        *ret_raw = xstrdup(r.err.buf);
        return -EIO;
}

int smbd_serve(bool only_445, char **ret_raw)
{
        bool is_fresh = false;
        int r = start(ret_raw, &is_fresh);

        if (r == 0 && only_445)
                r = stop_name_service(ret_raw);
        if (r < 0 || helper_is_dry_run())
                return r;
        if (only_445 && share_listens("tcp", PORT_NETBIOS)) {
                r = restart(ret_raw);
                is_fresh = r == 0;
                if (r == 0)
                        r = share_wait_for_port("tcp", PORT_NETBIOS, false);
        }
        if (r == 0)
                r = share_wait_for_port("tcp", PORT_SMB, true);
        return r < 0 || is_fresh ? r : smbd_reload(ret_raw);
}

int smbd_wait_for(char *const *paths, char **ret_raw)
{
        _cleanup_free_ char *folder = helper_path("/etc/systemd/system"), *list = NULL;
        _cleanup_strv_ char **units = NULL;

        if (access(folder, F_OK) < 0)
                return 0;
        STRV_FOREACH(path, paths)
        strv_take(&units, share_mount_unit(*path));
        list = strv_join(units, " ");
        _cleanup_free_ char *text =
            xasprintf("# nas-setup: smbd starts when the shares are mounted; where one does not come, it\n"
                      "# starts without\n[Unit]\nAfter=%s\n",
                      list);
        _cleanup_free_ char *file = helper_path(DROP_IN), *now = NULL;
        int r = file_text(file, &now);
        if (r < 0 || streq(now, text))
                return r;
        r = helper_write(DROP_IN, text, 0644);
        return r == 0 && has_systemd() ? helper_exec(STRV("systemctl", "daemon-reload"), ret_raw) : r;
}

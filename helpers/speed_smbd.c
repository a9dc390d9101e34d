#include "helpers/speed_smbd.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"
#include "helpers/speed_measure.h"

#define RUN_FOLDER "/run/nas-setup"
#define PREFIX "speed-smbd-"
#define START_MS 3000

/* A port that is free now: it is taken at once. */
static int free_port(unsigned *ret)
{
        struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        socklen_t n = sizeof a;
        _cleanup_close_ int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

        if (fd < 0 || bind(fd, (struct sockaddr *)&a, n) < 0 || getsockname(fd, (struct sockaddr *)&a, &n) < 0)
                return -errno;
        *ret = ntohs(a.sin_port);
        return 0;
}

static bool is_listening(unsigned port)
{
        struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                .sin_port = htons((uint16_t)port)};
        _cleanup_close_ int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

        return fd >= 0 && connect(fd, (struct sockaddr *)&a, sizeof a) == 0;
}

/* Who the files of the share belong to, if that is a user; nobody is let in as root. */
static char *user_of(const char *mount)
{
        struct stat st;
        struct passwd *pw = stat(mount, &st) == 0 && st.st_uid != 0 ? getpwuid(st.st_uid) : NULL;

        return xstrdup(pw ? pw->pw_name : "nobody");
}

static int write_conf(const struct speed_smbd *d, const char *mount)
{
        static const char *const folders[] = {"private dir", "lock directory", "state directory", "cache directory",
                                              "pid directory", "ncalrpc dir", "usershare path", "binddns dir"};
        _cleanup_buf_ struct buf b = {0};

        if (strpbrk(mount, "\n%\"\\")) /* words of smb.conf's own */
                return -EINVAL;
        buf_puts(&b, "[global]\n  include = /etc/samba/smb.conf\n");
        for (size_t i = 0; i < ELEMENTSOF(folders); i++)
                buf_printf(&b, "  %s = %s\n", folders[i], d->folder);
        buf_printf(&b, "  log file = %s/log\n  passdb backend = smbpasswd:%s/passwords\n", d->folder, d->folder);
        buf_printf(&b, "  interfaces = lo\n  bind interfaces only = yes\n  smb ports = %u\n", d->port);
        buf_puts(&b, "  server role = standalone\n  security = user\n  server signing = mandatory\n"
                     "  multicast dns register = no\n  disable netbios = yes\n  disable spoolss = yes\n"
                     "  usershare max shares = 0\n  unix password sync = no\n  pam password change = no\n"
                     "  obey pam restrictions = no\n  map to guest = Never\n");
        buf_printf(&b, "[speed]\n  path = %s\n  read only = no\n  browseable = no\n  force user = root\n"
                       "  guest ok = no\n  valid users = %s\n", mount, d->user);
        return file_replace(d->conf, b.buf, 0600);
}

static int set_password(struct speed_smbd *d)
{
        _cleanup_free_ char *twice = xasprintf("%s\n%s\n", d->password, d->password),
                            *text = xasprintf("username = %s\npassword = %s\n", d->user, d->password);
        _cleanup_(run_free) struct run r = {
            .argv = STRV("smbpasswd", "-c", d->conf, "-L", "-s", "-a", d->user), .input = twice, .deadline_ms = 2000};

        run_one(&r);
        if (r.status != 0)
                return -EIO;
        return file_replace(d->log_in, text, 0600);
}

static int make_folder(struct speed_smbd *d)
{
        _cleanup_free_ char *template = helper_path(RUN_FOLDER "/" PREFIX "XXXXXX");
        int r = make_folders(RUN_FOLDER);

        if (r < 0 || !mkdtemp(template))
                return r < 0 ? r : -errno;
        d->folder = TAKE_PTR(template);
        d->conf = path_join(d->folder, "smb.conf");
        d->log_in = path_join(d->folder, "login");
        return 0;
}

int speed_smbd_open(struct speed_smbd *d, const char *mount)
{
        uint64_t until = now_ms() + START_MS;
        int r;

        if (!has_program("smbd") || !has_program("smbpasswd"))
                return -ENOPKG;
        d->user = user_of(mount);
        d->password = uuid_new();
        r = make_folder(d);
        if (r == 0)
                r = free_port(&d->port);
        if (r == 0)
                r = write_conf(d, mount);
        if (r == 0)
                r = set_password(d);
        if (r < 0)
                return r;
        strv_add(&d->argv, "smbd");
        strv_add(&d->argv, "-F");
        strv_add(&d->argv, "--no-process-group");
        strv_add(&d->argv, "-s");
        strv_add(&d->argv, d->conf);
        d->run = (struct run){.argv = d->argv, .input = "", .holds_input = true};
        r = run_begin(&d->run);
        while (r == 0 && !is_listening(d->port)) {
                if (run_poll(&d->run, 1, 20) == 0)
                        r = -EIO;
                else if (speed_cancelled || now_ms() > until)
                        r = -ETIMEDOUT;
        }
        return r;
}

static void remove_folder(const char *folder)
{
        DIR *d = opendir(folder);

        for (struct dirent *e; d && (e = readdir(d));) {
                if (streq(e->d_name, ".") || streq(e->d_name, ".."))
                        continue;
                if (unlinkat(dirfd(d), e->d_name, 0) < 0 && errno == EISDIR) {
                        _cleanup_free_ char *below = path_join(folder, e->d_name);
                        remove_folder(below);
                }
        }
        if (d)
                closedir(d);
        rmdir(folder);
}

void speed_smbd_sweep(void)
{
        _cleanup_free_ char *folder = helper_path(RUN_FOLDER);
        DIR *d = opendir(folder);

        for (struct dirent *e; d && (e = readdir(d));)
                if (has_prefix(e->d_name, PREFIX)) {
                        _cleanup_free_ char *below = path_join(folder, e->d_name);
                        remove_folder(below);
                }
        if (d)
                closedir(d);
}

void speed_smbd_close(struct speed_smbd *d)
{
        if (d->run.argv)
                run_free(&d->run);
        if (d->folder)
                remove_folder(d->folder);
        strv_free(d->argv);
        free(d->folder);
        free(d->conf);
        free(d->user);
        free(d->password);
        free(d->log_in);
        *d = (struct speed_smbd){0};
}

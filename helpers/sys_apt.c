#include "helpers/sys_apt.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"

#define SCRATCH "/run/nas-setup/apt"
#define LISTS_ROOM (200 * MIB) /* Debian's lists, as they are kept: about 60 MB */
#define PROBE_MS 10000
#define PROBES_MAX 6
#define UPDATE_MS (UINT64_C(600) * 1000)
#define INSTALL_MS (UINT64_C(3600) * 1000)
#define WAIT_MS (UINT64_C(1800) * 1000)

/* What every call begins with: no question, no cache written by one that only looks. */
#define QUIET "env", "DEBIAN_FRONTEND=noninteractive", "APT_LISTCHANGES_FRONTEND=none", "NEEDRESTART_SUSPEND=1", "UCF_FORCE_CONFFOLD=1"
#define BRISK "RES_OPTIONS=timeout:2 attempts:1" /* resolv.conf(5): a name server that is away costs 2 s and not 10 */
#define LOOKING "-o", "Dir::Cache::pkgcache=", "-o", "Dir::Cache::srcpkgcache="

/* --- the mirror --- */

static const char *const mirror_words[] = {
        [MIRROR_ANSWERS] = "yes", [MIRROR_SILENT] = "silent", [MIRROR_NONE] = "none", [MIRROR_UNKNOWN] = "unknown"};

const char *mirror_word(enum mirror m)
{
        return mirror_words[m];
}

/* 'URI' name size hash: each URI. */
static char **uris_of(const char *text)
{
        char **uris = NULL;

        for (const char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
                const char *end = *line == '\'' ? strchr(line + 1, '\'') : NULL;
                if (end)
                        strv_take(&uris, xstrndup(line + 1, (size_t)(end - line - 1)));
        }
        return uris;
}

/* A repository has InRelease, or Release where it is not signed. */
static void add_probe(char ***probes, const char *uri)
{
        size_t head = strlen(uri) - strlen("InRelease");

        if (strv_len(*probes) >= PROBES_MAX || strv_has(*probes, uri))
                return;
        strv_add(probes, uri);
        strv_take(probes, xasprintf("%.*sRelease", (int)head, uri));
}

static bool has_route(void)
{
        _cleanup_free_ char *text = NULL;

        /* proc(5): Iface Destination Gateway …; the default one goes to 00000000. */
        return read_text("/proc/net/route", MIB, &text) == 0 && strstr(text, "\t00000000\t");
}

static bool any_answers(char *const *probes)
{
        size_t n = strv_len(probes), answers = 0;
        struct run runs[PROBES_MAX + 1] = {0};
        char **argv[PROBES_MAX + 1] = {0};

        for (size_t i = 0; i < n; i++) {
                _cleanup_free_ char *file = xasprintf(SCRATCH "/probe-%zu", i);
                argv[i] = strv_copy(STRV("env", BRISK, "/usr/lib/apt/apt-helper", "-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=8", "-o",
                                         "Acquire::https::Timeout=8", "download-file", probes[i], file));
                unlink(file);
                runs[i] = (struct run){.argv = argv[i], .deadline_ms = PROBE_MS};
        }
        run_all(runs, n);
        for (size_t i = 0; i < n; i++) {
                answers += runs[i].status == 0;
                run_free(&runs[i]);
                strv_free(argv[i]);
        }
        return answers > 0;
}

static void forget_scratch(void)
{
        _cleanup_free_ char *out = NULL;

        helper_ask(STRV("rm", "-rf", "--", SCRATCH), &out);
}

enum mirror apt_mirror(char **ret_where)
{
        _cleanup_free_ char *out = NULL;
        _cleanup_strv_ char **uris = NULL, **probes = NULL;

        if (helper_ask(STRV("apt-get", LOOKING, "--print-uris", "update"), &out) == 0)
                uris = uris_of(out);
        *ret_where = xstrdup(uris ? uris[0] : "");
        if (!uris)
                return MIRROR_NONE;
        STRV_FOREACH(u, uris)
                if (has_suffix(*u, "/InRelease"))
                        add_probe(&probes, *u);
        if (make_folders(SCRATCH) < 0)
                return MIRROR_UNKNOWN;
        bool answers = any_answers(probes);
        forget_scratch();
        return answers ? MIRROR_ANSWERS : has_route() ? MIRROR_SILENT : MIRROR_UNKNOWN;
}

/* --- what it would do --- */

void apt_plan_free(struct apt_plan *p)
{
        strv_free(p->installs);
        strv_free(p->lacks);
        free(p->refused);
}

static int ask(char *const *head, char *const *lists, char *const *words, char *const *packages, struct run *r)
{
        _cleanup_strv_ char **argv = strv_copy(head);

        STRV_FOREACH(w, lists)
                strv_add(&argv, *w);
        STRV_FOREACH(w, words)
                strv_add(&argv, *w);
        STRV_FOREACH(p, packages)
                strv_add(&argv, *p);
        *r = (struct run){.argv = argv, .deadline_ms = 60000};
        int e = run_one(r);
        r->argv = NULL;
        buf_puts(&r->out, "");
        buf_puts(&r->err, "");
        return e < 0 ? e : 0;
}

/* "name:" at the beginning of a line, then "  Candidate: version" before the next name. */
static bool has_candidate(const char *policy, const char *package)
{
        _cleanup_free_ char *head = xasprintf("%s:\n", package), *inner = xasprintf("\n%s:\n", package);
        const char *at = has_prefix(policy, head) ? policy : strstr(policy, inner);
        const char *candidate = at ? strstr(at + 1, "Candidate: ") : NULL;

        return candidate && !has_prefix(candidate, "Candidate: (none)");
}

static int find_lacking(char *const *packages, char *const *lists, char ***ret_known, char ***ret_lacks)
{
        _cleanup_(run_free) struct run r = {0};
        int e = ask(STRV("apt-cache", LOOKING), lists, STRV("policy"), packages, &r);

        if (e < 0)
                return e;
        STRV_FOREACH(p, packages)
                strv_add(has_candidate(r.out.buf, *p) ? ret_known : ret_lacks, *p);
        return 0;
}

/* 'URI' file bytes hash */
static uint64_t bytes_of(const char *text)
{
        uint64_t all = 0;
        unsigned long long n;

        for (const char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
                if (sscanf(line, "'%*[^']' %*s %llu", &n) == 1)
                        all += n;
        return all;
}

/* "Inst samba (2:4.17 Debian …)" */
static char **names_of(const char *text)
{
        char **names = NULL;

        for (const char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
                const char *name = skip_prefix(line, "Inst ");
                if (name)
                        strv_take(&names, xstrndup(name, strcspn(name, " ")));
        }
        return names;
}

static uint64_t installed_size(char *const *names, char *const *lists)
{
        _cleanup_(run_free) struct run r = {0};
        uint64_t kib = 0;

        if (!names || ask(STRV("apt-cache", LOOKING), lists, STRV("--no-all-versions", "show"), names, &r) < 0)
                return 0;
        for (const char *at = r.out.buf; (at = strstr(at, "\nInstalled-Size: ")); at++)
                kib += strtoull(at + strlen("\nInstalled-Size: "), NULL, 10);
        return kib * KIB;
}

static int fill_plan(char *const *known, char *const *lists, struct apt_plan *p)
{
        char *const *words = STRV("-qq", "-y", "--no-install-recommends", "--no-remove", "-s", "install", "--");
        char *const *uris = STRV("-y", "--no-install-recommends", "--no-remove", "--print-uris", "install", "--");
        _cleanup_(run_free) struct run would = {0}, fetch = {0};
        int e = ask(STRV(QUIET, "apt-get", LOOKING), lists, words, known, &would);

        if (e < 0)
                return e;
        if (would.status != 0) {
                p->refused = xstrdup(would.err.buf);
                return 0;
        }
        p->installs = names_of(would.out.buf);
        e = ask(STRV(QUIET, "apt-get", LOOKING), lists, uris, known, &fetch);
        p->download = e == 0 ? bytes_of(fetch.out.buf) : 0;
        p->size = installed_size(p->installs, lists);
        return 0;
}

static bool has_room(const char *folder, uint64_t bytes)
{
        struct statvfs st;

        return statvfs(folder, &st) == 0 && (uint64_t)st.f_bavail * st.f_frsize >= bytes;
}

int apt_would(char *const *packages, bool fresh, struct apt_plan *ret)
{
        char *const *lists = fresh ? STRV("-o", "Dir::State::lists=" SCRATCH "/lists") : NULL;
        _cleanup_strv_ char **known = NULL;
        struct apt_plan p = {0};
        int e = 0;

        if (fresh && (make_folders(SCRATCH "/lists/partial") < 0 || !has_room(SCRATCH, LISTS_ROOM)))
                return -ENOSPC;
        if (fresh) {
                _cleanup_(run_free) struct run r = {0};
                ask(STRV("apt-get", LOOKING, "-qq"), lists, STRV("update"), NULL, &r);
        }
        e = find_lacking(packages, lists, &known, &p.lacks);
        if (e == 0 && known)
                e = fill_plan(known, lists, &p);
        if (fresh)
                forget_scratch();
        if (e < 0)
                apt_plan_free(&p);
        else
                *ret = p;
        return e;
}

/* --- waiting --- */

/* The process that holds one of apt's and dpkg's locks, 0: none. They are record locks (fcntl). */
static pid_t lock_holder(void)
{
        static const char *const files[] = {"/var/lib/dpkg/lock-frontend", "/var/lib/dpkg/lock", "/var/lib/apt/lists/lock",
                                            "/var/cache/apt/archives/lock"};

        for (size_t i = 0; i < ELEMENTSOF(files); i++) {
                _cleanup_close_ int fd = open(files[i], O_RDONLY | O_CLOEXEC);
                struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
                if (fd >= 0 && fcntl(fd, F_GETLK, &l) == 0 && l.l_type != F_UNLCK)
                        return l.l_pid;
        }
        return 0;
}

static char *name_of(pid_t pid)
{
        _cleanup_free_ char *path = xasprintf("/proc/%d/comm", (int)pid);
        char *name = NULL;

        return read_line(path, &name) == 0 ? name : xstrdup("apt");
}

char *apt_holder(void)
{
        pid_t pid = lock_holder();

        return pid ? name_of(pid) : NULL;
}

int apt_wait(void)
{
        char *holder;

        for (uint64_t until = now_ms() + WAIT_MS; (holder = apt_holder()); poll(NULL, 0, 1000)) {
                _cleanup_free_ char *name = holder, *what = xasprintf("waits:%s", name);
                if (now_ms() > until)
                        return helper_fail("apt-busy", name, NULL,
                                           "%s has been installing programs for half an hour; wait until it has finished and "
                                           "try again",
                                           name);
                helper_progress(0, 0, what);
        }
        return 0;
}

bool dpkg_is_cut_off(void)
{
        _cleanup_free_ char *out = NULL;

        /* dpkg(1): --audit prints what is only partly installed. */
        return helper_ask(STRV("dpkg", "--audit"), &out) < 0 || *strip(out);
}

/* --- doing it --- */

/* apt-get(8), APT::Status-Fd: "dlstatus:N:PERCENT:words" while it fetches, "pmstatus:package:PERCENT:words" after. */
static void take_status(void *ctx _unused_, const char *line)
{
        const char *fetch = skip_prefix(line, "dlstatus:"), *set = skip_prefix(line, "pmstatus:");
        const char *rest = fetch ? fetch : set;
        double percent;

        if (!rest || sscanf(rest, "%*[^:]:%lf", &percent) != 1 || percent < 0 || percent > 100)
                return;
        _cleanup_free_ char *package = set ? xstrndup(set, strcspn(set, ":")) : xstrdup("fetch");
        helper_progress((uint64_t)(percent / 2) + (set ? 50 : 0), 100, package);
}

/* The lock may be taken by another just now: then it is waited for again. */
static int tell(char *const *argv, uint64_t deadline_ms, char **ret_raw)
{
        for (;;) {
                _cleanup_(run_free) struct run r = {.argv = argv, .deadline_ms = deadline_ms, .on_line = take_status};
                if (!helper_is_dry_run() && apt_wait() != 0)
                        return -ETIMEDOUT;
                int e = helper_run(&r);
                if (e == -EIO && (strstr(r.err.buf, "Could not get lock") || strstr(r.err.buf, "is locked by another process")))
                        continue;
                if (e < 0)
                        *ret_raw = xstrdup(*r.err.buf ? r.err.buf : r.out.buf);
                return e;
        }
}

int dpkg_go_on(char **ret_raw)
{
        return tell(STRV(QUIET, "dpkg", "--force-confdef", "--force-confold", "--configure", "-a"), INSTALL_MS, ret_raw);
}

int apt_update(char **ret_raw)
{
        return tell(STRV(QUIET, "apt-get", "-q", "-o", "Acquire::Retries=2", "-o", "APT::Status-Fd=1", "update"), UPDATE_MS,
                    ret_raw);
}

int apt_install(char *const *packages, char **ret_raw)
{
        _cleanup_strv_ char **argv =
            strv_copy(STRV(QUIET, "apt-get", "-q", "-y", "-o", "Dpkg::Options::=--force-confdef", "-o", "Dpkg::Options::=--force-confold",
                           "-o", "Acquire::Retries=2", "-o", "APT::Keep-Downloaded-Packages=false", "-o",
                           "APT::Status-Fd=1", "--no-install-recommends", "--no-remove", "install", "--"));

        STRV_FOREACH(p, packages)
                strv_add(&argv, *p);
        return tell(argv, INSTALL_MS, ret_raw);
}

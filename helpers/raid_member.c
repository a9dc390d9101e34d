#include "helpers/raid_member.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/fs.h>

#include "helpers/lib/helper.h"
#include "helpers/lib/md.h"

#define CLEAR_BYTES (4 * MIB)

/* --- where they are --- */

static char *by_link(const char *guid)
{
        _cleanup_free_ char *link = xasprintf("/dev/disk/by-partuuid/%s", guid), *full = NULL;

        for (char *p = link + strlen("/dev/disk/by-partuuid/"); *p; p++)
                *p = (char)tolower((unsigned char)*p);
        full = helper_path(link);
        return realpath(full, NULL);
}

/* Without udev: reads every partition table, and tells when two partitions have the same GUID. */
static int by_probing(const char *guid, char **ret)
{
        _cleanup_free_ char *token = xasprintf("PARTUUID=%s", guid), *out = NULL;

        for (char *p = token + strlen("PARTUUID="); *p; p++)
                *p = (char)tolower((unsigned char)*p);
        if (helper_has_root() ||
            helper_ask(STRV("blkid", "-c", "/dev/null", "-t", token, "-o", "device"), &out) < 0 || !*strip(out))
                return -ENOENT;
        if (strchr(out, '\n'))
                return -ENOTUNIQ;
        *ret = TAKE_PTR(out);
        return 0;
}

int members_find(char *const *guids, struct members *ret, const char **ret_guid)
{
        _cleanup_members_ struct members m = {.v = xmalloc((strv_len(guids) + 1) * sizeof(struct member))};

        STRV_FOREACH(guid, guids) {
                char *node = by_link(*guid);
                int r = node ? 0 : by_probing(*guid, &node);
                if (r < 0) {
                        *ret_guid = *guid;
                        return r;
                }
                m.v[m.n++] = (struct member){.guid = xstrdup(*guid), .node = node};
        }
        *ret = m;
        m = (struct members){0};
        return 0;
}

char **members_nodes(const struct members *m)
{
        char **nodes = NULL;

        for (size_t i = 0; i < m->n; i++)
                strv_add(&nodes, m->v[i].node);
        return nodes;
}

void members_free(struct members *m)
{
        for (size_t i = 0; i < m->n; i++) {
                free(m->v[i].guid);
                free(m->v[i].node);
                free(m->v[i].uuid);
                free(m->v[i].found);
        }
        free(m->v);
        *m = (struct members){0};
}

/* --- what is on them --- */

struct looks {
        struct run *v; /* two for each member: its superblock, its signatures */
        char *(*argv)[6];
        size_t n;
};

static void looks_free(struct looks *l)
{
        for (size_t i = 0; i < l->n; i++)
                run_free(&l->v[i]);
        free(l->v);
        free(l->argv);
}

static void take_superblock(struct member *m, const char *exported)
{
        for (const char *line = exported; *line; line += strcspn(line, "\n"), line += *line == '\n') {
                _cleanup_free_ char *word = xstrndup(line, strcspn(line, "\n"));
                const char *value;
                if ((value = skip_prefix(word, "MD_UUID="))) {
                        free(m->uuid);
                        m->uuid = uuid_plain(value);
                } else if ((value = skip_prefix(word, "MD_EVENTS=")))
                        parse_u64(value, &m->events);
        }
}

/* Lines of "wipefs --parsable": a heading, then offset,uuid,label,type. */
static void take_signatures(struct member *m, const char *text)
{
        _cleanup_strv_ char **types = NULL;

        for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
                _cleanup_free_ char *word = xstrndup(line, strcspn(line, "\n"));
                char *type = strrchr(word, ',');
                if (*word == '#' || !*word)
                        continue;
                type = type ? type + 1 : word;
                if (!streq(type, "linux_raid_member") && !strv_has(types, type))
                        strv_add(&types, type);
        }
        free(m->found);
        m->found = types ? strv_join(types, ", ") : NULL;
}

int members_examine(struct members *m, char **ret_raw)
{
        _cleanup_(looks_free) struct looks l = {.n = 2 * m->n};

        l.v = xmalloc((l.n + 1) * sizeof *l.v);
        l.argv = xmalloc((l.n + 1) * sizeof *l.argv);
        for (size_t i = 0; i < m->n; i++) {
                memcpy(l.argv[2 * i], STRV("mdadm", "--examine", "--export", m->v[i].node), 5 * sizeof(char *));
                memcpy(l.argv[2 * i + 1], STRV("wipefs", "--no-act", "--parsable", m->v[i].node), 5 * sizeof(char *));
        }
        for (size_t i = 0; i < l.n; i++) {
                l.v[i].argv = l.argv[i];
                l.v[i].deadline_ms = 60000;
        }
        run_all(l.v, l.n); /* mdadm ends with 1 where there is no superblock */
        for (size_t i = 0; i < m->n; i++) {
                struct run *superblock = &l.v[2 * i], *signatures = &l.v[2 * i + 1];
                if (superblock->status < 0 || superblock->status > 1 || signatures->status != 0) {
                        *ret_raw = xasprintf("%s: %s%s", m->v[i].node, superblock->err.buf ? superblock->err.buf : "",
                                             signatures->err.buf ? signatures->err.buf : "");
                        return -EIO;
                }
                take_superblock(&m->v[i], superblock->out.buf ? superblock->out.buf : "");
                take_signatures(&m->v[i], signatures->out.buf ? signatures->out.buf : "");
        }
        return 0;
}

/* --- blank ends --- */

static bool is_zero(const char *p, size_t n)
{
        return n == 0 || (p[0] == 0 && memcmp(p, p + 1, n - 1) == 0);
}

static int clear_range(int fd, uint64_t from, uint64_t to)
{
        static const char zeros[64 * KIB];
        char chunk[sizeof zeros];

        while (from < to) {
                ssize_t n = pread(fd, chunk, MIN2(sizeof chunk, to - from), (off_t)from);
                if (n <= 0)
                        return n < 0 ? -errno : -EIO;
                if (!is_zero(chunk, (size_t)n)) {
                        if (pwrite(fd, zeros, (size_t)n, (off_t)from) != n)
                                return errno ? -errno : -EIO;
                        helper_changed();
                }
                from += (uint64_t)n;
        }
        return 0;
}

static int clear(int fd, uint64_t offset)
{
        uint64_t size;

        if (ioctl(fd, BLKGETSIZE64, &size) < 0)
                return -errno;
        if (size < offset + 2 * CLEAR_BYTES)
                return -ENOSPC;
        int r = clear_range(fd, offset, offset + CLEAR_BYTES);
        if (r == 0)
                r = clear_range(fd, size - CLEAR_BYTES, size);
        return r < 0 ? r : fsync(fd) < 0 ? -errno : 0;
}

int members_clear(const struct members *m, uint64_t offset, const char **ret_node)
{
        if (helper_is_dry_run())
                return 0;
        for (size_t i = 0; i < m->n; i++) {
                /* O_EXCL: not while a kernel user such as an array or a file system has it. */
                _cleanup_close_ int fd = open(m->v[i].node, O_RDWR | O_EXCL | O_CLOEXEC);
                int r = fd < 0 ? -errno : clear(fd, offset);
                if (r < 0) {
                        *ret_node = m->v[i].node;
                        return r;
                }
        }
        return 0;
}

#include "helpers/raid_member.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/fs.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"
#include "helpers/lib/md.h"
#include "helpers/raid_partition.h"

#define CLEAR_BYTES (4 * MIB)

/* --- where they are --- */

int members_find(char *const *guids, struct members *ret, const char **ret_guid)
{
        _cleanup_members_ struct members m = {.v = xmalloc((strv_len(guids) + 1) * sizeof(struct member))};
        _cleanup_partitions_ struct partitions all = {0};
        int r = partitions_list(&all);

        STRV_FOREACH(guid, guids) {
                struct partition *p = NULL;
                if (r == 0)
                        r = partitions_find(&all, *guid, &p);
                if (r < 0) {
                        *ret_guid = *guid;
                        return r;
                }
                m.v[m.n++] = (struct member){
                        .guid = xstrdup(*guid), .node = xstrdup(p->node), .fd = TAKE_FD(p->fd), .events = EVENTS_UNKNOWN};
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
                free(m->v[i].ends);
                closep(&m->v[i].fd);
        }
        free(m->v);
        *m = (struct members){0};
}

/* --- what is on them --- */

struct looks {
        struct run *v; /* one for each member, its signatures, and then its superblock for each that may have one */
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

/* Lines of "wipefs --parsable": a heading, then offset,uuid,label,type. What is left out is the superblock that mdadm
 * read: one that only libblkid sees is damaged, or of another array. */
static void take_signatures(struct member *m, const char *text)
{
        _cleanup_strv_ char **types = NULL;

        for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
                _cleanup_free_ char *word = xstrndup(line, strcspn(line, "\n"));
                char *type = strrchr(word, ','), *uuid = strchr(word, ',');
                if (*word == '#' || !*word)
                        continue;
                type = type ? type + 1 : word;
                if (uuid)
                        uuid[1 + strcspn(uuid + 1, ",")] = '\0';
                if (streq(type, "linux_raid_member") && m->uuid && uuid && uuid_equal(uuid + 1, m->uuid))
                        continue;
                if (!strv_has(types, type))
                        strv_add(&types, type);
        }
        free(m->found);
        m->found = types ? strv_join(types, ", ") : NULL;
}

/* --- its ends --- */

#define SUPER 4096 /* where metadata 1.2 has its superblock */

/* Its first and last MiB, one after the other. */
static int read_ends(int fd, char **ret)
{
        _cleanup_free_ char *p = xmalloc(2 * MIB);
        uint64_t size;

        if (ioctl(fd, BLKGETSIZE64, &size) < 0)
                return -errno;
        size_t n = MIN2(size, MIB);
        int r = read_fully(fd, p, n, 0);
        if (r == 0)
                r = read_fully(fd, p + MIB, n, size - n);
        if (r == 0)
                *ret = TAKE_PTR(p);
        return r;
}

/* The disks seek at the same time. */
static void ask_for_ends(const struct members *m)
{
        for (size_t i = 0; i < m->n; i++) {
                uint64_t size;
                if (ioctl(m->v[i].fd, BLKGETSIZE64, &size) < 0)
                        continue;
                posix_fadvise(m->v[i].fd, 0, 0, POSIX_FADV_DONTNEED); /* md writes past the memory of what lies below it */
                posix_fadvise(m->v[i].fd, 0, MIB, POSIX_FADV_WILLNEED);
                posix_fadvise(m->v[i].fd, (off_t)(size - MIN2(size, MIB)), MIB, POSIX_FADV_WILLNEED);
        }
}

static int take_ends(struct members *m, const char **ret_node, char **ret_raw)
{
        ask_for_ends(m);
        for (size_t i = 0; i < m->n; i++) {
                *ret_node = m->v[i].node;
                free(m->v[i].ends);
                m->v[i].ends = NULL;
                int r = read_ends(m->v[i].fd, &m->v[i].ends);
                if (r < 0) {
                        *ret_raw = xstrdup(strerror(-r));
                        return -EIO;
                }
        }
        return 0;
}

static void add_look(struct looks *l, const char *const argv[], size_t n)
{
        memcpy(l->argv[l->n], argv, n * sizeof *argv);
        l->v[l->n] = (struct run){.argv = l->argv[l->n], .deadline_ms = 60000};
        l->n++;
}

/* Superblocks of every kind that mdadm knows stand in the ends: of zeros it is not asked. */
static void run_looks(const struct members *m, struct looks *l)
{
        l->v = xmalloc((2 * m->n + 1) * sizeof *l->v);
        l->argv = xmalloc((2 * m->n + 1) * sizeof *l->argv);
        for (size_t i = 0; i < m->n; i++)
                add_look(l, (const char *[]){"wipefs", "--no-act", "--parsable", m->v[i].node, NULL}, 5);
        for (size_t i = 0; i < m->n; i++)
                if (!is_zero(m->v[i].ends, 2 * MIB))
                        add_look(l, (const char *[]){"mdadm", "--examine", "--export", m->v[i].node, NULL}, 5);
        run_all(l->v, l->n); /* mdadm ends with 1 where there is no superblock */
}

/* superblock: what mdadm tells, NULL where it was not asked. */
static int take_looks(struct member *m, const struct run *signatures, const struct run *superblock, char **ret_raw)
{
        const char *told = superblock && superblock->err.buf ? superblock->err.buf : "";

        if (signatures->status != 0 || (superblock && (superblock->status < 0 || superblock->status > 1))) {
                *ret_raw = xasprintf("%s%s", told, signatures->err.buf ? signatures->err.buf : "");
                return -EIO;
        }
        take_superblock(m, superblock && superblock->out.buf ? superblock->out.buf : "");
        take_signatures(m, signatures->out.buf ? signatures->out.buf : "");
        /* mdadm --examine tells the fields of a damaged one all the same */
        if (!md_is_sound(m->ends + SUPER, MIB - SUPER))
                m->events = EVENTS_UNKNOWN;
        m->is_blank = !m->uuid && !m->found && is_zero(m->ends, 2 * MIB);
        return 0;
}

int members_examine(struct members *m, const char **ret_node, char **ret_raw)
{
        _cleanup_(looks_free) struct looks l = {0};
        int r = take_ends(m, ret_node, ret_raw);

        if (r < 0)
                return r;
        run_looks(m, &l);
        for (size_t i = 0, next = m->n; i < m->n && r == 0; i++) {
                const struct run *superblock = is_zero(m->v[i].ends, 2 * MIB) ? NULL : &l.v[next++];
                *ret_node = m->v[i].node;
                r = take_looks(&m->v[i], &l.v[i], superblock, ret_raw);
        }
        return r;
}

/* --- blank ends --- */

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

/* 1 where nothing but zeros stands there. */
static int is_range_zero(int fd, uint64_t from, uint64_t n)
{
        _cleanup_free_ char *p = xmalloc(n);
        int r = read_fully(fd, p, n, from);

        return r < 0 ? r : is_zero(p, n);
}

int members_unused(const struct members *m, uint64_t offset)
{
        int r = 1;

        for (size_t i = 0; i < m->n && r > 0; i++) {
                posix_fadvise(m->v[i].fd, 0, 0, POSIX_FADV_DONTNEED); /* md writes past the memory of what lies below it */
                r = is_range_zero(m->v[i].fd, offset, CLEAR_BYTES);
        }
        return r;
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

/* Opened by whom nobody else uses it, what was looked at is still what is there. */
static int open_again(const struct member *m, int *ret_fd)
{
        /* O_EXCL: not while a kernel user such as an array or a file system has it. */
        _cleanup_close_ int fd = open(m->node, O_RDWR | O_EXCL | O_CLOEXEC);
        _cleanup_free_ char *guid = NULL, *ends = NULL;
        struct stat was, is;

        if (fd < 0 || fstat(fd, &is) < 0 || fstat(m->fd, &was) < 0)
                return -errno;
        guid = partition_guid(fd);
        if (is.st_rdev != was.st_rdev || !guid || !uuid_equal(guid, m->guid))
                return -ESTALE;
        posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
        int r = read_ends(fd, &ends);
        if (r < 0)
                return r;
        if (memcmp(ends, m->ends, 2 * MIB) != 0)
                return -ESTALE;
        *ret_fd = TAKE_FD(fd);
        return 0;
}

int members_clear(const struct members *m, uint64_t offset, const char **ret_node)
{
        int r = 0;

        if (helper_is_dry_run())
                return 0;
        _cleanup_free_ int *fds = xmalloc((m->n + 1) * sizeof *fds);
        size_t opened = 0;
        for (; opened < m->n && r == 0; opened++) {
                fds[opened] = -1;
                *ret_node = m->v[opened].node;
                r = open_again(&m->v[opened], &fds[opened]);
        }
        for (size_t i = 0; i < m->n && r == 0; i++) {
                *ret_node = m->v[i].node;
                r = clear(fds[i], offset);
        }
        while (opened > 0)
                closep(&fds[--opened]);
        return r;
}

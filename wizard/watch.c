#include "wizard/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_MAX (UINT64_C(1) << 20) /* of what is new, in one look */

struct watch *watch_new(const char *path, const struct plan *p)
{
        struct watch *w = xmalloc(sizeof *w);
        struct step step;

        w->path = xstrdup(path);
        w->fd = -1;
        for (size_t i = 0; w->n < WATCH_MAX_STEPS && plan_step(p, i, &step); i++)
                w->steps[w->n++] = (struct watch_step){.name = step.name};
        return w;
}

static struct watch_step *find_step(struct watch *w, const char *name)
{
        for (size_t i = 0; i < w->n; i++)
                if (streq(w->steps[i].name, name))
                        return &w->steps[i];
        return NULL;
}

static void start_over(struct watch *w)
{
        for (size_t i = 0; i < w->n; i++) {
                record_free(w->steps[i].failed);
                w->steps[i] = (struct watch_step){.name = w->steps[i].name};
        }
        records_free(&w->speeds);
        buf_free(&w->rest);
        w->speeds = (struct records){0};
        w->rest = (struct buf){0};
        w->finished = false;
}

static void take_step(struct watch_step *s, const struct record *r)
{
        if (streq(r->word, "begun")) {
                record_free(s->failed);
                *s = (struct watch_step){.name = s->name, .state = STEP_RUNNING, .since = now_ms()};
        } else if (streq(r->word, "done")) {
                s->state = STEP_DONE;
                s->ms = record_u64(r, "ms");
        } else if (streq(r->word, "failed")) {
                record_free(s->failed);
                s->failed = record_copy(r);
                s->state = STEP_FAILED;
        } else if (streq(r->word, "progress")) {
                s->done = record_u64(r, "done");
                s->total = record_u64(r, "total");
                s->trial = record_is(r, "what", "trial");
                const char *waits = skip_prefix(record_str(r, "what"), "waits:");
                snprintf(s->waits, sizeof s->waits, "%s", waits ? waits : "");
        }
}

static void take_line(struct watch *w, const char *line)
{
        _cleanup_record_ struct record *r = NULL;
        struct record_error error;

        if (record_parse(line, &r, &error) < 0 || !r)
                return;
        struct watch_step *s = find_step(w, record_str(r, "step"));
        if (s)
                take_step(s, r);
        if (streq(r->word, "done") && record_is(r, "step", "mount")) {
                w->room = record_u64(r, "size");
                w->free = record_u64(r, "free");
        }
        if (streq(r->word, "finished")) {
                w->finished = true;
        } else if (streq(r->word, "speed") || streq(r->word, "limit") || streq(r->word, "slow")) {
                records_add(&w->speeds, TAKE_PTR(r));
        }
}

static bool take_text(struct watch *w, const char *text, size_t n)
{
        bool any = false;
        char *end;

        buf_add(&w->rest, text, n);
        while (w->rest.buf && (end = memchr(w->rest.buf, '\n', w->rest.len))) {
                *end = 0;
                take_line(w, w->rest.buf);
                size_t used = (size_t)(end + 1 - w->rest.buf);
                memmove(w->rest.buf, end + 1, w->rest.len - used + 1);
                w->rest.len -= used;
                any = true;
        }
        return any;
}

/* Another file under the name means that an apply began anew. */
static bool open_file(struct watch *w)
{
        struct stat st;

        if (w->fd >= 0 && (stat(w->path, &st) < 0 || st.st_ino == w->inode))
                return true;
        int fd = open(w->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
        if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
                if (fd >= 0)
                        close(fd);
                return w->fd >= 0;
        }
        if (w->fd >= 0) {
                close(w->fd);
                start_over(w);
        }
        w->fd = fd;
        w->inode = st.st_ino;
        return true;
}

bool watch_look(struct watch *w)
{
        char text[4096];
        bool any = false;
        ssize_t n = 1;

        if (!open_file(w))
                return false;
        for (size_t sum = 0; sum < READ_MAX && (n = read(w->fd, text, sizeof text)) > 0; sum += (size_t)n)
                any |= take_text(w, text, (size_t)n);
        return any;
}

/* A NAS that can't be measured is a NAS all the same. */
const struct watch_step *watch_failed(const struct watch *w)
{
        for (size_t i = 0; i < w->n; i++)
                if (w->steps[i].state == STEP_FAILED && !streq(w->steps[i].name, "speed"))
                        return &w->steps[i];
        return NULL;
}

const struct watch_step *watch_trial(const struct watch *w)
{
        for (size_t i = 0; i < w->n; i++)
                if (w->steps[i].state == STEP_RUNNING && w->steps[i].trial)
                        return &w->steps[i];
        return NULL;
}

bool watch_is_running(const struct watch *w)
{
        return !w->finished && !watch_failed(w);
}

void watch_free(struct watch *w)
{
        if (!w)
                return;
        start_over(w);
        if (w->fd >= 0)
                close(w->fd);
        free(w->path);
        free(w);
}

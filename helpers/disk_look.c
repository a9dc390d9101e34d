#include "helpers/disk_look.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "helpers/disk_kernel.h"
#include "helpers/disk_use.h"
#include "helpers/lib/helper.h"

#define DEADLINE_MS 12000
#define STACK (UINT64_C(512) * KIB) /* 256 threads of the usual 8 MiB are too much for a small 32-bit machine */

/* A picture lives as long as a thread reads from it: that of a disk which hangs in the kernel for minutes, too. */
struct picture {
        struct disks disks;
        struct layers layers;
        unsigned users;
};

/* What one thread does. Until done, all below is the thread's; it is never freed before. */
struct task {
        struct picture *picture;
        const struct disk *disk;   /* one of the two */
        const struct layer *layer;
        void (*work)(struct task *t);
        int fd; /* to be told at the end */
        int error;
        struct contents contents;
        struct smart smart;
        atomic_bool done;
};

struct looking {
        char *key, *name;
        struct task *look, *health; /* running, or NULL */
        uint64_t look_until, health_until;
        bool is_changed; /* to be looked at anew */
        bool is_used;    /* it was, when it was last seen */
        bool was_asked_awake;
};

struct looks {
        struct picture *picture;
        struct look **disks, **layers; /* in the picture's order */
        struct task **left;            /* running for disks that are no more here */
        size_t n_left;
        uint64_t patience;
        int fd;
};

/* --- pictures --- */

static void let_go(struct picture *p)
{
        if (!p || --p->users > 0)
                return;
        disks_free(&p->disks);
        layers_free(&p->layers);
        free(p);
}

static int take_picture(struct picture **ret)
{
        struct picture *p = xmalloc(sizeof *p);
        int r = disks_look(&p->disks);

        p->users = 1;
        if (r == 0)
                r = layers_look(&p->layers);
        if (r < 0) {
                let_go(p);
                return r;
        }
        use_take(&p->disks, &p->layers);
        *ret = p;
        return 0;
}

/* --- threads --- */

static void look_disk(struct task *t)
{
        _cleanup_close_ int fd = -1;

        t->error = disk_open(t->disk, O_RDONLY, &fd);
        if (t->error == 0)
                contents_look(fd, t->disk->size, 0, 0, &t->contents);
}

static void look_layer(struct task *t)
{
        _cleanup_close_ int fd = -1;
        uint64_t size = 0;

        t->error = layer_open(t->layer, &fd, &size);
        if (t->error == 0)
                contents_look(fd, size, 0, 0, &t->contents);
}

static void look_health(struct task *t)
{
        smart_look(t->disk, false, &t->smart);
}

static void look_health_awake(struct task *t)
{
        smart_look(t->disk, true, &t->smart);
}

static void *run_task(void *p)
{
        struct task *t = p;
        int fd = t->fd;

        t->work(t);
        atomic_store(&t->done, true); /* from here on it may be freed */
        eventfd_write(fd, 1);
        return NULL;
}

static struct task *begin(struct looks *ls, const struct disk *d, const struct layer *l, void (*work)(struct task *))
{
        struct task *t = xmalloc(sizeof *t);
        pthread_attr_t attr;
        pthread_t thread;

        *t = (struct task){.picture = ls->picture, .disk = d, .layer = l, .work = work, .fd = ls->fd};
        ls->picture->users++;
        pthread_attr_init(&attr);
        pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
        pthread_attr_setstacksize(&attr, STACK);
        if (pthread_create(&thread, &attr, run_task, t) != 0)
                run_task(t);
        pthread_attr_destroy(&attr);
        return t;
}

static bool is_done(const struct task *t)
{
        return t && atomic_load(&((struct task *)t)->done);
}

static void task_free(struct task *t)
{
        contents_free(&t->contents);
        let_go(t->picture);
        free(t);
}

/* --- one disk or layer --- */

static struct look *look_new(char *key, const char *name)
{
        struct look *l = xmalloc(sizeof *l);

        l->p = xmalloc(sizeof *l->p);
        l->p->key = key;
        l->p->name = xstrdup(name);
        return l;
}

static void leave(struct looks *ls, struct task *t)
{
        if (!t)
                return;
        ls->left = xreallocarray(ls->left, ls->n_left + 1, sizeof(struct task *));
        ls->left[ls->n_left++] = t;
}

static void look_free(struct looks *ls, struct look *l)
{
        leave(ls, l->p->look);
        leave(ls, l->p->health);
        contents_free(&l->contents);
        free(l->p->key);
        free(l->p->name);
        free(l->p);
        free(l);
}

static char *disk_key(const struct disk *d)
{
        return xasprintf("%s %u:%u %llu %llu", d->name, major(d->devno), minor(d->devno), (unsigned long long)d->size,
                         (unsigned long long)d->diskseq);
}

static char *layer_key(const struct layer *l)
{
        return xasprintf("%s %llu %s %d%d", l->kernel, (unsigned long long)l->size, l->uuid ? l->uuid : "",
                         l->is_suspended, l->is_closed);
}

static void begin_look(struct looks *ls, struct look *l, const struct disk *d, const struct layer *layer)
{
        if (l->p->look)
                return; /* the new one begins when this has ended */
        l->p->is_changed = false;
        l->p->look_until = now_ms() + ls->patience;
        l->p->look = begin(ls, d, layer, d ? look_disk : look_layer);
}

static void begin_health(struct looks *ls, struct look *l, const struct disk *d, bool is_awake)
{
        l->p->was_asked_awake = is_awake;
        l->p->health_until = now_ms() + ls->patience;
        l->p->health = begin(ls, d, NULL, is_awake ? look_health_awake : look_health);
}

/* --- all of them --- */

struct looks *looks_new(void)
{
        struct looks *ls = xmalloc(sizeof *ls);
        const char *patience = getenv("NAS_DISK_DEADLINE");

        if (!patience || parse_u64(patience, &ls->patience) < 0 || ls->patience > DEADLINE_MS)
                ls->patience = DEADLINE_MS;
        ls->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        return ls;
}

int looks_fd(const struct looks *ls)
{
        return ls->fd;
}

const struct disks *looks_disks(const struct looks *ls)
{
        return &ls->picture->disks;
}

const struct layers *looks_layers(const struct looks *ls)
{
        return &ls->picture->layers;
}

const struct look *looks_of_disk(const struct looks *ls, size_t i)
{
        return ls->disks[i];
}

const struct look *looks_of_layer(const struct looks *ls, size_t i)
{
        return ls->layers[i];
}

/* Takes the one with that key out of the old ones. */
static struct look *find_old(struct look **old, size_t n, const char *key)
{
        for (size_t i = 0; i < n; i++)
                if (old[i] && streq(old[i]->p->key, key))
                        return TAKE_PTR(old[i]);
        return NULL;
}

static struct look *keep(struct look **old, size_t n, char *key, const char *name)
{
        struct look *l = find_old(old, n, key);

        if (!l)
                return look_new(key, name);
        free(key);
        return l;
}

/* No event tells when a file system is unmounted, and only then is all of it on the disk. */
static void note_use(struct looking *p, bool is_used)
{
        p->is_changed |= p->is_used && !is_used;
        p->is_used = is_used;
}

static void keep_disks(struct looks *ls, struct look **old, size_t n)
{
        const struct disks *ds = &ls->picture->disks;

        ls->disks = xreallocarray(NULL, ds->n + 1, sizeof(struct look *));
        for (size_t i = 0; i < ds->n; i++) {
                ls->disks[i] = keep(old, n, disk_key(ds->v[i]), ds->v[i]->name);
                note_use(ls->disks[i]->p, is_disk_used(ds->v[i]));
        }
        for (size_t i = 0; i < n; i++)
                if (old[i])
                        look_free(ls, old[i]);
        free(old);
}

static void keep_layers(struct looks *ls, struct look **old, size_t n)
{
        const struct layers *lay = &ls->picture->layers;

        ls->layers = xreallocarray(NULL, lay->n + 1, sizeof(struct look *));
        for (size_t i = 0; i < lay->n; i++)
                ls->layers[i] = lay->v[i].kernel ? keep(old, n, layer_key(&lay->v[i]), lay->v[i].kernel)
                                                 : look_new(xstrdup(""), "");
        for (size_t i = 0; i < n; i++)
                if (old[i])
                        look_free(ls, old[i]);
        free(old);
}

bool can_look(const struct layer *l)
{
        return l->path && !l->is_suspended && !l->is_closed;
}

static void begin_changed(struct looks *ls)
{
        for (size_t i = 0; i < ls->picture->disks.n; i++)
                if (ls->disks[i]->p->is_changed)
                        begin_look(ls, ls->disks[i], ls->picture->disks.v[i], NULL);
        for (size_t i = 0; i < ls->picture->layers.n; i++)
                if (ls->layers[i]->p->is_changed)
                        begin_look(ls, ls->layers[i], NULL, &ls->picture->layers.v[i]);
}

static void begin_disk(struct looks *ls, size_t i)
{
        struct look *l = ls->disks[i];

        if (!l->is_known)
                begin_look(ls, l, ls->picture->disks.v[i], NULL);
        if (!l->has_smart && !l->p->health)
                begin_health(ls, l, ls->picture->disks.v[i], false);
}

void looks_begin(struct looks *ls, const struct disk *d)
{
        for (size_t i = 0; i < ls->picture->disks.n; i++)
                if (ls->picture->disks.v[i] == d)
                        begin_disk(ls, i);
}

static void begin_all(struct looks *ls)
{
        for (size_t i = 0; i < ls->picture->disks.n; i++)
                begin_disk(ls, i);
        for (size_t i = 0; i < ls->picture->layers.n; i++)
                if (can_look(&ls->picture->layers.v[i]) && !ls->layers[i]->is_known)
                        begin_look(ls, ls->layers[i], NULL, &ls->picture->layers.v[i]);
        begin_changed(ls);
}

int looks_update(struct looks *ls, bool begins)
{
        struct picture *old = ls->picture;
        int r = take_picture(&ls->picture);

        if (r < 0)
                return r;
        keep_disks(ls, ls->disks, old ? old->disks.n : 0);
        keep_layers(ls, ls->layers, old ? old->layers.n : 0);
        let_go(old);
        if (begins)
                begin_all(ls);
        return 0;
}

static void change_named(struct look **v, size_t n, const char *name)
{
        for (size_t i = 0; i < n; i++)
                if (streq(v[i]->p->name, name))
                        v[i]->p->is_changed = true;
}

void looks_changed(struct looks *ls, const char *name)
{
        if (!ls->picture)
                return;
        change_named(ls->disks, ls->picture->disks.n, name);
        change_named(ls->layers, ls->picture->layers.n, name);
}

/* --- what came of it --- */

/* Whether it is past its time, once. */
static bool is_overdue(const struct task *t, uint64_t *until)
{
        if (!t || *until == 0 || now_ms() < *until)
                return false;
        *until = 0;
        return true;
}

static bool take_look(struct look *l)
{
        struct task *t = l->p->look;

        if (!is_done(t)) {
                bool is_late = is_overdue(t, &l->p->look_until);
                l->is_silent |= is_late;
                return is_late;
        }
        contents_free(&l->contents);
        l->error = t->error;
        l->contents = t->contents;
        t->contents = (struct contents){0};
        l->is_known = true;
        l->is_silent = false;
        l->p->look = NULL;
        task_free(t);
        return true;
}

static bool take_health(struct look *l)
{
        struct task *t = l->p->health;

        if (!is_done(t)) {
                bool is_late = is_overdue(t, &l->p->health_until) && !l->has_smart;
                if (is_late)
                        l->smart = (struct smart){.state = "unknown", .why = "no-smart"};
                l->has_smart |= is_late;
                return is_late;
        }
        l->smart = t->smart;
        l->has_smart = true;
        l->p->health = NULL;
        task_free(t);
        return true;
}

/* What slept at first is awake now that it was read, which could not be avoided. */
static void ask_awake(struct looks *ls, struct look *l, const struct disk *d)
{
        if (l->is_known && l->has_smart && !l->p->health && !l->p->was_asked_awake &&
            streq_null(l->smart.why, "asleep"))
                begin_health(ls, l, d, true);
}

static void take_left(struct looks *ls)
{
        size_t kept = 0;

        for (size_t i = 0; i < ls->n_left; i++)
                if (is_done(ls->left[i]))
                        task_free(ls->left[i]);
                else
                        ls->left[kept++] = ls->left[i];
        ls->n_left = kept;
}

bool looks_take(struct looks *ls)
{
        bool is_news = false;
        eventfd_t n;

        eventfd_read(ls->fd, &n);
        take_left(ls);
        for (size_t i = 0; i < ls->picture->disks.n; i++) {
                struct disk *d = ls->picture->disks.v[i];
                is_news |= take_look(ls->disks[i]);
                is_news |= take_health(ls->disks[i]);
                ask_awake(ls, ls->disks[i], d);
        }
        for (size_t i = 0; i < ls->picture->layers.n; i++)
                is_news |= take_look(ls->layers[i]);
        begin_changed(ls);
        return is_news;
}

static void earliest(uint64_t *due, const struct task *t, uint64_t until)
{
        if (t && until && (*due == 0 || until < *due))
                *due = until;
}

uint64_t looks_due(const struct looks *ls)
{
        uint64_t due = 0;

        for (size_t i = 0; i < ls->picture->disks.n; i++) {
                earliest(&due, ls->disks[i]->p->look, ls->disks[i]->p->look_until);
                earliest(&due, ls->disks[i]->p->health, ls->disks[i]->p->health_until);
        }
        for (size_t i = 0; i < ls->picture->layers.n; i++)
                earliest(&due, ls->layers[i]->p->look, ls->layers[i]->p->look_until);
        return due;
}

void looks_wait(struct looks *ls)
{
        uint64_t due;

        while ((due = looks_due(ls)) != 0) {
                struct pollfd fd = {.fd = ls->fd, .events = POLLIN};
                uint64_t now = now_ms();
                poll(&fd, 1, due > now ? (int)(due - now) : 0);
                looks_take(ls);
        }
}

/* What the kernel answers for a disk that is there and does not work (blk_status_t: EIO, ENODATA, EREMOTEIO, ETIMEDOUT,
 * EILSEQ …); what else opening may give tells nothing of the disk. */
static bool is_unreadable(const struct look *l)
{
        static const int errors[] = {EIO, ENODATA, EREMOTEIO, ETIMEDOUT, EILSEQ};

        if (l->error == 0)
                return l->contents.error < 0;
        for (size_t i = 0; i < ELEMENTSOF(errors); i++)
                if (l->error == -errors[i])
                        return true;
        return false;
}

const char *look_broken(const struct look *l)
{
        return l->is_silent ? "silent" : l->is_known && is_unreadable(l) ? "unreadable" : NULL;
}

static struct looks *left_behind; /* a thread still hangs in it, for as long as the process lives */

void looks_free(struct looks *ls)
{
        for (size_t i = 0; ls->picture && i < ls->picture->disks.n; i++)
                look_free(ls, ls->disks[i]);
        for (size_t i = 0; ls->picture && i < ls->picture->layers.n; i++)
                look_free(ls, ls->layers[i]);
        free(ls->disks);
        free(ls->layers);
        let_go(ls->picture);
        take_left(ls);
        if (ls->n_left > 0) {
                left_behind = ls;
                return;
        }
        /* fd stays open: a thread that is done may be about to write to it, and must not meet another file there */
        free(ls->left);
        free(ls);
}

void looks_freep(struct looks **ls)
{
        looks_free(*ls);
}

#include "wizard/facts.h"

#include <errno.h>
#include <limits.h>
#include <time.h>
#include <unistd.h>

#include "wizard/i18n.h"

/* What a list may take: a disk that does not answer is given up by the helper itself before this. */
#define LIST_MS 40000

static const char *const helpers[] = {"nas-net", "nas-system", "nas-disk", "nas-raid", "nas-fs", "nas-share", "nas-speed"};

static enum tri tri_of(const char *s)
{
        return streq(s, "yes") ? YES : streq(s, "no") ? NO : UNKNOWN;
}

static void add_port(struct facts *f, const struct record *r)
{
        f->ports = xreallocarray(f->ports, f->n_ports + 1, sizeof *f->ports);
        f->ports[f->n_ports++] = (struct port){
                .name = record_str(r, "name"),
                .mac = record_str(r, "mac"),
                .driver = record_str(r, "driver"),
                .card = record_str(r, "card"),
                .kind = record_str(r, "kind"),
                .bus = record_str(r, "bus"),
                .members = record_get_list(r, "members"),
                .usedby = record_str(r, "usedby"),
                .best = (unsigned)record_u64(r, "maxspeed"),
                .peer = (unsigned)record_u64(r, "peerspeed"),
                .half = record_is(r, "duplex", "half"),
                .addresses6 = record_get_list(r, "address6"),
                .gateway6 = record_str(r, "gateway6"),
                .speed = (unsigned)record_u64(r, "speed"),
                .carrier = tri_of(record_str(r, "carrier")),
                .up = record_is(r, "up", "yes"),
                .addresses = record_get_list(r, "address"),
                .gateway = record_str(r, "gateway"),
                .domain = record_str(r, "domain"),
                .dns = record_get_list(r, "dns"),
                .method = record_str(r, "method"),
                .stack = record_str(r, "stack"),
                .ours = record_str(r, "ours"),
        };
}

static void add_disk(struct facts *f, const struct record *r)
{
        f->disks = xreallocarray(f->disks, f->n_disks + 1, sizeof *f->disks);
        f->disks[f->n_disks++] = (struct disk){
                .name = record_str(r, "name"),
                .path = record_str(r, "path"),
                .id = record_str(r, "id"),
                .bypath = record_str(r, "bypath"),
                .serial = record_str(r, "serial"),
                .wwn = record_str(r, "wwn"),
                .model = record_str(r, "model"),
                .size = record_u64(r, "size"),
                .sector = (unsigned)record_u64(r, "sector"),
                .rpm = (unsigned)record_u64(r, "rpm"),
                .kind = record_str(r, "kind"),
                .state = record_str(r, "state"),
                .why = record_str(r, "why"),
                .figure = record_u64(r, "figure"),
                .temperature = record_get(r, "temperature") ? atoi(record_str(r, "temperature")) : INT_MIN,
                .hours = record_u64(r, "hours"),
                .holds = record_str(r, "holds"),
                .found = record_str(r, "found"),
                .protected = record_str(r, "protected"),
                .protectedby = record_str(r, "protectedby"),
                .letgo = record_is(r, "letgo", "yes"),
                .usedby = record_get_list(r, "usedby"),
        };
}

static void push_content(struct content **list, size_t *n, const struct record *r)
{
        *list = xreallocarray(*list, *n + 1, sizeof **list);
        (*list)[(*n)++] = (struct content){
                .on = record_str(r, "on"),
                .type = record_str(r, "type"),
                .label = record_str(r, "label"),
                .uuid = record_str(r, "uuid"),
                .system = record_str(r, "system"),
                .set = record_str(r, "set"),
                .size = record_u64(r, "size"),
                .used = record_u64(r, "used"),
                .used_known = record_get(r, "used") != NULL,
        };
}

static void add_content(struct facts *f, const struct record *r)
{
        if (!record_get(r, "disk")) {
                push_content(&f->contents, &f->n_contents, r);
                return;
        }
        for (size_t i = 0; i < f->n_disks; i++)
                if (streq(f->disks[i].name, record_str(r, "disk"))) {
                        push_content(&f->disks[i].contents, &f->disks[i].n_contents, r);
                        return;
                }
}

static void add_set(struct facts *f, const struct record *r)
{
        f->sets = xreallocarray(f->sets, f->n_sets + 1, sizeof *f->sets);
        f->sets[f->n_sets++] = (struct set){
                .type = record_str(r, "type"),
                .uuid = record_str(r, "uuid"),
                .name = record_str(r, "name"),
                .level = record_str(r, "level"),
                .devices = (unsigned)record_u64(r, "devices"),
                .members = record_get_list(r, "members"),
                .stale = record_get_list(r, "stale"),
                .disks = record_get_list(r, "disks"),
                .state = record_str(r, "state"),
                .reshape = record_is(r, "reshape", "yes"),
                .running = record_str(r, "running"),
                .size = record_u64(r, "size"),
        };
}

static void add_layer(struct facts *f, const struct record *r)
{
        f->layers = xreallocarray(f->layers, f->n_layers + 1, sizeof *f->layers);
        f->layers[f->n_layers++] = (struct layer){
                .name = record_str(r, "name"),
                .type = record_str(r, "type"),
                .uuid = record_str(r, "uuid"),
                .on = record_get_list(r, "on"),
                .disks = record_get_list(r, "disks"),
        };
}

static void add_one(struct facts *f, const struct record *r)
{
        if (streq(r->word, "port"))
                add_port(f, r);
        else if (streq(r->word, "disk"))
                add_disk(f, r);
        else if (streq(r->word, "content"))
                add_content(f, r);
        else if (streq(r->word, "set"))
                add_set(f, r);
        else if (streq(r->word, "layer"))
                add_layer(f, r);
}

static bool has_layer(const struct facts *f, const char *name, const struct disk *d)
{
        for (size_t i = 0; i < f->n_layers; i++)
                if (streq(f->layers[i].name, name) && strv_has(f->layers[i].disks, d->name))
                        return true;
        return false;
}

static void find_stuck(const struct facts *f, struct disk *d)
{
        STRV_FOREACH(name, d->usedby)
                if (!has_layer(f, *name, d))
                        strv_add(&d->stuck, *name);
}

static const char *first(const struct records *rs, const char *word, const char *key)
{
        const struct record *r = records_find(rs, word, NULL, NULL);

        return r ? record_str(r, key) : "";
}

static void make_views(struct facts *f)
{
        for (size_t i = 0; i < f->records.n; i++)
                add_one(f, f->records.v[i]);
        for (size_t i = 0; i < f->n_disks; i++)
                find_stuck(f, &f->disks[i]);
        f->host = first(&f->records, "host", "name");
        f->domain = first(&f->records, "host", "domain");
        f->ssh = streq(first(&f->records, "host", "ssh"), "yes");
        f->from = first(&f->records, "host", "from");
        f->via = first(&f->records, "host", "via");
        f->trial = first(&f->records, "host", "trial");
        f->os = first(&f->records, "system", "os");
        const struct record *system = records_find(&f->records, "system", NULL, NULL);
        f->memory = system ? record_u64(system, "memory") : 0;
        f->workgroup = first(&f->records, "samba", "workgroup");
        f->has_samba = *first(&f->records, "samba", "version") != '\0';
}

void facts_free(struct facts *f)
{
        for (size_t i = 0; i < f->n_ports; i++) {
                strv_free(f->ports[i].addresses);
                strv_free(f->ports[i].dns);
                strv_free(f->ports[i].members);
                strv_free(f->ports[i].addresses6);
        }
        for (size_t i = 0; i < f->n_disks; i++) {
                free(f->disks[i].contents);
                strv_free(f->disks[i].usedby);
                strv_free(f->disks[i].stuck);
        }
        for (size_t i = 0; i < f->n_sets; i++) {
                strv_free(f->sets[i].members);
                strv_free(f->sets[i].stale);
                strv_free(f->sets[i].disks);
        }
        for (size_t i = 0; i < f->n_layers; i++) {
                strv_free(f->layers[i].on);
                strv_free(f->layers[i].disks);
        }
        free(f->ports);
        free(f->disks);
        free(f->contents);
        free(f->sets);
        free(f->layers);
        records_free(&f->records);
        *f = (struct facts){0};
}

void facts_from_records(struct records *rs, struct facts *ret)
{
        struct facts f = {.records = *rs};

        *rs = (struct records){0};
        make_views(&f);
        *ret = f;
}

/* /etc/os-release is shell assignments, of which only the simple form is meant to be used. */
static char *os_name(void)
{
        _cleanup_free_ char *text = NULL;

        if (read_text("/etc/os-release", 65536, &text) < 0)
                return xstrdup("Linux");
        for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
                const char *value = skip_prefix(line, "PRETTY_NAME=");
                if (!value)
                        continue;
                size_t n = strcspn(++value, "\"'");
                return xstrndup(value, n);
        }
        return xstrdup("Linux");
}

static uint64_t memory_bytes(void)
{
        long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

        return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
}

void facts_add_system(struct records *rs)
{
        struct record *r = record_new("system");
        _cleanup_free_ char *os = os_name();

        record_set(r, "os", os);
        record_set_u64(r, "memory", memory_bytes());
        records_add(rs, r);
}

void facts_add_missing(struct records *rs, const char *helper, const struct run *run, const struct records *said)
{
        struct record *r = record_new("missing");

        record_set(r, "helper", helper);
        record_set(r, "why", run->err.buf && *run->err.buf ? run->err.buf : run->status < 0 ? strerror(-run->status) : "failed");
        for (size_t i = 0; said && i < said->n; i++)
                if (streq(said->v[i]->word, "error")) {
                        record_set(r, "code", record_get(said->v[i], "code"));
                        record_set(r, "what", record_get(said->v[i], "what"));
                }
        records_add(rs, r);
}

void facts_add_list(struct records *rs, const char *helper, const struct run *run)
{
        struct record_error error;
        _cleanup_records_ struct records list = {0};
        int r = records_parse(run->out.buf ? run->out.buf : "", &list, &error);

        if (run->status != 0) {
                facts_add_missing(rs, helper, run, &list);
                return;
        }
        if (r < 0) {
                struct record *missing = record_new("missing");
                record_set(missing, "helper", helper);
                record_set(missing, "why", error.why);
                records_add(rs, missing);
                return;
        }
        for (size_t i = 0; i < list.n; i++)
                if (!streq(list.v[i]->word, "result"))
                        records_add(rs, record_copy(list.v[i]));
}

int facts_gather(struct facts *ret)
{
        struct run runs[ELEMENTSOF(helpers)] = {0};
        char *argv[ELEMENTSOF(helpers)][3];
        _cleanup_free_ char *folder = own_folder();
        struct records rs = {0};

        for (size_t i = 0; i < ELEMENTSOF(helpers); i++) {
                argv[i][0] = path_join(folder, helpers[i]);
                argv[i][1] = (char *)"list";
                argv[i][2] = NULL;
                runs[i] = (struct run){.argv = argv[i], .deadline_ms = LIST_MS};
        }
        run_all(runs, ELEMENTSOF(runs));
        facts_add_system(&rs);
        for (size_t i = 0; i < ELEMENTSOF(helpers); i++) {
                facts_add_list(&rs, helpers[i], &runs[i]);
                run_free(&runs[i]);
                free(argv[i][0]);
        }
        facts_from_records(&rs, ret);
        return 0;
}

int facts_read(const char *path, struct facts *ret, struct record_error *ret_error)
{
        struct records rs;
        int r = records_read(path, &rs, ret_error);

        if (r == 0)
                facts_from_records(&rs, ret);
        return r;
}

void facts_print(const struct facts *f, FILE *out)
{
        for (size_t i = 0; i < f->records.n; i++)
                record_print(f->records.v[i], out);
}

bool port_is_choosable(const struct port *p)
{
        return streq(p->kind, "wired") && !*p->usedby;
}

/* A bond, bridge or VLAN has the address of one of its ports. */
const struct port *facts_port(const struct facts *f, const char *mac)
{
        const struct port *other = NULL;

        for (size_t i = 0; i < f->n_ports; i++) {
                if (strcasecmp(f->ports[i].mac, mac) != 0)
                        continue;
                if (streq(f->ports[i].kind, "wired"))
                        return &f->ports[i];
                other = other ? other : &f->ports[i];
        }
        return other;
}

/* By the kernel's name only where there is no other, as nas-disk: the next boot may give it to another disk. */
static bool is_named(const struct disk *d, const char *name)
{
        bool is_nameless = !*d->serial && !*d->wwn && !*d->id && !*d->bypath;

        return *name && (streq(d->serial, name) || streq(d->wwn, name) || streq(d->id, name) ||
                         streq(d->bypath, name) || (is_nameless && streq(d->name, name)));
}

const struct disk *facts_disk(const struct facts *f, const char *name, size_t *ret_n)
{
        const struct disk *found = NULL;
        size_t n = 0;

        for (size_t i = 0; i < f->n_disks; i++)
                if (is_named(&f->disks[i], name)) {
                        found = &f->disks[i];
                        n++;
                }
        if (ret_n)
                *ret_n = n;
        return n == 1 ? found : NULL;
}

const char *disk_key(const struct facts *f, const struct disk *d)
{
        const char *const keys[] = {d->serial, d->wwn, d->id, d->bypath};

        for (size_t i = 0; i < ELEMENTSOF(keys); i++)
                if (facts_disk(f, keys[i], NULL) == d)
                        return keys[i];
        return d->name;
}

/* Partitions of a disk whose name ends in a digit have a "p" before their number. */
static bool is_part_of(const struct disk *d, const char *name)
{
        size_t n = strlen(d->name);
        bool ends_in_digit = n > 0 && d->name[n - 1] >= '0' && d->name[n - 1] <= '9';

        if (n == 0 || strncmp(name, d->name, n) != 0)
                return false;
        name += n;
        if (ends_in_digit && *name++ != 'p')
                return false;
        return *name && strspn(name, "0123456789") == strlen(name);
}

const struct disk *facts_disk_of(const struct facts *f, const char *name)
{
        for (size_t i = 0; i < f->n_disks; i++)
                if (streq(f->disks[i].name, name))
                        return &f->disks[i];
        for (size_t i = 0; i < f->n_disks; i++)
                if (is_part_of(&f->disks[i], name))
                        return &f->disks[i];
        return NULL;
}

const struct set *facts_set(const struct facts *f, const char *uuid)
{
        for (size_t i = 0; i < f->n_sets; i++)
                if (*uuid && streq(f->sets[i].uuid, uuid))
                        return &f->sets[i];
        return NULL;
}

bool set_has_disk(const struct set *set, const struct disk *d)
{
        return strv_has(set->disks, d->name);
}

const struct content *set_content(const struct facts *f, const struct set *set)
{
        for (size_t i = 0; i < f->n_contents; i++)
                if (*set->running && streq(f->contents[i].on, set->running) && streq(f->contents[i].set, set->uuid))
                        return &f->contents[i];
        return NULL;
}

static bool is_protected(const struct disk *d)
{
        return *d->protected && !d->letgo;
}

static bool is_small(const struct disk *d)
{
        return d->size < DISK_LEAST;
}

/* What gives no answer can't be written either. */
static bool is_silent(const struct disk *d)
{
        return streq(d->why, "silent");
}

bool is_choosable(const struct disk *d)
{
        return !is_protected(d) && !d->stuck && !is_small(d) && !is_silent(d);
}

static const struct {
        const char *slug, *why;
} reasons[] = {
        {"system", N_("%s can't be chosen: this computer runs from it.")},
        {"mounted", N_("%s can't be chosen: it is in use (mounted).")},
        {"swap", N_("%s can't be chosen: this computer swaps to it.")},
        {"array", N_("%s can't be chosen: an array on it is in use.")},
        {"small", N_("%s can't be chosen: it is too small.")},
        {"silent", N_("%s can't be chosen: it gives no answer. Check its cable and its power.")},
        {"readonly", N_("%s can't be chosen: it can only be read.")},
};

char *protectedby_words(const struct disk *d)
{
        _cleanup_strv_ char **list = list_split(d->protectedby);

        return strv_join(list, ", ");
}

/* Where it can be unmounted without a second thought; the name is to be typed. */
static const char *passing_mount(char *const *list)
{
        STRV_FOREACH(path, list) {
                bool is_passing = skip_prefix(*path, "/mnt") || skip_prefix(*path, "/media/") || skip_prefix(*path, "/run/media/");
                if (is_passing && (*path)[strspn(*path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./")] == 0)
                        return *path;
        }
        return NULL;
}

char *protected_words(const struct disk *d)
{
        _cleanup_strv_ char **users = list_split(d->protectedby);
        _cleanup_free_ char *by = protectedby_words(d);
        const char *mount = is_protected(d) && !streq(d->protected, "system") ? passing_mount(users) : NULL;

        if (mount)
                return xasprintf(_("%s is in use (%s). To use or keep it: leave (F10), type  umount %s , and start nas-setup again."),
                                 d->name, by, mount);
        const char *slug = is_protected(d) ? d->protected : is_small(d) ? "small" : is_silent(d) ? "silent" : "";

        for (size_t i = 0; i < ELEMENTSOF(reasons); i++)
                if (streq(reasons[i].slug, slug)) {
                        _cleanup_free_ char *why = xasprintf(_(reasons[i].why), d->name);
                        bool is_told = streq(slug, "system") || !*d->protectedby;
                        size_t n = strlen(why);
                        return is_told ? TAKE_PTR(why)
                                       : xasprintf("%.*s (%s).", (int)(n - (n && why[n - 1] == '.')), why, by);
                }
        if (is_protected(d) || !d->stuck)
                return xasprintf(_("%s can't be chosen: what uses it could not be found out."), d->name);
        _cleanup_free_ char *list = strv_join(d->stuck, ", ");
        return xasprintf(_("%s can't be chosen: an old array or volume on it runs (%s)."), d->name, list);
}

bool is_blank(const struct disk *d)
{
        return streq(d->holds, "blank") && !*d->found;
}

bool is_being_looked_at(const struct disk *d)
{
        return streq(d->holds, "looking") || streq(d->state, "looking");
}

bool is_failing(const struct disk *d)
{
        return streq(d->state, "failing");
}

const struct record *facts_check(const struct facts *f, const char *what, const char *value)
{
        for (size_t i = 0; i < f->records.n; i++) {
                const struct record *r = f->records.v[i];
                if (streq(r->word, "check") && record_is(r, "what", what) && record_is(r, "value", value))
                        return r;
        }
        return NULL;
}

char *size_words(uint64_t bytes)
{
        static const char *const units[] = {"B", "KB", "MB", "GB", "TB", "PB"};
        double n = (double)bytes;
        size_t unit = 0;

        while (n >= 999.95 && unit + 1 < ELEMENTSOF(units)) {
                n /= 1000;
                unit++;
        }
        char *text = xasprintf(n < 99.95 && unit > 0 ? "%.1f %s" : "%.0f %s", n, units[unit]);
        i18n_decimal(text);
        return text;
}

#include "wizard/choices.h"

#include <ctype.h>
#include <errno.h>

#include "helpers/lib/address.h"
#include "helpers/lib/sharename.h"
#include "helpers/lib/usable.h"
#include "wizard/i18n.h"

#define HOST_ADVISED "nas"
#define WORKGROUP_ADVISED "WORKGROUP"
#define SHARE_ADVISED "public"

struct making {
        const struct facts *f;
        const struct answers *a;
        struct choices *c;
        struct faults *faults;
};

/* The first fault of an answer is the one that is told. */
static void _printf_(3, 4) add_fault(struct making *m, enum answer which, const char *fmt, ...)
{
        va_list ap;

        if (fault_of(m->faults, which))
                return;
        va_start(ap, fmt);
        m->faults->v[m->faults->n++] = (struct fault){.which = which, .text = xvasprintf(fmt, ap)};
        va_end(ap);
}

static char *said_or(const struct making *m, enum answer which, const char *advice)
{
        return xstrdup(m->a->v[which] ? m->a->v[which] : advice);
}

static bool is_one_of(struct making *m, enum answer which, const char *value, char *const *allowed)
{
        if (strv_has(allowed, value))
                return true;
        _cleanup_free_ char *list = strv_join(allowed, ", ");
        add_fault(m, which, _("\"%s\" is not known for %s. It can be: %s."), value, answer_key(which), list);
        return false;
}

/* --- network --- */

/* A cable, then an address that is in use already, then the speed. */
static unsigned long port_rank(const struct port *p)
{
        unsigned long rank = p->speed < 1000000 ? p->speed : 0;

        rank += p->addresses ? 10000000 : 0;
        return rank + (p->carrier == YES ? 200000000 : p->carrier == UNKNOWN ? 100000000 : 0);
}

static bool is_wired(const struct port *p)
{
        return streq(p->kind, "wired");
}

static const struct port *port_advised(const struct facts *f)
{
        const struct port *best = NULL;

        for (size_t i = 0; i < f->n_ports; i++)
                if (is_wired(&f->ports[i]) && (!best || port_rank(&f->ports[i]) > port_rank(best)))
                        best = &f->ports[i];
        return best;
}

static void make_port(struct making *m)
{
        const char *mac = m->a->v[A_PORT];

        m->c->port = mac ? facts_port(m->f, mac) : port_advised(m->f);
        if (mac && !m->c->port)
                add_fault(m, A_PORT, _("This computer has no network port with the hardware address %s."), mac);
        else if (mac && !is_wired(m->c->port))
                add_fault(m, A_PORT, _("%s is not a port for a cable."), m->c->port->name);
        else if (!m->c->port)
                add_fault(m, A_PORT, "%s", _("This computer has no network port for a cable. Connect one and start again."));
}

static void make_others(struct making *m)
{
        _cleanup_free_ char *others = said_or(m, A_OTHERS, "off");

        is_one_of(m, A_OTHERS, others, STRV("off", "keep"));
        m->c->others_off = streq(others, "off");
        for (size_t i = 0; m->c->others_off && i < m->f->n_ports; i++)
                if (is_wired(&m->f->ports[i]) && &m->f->ports[i] != m->c->port)
                        strv_add(&m->c->off, m->f->ports[i].mac);
}

static void make_gateway(struct making *m, const struct address *own)
{
        const struct port *p = m->c->port;
        struct address gateway;
        enum address_fault fault;
        _cleanup_free_ char *advice = NULL;

        /* A network that has none may be meant so; where none is known yet there mostly is one. */
        if (p && (*p->gateway || p->addresses) && gateway_check(p->gateway, own, &gateway, NULL) == 0) {
                advice = xstrdup(p->gateway);
        } else {
                gateway = address_propose_gateway(own);
                advice = address_text(&gateway);
                m->c->gateway_guessed = !m->a->v[A_GATEWAY];
        }
        m->c->gateway = said_or(m, A_GATEWAY, advice);
        strip(m->c->gateway);
        if (gateway_check(m->c->gateway, own, &gateway, &fault) < 0)
                add_fault(m, A_GATEWAY, "%s", _(address_fault_text(fault)));
}

static void make_dns(struct making *m, const struct address *own)
{
        const struct port *p = m->c->port;
        struct address servers[DNS_MAX];
        enum address_fault fault;
        size_t n;
        _cleanup_free_ char *running = p && p->dns ? strv_join(p->dns, ",") : xstrdup("");
        const char *advice = *running && dns_check(running, own, servers, &n, NULL) == 0 ? running : m->c->gateway;

        m->c->dns = said_or(m, A_DNS, advice);
        if (dns_check(m->c->dns, own, servers, &n, &fault) < 0) {
                add_fault(m, A_DNS, "%s", _(address_fault_text(fault)));
                return;
        }
        /* Kept in one form, whatever stood between them. */
        _cleanup_strv_ char **list = NULL;
        for (size_t i = 0; i < n; i++)
                strv_take(&list, address_text(&servers[i]));
        free(m->c->dns);
        m->c->dns = strv_join(list, ",");
}

/* Where the port has an address, others of its network reach it there: one in another network may be a mistake. */
static char *other_network(const struct port *p, const struct address *own)
{
        struct address now, first = {0};

        for (size_t i = 0; p && p->addresses && p->addresses[i]; i++) {
                if (address_check(p->addresses[i], &now, NULL) < 0)
                        continue;
                if (now.prefix == own->prefix && address_network(&now) == address_network(own))
                        return NULL;
                if (!first.prefix)
                        first = (struct address){.ip = address_network(&now), .prefix = now.prefix};
        }
        return first.prefix ? address_text(&first) : NULL;
}

static void make_address(struct making *m)
{
        const struct port *p = m->c->port;
        struct address own;
        enum address_fault fault;

        m->c->address = said_or(m, A_ADDRESS, p && p->addresses ? p->addresses[0] : "");
        if (address_check(m->c->address, &own, &fault) < 0) {
                add_fault(m, A_ADDRESS, "%s", _(address_fault_text(fault)));
                m->c->gateway = said_or(m, A_GATEWAY, p ? p->gateway : "");
                _cleanup_free_ char *dns = p && p->dns ? strv_join(p->dns, ",") : xstrdup("");
                m->c->dns = said_or(m, A_DNS, dns);
                m->c->subnet = xstrdup("");
                return;
        }
        free(m->c->address);
        m->c->address = address_text(&own);
        struct address net = {.ip = address_network(&own), .prefix = own.prefix};
        m->c->subnet = address_text(&net);
        m->c->subnet_now = other_network(p, &own);
        make_gateway(m, &own);
        make_dns(m, &own);
}

static void make_host(struct making *m)
{
        enum address_fault fault;
        bool keep = hostname_check(m->f->host, NULL) == 0 && !streq(m->f->host, "debian") &&
                    !streq(m->f->host, "localhost");

        m->c->host = said_or(m, A_NAME, keep ? m->f->host : HOST_ADVISED);
        if (hostname_check(m->c->host, &fault) < 0)
                add_fault(m, A_NAME, "%s", _(address_fault_text(fault)));
        m->c->netbios = xstrdup(m->c->host);
        for (char *p = m->c->netbios; *p; p++)
                *p = (char)toupper((unsigned char)*p);
}

/* --- disks --- */

static bool is_fixed(const struct disk *d)
{
        return streq(d->kind, "disk") || streq(d->kind, "ssd") || streq(d->kind, "nvme") || streq(d->kind, "virtual");
}

static bool is_advised(const struct disk *d)
{
        return is_choosable(d) && is_blank(d) && is_fixed(d) && (streq(d->state, "good") || streq(d->state, "unknown"));
}

static bool is_flash(const struct disk *d)
{
        return streq(d->kind, "ssd") || streq(d->kind, "nvme");
}

static int by_size_falling(const void *a, const void *b)
{
        uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

        return x < y ? 1 : x > y ? -1 : 0;
}

/* The larger disks of an array are used as if they were the smallest. As many as leave at least nine tenths of the most
 * room that any number of them gives under the advised level: how large the smallest of those is. */
static uint64_t least_worth_taking(uint64_t *sizes, unsigned n)
{
        _cleanup_free_ uint64_t *rooms = xmalloc((n + 1) * sizeof *rooms);
        uint64_t best = 0;
        unsigned take = n;

        qsort(sizes, n, sizeof *sizes, by_size_falling);
        for (unsigned k = 2; k <= n; k++) {
                struct capacity c = {0};
                rooms[k] = capacity_of(level_advised(k, false), CHUNK_DEFAULT, sizes, k, 0, &c) < 0 ? 0 : c.array;
                best = MAX2(best, rooms[k]);
        }
        while (take > 2 && rooms[take] < best / 10 * 9)
                take--;
        return sizes[take - 1];
}

/* Flash and turning disks are not mixed: the kind that offers more room is taken. */
static void advise_disks(struct making *m)
{
        _cleanup_free_ uint64_t *sizes = xmalloc((m->f->n_disks + 1) * sizeof *sizes);
        uint64_t room[2] = {0}, least = 0;
        unsigned n = 0;

        for (size_t i = 0; i < m->f->n_disks; i++)
                if (is_advised(&m->f->disks[i]))
                        room[is_flash(&m->f->disks[i])] += m->f->disks[i].size;
        bool flash = room[1] > room[0];
        for (size_t i = 0; i < m->f->n_disks; i++)
                if (is_advised(&m->f->disks[i]) && is_flash(&m->f->disks[i]) == flash)
                        sizes[n++] = m->f->disks[i].size;
        if (n > 0)
                least = least_worth_taking(sizes, n);
        for (size_t i = 0; i < m->f->n_disks; i++)
                if (is_advised(&m->f->disks[i]) && is_flash(&m->f->disks[i]) == flash && m->f->disks[i].size >= least)
                        m->c->disks[m->c->n_disks++] = &m->f->disks[i];
}

static const struct disk *find_disk(struct making *m, enum answer which, const char *name)
{
        size_t n;
        const struct disk *d = facts_disk(m->f, name, &n);
        _cleanup_strv_ char **paths = NULL;

        if (d)
                return d;
        for (size_t i = 0; i < m->f->n_disks; i++)
                if (n == 0 ? is_choosable(&m->f->disks[i]) : streq(m->f->disks[i].serial, name))
                        strv_add(&paths, *m->f->disks[i].bypath ? m->f->disks[i].bypath : m->f->disks[i].name);
        _cleanup_free_ char *list = strv_join(paths, ", ");
        if (n == 0)
                add_fault(m, which, _("No disk here has the name \"%s\". There are: %s."), name, list);
        else
                add_fault(m, which, _("\"%s\" fits more than one disk. Use one of these names: %s."), name, list);
        return NULL;
}

static bool has_disk(const struct choices *c, const struct disk *d)
{
        for (unsigned i = 0; i < c->n_disks; i++)
                if (c->disks[i] == d)
                        return true;
        return false;
}

static void take_disks(struct making *m)
{
        _cleanup_strv_ char **names = list_split(m->a->v[A_USE]);

        STRV_FOREACH(name, names) {
                const struct disk *d = find_disk(m, A_USE, *name);
                if (!d)
                        continue;
                _cleanup_free_ char *why = is_choosable(d) ? NULL : protected_words(d);
                if (why)
                        add_fault(m, A_USE, "%s", why);
                else if (has_disk(m->c, d))
                        add_fault(m, A_USE, _("%s is named twice."), d->name);
                else
                        m->c->disks[m->c->n_disks++] = d;
        }
}

static void make_disks(struct making *m)
{
        m->c->disks = xreallocarray(NULL, m->f->n_disks + 1, sizeof *m->c->disks);
        m->c->erased = xreallocarray(NULL, m->f->n_disks + 1, sizeof *m->c->erased);
        if (m->a->v[A_USE])
                take_disks(m);
        else
                advise_disks(m);
        for (unsigned i = 0; i < m->c->n_disks; i++)
                if (!is_blank(m->c->disks[i]))
                        m->c->erased[m->c->n_erased++] = m->c->disks[i];
        if (m->c->n_disks == 0)
                add_fault(m, A_USE, "%s", _("No disk is chosen. Mark at least one with Space."));
}

char **choices_unforgiven(const struct facts *f, const struct answers *a, const struct choices *c)
{
        _cleanup_strv_ char **names = a->v[A_ERASE] ? list_split(a->v[A_ERASE]) : NULL;
        char **missing = NULL;

        for (unsigned i = 0; i < c->n_erased; i++) {
                bool forgiven = false;
                STRV_FOREACH(name, names)
                        forgiven |= facts_disk(f, *name, NULL) == c->erased[i];
                if (!forgiven)
                        strv_add(&missing, disk_key(f, c->erased[i]));
        }
        return missing;
}

/* A word of consent for a disk that is not there, or not chosen, is a mistake worth stopping for. */
static void check_erase(struct making *m)
{
        _cleanup_strv_ char **names = m->a->v[A_ERASE] ? list_split(m->a->v[A_ERASE]) : NULL;

        STRV_FOREACH(name, names) {
                const struct disk *d = find_disk(m, A_ERASE, *name);
                if (d && !has_disk(m->c, d))
                        add_fault(m, A_ERASE, _("%s (%s) is to be erased, but it is not among the disks in use."), *name,
                                  d->name);
        }
}

/* --- array and files --- */

static bool any_usb(const struct choices *c)
{
        for (unsigned i = 0; i < c->n_disks; i++)
                if (streq(c->disks[i]->kind, "usb"))
                        return true;
        return false;
}

static void make_level(struct making *m)
{
        struct choices *c = m->c;
        const char *name = m->a->v[A_LEVEL], *spares = m->a->v[A_SPARES], *chunk = m->a->v[A_CHUNK];

        if (spares && parse_uint(spares, c->n_disks, &c->spares) < 0)
                add_fault(m, A_SPARES, _("The number of spares is a number up to %u, not \"%s\"."), c->n_disks, spares);
        c->level = name ? level_find(name) : level_advised(c->n_disks - MIN2(c->spares, c->n_disks), any_usb(c));
        if (name && !c->level)
                add_fault(m, A_LEVEL, _("\"%s\" is no level. It can be: raid0, raid1, raid5, raid6, raid10."), name);
        c->chunk = CHUNK_DEFAULT;
        if (chunk && parse_size(chunk, &c->chunk) < 0)
                add_fault(m, A_CHUNK, _("\"%s\" is no size. Chunks are 64KiB, 128KiB, 256KiB or 512KiB."), chunk);
}

static void make_capacity(struct making *m)
{
        struct choices *c = m->c;
        _cleanup_free_ uint64_t *sizes = xreallocarray(NULL, c->n_disks + 1, sizeof *sizes);

        if (!c->level || c->n_disks == 0)
                return;
        for (unsigned i = 0; i < c->n_disks; i++)
                sizes[i] = c->disks[i]->size;
        if (c->n_disks - MIN2(c->spares, c->n_disks) < c->level->least) {
                add_fault(m, A_LEVEL, Q_("%s needs %u disk.", "%s needs %u disks.", c->level->least), c->level->term,
                          c->level->least);
                return;
        }
        if (capacity_of(c->level, c->chunk, sizes, c->n_disks, c->spares, &c->capacity) < 0) {
                add_fault(m, A_CHUNK, "%s",
                          _("With this chunk these disks give no array. Chunks are a power of two from 4KiB to 8MiB."));
                return;
        }
        c->files = fs_usable(c->type, c->capacity.array);
}

/* What the slug must not meet: the names of arrays, the labels of file systems, the folders in /srv. */
static char **names_taken(const struct facts *f)
{
        char **taken = NULL;

        for (size_t i = 0; i < f->records.n; i++) {
                const struct record *r = f->records.v[i];
                if (streq(r->word, "array"))
                        strv_add(&taken, record_str(r, "name"));
                if (streq(r->word, "filesystem") || streq(r->word, "content"))
                        strv_add(&taken, record_str(r, "label"));
                const char *folder = skip_prefix(record_str(r, "mount"), "/srv/");
                if (folder)
                        strv_add(&taken, folder);
        }
        return taken;
}

/* A share of this name that nas-share would leave alone, because it is that of another folder. */
static const struct record *share_in_the_way(const struct facts *f, const char *name, const char *mount)
{
        for (size_t i = 0; i < f->records.n; i++) {
                const struct record *r = f->records.v[i];
                if (streq(r->word, "share") && strcasecmp(record_str(r, "name"), name) == 0 && !record_is(r, "path", mount))
                        return r;
        }
        return NULL;
}

static void make_names(struct making *m)
{
        struct choices *c = m->c;
        _cleanup_strv_ char **taken = names_taken(m->f);
        _cleanup_free_ char *advice = sharename_slug(c->share, taken);

        c->slug = said_or(m, A_SLUG, advice);
        if (!sharename_is_slug(c->slug))
                add_fault(m, A_SLUG, "%s", _("The name of the array is 1 to 12 of the letters a to z, digits and dashes."));
        _cleanup_free_ char *mount = xasprintf("/srv/%s", c->slug);
        c->mount = said_or(m, A_MOUNT, mount);
        const char *rest = skip_prefix(c->mount, "/srv/");
        if (!rest || !*rest || *rest == '.' || strlen(c->mount) > 200 ||
            strspn(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") != strlen(rest))
                add_fault(m, A_MOUNT, "%s", _("The folder lies in /srv itself and has only letters, digits, dashes and dots."));
        const struct record *there = share_in_the_way(m->f, c->share, c->mount);
        if (there)
                add_fault(m, A_SHARE, _("There is a share \"%s\" already, for %s. Take another name."), c->share,
                          record_str(there, "path"));
        c->type = said_or(m, A_TYPE, "ext4");
        is_one_of(m, A_TYPE, c->type, STRV("ext4"));
}

/* --- share --- */

static void check_share(struct making *m, enum answer which, enum sharename_kind kind, const char *value)
{
        char character[5];
        enum sharename_fault fault = sharename_check(kind, value, character);

        if (fault != SHARENAME_FINE)
                add_fault(m, which, _(sharename_message(kind, fault)), character);
}

static bool has_share(const struct facts *f, const char *name)
{
        for (size_t i = 0; i < f->records.n; i++)
                if (streq(f->records.v[i]->word, "share") && strcasecmp(record_str(f->records.v[i], "name"), name) == 0)
                        return true;
        return false;
}

/* "public", or "public2" where that is there already. */
static char *share_advised(const struct facts *f)
{
        char *name = xstrdup(SHARE_ADVISED);

        for (unsigned i = 2; has_share(f, name) && i < 100; i++) {
                free(name);
                name = xasprintf(SHARE_ADVISED "%u", i);
        }
        return name;
}

static void make_share(struct making *m)
{
        struct choices *c = m->c;

        if (!m->f->has_samba)
                add_fault(m, A_ACCESS, "%s", _("The program that serves files is missing. Leave, and type: apt install samba"));
        _cleanup_free_ char *advice = share_advised(m->f);
        c->share = said_or(m, A_SHARE, advice);
        check_share(m, A_SHARE, SHARENAME_SHARE, c->share);
        c->comment = said_or(m, A_COMMENT, _("Files for everyone"));
        check_share(m, A_COMMENT, SHARENAME_COMMENT, c->comment);
        c->workgroup = said_or(m, A_WORKGROUP, *m->f->workgroup ? m->f->workgroup : WORKGROUP_ADVISED);
        check_share(m, A_WORKGROUP, SHARENAME_WORKGROUP, c->workgroup);
        if (sharename_workgroup_is_host(c->workgroup, c->netbios))
                add_fault(m, A_WORKGROUP, "%s", _("The workgroup and the computer need different names."));
        c->access = said_or(m, A_ACCESS, "everyone");
        is_one_of(m, A_ACCESS, c->access, STRV("everyone"));
        c->test = said_or(m, A_TEST, "quick");
        is_one_of(m, A_TEST, c->test, STRV("quick", "full", "none"));
}

int choices_make(const struct facts *f, const struct answers *a, struct choices *ret, struct faults *ret_faults)
{
        struct making m = {.f = f, .a = a, .c = ret, .faults = ret_faults};

        *ret = (struct choices){0};
        *ret_faults = (struct faults){0};
        make_port(&m);
        make_others(&m);
        make_address(&m);
        make_host(&m);
        make_share(&m);
        make_names(&m);
        make_disks(&m);
        check_erase(&m);
        make_level(&m);
        make_capacity(&m);
        return ret_faults->n ? -EINVAL : 0;
}

void choices_free(struct choices *c)
{
        char *const owned[] = {c->address, c->gateway, c->dns,     c->subnet,    c->subnet_now, c->host,    c->slug,   c->type,
                               c->mount,   c->share,   c->comment, c->workgroup, c->netbios, c->access, c->test};

        for (size_t i = 0; i < ELEMENTSOF(owned); i++)
                free(owned[i]);
        strv_free(c->off);
        free(c->disks);
        free(c->erased);
        *c = (struct choices){0};
}

const char *fault_of(const struct faults *f, enum answer which)
{
        for (unsigned i = 0; i < f->n; i++)
                if (f->v[i].which == which)
                        return f->v[i].text;
        return NULL;
}

void faults_free(struct faults *f)
{
        for (unsigned i = 0; i < f->n; i++)
                free(f->v[i].text);
        f->n = 0;
}

#include "wizard/choices_private.h"

#include <errno.h>

#include "helpers/lib/sharename.h"
#include "wizard/i18n.h"

void add_fault(struct making *m, enum answer which, const char *fmt, ...)
{
        va_list ap;

        if (fault_of(m->faults, which))
                return;
        va_start(ap, fmt);
        m->faults->v[m->faults->n++] = (struct fault){.which = which, .text = xvasprintf(fmt, ap)};
        va_end(ap);
}

char *said_or(const struct making *m, enum answer which, const char *advice)
{
        return xstrdup(m->a->v[which] ? m->a->v[which] : advice);
}

bool is_one_of(struct making *m, enum answer which, const char *value, char *const *allowed)
{
        if (strv_has(allowed, value))
                return true;
        _cleanup_free_ char *list = strv_join(allowed, ", ");
        add_fault(m, which, _("\"%s\" is not known for %s. It can be: %s."), value, answer_key(which), list);
        return false;
}

/* The name that an array has which is taken over is its own to keep. */
static bool is_kept(const struct choices *c, const struct record *r)
{
        return c->keep && (uuid_equal(record_str(r, "uuid"), c->keep->set->uuid) ||
                           streq(record_str(r, "uuid"), c->keep->files->uuid));
}

/* What the slug must not meet: the names of arrays, the labels of file systems, the folders in /srv, also those that are
 * shared. */
static char **names_taken(const struct making *m)
{
        char **taken = NULL;

        for (size_t i = 0; i < m->f->records.n; i++) {
                const struct record *r = m->f->records.v[i];
                if (is_kept(m->c, r))
                        continue;
                if (streq(r->word, "array"))
                        strv_add(&taken, record_str(r, "name"));
                if (streq(r->word, "filesystem") || streq(r->word, "content"))
                        strv_add(&taken, record_str(r, "label"));
                const char *folder = skip_prefix(record_str(r, streq(r->word, "share") ? "path" : "mount"), "/srv/");
                if (folder)
                        strv_add(&taken, folder);
        }
        return taken;
}

static void make_names(struct making *m)
{
        struct choices *c = m->c;
        _cleanup_strv_ char **taken = names_taken(m);
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
        check_share_folder(m);
}

int choices_make(const struct facts *f, const struct answers *a, struct choices *ret, struct faults *ret_faults)
{
        struct making m = {.f = f, .a = a, .c = ret, .faults = ret_faults};

        *ret = (struct choices){0};
        *ret_faults = (struct faults){0};
        if (a->v[A_DO]) {
                make_later(&m);
                return ret_faults->n ? -EINVAL : 0;
        }
        make_network(&m);
        make_keep(&m);
        make_share(&m);
        make_names(&m);
        make_disks(&m);
        make_sets(&m);
        make_array(&m);
        check_backups(&m);
        make_system(&m);
        make_packages(&m);
        return ret_faults->n ? -EINVAL : 0;
}

void choices_free(struct choices *c)
{
        char *const owned[] = {c->address, c->gateway, c->dns,     c->subnet,    c->subnet_now, c->host,    c->slug,   c->type,
                               c->mount,   c->share,   c->comment, c->workgroup, c->netbios, c->access, c->user,    c->test,
                               c->ipv6,    c->address6, c->gateway6, c->gateway_proposed, c->domain, c->zone, c->keyboard};

        for (size_t i = 0; i < ELEMENTSOF(owned); i++)
                free(owned[i]);
        strv_free(c->off);
        strv_free(c->needed);
        strv_free(c->wished);
        free(c->disks);
        free(c->erased);
        free(c->failing);
        free(c->letgo);
        free(c->release);
        free(c->warnings);
        free(c->keepable);
        free(c->better);
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

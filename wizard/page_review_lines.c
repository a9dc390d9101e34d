#include "wizard/page_review_lines.h"

#define DETAIL_X 20

static struct line *add_line(struct lines *l, const char *label, char *text)
{
        l->v = xreallocarray(l->v, (size_t)l->n + 1, sizeof *l->v);
        l->v[l->n] =
            (struct line){.label_role = R_LABEL, .role = R_TEXT, .x = TEXT_X, .label = label, .text = text};
        return &l->v[l->n++];
}

/* A text longer than a row takes several, at x. */
static void add_text(struct lines *l, const char *label, enum role role, int x, char *text)
{
        const char *p = text;

        do {
                size_t n = page_line(p, 78 - x);
                struct line *line = add_line(l, label, xstrndup(p, n));
                line->x = x;
                line->role = role;
                label = NULL;
                p += n;
                p += *p == ' ';
        } while (*p);
        free(text);
}

static void add(struct lines *l, const char *label, char *text)
{
        add_text(l, label, R_TEXT, TEXT_X, text);
}

static void blank(struct lines *l)
{
        add_line(l, NULL, NULL);
}

void review_lines_free(struct lines *l)
{
        for (int i = 0; i < l->n; i++)
                free(l->v[i].text);
        free(l->v);
}

static void add_erased_disk(struct lines *l, const struct facts *f, const struct disk *d, bool first)
{
        _cleanup_free_ char *size = size_words(d->size);
        int at = l->n;

        add_text(l, first ? _("ERASED") : NULL, R_BOLD, TEXT_X,
                 xasprintf("%-4s %s  %s  %s", d->name, d->model, d->serial, size));
        l->v[at].label_role = R_BADGE;
        for (size_t i = 0; i < d->n_contents; i++) {
                const struct set *set = facts_set(f, d->contents[i].set);
                add_text(l, NULL, R_BOLD, DETAIL_X, set ? set_sentence(f, set, d, true) : contents_words(&d->contents[i]));
        }
        if (d->n_contents == 0)
                add_text(l, NULL, R_BOLD, DETAIL_X,
                         *d->found ? xasprintf(_("found on it: %s"), d->found)
                                   : xstrdup(_("it could not be looked through: it may hold something")));
}

/* What is taken down before anything is erased. */
static char *release_words(const struct layer *l)
{
        static const struct {
                const char *type, *words;
        } kinds[] = {{"mount", N_("%s is unmounted (on %s)")},
                     {"swap", N_("swapping to %s ends (on %s)")},
                     {"md", N_("the old array %s is stopped (on %s)")},
                     {"lvm", N_("the old volume %s is closed (on %s)")},
                     {"crypt", N_("the open encrypted volume %s is closed (on %s)")}};
        _cleanup_free_ char *disks = strv_join(l->disks, ", ");
        const char *words = N_("what runs as %s is stopped (on %s)");

        for (size_t i = 0; i < ELEMENTSOF(kinds); i++)
                if (streq(kinds[i].type, l->type))
                        words = kinds[i].words;
        return xasprintf(_(words), l->name, disks);
}

static void add_released(struct lines *l, const struct choices *c)
{
        for (unsigned i = 0; i < c->n_release; i++)
                add(l, i == 0 ? _("Stopped") : NULL, release_words(c->release[i]));
}

static void add_warnings(struct lines *l, const struct session *s)
{
        const struct choices *c = &s->choices;

        for (unsigned i = 0; i < c->n_warnings; i++)
                add_text(l, i == 0 ? _("Mind") : NULL, R_WARN, TEXT_X, warning_words(s->facts, &c->warnings[i]));
}

static void add_kept(struct lines *l, const struct session *s)
{
        const struct keepable *k = s->choices.keep;

        _cleanup_free_ char *set = set_words(k->set);

        add_text(l, _("Kept"), R_BOLD, TEXT_X,
                 streq(s->choices.access, "user") ? xasprintf(_("All files in %s, GIVEN TO %s."), set, s->choices.user)
                                                  : xasprintf(_("All files in %s, OPENED TO EVERYONE."), set));
        add(l, NULL, set_sentence(s->facts, k->set, NULL, false));
        add(l, NULL, contents_words(k->files));
        add_text(l, _("Erased"), R_GOOD, TEXT_X, xstrdup(_("Nothing: an old array is taken over with its files.")));
}

static void add_erased(struct lines *l, const struct facts *f, const struct choices *c)
{
        for (unsigned i = 0; i < c->n_erased; i++)
                add_erased_disk(l, f, c->erased[i], i == 0);
        if (c->n_erased == 0)
                add_text(l, _("Erased"), R_GOOD, TEXT_X,
                         c->n_disks == 1
                             ? xstrdup(_("Nothing: the chosen disk is blank."))
                             : xasprintf(Q_("Nothing: the %u chosen disk is blank.",
                                            "Nothing: the %u chosen disks are blank.", c->n_disks),
                                         c->n_disks));
}

static void add_servers(struct buf *b, const struct choices *c)
{
        _cleanup_strv_ char **servers = list_split(c->dns);
        _cleanup_free_ char *dns = servers ? strv_join(servers, ", ") : xstrdup("");

        if (*dns && streq(dns, c->gateway)) {
                buf_printf(b, _(", gateway and DNS %s"), dns);
        } else {
                buf_printf(b, *c->gateway ? _(", gateway %s") : _(", no gateway"), c->gateway);
                buf_printf(b, *dns ? _(", DNS %s") : _(", no DNS"), dns);
        }
        if (*c->domain)
                buf_printf(b, _(", domain %s"), c->domain);
}

static void add_ipv6(struct buf *b, const struct choices *c)
{
        if (streq(c->ipv6, "off"))
                buf_puts(b, _("; IPv6 is switched off"));
        else if (streq(c->ipv6, "fixed"))
                buf_printf(b, *c->gateway6 ? _("; IPv6 %s, gateway %s") : _("; IPv6 %s"), c->address6, c->gateway6);
}

/* Ports that stay on though the advice is otherwise. */
static size_t count_left_on(const struct session *s)
{
        size_t n = 0;

        for (size_t i = 0; i < s->facts->n_ports && !s->choices.others_off; i++)
                n += port_is_choosable(&s->facts->ports[i]) && &s->facts->ports[i] != s->choices.port;
        return n;
}

static char *network_words(const struct session *s)
{
        const struct choices *c = &s->choices;
        struct buf b = {0};
        size_t n = strv_len(c->off), i = 0, on = count_left_on(s);

        if (c->is_offline)
                return xstrdup(_("none: this computer has no port. Nobody can reach it."));
        if (c->keeps_network)
                return xasprintf(_("%s keeps %s; nothing is changed"), c->port ? c->port->name : "?", c->address);
        buf_printf(&b, _("%s gets %s"), c->port ? c->port->name : "?", c->address);
        add_servers(&b, c);
        add_ipv6(&b, c);
        if (on > 0)
                buf_printf(&b, Q_("; the other port stays on", "; the other %zu ports stay on", on), on);
        if (n > 0) {
                _cleanup_strv_ char **names = NULL;
                for (; i < n; i++) {
                        const struct port *p = facts_port(s->facts, c->off[i]);
                        strv_add(&names, p ? p->name : c->off[i]);
                }
                _cleanup_free_ char *list = strv_join(names, ", ");
                buf_printf(&b, Q_("; %s is switched off", "; %s are switched off", n), list);
        }
        return b.buf;
}

static char *disks_words(const struct choices *c)
{
        uint64_t start, end, left = 0;
        _cleanup_free_ char *names = disk_names(c->disks, c->n_disks);

        if (c->keep)
                return xasprintf(_("%s: left as they are"), names);
        for (unsigned i = 0; i < c->n_disks; i++) {
                member_range(c->disks[i]->size, &start, &end);
                left = MAX2(left, c->disks[i]->size - end);
        }
        unsigned mib = (unsigned)(left / MIB);
        _cleanup_free_ char *size =
            mib >= 1000 ? xasprintf("%u GiB", (mib + 512) / 1024) : xasprintf("%u MiB", mib);
        return xasprintf(Q_("%s: one partition, %s left free at the end",
                            "%s: one partition each, %s left free at the end", c->n_disks),
                         names, size);
}

static char *protection_words(const struct choices *c)
{
        unsigned n = c->n_disks - MIN2(c->spares, c->n_disks);
        _cleanup_free_ char *level = c->level ? level_words(c->level) : xstrdup("?");
        _cleanup_free_ char *size = size_words(c->capacity.array);
        unsigned k = c->level && n ? level_survives(c->level, n) : 0;

        struct buf b = {0};

        if (c->keep)
                return xasprintf(_("%s, as it is: %s"), level, size);
        if (n == 1)
                buf_printf(&b, _("none yet, on 1 disk: %s for files; a second disk can be added"), size);
        else if (k == 0)
                buf_printf(&b, _("%s on %u disks: %s for files, NONE may fail"), level, n, size);
        else
                buf_printf(&b,
                           Q_("%s on %u disks: %s for files, any %u may fail",
                              "%s on %u disks: %s for files, any %u may fail", k),
                           level, n, size, k);
        if (c->spares > 0)
                buf_printf(&b, Q_("; %u spare disk", "; %u spare disks", c->spares), c->spares);
        if (c->level && c->level->chunked && c->chunk != CHUNK_DEFAULT)
                buf_printf(&b, _("; chunk %u KiB"), (unsigned)(c->chunk / KIB));
        return b.buf;
}

static void add_once(char ***list, const char *file)
{
        if (!strv_has(*list, file))
                strv_add(list, file);
}

/* What is written where the helpers have not answered yet, or can't before the steps before are done. */
static void add_expected(const struct session *s, char ***made, char ***changed)
{
        const struct choices *c = &s->choices;
        const char *stack = !s->dry.text && c->port && !c->keeps_network && !*c->port->ours && !s->changes_share ? c->port->stack : "";

        if (streq(stack, "networkd"))
                add_once(made, "/etc/systemd/network/10-nas-setup-lan.network");
        if (streq(stack, "ifupdown")) {
                add_once(made, "/etc/network/interfaces.d/nas-setup");
                add_once(changed, "/etc/network/interfaces");
        }
        if (c->level && !s->changes_share && (c->level->number == 5 || c->level->number == 6))
                add_once(made, "/etc/udev/rules.d/65-nas-stripe-cache.rules");
        if (!c->is_offline)
                add_once(made, "/etc/systemd/system/smbd.service.d/nas-setup.conf");
        if (c->greets && !c->is_offline)
                add_once(made, "/etc/issue.d/nas-setup.issue");
        if (!s->changes_share) {
                add_once(changed, "/etc/mdadm/mdadm.conf");
                add_once(changed, "/etc/fstab");
        }
        if (!c->is_offline)
                strv_take(changed, xasprintf("%s (%s)", "/etc/samba/smb.conf", _("the old one is kept")));
}

/* One row or more for a list of files. */
static void add_files(struct lines *l, const char **label, const char *words, char *const *files)
{
        if (!files)
                return;
        _cleanup_free_ char *list = strv_join(files, ", ");
        add(l, *label, xasprintf("%s %s", words, list));
        *label = NULL;
}

static void add_written(struct lines *l, const struct session *s)
{
        _cleanup_strv_ char **made = strv_copy(s->dry.made), **changed = strv_copy(s->dry.changed);
        const char *label = _("Written");

        add_expected(s, &made, &changed);
        add_files(l, &label, _("new:"), made);
        add_files(l, &label, _("changed:"), changed);
        add_files(l, &label, _("removed:"), s->dry.removed);
}

static char *time_words(const struct choices *c)
{
        _cleanup_free_ char *setup = duration_words(estimate_setup(c)),
                            *sync = duration_words(estimate_sync(c));

        if (c->keep)
                return xasprintf(_("about %s, and as long as it takes to give the files to the share"), setup);
        if (estimate_sync(c) == 0)
                return xasprintf(_("about %s"), setup);
        return xasprintf(_("about %s, then %s in the background"), setup, sync);
}

static void add_network_warnings(struct lines *l, const struct session *s)
{
        const struct choices *c = &s->choices;
        if (c->is_offline || c->keeps_network)
                return;
        char *taken = check_taken(s);

        if (taken)
                add_text(l, NULL, R_WARN, TEXT_X, taken);
        if (c->link_local)
                add_text(l, NULL, R_WARN, TEXT_X, xstrdup(_("NO NETWORK'S ADDRESS (169.254): most other devices will not find it")));
        else if (c->subnet_now)
                add_text(l, NULL, R_WARN, TEXT_X,
                         xasprintf(_("OTHER NETWORK than now (%s): other computers may not find it"), c->subnet_now));
        if (s->facts->ssh)
                add_text(l, NULL, R_BOLD, TEXT_X,
                         xasprintf(_("You are here over ssh: you are asked whether the address works; without a yes within %d s it is "
                                     "taken back."), PLAN_TRIAL_SECONDS));
}

/* Who may use it. */
char *review_share_words(const struct choices *c)
{
        if (streq(c->access, "user"))
                return xasprintf(_("\"%s\": only %s, with the password, on %s"), c->share, c->user, c->subnet);
        if (c->has_user)
                return xasprintf(_("\"%s\": everyone on %s may read and write; %s may come in with a password"), c->share, c->subnet,
                                 c->user);
        return xasprintf(_("\"%s\": everyone on %s may read and write"), c->share, c->subnet);
}

static void add_firewall(struct lines *l, const struct choices *c)
{
        if (!*c->firewall)
                return;
        if (c->opens)
                add(l, NULL, xasprintf(_("the firewall (%s) is opened for %s"), c->firewall, c->subnet));
        else if (streq(c->firewall, "rules"))
                add_text(l, NULL, R_WARN, TEXT_X, xstrdup(_("FIREWALL: somebody's own rules keep others out, and are left alone")));
        else if (c->job == JOB_SETUP)
                add_text(l, NULL, R_WARN, TEXT_X,
                         xasprintf(_("FIREWALL (%s) IS NOT OPENED: unless it was before, nobody will reach the share"), c->firewall));
}

static void add_found(struct lines *l, const struct session *s)
{
        const struct choices *c = &s->choices;
        _cleanup_strv_ char **missing = choices_share_packages(s->facts, c);

        if (!c->announces)
                add(l, NULL, xstrdup(_("not shown by itself in \"Network\" and Finder")));
        if (missing && s->facts->has_samba) {
                _cleanup_free_ char *list = strv_join(missing, ", ");
                add_text(l, NULL, R_WARN, TEXT_X, xasprintf(_("NOT INSTALLED: %s; so it is not found by itself"), list));
        }
}

/* Settings of others stay; what they cost is told. */
static void add_harms(struct lines *l, const struct session *s)
{
        RECORDS_FOREACH(r, &s->facts->records)
        if (streq(r->word, "harm"))
                add_text(l, NULL, R_WARN, TEXT_X,
                         xasprintf(_("smb.conf keeps \"%s = %s\": %s"), record_str(r, "key"), record_str(r, "value"),
                                   _(record_str(r, "text"))));
}

static void add_share(struct lines *l, const struct session *s)
{
        const struct choices *c = &s->choices;

        if (c->is_offline) {
                add(l, _("Share"), xstrdup(_("none: without a network nobody could find it")));
                return;
        }
        add(l, _("Share"), review_share_words(c));
        add_firewall(l, c);
        add_found(l, s);
        if (c->backups) {
                _cleanup_free_ char *size = size_words(c->backups);
                add(l, NULL, xasprintf(_("\"Time Machine\": backups of Macs, only for %s, up to %s"), c->user, size));
        }
        if (c->for_macs)
                add(l, NULL, xstrdup(_("keeps what Macs have beside their files")));
        if (c->leaves_summary)
                add(l, NULL, xstrdup(_("a text file on it tells how to reach it")));
        add_harms(l, s);
}

static void make_change(const struct session *s, struct lines *l)
{
        const struct record *call = plan_call(&s->plan, "nas-share", "set");

        add_text(l, _("Erased"), R_GOOD, TEXT_X, xstrdup(_("Nothing: the disks stay as they are now.")));
        add(l, _("Kept"), xasprintf(_("network, disks, protection, and the files at %s"), call ? record_str(call, "path") : "/srv"));
        blank(l);
        add_share(l, s);
        blank(l);
        add_written(l, s);
}

void review_add(struct lines *l, const char *label, enum role role, char *text)
{
        add_text(l, label, role, TEXT_X, text);
}

void review_add_blank(struct lines *l)
{
        blank(l);
}

void review_add_losses(struct lines *l, const struct session *s)
{
        add_released(l, &s->choices);
        add_erased(l, s->facts, &s->choices);
        add_warnings(l, s);
        blank(l);
}

void review_add_network(struct lines *l, const struct session *s)
{
        add(l, _("Network"), network_words(s));
        add_network_warnings(l, s);
        add(l, _("Name"), xasprintf(_("%s, in the workgroup %s"), s->choices.host, s->choices.workgroup));
}

void review_add_firewall(struct lines *l, const struct session *s)
{
        add_firewall(l, &s->choices);
}

void review_add_told(struct lines *l, const struct session *s)
{
        const char *label = _("Written");

        add_files(l, &label, _("new:"), s->dry.made);
        add_files(l, &label, _("changed:"), s->dry.changed);
        add_files(l, &label, _("removed:"), s->dry.removed);
}

/* mdadm, samba and 37 more: 48 MB to fetch, 210 MB on the system disk */
static char *fetch_words(const struct record *fetch)
{
        _cleanup_strv_ char **all = record_get_list(fetch, "packages"), **lacks = record_get_list(fetch, "lacks");
        _cleanup_free_ char *down = size_words(record_u64(fetch, "download")), *size = size_words(record_u64(fetch, "size"));
        size_t n = strv_len(all);
        struct buf b = {0};

        if (record_u64(fetch, "size") > 0)
                buf_printf(&b, Q_("%zu package, %s to fetch, %s on the system disk", "%zu packages, %s to fetch, %s on the system disk", n), n, down,
                           size);
        else if (record_is(fetch, "mirror", "unknown"))
                buf_puts(&b, _("how much is to be fetched is known when the network is set up"));
        if (lacks) {
                _cleanup_free_ char *list = strv_join(lacks, ", ");
                buf_printf(&b, *(b.buf ? b.buf : "") ? _("; can't be had: %s") : _("can't be had, goes without: %s"), list);
        }
        return b.buf ? b.buf : xstrdup("");
}

/* Its clock, keyboard and sleep. */
static void add_computer(struct lines *l, const struct session *s)
{
        static const struct {
                const char *why, *words;
        } causes[] = {{"lid", N_("closing the lid")}, {"idle", N_("being idle")}, {"desktop", N_("the desktop")}};
        const struct choices *c = &s->choices;
        _cleanup_strv_ char **parts = NULL, **why = NULL;

        for (size_t i = 0; i < ELEMENTSOF(causes); i++)
                if (records_find(&s->facts->records, "sleep", "why", causes[i].why))
                        strv_add(&why, _(causes[i].words));
        _cleanup_free_ char *list = why ? strv_join(why, ", ") : NULL;
        if (c->wakes && list)
                strv_take(&parts, xasprintf(_("no longer put to sleep by %s"), list));
        if (c->syncs)
                strv_add(&parts, _("the clock follows the internet's time"));
        if (c->zone)
                strv_take(&parts, xasprintf(_("time zone %s"), c->zone));
        if (c->keyboard)
                strv_take(&parts, xasprintf(_("keyboard %s"), c->keyboard));
        if (parts)
                add(l, _("Computer"), strv_join(parts, "; "));
}

static void add_programs(struct lines *l, const struct session *s)
{
        const struct choices *c = &s->choices;
        _cleanup_strv_ char **all = strv_copy(c->needed);

        STRV_FOREACH(p, c->wished)
                strv_add(&all, *p);
        if (!all)
                return;
        _cleanup_free_ char *list = strv_join(all, ", ");
        add(l, _("Programs"), xasprintf(_("installed from the internet: %s"), list));
        if (!s->dry.fetch) {
                if (s->dry.no_programs)
                        add_text(l, NULL, R_WARN, TEXT_X, xstrdup(_("CAN'T BE FETCHED")));
                else if (!s->dry.text)
                        add_text(l, NULL, R_QUIET, TEXT_X, xstrdup(_("asking how much is to be fetched …")));
                return;
        }
        _cleanup_free_ char *words = fetch_words(s->dry.fetch);
        if (*words)
                add(l, NULL, xstrdup(words));
}

void review_lines_make(const struct session *s, struct lines *l)
{
        const struct choices *c = &s->choices;

        if (s->changes_share) {
                make_change(s, l);
                return;
        }
        if (c->job != JOB_SETUP) {
                review_lines_later(s, l);
                return;
        }
        if (c->keep) {
                add_kept(l, s);
        } else {
                add_released(l, c);
                add_erased(l, s->facts, c);
        }
        add_warnings(l, s);
        blank(l);
        add(l, _("Network"), network_words(s));
        add_network_warnings(l, s);
        add(l, _("Name"), xasprintf(_("%s, in the workgroup %s"), c->host, c->workgroup));
        add_computer(l, s);
        add_programs(l, s);
        add(l, _("Disks"), disks_words(c));
        add(l, _("Protection"), protection_words(c));
        add(l, _("Files"), xasprintf(c->keep ? _("the %s that is there, at %s, there again after every start")
                                             : _("%s at %s, there again after every start"),
                                     c->type, c->mount));
        add_share(l, s);
        blank(l);
        add_written(l, s);
        blank(l);
        add(l, _("Time"), time_words(c));
}

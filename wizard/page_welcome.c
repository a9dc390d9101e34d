#include "wizard/page.h"

#include <time.h>

#include "wizard/messages.h"

#define LABEL_X 4
#define NUMBER_END 22
#define TEXT_X 26

static void draw_port(const struct port *p, int y, int name_width)
{
        enum role role = p->carrier == NO ? R_QUIET : R_TEXT;
        const char *cable = p->carrier == YES  ? _("cable in")
                            : p->carrier == NO ? _("no cable")
                                               : _("cable not known");
        _cleanup_free_ char *speed =
            p->speed ? xasprintf("%4u Mb/s%s", p->speed, *cable ? ", " : "") : xstrdup("");
        _cleanup_free_ char *kind = port_is_choosable(p) ? NULL : port_kind_words(p);
        _cleanup_free_ char *text = kind ? xasprintf("%-*s  %s", name_width, p->name, kind)
                                         : xasprintf("%-*s  %s%s", name_width, p->name, speed, cable);

        ui_put_n(y, TEXT_X, 52, role, text);
}

/* The row of something that is not there yet. */
static bool draw_looking(struct session *s, const char *helper, const char *label, int y)
{
        if (!is_awaited(s->facts, helper))
                return false;
        ui_put_n(y, LABEL_X, TEXT_X - LABEL_X - 1, R_TEXT, label);
        ui_put(y, TEXT_X, R_QUIET, _("looking …"));
        return true;
}

static int draw_ports(struct session *s, int y)
{
        const struct facts *f = s->facts;
        int name_width = 6;

        if (draw_looking(s, "nas-net", _("Network ports"), y))
                return y + 1;
        ui_put_n(y, LABEL_X, 17, R_TEXT, _("Network ports"));
        ui_putf(y, NUMBER_END - (f->n_ports > 9 ? 1 : 0), R_BOLD, "%zu", f->n_ports);
        if (f->n_ports == 0)
                ui_put(y++, TEXT_X, R_WARN, _("NONE: nobody will find this NAS"));
        for (size_t i = 0; i < f->n_ports; i++)
                name_width = MAX2(name_width, (int)strlen(f->ports[i].name));
        for (size_t i = 0; i < f->n_ports; i++, y++) {
                if (i == 3 && f->n_ports > 4) {
                        ui_putf(y++, TEXT_X, R_QUIET, _("and %zu more"), f->n_ports - 3);
                        break;
                }
                draw_port(&f->ports[i], y, name_width);
        }
        return y;
}

static int draw_disks(struct session *s, int y)
{
        const struct facts *f = s->facts;
        unsigned free_ones = 0, blank = 0, held = 0, system = 0, looking = 0;

        if (draw_looking(s, "nas-disk", _("Disks"), y))
                return y + 1;
        for (size_t i = 0; i < f->n_disks; i++) {
                looking += is_being_looked_at(&f->disks[i]);
                if (is_choosable(&f->disks[i]))
                        free_ones++, blank += is_blank(&f->disks[i]);
                else
                        held++, system += streq(f->disks[i].protected, "system");
        }
        ui_put_n(y, LABEL_X, 16, R_TEXT, _("Disks"));
        ui_putf(y, NUMBER_END - (f->n_disks > 9 ? 1 : 0), R_BOLD, "%zu", f->n_disks);
        _cleanup_free_ char *a =
            free_ones == 0 ? xstrdup(_("NONE for your files"))
            : looking == 0 && blank < free_ones
                ? xasprintf(_("%u blank, %u with data"), blank, free_ones - blank)
                : xasprintf(Q_("%u for your files", "%u for your files", free_ones), free_ones);
        _cleanup_free_ char *b =
            held == 1 && system == 1
                ? xstrdup(_("1 holds the system, protected"))
                : xasprintf(Q_("%u is in use and protected", "%u are in use and protected", held), held);
        _cleanup_free_ char *all = held ? xasprintf("%s; %s", a, b) : xstrdup(a);
        y += ui_wrap(y, TEXT_X, 52, 2, free_ones ? R_TEXT : R_WARN, all);
        if (looking > 0)
                ui_putf(y++, TEXT_X, R_QUIET, Q_("looking at %u of them …", "looking at %u of them …", looking), looking);
        return y;
}

/* Who sits at the other end can be cut off by a new address. */
static int draw_ssh(const struct facts *f, int y)
{
        if (!f->ssh)
                return y;
        _cleanup_free_ char *text = *f->from ? xasprintf(_("over ssh, from %s"), f->from) : xstrdup(_("over ssh"));
        ui_put_n(y, LABEL_X, 20, R_TEXT, _("You are here"));
        ui_put_n(y, TEXT_X, 52, R_TEXT, text);
        ui_put_n(y + 1, TEXT_X, 52, R_TEXT, _("A new address undoes itself unless you confirm it."));
        return y + 2;
}

/* "Debian 12" for "Debian GNU/Linux 12 (bookworm)". */
static char *os_words(const char *os)
{
        const char *gnu = strstr(os, "GNU/Linux ");
        int head = gnu ? (int)(gnu - os) : 0;
        const char *tail = gnu ? gnu + strlen("GNU/Linux ") : os;
        char *name = xasprintf("%.*s%.*s", head, os, (int)strcspn(tail, "("), tail);

        strip(name);
        if (!*name) {
                free(name);
                return xstrdup("Linux");
        }
        return name;
}

static int draw_machine(struct session *s, int y)
{
        const struct facts *f = s->facts;
        const struct port *p = s->choices.port;
        static const struct {
                const char *stack, *name;
        } stacks[] = {{"networkd", "systemd-networkd"},
                      {"networkmanager", "NetworkManager"},
                      {"ifupdown", "ifupdown"},
                      {"netplan", "netplan"}};

        if (f->memory) {
                _cleanup_free_ char *size = xasprintf("%.1f GB", (double)f->memory / (double)GIB);
                i18n_decimal(size);
                ui_put_n(y, LABEL_X, 20, R_TEXT, _("Memory"));
                bool is_little = f->memory < LITTLE_MEMORY;
                int x = ui_put(y, TEXT_X, R_TEXT, size);
                if (is_little)
                        ui_put(y, x + 2, R_WARN, _("LITTLE: it works, slowly, and without XFS"));
                y++;
        }
        ui_put_n(y, LABEL_X, 20, R_TEXT, _("System"));
        struct buf b = {0};
        _cleanup_free_ char *os = os_words(f->os);
        buf_puts(&b, os);
        const struct record *machine = records_find(&f->records, "machine", NULL, NULL);
        if (machine)
                buf_printf(&b, _(", in a virtual machine (%s)"), record_str(machine, "virtual"));
        for (size_t i = 0; p && !machine && i < ELEMENTSOF(stacks); i++)
                if (streq(stacks[i].stack, p->stack))
                        buf_printf(&b, _(", network by %s"), stacks[i].name);
        ui_put_n(y++, TEXT_X, 52, R_TEXT, b.buf);
        buf_free(&b);
        if (machine)
                ui_put_n(y++, TEXT_X, 52, R_WARN, _("What lies behind its disks is not known here."));
        return y;
}

/* Clock, time zone and keyboard, as far as they are known. */
static int draw_clock(const struct session *s, int y)
{
        const struct record *clock = records_find(&s->facts->records, "clock", NULL, NULL),
                            *keys = records_find(&s->facts->records, "keyboard", NULL, NULL);
        char when[32] = "";
        time_t now = time(NULL);
        struct tm tm;
        struct buf b = {0};

        if (!clock)
                return y;
        if (!s->o->machine)
                strftime(when, sizeof when, "%H:%M, ", localtime_r(&now, &tm));
        bool is_past = record_is(clock, "past", "yes");
        const char *zone = s->choices.zone ? s->choices.zone : record_str(clock, "zone"),
                   *layout = s->choices.keyboard ? s->choices.keyboard : keys ? record_str(keys, "layout") : "";
        buf_printf(&b, "%s%s", when, zone);
        if (is_past)
                buf_puts(&b, s->choices.syncs ? _("; WRONG until the internet sets it") : _("; WRONG: set it first (date)"));
        else if (*layout)
                buf_printf(&b, _("; keyboard %s"), layout);
        ui_put_n(y, LABEL_X, 20, R_TEXT, _("Clock"));
        ui_put_n(y, TEXT_X, 52, is_past ? R_WARN : R_TEXT, b.buf);
        buf_free(&b);
        return y + 1;
}

/* What a NAS is made with and is not here. */
static int draw_programs(const struct session *s, int y)
{
        _cleanup_strv_ char **all = strv_copy(s->choices.needed);

        STRV_FOREACH(p, s->choices.wished)
                strv_add(&all, *p);
        if (!all)
                return y;
        _cleanup_free_ char *list = strv_join(all, ", ");
        _cleanup_free_ char *text = xasprintf(_("%s (Apply installs them)"), list);
        ui_put_n(y, LABEL_X, TEXT_X - LABEL_X - 1, R_WARN, _("MISSING programs"));
        return y + ui_wrap(y, TEXT_X, 52, 3, R_TEXT, text);
}

static int draw_missing(struct session *s, int y)
{
        RECORDS_FOREACH(r, &s->facts->records)
        {
                if (!streq(r->word, "missing") || y > ui_lines() - 10)
                        continue;
                ui_put(y, LABEL_X, R_WARN, _("MISSING"));
                _cleanup_free_ char *why = message_text(r);
                _cleanup_free_ char *text = xasprintf("%s: %s", record_str(r, "helper"), why);
                ui_put_n(y++, TEXT_X, 52, R_TEXT, text);
        }
        return y;
}

static const char *language_name(void)
{
        static struct language l[16];
        size_t n = i18n_languages(l, ELEMENTSOF(l));

        for (size_t i = 0; i < n; i++)
                if (streq(l[i].code, i18n_current()))
                        return l[i].name;
        return i18n_current();
}

/* What has to be known before anything can be asked. How fast the ports are at best is for the end. */
static bool is_too_early(const struct session *s)
{
        static const char *const needed[] = {"nas-net", "nas-system", "nas-disk", "nas-raid", "nas-fs", "nas-share"};

        for (size_t i = 0; i < ELEMENTSOF(needed); i++)
                if (is_awaited(s->facts, needed[i]))
                        return true;
        return false;
}

static void draw(struct session *s)
{
        page_frame(s, P_WELCOME,
                   is_too_early(s) ? _("Looking at this computer …") : _("This computer becomes a file server for your network."),
                   NULL);
        ui_put(4, 2, R_LABEL, _("Found"));
        int y = draw_ports(s, 5);
        y = draw_disks(s, y);
        y = draw_machine(s, y);
        y = draw_clock(s, y);
        y = draw_ssh(s->facts, y);
        y = draw_programs(s, y);
        y = draw_missing(s, y) + 1;
        if (y <= ui_lines() - 12) {
                ui_put(y, 2, R_LABEL, _("What comes"));
                y +=
                    1 +
                    ui_wrap(y + 1, LABEL_X, 74, 3, R_TEXT,
                            _("Choose a network port and its fixed address, the disks, how they protect each "
                              "other, and the name of the share. Then look everything over."));
                y++;
        }
        ui_wrap(y, 2, 76, 2, R_BOLD, _("Nothing is changed before you confirm it in Review."));
        ui_put_n(y + 2, 2, 20, R_LABEL, _("Language"));
        ui_put(y + 2, TEXT_X, R_TEXT, language_name());
        if (!is_too_early(s))
                form_button(s, 0, y + 4, 2, _("Begin"));
        else
                ui_cursor(5, LABEL_X);
        page_message(s, NULL);
}

/* On a computer that is a NAS already, another screen is the first. */
static void tick(struct session *s)
{
        if (!is_too_early(s) && nas_is_here(s->facts))
                session_show(s, &page_nas);
}

static enum go enter(struct session *s, int id _unused_)
{
        if (!is_too_early(s))
                return GO_NEXT;
        session_say(s, false, _("Still looking at this computer. One moment."));
        session_wait(s);
        return GO_STAY;
}

static enum go key(struct session *s, int k)
{
        if (k == K_F4)
                session_push(s, &page_language);
        else if (k == K_F3) {
                char *text = NULL;
                size_t n;
                FILE *f = open_memstream(&text, &n);
                if (f) {
                        facts_print(s->facts, f);
                        fclose(f);
                        session_view(s, _("All that was found"), text);
                }
        }
        return GO_STAY;
}

static const struct ui_hint hints[] = {
    {N_("Enter"), N_("begin"), 0}, {"F4", N_("language"), 0}, {"F3", N_("details"), 1},
    {"F1", N_("help"), 0},         {"F10", N_("leave"), 0},   {0},
};

const struct page page_welcome = {
    .id = P_WELCOME,
    .name = "welcome",
    .hints = hints,
    .draw = draw,
    .enter = enter,
    .key = key,
    .tick = tick,
    .help = N_(
        "NAS means network attached storage: a computer whose disks everybody at home or in the office can "
        "use over the network.\n\n"
        "Four of the seven steps ask you something: network, disks, protection and share. Each has the best "
        "answer chosen already, so that Enter alone leads to a good NAS. Esc goes back a step and keeps what you entered.\n\n"
        "Nothing on this computer is changed before the screen Review, and there you see everything that "
        "would be done, and what would be lost.\n\n"
        "Keys: the arrows and Tab move, Space chooses, Enter goes on, Esc goes back, F1 is this help, F10 "
        "or Ctrl-C leaves, Ctrl-U empties a field. Where F-keys don't work, press Esc and then the digit: Esc 1 is F1, Esc 0 is "
        "F10."),
};

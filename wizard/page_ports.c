#include "wizard/page_network.h"

#define SPEED_END 45
#define CABLE_X 49
#define MAC_X 61
#define GIGABIT 1000

const struct port *port_of_id(const struct session *s, int id)
{
        return id >= 0 && id < PORTS_MAX && (size_t)id < s->facts->n_ports ? &s->facts->ports[id] : NULL;
}

/* --- in words --- */

/* TRANSLATORS: with the names of ports: at most 29 columns wide. */
static const struct {
        const char *kind, *brief, *brief_of, *words;
} kinds[] = {
        {"wifi", N_("Wi-Fi"), NULL, N_("%s is Wi-Fi: too slow and too shaky for a NAS. It stays as it is.")},
        {"bond", N_("bond"), N_("bond of %s"), N_("%s is several ports that somebody made one (bond). It stays as it is.")},
        {"bridge", N_("bridge"), N_("bridge of %s"), N_("%s is a bridge that somebody set up. It stays as it is.")},
        {"vlan", N_("VLAN"), N_("VLAN on %s"), N_("%s is a network inside another one (VLAN). It stays as it is.")},
        {"tunnel", N_("tunnel"), NULL, N_("%s is a tunnel to another network. It stays as it is.")},
        {"virtual", N_("virtual"), NULL, N_("%s is made by a program; no cable goes there. It stays as it is.")},
};

static size_t kind_of(const struct port *p)
{
        size_t i = ELEMENTSOF(kinds) - 1;

        while (i > 0 && !streq(kinds[i].kind, p->kind))
                i--;
        return i;
}

static const char *cable_words(const struct port *p)
{
        return p->carrier == YES ? _("in") : p->carrier == NO ? _("none") : "?";
}

/* What stands where a cable would be told of, and a hardware address. */
char *port_kind_words(const struct port *p)
{
        size_t i = kind_of(p);

        if (streq(p->kind, "wired"))
                return xasprintf(_("part of %s"), p->usedby);
        if (!p->members || !kinds[i].brief_of)
                return xstrdup(_(kinds[i].brief));
        _cleanup_free_ char *names = strv_join(p->members, ", ");
        return xasprintf(_(kinds[i].brief_of), names);
}

bool port_is_slow(const struct port *p)
{
        return p->carrier == YES && ((p->speed > 0 && p->speed < GIGABIT) || p->half);
}

/* 94 of 100 bits are files' own in frames of 1500 bytes: 14 + 4 + 20 of Ethernet, 40 of IP and TCP. */
static unsigned megabytes(unsigned speed)
{
        return speed * 94 / 800;
}

static char *slow_words(const struct port *p)
{
        if (p->half && p->speed >= GIGABIT)
                return xasprintf(_("%s sends and receives in turns only (half duplex): mostly a bad cable or an old hub."),
                                 p->name);
        if (p->best >= GIGABIT && p->peer && p->peer <= p->speed)
                return xasprintf(_("%s runs at %u Mb/s: at most %u MB/s. The card can do %u; the other end of the cable can't: use "
                                   "another port there."),
                                 p->name, p->speed, megabytes(p->speed), p->best);
        if (p->best >= GIGABIT)
                return xasprintf(_("%s runs at %u Mb/s: at most %u MB/s. The card can do %u: try another cable, or another port of the "
                                   "switch."),
                                 p->name, p->speed, megabytes(p->speed), p->best);
        return xasprintf(_("%s runs at %u Mb/s: at most %u MB/s. A port with 1000 Mb/s would be much faster."), p->name, p->speed,
                         megabytes(p->speed));
}

char *port_words(const struct port *p)
{
        if (streq(p->kind, "wired") && *p->usedby)
                return xasprintf(_("%s is a part of %s, which somebody set up, and stays as it is."), p->name, p->usedby);
        if (!port_is_choosable(p))
                return xasprintf(_(kinds[kind_of(p)].words), p->name);
        return port_is_slow(p) ? slow_words(p) : NULL;
}

/* Down, and somebody's: it was not brought up for a look. */
char *port_unseen_words(const struct port *p)
{
        if (p->carrier != UNKNOWN || p->up || !port_is_choosable(p))
                return NULL;
        return xasprintf(_("%s is off, so its cable is not seen. Plug the cable in and press F2: the lamp shows which port it is."),
                         p->name);
}

/* --- the list --- */

/* Where no cable tells how fast it is, the card tells how fast it could be. */
static void draw_speed(const struct port *p, int y)
{
        unsigned speed = p->speed ? p->speed : p->best;
        enum role role = port_is_slow(p) ? R_WARN : p->speed ? R_TEXT : R_QUIET;
        _cleanup_free_ char *text = xasprintf("%u Mb/s", speed);

        if (speed == 0)
                return;
        ui_put_right(y, SPEED_END, role, text);
        if (port_is_slow(p))
                ui_put(y, SPEED_END + 1, role, "!");
}

/* A row out of sight can have the focus too. */
static void draw_row(struct session *s, int i, int y, int width)
{
        const struct port *p = &s->facts->ports[i];
        const char *card = *p->card ? p->card : p->driver;
        _cleanup_free_ char *usb = streq(p->bus, "usb") && !strstr(card, "USB") ? xasprintf("USB: %s", card) : NULL,
                            *kind = port_kind_words(p);

        if (port_is_choosable(p))
                form_radio(s, i, y, p == s->choices.port);
        else
                form_row(s, i, y);
        if (y < 0)
                return;
        if (!port_is_choosable(p))
                ui_put(y, 2, R_QUIET, " - ");
        ui_put_n(y, 6, width, R_TEXT, p->name);
        ui_put_n(y, 7 + width, 28 - width, R_TEXT, usb ? usb : card);
        draw_speed(p, y);
        if (!port_is_choosable(p)) {
                ui_put_n(y, CABLE_X, 78 - CABLE_X, R_TEXT, kind);
                return;
        }
        ui_put_n(y, CABLE_X, 11, R_TEXT, cable_words(p));
        ui_put(y, MAC_X, R_TEXT, p->mac);
}

static void draw_heads(int y, int width)
{
        /* TRANSLATORS: heads of columns: Port 9, Cable 11, Hardware address 17 columns wide, "in" and "none" 11. */
        ui_put_n(y, 6, 9, R_LABEL, _("Port"));
        ui_put_n(y, 7 + width, 28 - width, R_LABEL, _("Card"));
        ui_put_right(y, SPEED_END, R_LABEL, _("Speed"));
        ui_put_n(y, CABLE_X, 11, R_LABEL, _("Cable"));
        ui_put_n(y, MAC_X, 17, R_LABEL, _("Hardware address"));
}

int ports_draw(struct session *s, int head, int height)
{
        int n = (int)MIN2(s->facts->n_ports, (size_t)PORTS_MAX), shown = MIN2(n, height), width = 9;
        const struct form *f = session_form(s);
        int *top = &s->ports_top;

        if (f->focus < n && f->focus < *top)
                *top = f->focus;
        if (f->focus < n && f->focus >= *top + height)
                *top = f->focus - height + 1;
        *top = MAX2(MIN2(*top, n - height), 0);
        for (int i = 0; i < n; i++)
                width = MIN2(MAX2(width, (int)strlen(s->facts->ports[i].name)), 15); /* IFNAMSIZ - 1 */
        draw_heads(head, width);
        for (int i = 0; i < n; i++)
                draw_row(s, i, i >= *top && i < *top + height ? head + 1 + i - *top : -1, width);
        page_more(head - 1, G_UP, *top);
        page_more(head + 1 + shown, G_DOWN, n - *top - shown);
        return head + 1 + shown;
}

/* --- the focus --- */

char *ports_focused(struct session *s)
{
        const struct port *p = s->depth == 1 && s->stack[0] == &page_network ? port_of_id(s, form_focused(s)) : NULL;

        return p ? xstrdup(p->name) : NULL;
}

/* Ports came and went: what is below them has the focus still. */
void ports_focus(struct session *s, const char *name)
{
        if (s->depth != 1 || s->stack[0] != &page_network)
                return;
        form_keep(s, form_focused(s));
        for (size_t i = 0; name && i < MIN2(s->facts->n_ports, (size_t)PORTS_MAX); i++)
                if (streq(s->facts->ports[i].name, name))
                        form_keep(s, (int)i);
}

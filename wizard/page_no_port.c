#include "wizard/page_network.h"

/* No port for a cable: Wi-Fi's present address can be kept; without that there are the disks alone. */

enum { ID_KEEP = 150, ID_ALONE };
#define WIDTH 76

bool no_port_is(const struct session *s)
{
        for (size_t i = 0; i < s->facts->n_ports; i++)
                if (port_is_choosable(&s->facts->ports[i]))
                        return false;
        return s->choices.is_offline || s->choices.keeps_network;
}

static const struct port *wifi(const struct session *s)
{
        for (size_t i = 0; i < s->facts->n_ports; i++)
                if (streq(s->facts->ports[i].kind, "wifi") && s->facts->ports[i].addresses)
                        return &s->facts->ports[i];
        return NULL;
}

static int draw_ways(struct session *s, const struct port *p, int y)
{
        _cleanup_free_ char *keep = xasprintf(_("keep %s on %s (Wi-Fi) as it is"), p->addresses[0], p->name);

        form_radio(s, ID_KEEP, y, s->choices.keeps_network);
        ui_put_n(y, 6, WIDTH - 4, R_TEXT, keep);
        form_radio(s, ID_ALONE, y + 1, !s->choices.keeps_network);
        ui_put_n(y + 1, 6, WIDTH - 4, R_TEXT, _("set up the disks alone, without a share"));
        return y + 3;
}

void no_port_draw(struct session *s)
{
        const struct port *p = wifi(s);
        int y = 5;

        page_frame(s, P_NETWORK, _("This computer has no network port for a cable"),
                   _("Plug in a USB network card if you have one: it is seen at once."));
        if (p) {
                y = draw_ways(s, p, y);
                ui_wrap(y, 2, WIDTH, 4, R_TEXT,
                        _("Wi-Fi is slow and shaky for a NAS. Its address stays as it is now: reserve it in your router for this NAS, "
                          "so that no other device gets it. Only computers of that network may use the share."));
        } else {
                ui_wrap(y, 2, WIDTH, 4, R_TEXT,
                        _("Without a network nobody finds a share, so none is made. Your disks are put together and mounted all the "
                          "same; later, with a port, nas-setup makes the share."));
        }
        page_message(s, NULL);
}

bool no_port_choose(struct session *s, int id)
{
        if (id != ID_KEEP && id != ID_ALONE)
                return false;
        answers_set(&s->answers, A_KEEP_NETWORK, id == ID_ALONE ? "no" : NULL);
        session_changed(s);
        return true;
}

#include "wizard/page.h"

#define FIELD_X 16
#define FIELD_WIDTH 22
#define SIDE_X 41
#define SIDE_WIDTH 37

enum { ID_PORT = 0, ID_OTHERS = 100, ID_FIELD = 200 };

/* TRANSLATORS: Address, Gateway, DNS, Name: 9 columns wide. */
static const struct {
        enum answer answer;
        const char *label, *what; /* what: the check's word */
} fields[] = {
    {A_ADDRESS, N_("Address"), "address"},
    {A_GATEWAY, N_("Gateway"), "gateway"},
    {A_DNS, N_("DNS"), "dns"},
    {A_NAME, N_("Name"), NULL},
};

static const char *settled(const struct session *s, enum answer a)
{
        const struct choices *c = &s->choices;

        if (s->answers.v[a])
                return s->answers.v[a];
        return a == A_ADDRESS ? c->address : a == A_GATEWAY ? c->gateway : a == A_DNS ? c->dns : c->host;
}

static bool is_wired(const struct port *p)
{
        return streq(p->kind, "wired");
}

static int draw_port(struct session *s, size_t i, int y, int width)
{
        const struct port *p = &s->facts->ports[i];
        const char *cable = p->carrier == YES ? _("in") : p->carrier == NO ? _("none") : "?";

        if (is_wired(p))
                form_radio(s, ID_PORT + (int)i, y, p == s->choices.port);
        else
                ui_put(y, 2, R_QUIET, " - ");
        ui_put_n(y, 6, width, R_TEXT, p->name);
        ui_put_n(y, 7 + width, 28 - width, R_TEXT, *p->card ? p->card : p->driver);
        if (p->speed) {
                _cleanup_free_ char *speed = xasprintf("%u Mb/s", p->speed);
                ui_put_right(y, 45, R_TEXT, speed);
        }
        ui_put_n(y, 49, 11, R_TEXT, is_wired(p) ? cable : _("Wi-Fi"));
        ui_put(y, 61, R_TEXT, p->mac);
        return y + 1;
}

static int draw_ports(struct session *s)
{
        int y = 5, width = 9;

        for (size_t i = 0; i < s->facts->n_ports; i++)
                width = MIN2(MAX2(width, (int)strlen(s->facts->ports[i].name)), 15); /* IFNAMSIZ - 1 */
        /* TRANSLATORS: heads of columns: Port 9, Cable 11, Hardware address 17 columns wide, "in" and "none" 11. */
        ui_put_n(4, 6, 9, R_LABEL, _("Port"));
        ui_put_n(4, 7 + width, 28 - width, R_LABEL, _("Card"));
        ui_put_right(4, 45, R_LABEL, _("Speed"));
        ui_put_n(4, 49, 11, R_LABEL, _("Cable"));
        ui_put_n(4, 61, 17, R_LABEL, _("Hardware address"));
        for (size_t i = 0; i < s->facts->n_ports && y < ui_lines() - 13; i++)
                y = draw_port(s, i, y, width);
        return y;
}

/* What stands beside a field: the fault in it, else what the network said. */
static void draw_side(struct session *s, size_t i, int y, const char *value)
{
        enum role role;
        const char *fault = fault_of(&s->faults, fields[i].answer);

        if (fault) {
                ui_put_n(y, SIDE_X, SIDE_WIDTH, R_WARN,
                         ui_width(fault) <= SIDE_WIDTH ? fault : _("! see the line below"));
                return;
        }
        if (fields[i].answer == A_NAME) {
                _cleanup_free_ char *text = xasprintf(_("Windows will see it as %s"), s->choices.netbios);
                ui_put_n(y, SIDE_X, SIDE_WIDTH, R_TEXT, text);
                return;
        }
        const char *words = check_words(s, fields[i].what, value, &role);
        if (words)
                ui_put_n(y, SIDE_X, SIDE_WIDTH, role, words);
}

static void draw_fields(struct session *s, int y)
{
        ui_put(y, 2, R_HEADING, _("Fixed address"));
        y += 2;
        for (size_t i = 0; i < ELEMENTSOF(fields); i++, y++) {
                const char *value = settled(s, fields[i].answer);
                ui_put_n(y, 6, 9, R_LABEL, _(fields[i].label));
                form_field(s, ID_FIELD + (int)i, y, FIELD_X, FIELD_WIDTH, value ? value : "");
                draw_side(s, i, y, value ? value : "");
        }
}

static const char *first_fault(const struct session *s)
{
        for (size_t i = 0; i < ELEMENTSOF(fields); i++)
                if (fault_of(&s->faults, fields[i].answer))
                        return fault_of(&s->faults, fields[i].answer);
        return NULL;
}

/* What a server that does not answer means. */
static const char *silence(struct session *s, int focused)
{
        if (focused < 0 || focused >= (int)ELEMENTSOF(fields) || !fields[focused].what)
                return NULL;
        const struct record *r = check_record(s, fields[focused].what, settled(s, fields[focused].answer));
        if (!r || !record_is(r, "state", "silent"))
                return NULL;
        if (fields[focused].answer == A_GATEWAY)
                return _("No router answers there. In your own network the NAS works all the same; updates need the "
                         "router's right address.");
        return _("No server answers there. In your own network the NAS works all the same; updates need one: try the "
                 "router's address.");
}

static const char *hint_line(struct session *s)
{
        int focused = form_focused(s) - ID_FIELD;
        const struct port *p = s->choices.port;

        if (!p)
                return fault_of(&s->faults, A_PORT);
        if (focused >= 0 && focused < (int)ELEMENTSOF(fields) && fault_of(&s->faults, fields[focused].answer))
                return fault_of(&s->faults, fields[focused].answer);
        if (first_fault(s))
                return first_fault(s);
        if (p->carrier == NO)
                return _("This port has no cable. Plug one in, or choose the port that has one.");
        if (silence(s, focused))
                return silence(s, focused);
        bool in_use = p->addresses && strv_has(p->addresses, s->choices.address);
        if (in_use && streq(p->method, "dhcp"))
                return _("This address is in use now. Your router lent it (DHCP): reserve it there for this NAS, so that "
                         "no other device gets it.");
        if (in_use)
                return _("This is the address in use now, made permanent.");
        return _("Choose an address that your router does not give to other devices.");
}

static void draw(struct session *s)
{
        size_t wired = 0;

        page_frame(s, P_NETWORK, _("Which port connects this NAS to your network?"), NULL);
        int y = draw_ports(s) + 1;
        for (size_t i = 0; i < s->facts->n_ports; i++)
                wired += is_wired(&s->facts->ports[i]);
        if (wired > 1) {
                form_check(s, ID_OTHERS, y, 2, s->choices.others_off);
                y += ui_wrap(y, 6, 72, 2, R_TEXT,
                             Q_("Switch the other port off, so that addresses can't jump between ports",
                                "Switch the other ports off, so that addresses can't jump between ports",
                                wired - 1)) +
                     1;
        }
        draw_fields(s, y);
        if (s->choices.subnet_now && !first_fault(s) && !silence(s, form_focused(s) - ID_FIELD)) {
                _cleanup_free_ char *text = xasprintf(
                    _("Your network now is %s; with this address other computers may not find the NAS."),
                    s->choices.subnet_now);
                page_warning(s, text);
                return;
        }
        page_message(s, hint_line(s));
}

static void choose(struct session *s, int id)
{
        if (id == ID_OTHERS) {
                answers_set(&s->answers, A_OTHERS, s->choices.others_off ? "keep" : NULL);
        } else if (id < ID_OTHERS) {
                /* Another port has another network: what was typed for the old one does not fit. */
                if (s->choices.port != &s->facts->ports[id])
                        for (size_t i = 0; i < 3; i++)
                                answers_set(&s->answers, fields[i].answer, NULL);
                answers_set(&s->answers, A_PORT, s->facts->ports[id].mac);
        }
        session_changed(s);
}

static enum go enter(struct session *s, int id)
{
        if (id >= 0 && id < ID_OTHERS && s->choices.port != &s->facts->ports[id])
                choose(s, id);
        if (fault_of(&s->faults, A_PORT)) {
                session_say(s, true, "%s", fault_of(&s->faults, A_PORT));
                return GO_STAY;
        }
        for (size_t i = 0; i < ELEMENTSOF(fields); i++) {
                const char *fault = fault_of(&s->faults, fields[i].answer);
                if (!fault)
                        continue;
                session_say(s, true, "%s", fault);
                form_focus(s, ID_FIELD + (int)i);
                return GO_STAY;
        }
        const struct record *r = check_record(s, "address", s->choices.address);
        if (r && record_is(r, "state", "taken")) {
                session_say(s, true, _("%s belongs to another device. Choose another address."),
                            s->choices.address);
                form_focus(s, ID_FIELD);
                return GO_STAY;
        }
        return GO_NEXT;
}

static char *get(struct session *s, int id)
{
        const char *value = settled(s, fields[id - ID_FIELD].answer);
        return xstrdup(value ? value : "");
}

static void set(struct session *s, int id, const char *text)
{
        answers_set(&s->answers, fields[id - ID_FIELD].answer, text);
        session_changed(s);
}

/* An emptied field gets its advice back once it is left; a NAS may do without a gateway and without DNS. */
static void tick(struct session *s)
{
        int focused = form_focused(s);

        for (size_t i = 0; i < ELEMENTSOF(fields); i++) {
                enum answer a = fields[i].answer;
                if (s->answers.v[a] && !*s->answers.v[a] && (a == A_ADDRESS || a == A_NAME) &&
                    focused != ID_FIELD + (int)i) {
                        answers_set(&s->answers, a, NULL);
                        session_changed(s);
                }
        }
}

static enum go key(struct session *s, int k)
{
        struct buf b = {0};

        if (k == K_ESC)
                return GO_BACK;
        if (k != K_F3)
                return GO_STAY;
        RECORDS_FOREACH(r, &s->facts->records)
        if (streq(r->word, "port") || streq(r->word, "check")) {
                _cleanup_free_ char *text = record_text(r);
                buf_printf(&b, "%s\n\n", text);
        }
        session_view(s, _("Network ports"), b.buf ? b.buf : xstrdup(""));
        return GO_STAY;
}

static void opened(struct session *s)
{
        size_t row = 0;

        for (size_t i = 0; i < s->facts->n_ports; i++) {
                if (&s->facts->ports[i] == s->choices.port)
                        session_form(s)->focus = (int)row;
                row += is_wired(&s->facts->ports[i]);
        }
}

static const struct ui_hint hints[] = {
    {N_("Enter"), N_("next"), 0}, {N_("Space"), N_("choose"), 2},
    {N_("Tab"), N_("field"), 2},  {"F3", N_("details"), 1},
    {N_("Esc"), N_("back"), 0},   {"F1", N_("help"), 0},
    {"F10", N_("leave"), 0},      {0},
};

const struct page page_network = {
    .id = P_NETWORK,
    .name = "network",
    .hints = hints,
    .open = opened,
    .draw = draw,
    .choose = choose,
    .enter = enter,
    .get = get,
    .set = set,
    .tick = tick,
    .key = key,
    .help = N_(
        "A NAS needs one address that never changes, so that the other computers find it again.\n\n"
        "Port: where the network cable is plugged in. Its hardware address is printed on many cards, and it "
        "stays the same when the card moves to another slot.\n\n"
        "Switch the other ports off: with two ports in the same network, answers may leave by the wrong "
        "one. Leave this as it is unless you need the second port for something else.\n\n"
        "Address: four numbers and, after the slash, how many bits of it name the network; 24 is usual. "
        "\"free\" means that no other device answered there. Look into your router which addresses it "
        "gives away by itself (DHCP), and take one outside of them.\n\n"
        "Gateway: your router. DNS: what finds names in the internet, usually the router too. Without "
        "them the NAS works in your own network, but can't get updates.\n\n"
        "Name: what the NAS is called in the network. An emptied Address or Name gets the advised value back; an "
        "emptied Gateway or DNS means that the NAS uses none."),
};

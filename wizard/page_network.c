#include "wizard/page_network.h"

#define HEAD_Y 4
#define FIELD_X 16
#define FIELD_WIDTH 22
#define SIDE_X 41
#define SIDE_WIDTH 37

enum { ID_OTHERS = PORTS_MAX, ID_FIELD = 200 };

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

/* --- beside the fields --- */

static void draw_fault(struct session *s, enum answer a, const char *fault, int y)
{
        _cleanup_free_ char *take =
            a == A_GATEWAY && s->choices.gateway_proposed ? xasprintf(_("! Space takes %s"), s->choices.gateway_proposed) : NULL;

        ui_put_n(y, SIDE_X, SIDE_WIDTH, R_WARN,
                 take                             ? take
                 : ui_width(fault) <= SIDE_WIDTH ? fault
                                                 : _("! see the line below"));
}

/* What stands beside a field: the fault in it, else what the network said. */
static void draw_side(struct session *s, size_t i, int y, const char *value)
{
        enum role role;
        const char *fault = fault_of(&s->faults, fields[i].answer);

        if (fault) {
                draw_fault(s, fields[i].answer, fault, y);
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

/* --- the line below --- */

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

static char *address_words(const struct session *s)
{
        const struct choices *c = &s->choices;
        if (c->prefix_taken)
                return xasprintf(_("Taken as %s, which is how large your network is now."), c->address);
        bool in_use = c->port->addresses && strv_has(c->port->addresses, c->address);

        if (in_use && streq(c->port->method, "dhcp"))
                return xstrdup(_("This address is in use now. Your router lent it (DHCP): reserve it there for this NAS, so that "
                                 "no other device gets it."));
        return xstrdup(in_use ? _("This is the address in use now, made permanent.")
                              : _("Choose an address that your router does not give to other devices."));
}

static char *address_warning(const struct session *s)
{
        const struct choices *c = &s->choices;
        char *taken = check_taken(s);

        if (taken)
                return taken;
        if (c->link_local)
                return xstrdup(_("Addresses that begin with 169.254 are what computers take when they find no network: most other "
                                 "devices will not find the NAS."));
        if (c->subnet_now)
                return xasprintf(_("Your network now is %s; with this address other computers may not find the NAS."), c->subnet_now);
        return NULL;
}

static char *name_words(const struct session *s)
{
        if (!s->choices.host_altered)
                return NULL;
        return xasprintf(_("The name becomes %s: in a network, it has at most 15 letters, digits and dashes. Now it is %s."),
                         s->choices.host, s->facts->host);
}

/* What there is to say of what has the focus, or NULL. */
static char *focus_words(struct session *s, int id, bool *ret_warns)
{
        const struct port *p = port_of_id(s, id);

        *ret_warns = p && port_is_slow(p);
        if (p) {
                char *words = port_words(p);
                return words ? words : port_unseen_words(p);
        }
        const char *silent = silence(s, id - ID_FIELD);
        if (silent)
                return xstrdup(silent);
        return id == ID_FIELD + 3 ? name_words(s) : NULL;
}

static char *fault_words(struct session *s, int id)
{
        int focused = id - ID_FIELD;

        if (fault_of(&s->faults, A_PORT))
                return xstrdup(fault_of(&s->faults, A_PORT));
        if (focused >= 0 && focused < (int)ELEMENTSOF(fields) && fault_of(&s->faults, fields[focused].answer))
                return xstrdup(fault_of(&s->faults, fields[focused].answer));
        return first_fault(s) ? xstrdup(first_fault(s)) : NULL;
}

/* The first of these that there is: what is wrong, what the focus is on, what may be a mistake, how it is. */
static void draw_message(struct session *s)
{
        int id = form_focused(s);
        const struct port *p = s->choices.port;
        bool warns = false, is_cut_off = p && p->carrier == NO;
        /* Without a cable nobody lends an address yet. */
        char *words = is_cut_off && !*s->choices.address && port_of_id(s, id) == p ? NULL : fault_words(s, id);

        if (!words && s->blink.key)
                words = xstrdup(_("Its light blinks now. F2 stops it."));
        if (!words)
                words = focus_words(s, id, &warns);
        if (!words && is_cut_off)
                words = xstrdup(_("This port has no cable. Plug one in, or choose the port that has one."));
        if (!words) {
                words = address_warning(s);
                warns = words != NULL;
        }
        if (!words && port_is_slow(p)) {
                words = port_words(p);
                warns = true;
        }
        if (!words)
                words = name_words(s);
        if (!words)
                words = address_words(s);
        if (warns)
                page_warning(s, words);
        else
                page_message(s, words);
        free(words);
}

/* --- the screen --- */

static size_t count_wired(const struct session *s)
{
        size_t n = 0;

        for (size_t i = 0; i < s->facts->n_ports; i++)
                n += port_is_choosable(&s->facts->ports[i]);
        return n;
}

static char *explain(const struct session *s, size_t wired)
{
        if (s->facts->ssh)
                return xasprintf(_("Over ssh: the change takes itself back after %d s unless you confirm it."), PLAN_TRIAL_SECONDS);
        return wired > 1 && !s->choices.job && !s->answers.v[A_PORT] && !s->advised_port
                   ? xstrdup(_("Plug the cable into the port you want now, and it is chosen."))
                   : NULL;
}

static void draw(struct session *s)
{
        if (no_port_is(s))
                return no_port_draw(s);
        size_t wired = count_wired(s);
        const char *others = Q_("Switch the other port off, so that addresses can't jump between ports",
                                "Switch the other ports off, so that addresses can't jump between ports",
                                wired > 1 ? wired - 1 : 1);
        int rows = wired < 2 ? 0 : ui_width(others) > 72 ? 3 : 2; /* with the blank one */

        int height = ui_lines() - HEAD_Y - 13 - rows;
        int head = (int)s->facts->n_ports < height ? HEAD_Y + 1 : HEAD_Y; /* a blank row before it, where there is room */
        int y = ports_draw(s, head, height) + 1;
        _cleanup_free_ char *line = s->ports_top ? NULL : explain(s, wired);
        page_frame(s, P_NETWORK, _("Which port connects this NAS to your network?"), line);
        if (rows > 0) {
                form_check(s, ID_OTHERS, y, 2, s->choices.others_off);
                y += ui_wrap(y, 6, 72, 2, R_TEXT, others) + 1;
        }
        draw_fields(s, y);
        draw_message(s);
}

/* --- keys --- */

#define OF_PORT 3 /* so many fields belong to the port's network */

static bool is_any_typed(const struct session *s)
{
        for (size_t i = 0; i < OF_PORT; i++)
                if (s->answers.v[fields[i].answer])
                        return true;
        return false;
}

/* Advice follows again what is seen, unless what was typed belongs to a port. */
static void forget_advice(struct session *s)
{
        if (is_any_typed(s))
                return;
        free(s->advised_port);
        s->advised_port = NULL;
}

/* Cables that are plugged in from now on move nothing: another port has another network. */
static void stay_with_port(struct session *s)
{
        if (s->answers.v[A_PORT] || s->advised_port || !s->choices.port)
                return;
        s->advised_port = xstrdup(s->choices.port->mac);
}

/* Another port has another network, and what was typed for it. */
static void keep_typed(struct session *s, const char *mac)
{
        struct record *r = (struct record *)records_find(&s->typed, "typed", "port", mac);

        if (!r) {
                r = record_new("typed");
                record_set(r, "port", mac);
                records_add(&s->typed, r);
        }
        for (size_t i = 0; i < OF_PORT; i++)
                record_set(r, answer_key(fields[i].answer), s->answers.v[fields[i].answer]);
}

static void take_typed(struct session *s, const char *mac)
{
        const struct record *r = records_find(&s->typed, "typed", "port", mac);

        for (size_t i = 0; i < OF_PORT; i++)
                answers_set(&s->answers, fields[i].answer, r ? record_get(r, answer_key(fields[i].answer)) : NULL);
}

static void choose_port(struct session *s, const struct port *p)
{
        _cleanup_free_ char *why = port_is_choosable(p) ? NULL : port_words(p);

        if (why) {
                session_say(s, false, "%s", why);
                return;
        }
        if (s->choices.port && s->choices.port != p) {
                keep_typed(s, s->choices.port->mac);
                take_typed(s, p->mac);
        }
        answers_set(&s->answers, A_PORT, p->mac);
}

static void choose(struct session *s, int id)
{
        if (no_port_choose(s, id))
                return;
        if (id == ID_OTHERS)
                answers_set(&s->answers, A_OTHERS, s->choices.others_off ? "keep" : NULL);
        else if (port_of_id(s, id))
                choose_port(s, port_of_id(s, id));
        session_changed(s);
}

static enum go refuse(struct session *s, int id, const char *why)
{
        session_say(s, true, "%s", why);
        if (id >= 0)
                form_focus(s, id);
        return GO_STAY;
}

/* The prefix that an address got is shown where it is, once it is no longer typed. */
static void settle_prefix(struct session *s)
{
        if (!s->choices.prefix_taken)
                return;
        answers_set(&s->answers, A_ADDRESS, s->choices.address);
        session_changed(s);
}

static enum go enter(struct session *s, int id)
{
        const struct port *p = port_of_id(s, id);

        if (p && s->choices.port && s->choices.port != p && port_is_choosable(p) && !s->port_told) {
                s->port_told = true;
                session_say(s, false, _("Space chooses %s. Enter goes on with %s."), p->name, s->choices.port->name);
                return GO_STAY;
        }
        if (no_port_is(s))
                return GO_NEXT;
        settle_prefix(s);
        if (fault_of(&s->faults, A_PORT))
                return refuse(s, -1, fault_of(&s->faults, A_PORT));
        for (size_t i = 0; i < ELEMENTSOF(fields); i++)
                if (fault_of(&s->faults, fields[i].answer))
                        return refuse(s, ID_FIELD + (int)i, fault_of(&s->faults, fields[i].answer));
        if (fault_of(&s->faults, A_ADDRESS6) || fault_of(&s->faults, A_GATEWAY6)) {
                session_push(s, &page_ipv6);
                return GO_STAY;
        }
        if (check_wait(s))
                return GO_STAY;
        _cleanup_free_ char *taken = check_taken(s);
        if (taken)
                return refuse(s, ID_FIELD, taken);
        stay_with_port(s);
        return GO_NEXT;
}

static char *get(struct session *s, int id)
{
        const char *value = settled(s, fields[id - ID_FIELD].answer);
        return xstrdup(value ? value : "");
}

/* A blank is in none of these; in a wrong gateway it stands for the one that is proposed. */
static void set(struct session *s, int id, const char *text)
{
        enum answer a = fields[id - ID_FIELD].answer;

        if (id - ID_FIELD < OF_PORT)
                stay_with_port(s);
        answers_set(&s->answers, a, a == A_GATEWAY && s->choices.gateway_proposed && strchr(text, ' ') ? NULL : text);
        session_changed(s);
}

/* An emptied field gets its advice back once it is left; a NAS may do without a gateway and without DNS. */
static void tick(struct session *s)
{
        int focused = form_focused(s);

        blink_tick(s);
        if (focused != ID_FIELD)
                settle_prefix(s);
        if (focused != s->port_focus)
                s->port_told = false;
        s->port_focus = focused;
        for (size_t i = 0; i < ELEMENTSOF(fields); i++) {
                enum answer a = fields[i].answer;
                if (s->answers.v[a] && !*s->answers.v[a] && (a == A_ADDRESS || a == A_NAME) &&
                    focused != ID_FIELD + (int)i) {
                        answers_set(&s->answers, a, NULL);
                        session_changed(s);
                }
        }
        if (check_is_over(s))
                session_go(s, enter(s, form_focused(s)));
}

static void details(struct session *s)
{
        struct buf b = {0};

        for (size_t i = 0; i < s->facts->n_ports; i++) {
                _cleanup_free_ char *words = port_words(&s->facts->ports[i]);
                if (words)
                        buf_printf(&b, "%s\n\n", words);
        }
        RECORDS_FOREACH(r, &s->facts->records)
        if (streq(r->word, "port") || streq(r->word, "check")) {
                _cleanup_free_ char *text = record_text(r);
                buf_printf(&b, "%s\n\n", text);
        }
        session_view(s, _("Network ports"), b.buf ? b.buf : xstrdup(""));
}

static enum go key(struct session *s, int k)
{
        const struct port *p = port_of_id(s, form_focused(s));

        if (k == K_ESC)
                return GO_BACK;
        if (k == K_F2 && !p)
                p = s->choices.port;
        if (k == K_F2 && p && *p->mac)
                blink_key(s, "nas-net", "port", p->mac);
        if (k == K_F3)
                details(s);
        if (k == K_F4 && !no_port_is(s))
                session_push(s, &page_ipv6);
        return GO_STAY;
}

static void opened(struct session *s)
{
        forget_advice(s);
        session_changed(s);
        for (size_t i = 0; i < s->facts->n_ports; i++)
                if (&s->facts->ports[i] == s->choices.port)
                        session_form(s)->focus = (int)i;
}

/* Not all have room in every language: those come first that mean something where the focus is. */
static const struct ui_hint port_hints[] = {
    {N_("Enter"), N_("next"), 0}, {N_("Space"), N_("choose"), 5},
    {N_("Tab"), N_("field"), 1},  {"F2", N_("light"), 4},
    {"F3", N_("details"), 2},     {"F4", N_("IPv6"), 3},
    {N_("Esc"), N_("back"), 0},   {"F1", N_("help"), 0},
    {"F10", N_("leave"), 0},      {0},
};

static const struct ui_hint field_hints[] = {
    {N_("Enter"), N_("next"), 0}, {N_("Tab"), N_("field"), 2},
    {"F2", N_("light"), 1},       {"F3", N_("details"), 3},
    {"F4", N_("IPv6"), 4},        {N_("Esc"), N_("back"), 0},
    {"F1", N_("help"), 0},        {"F10", N_("leave"), 0},
    {0},
};

static const struct ui_hint no_port_hints[] = {
    {N_("Enter"), N_("next"), 0}, {N_("Space"), N_("choose"), 1},
    {"F3", N_("details"), 2},     {N_("Esc"), N_("back"), 0},
    {"F1", N_("help"), 0},        {"F10", N_("leave"), 0},
    {0},
};

static const struct ui_hint *hints_now(struct session *s)
{
        if (no_port_is(s))
                return no_port_hints;
        return form_focused(s) >= ID_FIELD ? field_hints : port_hints;
}

const struct page page_network = {
    .id = P_NETWORK,
    .name = "network",
    .hints_now = hints_now,
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
        "stays the same when the card moves to another slot. Which is which: plug the cable in while you look here, and "
        "that port is chosen, unless you chose one already; or press F2, and the port's lamp blinks. Ports of a bond, a "
        "bridge or a VLAN, and Wi-Fi, stay as they are.\n\n"
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

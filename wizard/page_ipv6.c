#include "wizard/page_network.h"

enum { ID_ADDRESS = 10, ID_GATEWAY };
#define FIELD_X 20
#define FIELD_WIDTH 44

static const struct {
        const char *value, *words;
} ways[] = {
        {"router", N_("as the router announces it (or as it is now)")},
        {"off", N_("off: the NAS is reached by its IPv4 address alone")},
        {"fixed", N_("a fixed address beside the IPv4 one")},
};

static const char *settled(const struct session *s, enum answer a, const char *choice)
{
        return s->answers.v[a] ? s->answers.v[a] : choice;
}

static bool is_fixed(const struct session *s)
{
        return streq(s->choices.ipv6, "fixed");
}

static const char *my_fault(const struct session *s)
{
        const char *fault = fault_of(&s->faults, A_ADDRESS6);

        return fault ? fault : fault_of(&s->faults, A_GATEWAY6);
}

static void draw(struct session *s)
{
        int y = 5;

        page_frame(s, P_NETWORK, _("IPv6: good as it is"), _("For people who know why they change it."));
        for (size_t i = 0; i < ELEMENTSOF(ways); i++, y++) {
                form_radio(s, (int)i, y, streq(s->choices.ipv6, ways[i].value));
                ui_put_n(y, 6, 72, R_TEXT, _(ways[i].words));
        }
        if (is_fixed(s)) {
                ui_put_n(++y, 6, 13, R_LABEL, _("Address"));
                form_field(s, ID_ADDRESS, y, FIELD_X, FIELD_WIDTH, settled(s, A_ADDRESS6, s->choices.address6));
                ui_put_n(++y, 6, 13, R_LABEL, _("Gateway"));
                form_field(s, ID_GATEWAY, y, FIELD_X, FIELD_WIDTH, settled(s, A_GATEWAY6, s->choices.gateway6));
        }
        page_message(s, my_fault(s));
}

static void choose(struct session *s, int id)
{
        if (id >= 0 && id < (int)ELEMENTSOF(ways))
                answers_set(&s->answers, A_IPV6, ways[id].value);
        session_changed(s);
}

static enum go enter(struct session *s, int id _unused_)
{
        if (!my_fault(s))
                return GO_BACK;
        session_say(s, true, "%s", my_fault(s));
        form_focus(s, fault_of(&s->faults, A_ADDRESS6) ? ID_ADDRESS : ID_GATEWAY);
        return GO_STAY;
}

static char *get(struct session *s, int id)
{
        return xstrdup(id == ID_ADDRESS ? settled(s, A_ADDRESS6, s->choices.address6)
                                        : settled(s, A_GATEWAY6, s->choices.gateway6));
}

static void set(struct session *s, int id, const char *text)
{
        answers_set(&s->answers, id == ID_ADDRESS ? A_ADDRESS6 : A_GATEWAY6, text);
        session_changed(s);
}

static const enum answer mine[] = {A_IPV6, A_ADDRESS6, A_GATEWAY6};

/* Esc keeps what was entered, but nothing half done, which would hold up the way on. */
static enum go key(struct session *s, int k)
{
        if (k != K_ESC)
                return GO_STAY;
        bool is_half = my_fault(s) != NULL;
        for (size_t i = 0; is_half && i < ELEMENTSOF(mine); i++)
                answers_set(&s->answers, mine[i], s->ipv6_before.v[mine[i]]);
        session_changed(s);
        return GO_BACK;
}

static void opened(struct session *s)
{
        answers_free(&s->ipv6_before);
        answers_copy(&s->answers, &s->ipv6_before);
        for (size_t i = 0; i < ELEMENTSOF(ways); i++)
                if (streq(s->choices.ipv6, ways[i].value))
                        session_form(s)->focus = (int)i;
}

static const struct ui_hint hints[] = {
        {N_("Enter"), N_("done"), 0}, {"UpDown", N_("choose"), 1}, {N_("Esc"), N_("back"), 0},
        {"F1", N_("help"), 0},        {"F10", N_("leave"), 0},     {0},
};

const struct page page_ipv6 = {
        .id = P_IPV6,
        .name = "ipv6",
        .hints = hints,
        .open = opened,
        .draw = draw,
        .choose = choose,
        .enter = enter,
        .get = get,
        .set = set,
        .key = key,
        .follows = true,
        .help = N_(
                "Besides its fixed IPv4 address, the NAS can have an IPv6 address. Most networks need nothing set here: the "
                "router announces one, and everything works by the IPv4 address anyway.\n\n"
                "Off: for networks where IPv6 makes trouble.\n\n"
                "Fixed: an address with the size of its network, like fd12:3456::10/64, and the router's address, which often "
                "begins with fe80; without a router the field stays empty."),
};

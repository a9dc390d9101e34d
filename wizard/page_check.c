#include "wizard/page.h"

#define CHECK_MS 15000
#define SETTLE_MS 700 /* typing goes on for that long */

static bool is_wanted(const struct session *s)
{
        const struct choices *c = &s->choices;

        return !s->o->machine && c->job <= JOB_NETWORK && c->port && !c->keeps_network && *c->address &&
               !fault_of(&s->faults, A_ADDRESS) && !fault_of(&s->faults, A_GATEWAY) && !fault_of(&s->faults, A_DNS) && s->depth > 0 &&
               (s->stack[0] == &page_network || s->stack[0] == &page_review);
}

static char **question(const struct choices *c)
{
        _cleanup_record_ struct record *r = record_new("nas-net");

        record_set(r, "verb", "check");
        record_set(r, "port", c->port->mac);
        record_set(r, "address", c->address);
        record_set(r, "gateway", *c->gateway ? c->gateway : NULL);
        record_set(r, "dns", *c->dns ? c->dns : NULL);
        return call_argv(r);
}

/* The newer answer to the same question takes the place of the older one. */
static void take_answers(struct session *s)
{
        _cleanup_records_ struct records rs = {0};
        struct record_error error;
        struct records *all = &s->facts->records;

        if (!s->check.run.out.buf || records_parse(s->check.run.out.buf, &rs, &error) < 0)
                return;
        for (size_t i = 0; i < rs.n; i++) {
                struct record *r = rs.v[i];
                if (!streq(r->word, "check"))
                        continue;
                struct record *old =
                    (struct record *)facts_check(s->facts, record_str(r, "what"), record_str(r, "value"));
                if (!old) {
                        records_add(all, record_copy(r));
                        continue;
                }
                record_set(old, "state", record_get(r, "state"));
                record_set(old, "by", record_get(r, "by"));
                record_set(old, "maker", record_get(r, "maker"));
                record_set(old, "why", record_get(r, "why"));
        }
}

void check_free(struct check *c)
{
        if (c->is_running)
                run_free(&c->run);
        strv_free(c->argv);
        free(c->asked);
        *c = (struct check){0};
}

static void ask(struct session *s, char **argv, char *text)
{
        check_free(&s->check);
        s->check.argv = argv;
        s->check.asked = text;
        s->check.run = (struct run){.argv = argv, .deadline_ms = CHECK_MS};
        s->check.is_running = run_begin(&s->check.run) == 0;
}

/* With a cable, the same question may have another answer. */
static char *question_text(const struct session *s, char *const *argv)
{
        _cleanup_free_ char *text = run_text(argv);

        return xasprintf("%d %s", (int)s->choices.port->carrier, text);
}

bool check_is_awaited(struct session *s)
{
        if (!is_wanted(s))
                return false;
        _cleanup_strv_ char **argv = question(&s->choices);
        _cleanup_free_ char *text = question_text(s, argv);
        return s->check.is_running || !s->check.asked || !streq(s->check.asked, text);
}

bool check_wait(struct session *s)
{
        const struct port *p = s->choices.port;
        bool is_ours = p && p->addresses && strv_has(p->addresses, s->choices.address);

        if (is_ours || !check_is_awaited(s)) /* what the router says changes nothing */
                return false;
        s->waiting_press = s->presses;
        session_say(s, false, "%s", _("Asking your network whether the address is free. One moment …"));
        return true;
}

bool check_is_over(struct session *s)
{
        if (!s->waiting_press || check_is_awaited(s))
                return false;
        bool is_wanted = s->waiting_press == s->presses;
        s->waiting_press = 0;
        if (is_wanted)
                session_say(s, false, NULL);
        return is_wanted;
}

void check_again(struct session *s)
{
        if (!s->check.is_running)
                check_free(&s->check);
}

void check_tick(struct session *s)
{
        static uint64_t since;
        static char *waiting;
        struct check *c = &s->check;

        if (c->is_running && run_poll(&c->run, 1, 0) == 0) {
                take_answers(s);
                run_free(&c->run);
                c->is_running = false;
        }
        if (!is_wanted(s))
                return;
        char **argv = question(&s->choices);
        char *text = question_text(s, argv);
        if (!waiting || !streq(waiting, text)) {
                free(waiting);
                waiting = xstrdup(text);
                since = c->asked ? now_ms() : 0; /* the first question needs no wait */
        }
        if ((!c->asked || !streq(c->asked, text)) && now_ms() - since >= SETTLE_MS) {
                ask(s, argv, text);
                return;
        }
        strv_free(argv);
        free(text);
}

static const struct {
        const char *what, *state, *why, *words;
        enum role role;
} says[] = {
    {"address", "free", NULL, N_("free: nobody else answers there"), R_GOOD},
    {"address", "ours", NULL, N_("this computer's own"), R_GOOD},
    {"address", "taken", NULL, N_("TAKEN by another device"), R_WARN},
    {NULL, "answers", NULL, N_("answers"), R_GOOD},
    {NULL, "silent", NULL, N_("NO ANSWER"), R_WARN},
    {NULL, "untested", "no-cable", N_("not tested: no cable"), R_QUIET},
    {NULL, "untested", "no-program", N_("not tested: arping is missing"), R_QUIET},
    {NULL, "untested", "down", N_("not tested: the port is down"), R_QUIET},
    {NULL, "untested", "no-address", N_("not tested: no address yet"), R_QUIET},
    {NULL, "untested", NULL, N_("not tested"), R_QUIET},
};

/* Records name one address without its prefix; of several name servers one that answers is enough. */
const struct record *check_record(const struct session *s, const char *what, const char *value)
{
        _cleanup_strv_ char **list = list_split(value);
        const struct record *first = NULL;

        STRV_FOREACH(one, list)
        {
                _cleanup_free_ char *alone = xstrndup(*one, strcspn(*one, "/"));
                const struct record *r = facts_check(s->facts, what, alone);
                if (r && (!first || record_is(r, "state", "answers")))
                        first = r;
        }
        return first;
}

const char *check_words(struct session *s, const char *what, const char *value, enum role *ret_role)
{
        const struct record *r = check_record(s, what, value);

        *ret_role = R_QUIET;
        if (!*value && !streq(what, "address"))
                return _("none");
        bool guessed = streq(what, "gateway") && s->choices.gateway_guessed;
        if (!r && s->check.is_running)
                return _("asking …");
        if (guessed && (!r || !record_is(r, "state", "answers"))) {
                *ret_role = r && record_is(r, "state", "silent") ? R_WARN : R_QUIET;
                return *ret_role == R_WARN ? _("NO ANSWER: it is only a guess") : _("a guess: routers often have it");
        }
        if (!r)
                return NULL;
        for (size_t i = 0; i < ELEMENTSOF(says); i++)
                if ((!says[i].what || streq(says[i].what, what)) && record_is(r, "state", says[i].state) &&
                    (!says[i].why || record_is(r, "why", says[i].why))) {
                        *ret_role = says[i].role;
                        return _(says[i].words);
                }
        return NULL;
}

char *check_taken(const struct session *s)
{
        const struct record *r = check_record(s, "address", s->choices.address);
        _cleanup_free_ char *ip = page_address(s);

        if (!r || !record_is(r, "state", "taken"))
                return NULL;
        const char *by = record_str(r, "by"), *maker = record_str(r, "maker");
        if (*maker)
                return xasprintf(_("%s belongs to another device (%s, made by %s). Choose another address."), ip, by, maker);
        if (*by)
                return xasprintf(_("%s belongs to another device (%s). Choose another address."), ip, by);
        return xasprintf(_("%s belongs to another device. Choose another address."), ip);
}

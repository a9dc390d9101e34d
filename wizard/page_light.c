#include "wizard/page.h"

#include "wizard/messages.h"

#define BLINK_SECONDS 30
#define END_MS 1000

static void forget(struct blink *b)
{
        run_free(&b->run);
        strv_free(b->argv);
        free(b->key);
        *b = (struct blink){0};
}

/* Asked to end, it puts the lamp back as it was; what the kernel holds up is not waited for. */
static void stop(struct blink *b)
{
        uint64_t until = now_ms() + END_MS;

        run_end(&b->run);
        while (run_poll(&b->run, 1, 50) > 0 && now_ms() < until)
                ;
        run_let_go(&b->run);
        forget(b);
}

void blink_free(struct blink *b)
{
        if (b->key)
                stop(b);
}

static void begin(struct session *s, const char *helper, const char *what, const char *key)
{
        _cleanup_record_ struct record *call = record_new(helper);
        struct blink *b = &s->blink;

        record_set(call, "verb", "blink");
        record_set(call, what, key);
        record_set_u64(call, "seconds", BLINK_SECONDS);
        b->argv = call_argv(call);
        b->key = xstrdup(key);
        b->run = (struct run){.argv = b->argv, .deadline_ms = (BLINK_SECONDS + 10) * 1000};
        int r = run_begin(&b->run);
        if (r < 0) {
                session_say(s, true, _("Its light can't be used: %s"), strerror(-r));
                forget(b);
        }
}

void blink_key(struct session *s, const char *helper, const char *what, const char *key)
{
        bool is_this = s->blink.key && streq(s->blink.key, key);

        if (s->blink.key)
                stop(&s->blink);
        if (is_this)
                return;
        if (s->o->machine)
                session_say(s, false, _("This is a recorded computer: it has no lights."));
        else
                begin(s, helper, what, key);
}

void blink_tick(struct session *s)
{
        struct blink *b = &s->blink;
        _cleanup_records_ struct records said = {0};
        struct record_error error;

        if (!b->key || run_poll(&b->run, 1, 0) > 0)
                return;
        if (b->run.status != 0 && b->run.out.buf && records_parse(b->run.out.buf, &said, &error) == 0) {
                const struct record *r = records_find(&said, "error", NULL, NULL);
                _cleanup_free_ char *words = r ? message_text(r) : NULL;
                session_say(s, true, "%s", words ? words : _("Its light can't be used."));
        }
        forget(b);
}

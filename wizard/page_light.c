#include "wizard/page.h"

#include "wizard/messages.h"

#define BLINK_SECONDS 30
#define END_MS 1000

static void forget(struct blink *b)
{
        for (size_t i = 0; i < b->n; i++) {
                strv_free((char **)b->runs[i].argv);
                run_free(&b->runs[i]);
        }
        free(b->runs);
        free(b->key);
        *b = (struct blink){0};
}

/* Asked to end, it puts the lamps back as they were; what the kernel holds up is not waited for. */
static void stop(struct blink *b)
{
        uint64_t until = now_ms() + END_MS;

        for (size_t i = 0; i < b->n; i++)
                run_end(&b->runs[i]);
        while (run_poll(b->runs, b->n, 50) > 0 && now_ms() < until)
                ;
        for (size_t i = 0; i < b->n; i++)
                run_let_go(&b->runs[i]);
        forget(b);
}

void blink_free(struct blink *b)
{
        if (b->key)
                stop(b);
}

static int begin(struct blink *b, const char *helper, const char *what, const char *key)
{
        _cleanup_record_ struct record *call = record_new(helper);

        record_set(call, "verb", "blink");
        record_set(call, what, key);
        record_set_u64(call, "seconds", BLINK_SECONDS);
        b->runs[b->n++] = (struct run){.argv = call_argv(call), .deadline_ms = (BLINK_SECONDS + 10) * 1000};
        return run_begin(&b->runs[b->n - 1]);
}

static void begin_all(struct session *s, const char *helper, const char *what, const char *keys, char *const *list)
{
        struct blink *b = &s->blink;

        b->key = xstrdup(keys);
        b->runs = xreallocarray(NULL, strv_len(list), sizeof *b->runs);
        STRV_FOREACH(key, list) {
                int r = begin(b, helper, what, *key);
                if (r < 0) {
                        session_say(s, true, _("Its light can't be used: %s"), strerror(-r));
                        forget(b);
                        return;
                }
        }
}

static void blink(struct session *s, const char *helper, const char *what, const char *keys, char *const *list)
{
        bool is_this = s->blink.key && streq(s->blink.key, keys);

        if (s->blink.key)
                stop(&s->blink);
        if (is_this || !list)
                return;
        if (s->o->machine)
                session_say(s, false, _("This is a recorded computer: it has no lights."));
        else
                begin_all(s, helper, what, keys, list);
}

void blink_key(struct session *s, const char *helper, const char *what, const char *key)
{
        blink(s, helper, what, key, STRV((char *)key));
}

void blink_keys(struct session *s, const char *helper, const char *what, const char *keys)
{
        _cleanup_strv_ char **list = list_split(keys);

        blink(s, helper, what, keys, list);
}

void blink_tick(struct session *s)
{
        struct blink *b = &s->blink;
        _cleanup_records_ struct records said = {0};
        struct record_error error;

        if (!b->key || run_poll(b->runs, b->n, 0) > 0)
                return;
        const struct run *first = &b->runs[0];
        if (first->status != 0 && first->out.buf && records_parse(first->out.buf, &said, &error) == 0) {
                const struct record *r = records_find(&said, "error", NULL, NULL);
                _cleanup_free_ char *words = r ? message_text(r) : NULL;
                session_say(s, true, "%s", words ? words : _("Its light can't be used."));
        }
        forget(b);
}

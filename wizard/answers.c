#include "wizard/answers.h"

#include <errno.h>

#include "wizard/i18n.h"

static const struct {
        const char *word, *key;
} table[N_ANSWERS] = {
        [A_KEEP_NETWORK] = {"network", "keep"},
        [A_PORT] = {"network", "port"},
        [A_ADDRESS] = {"network", "address"},
        [A_GATEWAY] = {"network", "gateway"},
        [A_DNS] = {"network", "dns"},
        [A_DOMAIN] = {"network", "domain"},
        [A_NAME] = {"network", "name"},
        [A_OTHERS] = {"network", "others"},
        [A_IPV6] = {"network", "ipv6"},
        [A_ADDRESS6] = {"network", "address6"},
        [A_GATEWAY6] = {"network", "gateway6"},
        [A_USE] = {"disks", "use"},
        [A_ERASE] = {"disks", "erase"},
        [A_FAILING] = {"disks", "failing"},
        [A_LETGO] = {"disks", "letgo"},
        [A_KEEP] = {"array", "keep"},
        [A_SLUG] = {"array", "name"},
        [A_LEVEL] = {"array", "level"},
        [A_CHUNK] = {"array", "chunk"},
        [A_SPARES] = {"array", "spares"},
        [A_TYPE] = {"files", "type"},
        [A_MOUNT] = {"files", "mount"},
        [A_SHARE] = {"share", "name"},
        [A_COMMENT] = {"share", "comment"},
        [A_WORKGROUP] = {"share", "workgroup"},
        [A_ACCESS] = {"share", "access"},
        [A_USER] = {"share", "user"},
        [A_ANNOUNCE] = {"share", "announce"},
        [A_FIREWALL] = {"share", "firewall"},
        [A_MACS] = {"share", "macs"},
        [A_TIMEMACHINE] = {"share", "timemachine"},
        [A_GREET] = {"share", "greet"},
        [A_SUMMARY] = {"share", "summary"},
        [A_TEST] = {"speed", "test"},
        [A_ZONE] = {"system", "zone"},
        [A_KEYBOARD] = {"system", "keyboard"},
        [A_SLEEP] = {"system", "sleep"},
        [A_DO] = {"change", "do"},
        [A_PASSWORD] = {"change", "password"},
        [A_OF] = {"change", "share"},
        [A_ARRAY] = {"change", "array"},
        [A_AS] = {"change", "as"},
        [A_OLD] = {"change", "old"},
};

void answers_set(struct answers *a, enum answer which, const char *value)
{
        char *copy = xstrdup(value);

        free(a->v[which]);
        a->v[which] = copy;
}

const char *answer_word(enum answer which)
{
        return table[which].word;
}

const char *answer_key(enum answer which)
{
        return table[which].key;
}

static int find(const char *word, const char *key)
{
        for (int i = 0; i < N_ANSWERS; i++)
                if (streq(table[i].word, word) && (!key || streq(table[i].key, key)))
                        return i;
        return -1;
}

static int refuse(const struct record *r, const char *why, struct record_error *ret_error)
{
        *ret_error = (struct record_error){.line = r->line, .column = 1, .why = why};
        return -EBADMSG;
}

static int take(struct answers *a, const struct record *r, struct record_error *ret_error)
{
        if (find(r->word, NULL) < 0)
                return refuse(r, N_("this word is not known here; known are: network, disks, array, files, share, speed, change, system"),
                              ret_error);
        for (size_t i = 0; i < r->n; i++) {
                int which = find(r->word, r->fields[i].key);
                if (which < 0)
                        return refuse(r, N_("a key on this line is not known for its word; nas-setup(8) lists them all"),
                                      ret_error);
                if (a->v[which])
                        return refuse(r, N_("an answer on this line was already given further up"), ret_error);
                answers_set(a, (enum answer)which, r->fields[i].value);
        }
        return 0;
}

int answers_from_records(const struct records *rs, struct answers *ret, struct record_error *ret_error)
{
        _cleanup_answers_ struct answers a = {0};

        for (size_t i = 0; i < rs->n; i++) {
                int r = take(&a, rs->v[i], ret_error);
                if (r < 0)
                        return r;
        }
        *ret = a;
        a = (struct answers){0};
        return 0;
}

void answers_records(const struct answers *a, struct records *ret)
{
        struct record *r = NULL;

        for (int i = 0; i < N_ANSWERS; i++) {
                if (!a->v[i])
                        continue;
                if (!r || !streq(r->word, table[i].word)) {
                        r = record_new(table[i].word);
                        records_add(ret, r);
                }
                record_set(r, table[i].key, a->v[i]);
        }
}

bool answers_equal(const struct answers *a, const struct answers *b)
{
        for (int i = 0; i < N_ANSWERS; i++)
                if (!streq_null(a->v[i], b->v[i]))
                        return false;
        return true;
}

void answers_copy(const struct answers *a, struct answers *ret)
{
        for (int i = 0; i < N_ANSWERS; i++)
                answers_set(ret, (enum answer)i, a->v[i]);
}

void answers_free(struct answers *a)
{
        for (int i = 0; i < N_ANSWERS; i++)
                free(a->v[i]);
        *a = (struct answers){0};
}

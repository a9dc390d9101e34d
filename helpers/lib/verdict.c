#include "helpers/lib/verdict.h"

#define N_(s) (s)
#define MB UINT64_C(1000000)
#define CORE_FULL 85  /* per cent */
#define GOOD 85       /* per cent of the limit that count as all of it */
#define PORT_SLOW (50 * MB)
#define CHANGED 20    /* per cent */

uint64_t verdict_rate(const struct records *rs, const char *what)
{
        uint64_t least = 0;

        RECORDS_FOREACH(r, rs) {
                uint64_t rate = streq(r->word, "speed") && record_is(r, "what", what) ? record_u64(r, "rate") : 0;
                if (rate > 0 && (least == 0 || rate < least))
                        least = rate;
        }
        return least;
}

bool verdict_has_note(const struct records *rs, const char *what, const char *note)
{
        RECORDS_FOREACH(r, rs) {
                _cleanup_strv_ char **notes = record_get_list(r, "note");
                if (streq(r->word, "speed") && (!what || record_is(r, "what", what)) && strv_has(notes, note))
                        return true;
        }
        return false;
}

uint64_t verdict_limit(const struct records *rs)
{
        const struct record *r = records_find(rs, "limit", NULL, NULL);

        return r ? record_u64(r, "smb") : 0;
}

static uint64_t core_of(const struct records *rs, const char *what)
{
        const struct record *r = records_find(rs, "speed", "what", what);

        return r ? record_u64(r, "core") : 0;
}

static const char *gigabits(uint64_t limit)
{
        return limit >= 1000 * MB ? "10" : limit >= 500 * MB ? "5" : limit > 200 * MB ? N_("2.5") : "1";
}

/* The worse of the two ways: people copy in both. */
static uint64_t worse(const struct records *rs, const char *kind)
{
        _cleanup_free_ char *read = xasprintf("%s-read", kind), *write = xasprintf("%s-write", kind);
        uint64_t a = verdict_rate(rs, read), b = verdict_rate(rs, write);

        return a && b ? MIN2(a, b) : MAX2(a, b);
}

static const struct {
        const char *limit, *text, *advice;
} words[] = {
    {"", N_("The speed was not measured."), NULL},
    {"port", N_("The network port is the limit, and a slow one."),
     N_("A faster port, cable or switch would help: all three must carry 1 gigabit.")},
    {"slow-disk", N_("One slow disk is the limit: all the others wait for it."),
     N_("Test again when the NAS is idle; a disk that stays slow should be replaced.")},
    {"sync", N_("The disks are the limit while full protection is being built."),
     N_("Test again once that is done.")},
    {"cache", N_("The disks are the limit: after the first seconds they write much slower."),
     N_("Long copies run at the lower speed: a cache in the disks was full (SMR disks and cheap SSDs have one).")},
    {"disks", N_("The disks are the limit."), N_("More or faster disks would help, a faster network would not.")},
    {"processor", N_("The processor is the limit: one of its cores is full."),
     N_("Signing and encryption cost much of it; a faster processor would help, faster disks would not.")},
    {"samba", N_("The file service is the limit: the disks and the network are faster."),
     N_("Several copies at a time may be faster than one.")},
};

static const char *limit_slug(const struct records *rs)
{
        uint64_t limit = verdict_limit(rs), share = worse(rs, "share"), array = worse(rs, "array");

        if (share == 0 && array == 0)
                return "";
        if (limit > 0 && limit < PORT_SLOW && (share == 0 || share * 100 >= limit * GOOD))
                return "port";
        if (limit > 0 && share >= limit)
                return "faster";
        if (limit > 0 && share * 100 >= limit * GOOD)
                return "network";
        if (records_find(rs, "slow", NULL, NULL))
                return "slow-disk";
        if (verdict_has_note(rs, NULL, "sync"))
                return "sync";
        if (verdict_has_note(rs, "array-write", "falling"))
                return "cache";
        if (share == 0 && limit == 0)
                return "unknown"; /* no network, so nothing to compare with */
        if (share == 0 || (limit > 0 && array > 0 && array < limit) || (array > 0 && share * 100 >= array * GOOD))
                return "disks";
        return MAX2(core_of(rs, "share-read"), core_of(rs, "share-write")) >= CORE_FULL ? "processor" : "samba";
}

static char *limit_text(const struct records *rs, verdict_say say, const char *slug, const char **ret_advice)
{
        uint64_t limit = verdict_limit(rs), share = worse(rs, "share");

        if (streq(slug, "faster"))
                return xasprintf(say(N_("Over the cable %s gigabit Ethernet will be the limit; the NAS itself is faster.")),
                                 say(gigabits(limit)));
        if (streq(slug, "network"))
                return xasprintf(say(N_("The network port is the limit, as it should be: %u %% of %s gigabit Ethernet.")),
                                 (unsigned)(share * 100 / limit), say(gigabits(limit)));
        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if (streq(words[i].limit, slug)) {
                        *ret_advice = words[i].advice;
                        return xstrdup(say(words[i].text));
                }
        return xstrdup("");
}

static char *disk_text(const struct records *rs, verdict_say say)
{
        const struct record *r = records_find(rs, "slow", NULL, NULL);
        const char *serial = r ? record_str(r, "serial") : "";

        if (!r)
                return NULL;
        _cleanup_free_ char *disk = *serial ? xasprintf("%s (%s)", record_str(r, "name"), serial)
                                            : xstrdup(record_str(r, "name"));
        return xasprintf(say(N_("Disk %s reads %u MB/s where the others read %u.")), disk,
                         (unsigned)(record_u64(r, "rate") / MB), (unsigned)(record_u64(r, "median") / MB));
}

/* Per cent that it is slower than before, where that is more than chance can be. */
static unsigned slower(const struct record *r)
{
        uint64_t rate = record_u64(r, "rate"), before = record_u64(r, "before");
        uint64_t doubt = MIN2(record_u64(r, "error"), 100);

        if (!streq(r->word, "speed") || rate == 0 || rate * (100 + doubt) / 100 >= before * (100 - CHANGED) / 100)
                return 0;
        return (unsigned)((before - rate) * 100 / before);
}

static char *change_text(const struct records *rs, verdict_say say)
{
        const struct record *worst = NULL;

        RECORDS_FOREACH(r, rs)
        if (slower(r) > (worst ? slower(worst) : 0))
                worst = r;
        if (!worst)
                return NULL;
        bool writes = strstr(record_str(worst, "what"), "write");
        _cleanup_free_ char *day = xstrndup(record_str(worst, "since"), strlen("2026-03-01"));
        return xasprintf(writes ? say(N_("%s writes %u %% slower than on %s.")) : say(N_("%s reads %u %% slower than on %s.")),
                         record_str(worst, "name"), slower(worst), day);
}

void verdict_make(const struct records *rs, verdict_say say, struct verdict *ret)
{
        const char *advice = NULL;

        *ret = (struct verdict){.limit = limit_slug(rs)};
        ret->text = limit_text(rs, say, ret->limit, &advice);
        ret->advice = advice ? xstrdup(say(advice)) : NULL;
        ret->disk = disk_text(rs, say);
        ret->change = change_text(rs, say);
}

void verdict_free(struct verdict *v)
{
        free(v->text);
        free(v->advice);
        free(v->disk);
        free(v->change);
        *v = (struct verdict){0};
}

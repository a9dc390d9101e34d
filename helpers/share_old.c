#include "helpers/share_old.h"

#include <strings.h>

#define N_(s) s

static const char *const words[OLD_HARMS] = {"slow", "unsafe", "closed", "guests"};

const char *old_harm_word(enum old_harm harm)
{
        return words[harm];
}

#define SMB1 N_("lets in the protocol of 1996 (SMB 1), which is how worms spread; current computers do not need it")
#define SMB1_ONLY N_("concerns the protocol of 1996 (SMB 1) only and does nothing any more")
#define MUST_SIGN N_("turns every guest away, for guests have no key to sign or encrypt with")

enum how { IS, HAS, ANY, ABOVE };

/* The keys' main names and, where share_ini.c knows them not as synonyms, their other ones; smb.conf(5). */
static const struct {
        const char *key;
        enum how how; /* the value is this, has this word in it, is any, is a number above it */
        const char *value;
        enum old_harm harm;
        const char *text;
} table[] = {
    {"socket options", HAS, "SO_RCVBUF", OLD_SLOW,
     N_("keeps Linux from choosing the size of its buffers: reading can take a hundred times as long")},
    {"socket options", HAS, "SO_SNDBUF", OLD_SLOW,
     N_("keeps Linux from choosing the size of its buffers: writing can take three times as long")},
    {"aio read size", IS, "0", OLD_SLOW, N_("reads one block after the other: half as fast from a disk")},
    {"oplocks", IS, "no", OLD_SLOW, N_("keeps computers from remembering what they read")},
    {"level2 oplocks", IS, "no", OLD_SLOW, N_("keeps computers from remembering what they read")},
    {"smb2 leases", IS, "no", OLD_SLOW, N_("keeps computers from remembering what they read")},
    {"sync always", IS, "yes", OLD_SLOW, N_("waits for the disks after each piece that is written")},
    {"strict locking", IS, "yes", OLD_SLOW, N_("asks for locks at each read and write")},
    {"log level", ABOVE, "3", OLD_SLOW, N_("writes lines about each request to the system disk")},
    {"debug level", ABOVE, "3", OLD_SLOW, N_("writes lines about each request to the system disk")},
    {"read raw", ANY, "", OLD_SLOW, SMB1_ONLY},
    {"write raw", ANY, "", OLD_SLOW, SMB1_ONLY},
    {"max xmit", ANY, "", OLD_SLOW, SMB1_ONLY},
    {"large readwrite", ANY, "", OLD_SLOW, SMB1_ONLY},
    {"fake oplocks", IS, "yes", OLD_UNSAFE, N_("destroys files that two people have open")},
    {"strict sync", IS, "no", OLD_UNSAFE, N_("says that data is on the disks when it is not: lost when the power fails")},
    {"server min protocol", HAS, "NT1", OLD_UNSAFE, SMB1},
    {"server min protocol", HAS, "CORE", OLD_UNSAFE, SMB1},
    {"server min protocol", HAS, "LANMAN", OLD_UNSAFE, SMB1},
    {"server min protocol", HAS, "COREPLUS", OLD_UNSAFE, SMB1},
    {"server min protocol", HAS, "LANMAN1", OLD_UNSAFE, SMB1},
    {"server min protocol", HAS, "LANMAN2", OLD_UNSAFE, SMB1},
    {"allow insecure wide links", IS, "yes", OLD_UNSAFE, N_("with wide links lets people out of the shared folders")},
    {"guest account", IS, "root", OLD_UNSAFE, N_("makes every guest the administrator")},
    {"null passwords", IS, "yes", OLD_UNSAFE, N_("lets people in without a password in their name")},
    {"lanman auth", IS, "yes", OLD_UNSAFE, N_("takes passwords in a form that is broken in minutes")},
    {"ntlm auth", IS, "yes", OLD_UNSAFE, N_("takes passwords in a form that is broken in hours")},
    {"ntlm auth", IS, "ntlmv1-permitted", OLD_UNSAFE, N_("takes passwords in a form that is broken in hours")},
    {"encrypt passwords", IS, "no", OLD_CLOSED, N_("current computers do not send passwords in clear text")},
    {"server max protocol", HAS, "NT1", OLD_CLOSED, N_("current computers refuse the protocol of 1996 (SMB 1)")},
    {"bind interfaces only", IS, "yes", OLD_CLOSED,
     N_("nobody reaches the share when this computer's address changes, and it cannot be tried from here")},
    {"hosts allow", ANY, "", OLD_CLOSED, N_("lets only these computers in to any share, whatever the share itself says")},
    {"server signing", IS, "mandatory", OLD_GUESTS, MUST_SIGN},
    {"server signing", IS, "required", OLD_GUESTS, MUST_SIGN},
    {"server signing", IS, "force", OLD_GUESTS, MUST_SIGN},
    {"server signing", IS, "forced", OLD_GUESTS, MUST_SIGN},
    {"server smb encrypt", IS, "required", OLD_GUESTS, MUST_SIGN},
    {"server smb encrypt", IS, "mandatory", OLD_GUESTS, MUST_SIGN},
    {"server smb encrypt", IS, "force", OLD_GUESTS, MUST_SIGN},
    {"server smb encrypt", IS, "forced", OLD_GUESTS, MUST_SIGN},
    {"restrict anonymous", IS, "2", OLD_GUESTS, N_("turns every guest away")},
};

static bool has_word(const char *value, const char *word)
{
        size_t n = strlen(word);

        for (const char *p = value; *p; p += strcspn(p, " \t,="), p += strspn(p, " \t,=")) {
                size_t length = strcspn(p, " \t,=");
                if (length == n && strncasecmp(p, word, n) == 0)
                        return true;
        }
        return false;
}

static bool fits(const char *value, enum how how, const char *bad)
{
        unsigned now, limit;

        switch (how) {
        case IS:
                return ini_is_value(value, bad);
        case HAS:
                return has_word(value, bad);
        case ABOVE:
                return parse_uint(bad, 100, &limit) == 0 && parse_uint(value, 100, &now) == 0 && now > limit;
        default:
                return *value;
        }
}

/* The line that counts is the last one. */
static const struct ini_line *line_of(const struct ini *ini, const char *key)
{
        for (size_t i = ini->n; i-- > 0;)
                if (ini->v[i].key && strcasecmp(ini->v[i].section, "global") == 0 && ini_is_key(ini->v[i].key, key))
                        return &ini->v[i];
        return NULL;
}

bool share_old(const struct ini *ini, size_t n, struct old *ret)
{
        const struct ini_line *last = NULL;

        for (size_t i = 0; i < ELEMENTSOF(table); i++) {
                const struct ini_line *line = line_of(ini, table[i].key);
                if (!line || line == last || !fits(line->value, table[i].how, table[i].value))
                        continue;
                last = line;
                if (n-- == 0) {
                        *ret = (struct old){line, table[i].harm, table[i].text};
                        return true;
                }
        }
        return false;
}

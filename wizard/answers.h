/* What the person said: for each question a text, or nothing, which means "as advised". Answers are never completed in
 * place, so that a piece of advice that hangs on another answer (the level on the disks) keeps following it. */
#pragma once

#include "wizard/facts.h"

enum answer {
        A_KEEP_NETWORK, /* network keep=  yes: the network stays as it is, of Wi-Fi where no port= says which; no */
        A_PORT,      /* network port=     permanent MAC */
        A_ADDRESS,   /* network address=  IPv4/prefix */
        A_GATEWAY,   /* network gateway=  IPv4; "" for none */
        A_DNS,       /* network dns=      list */
        A_DOMAIN,    /* network domain=   in which short names are looked up; "" for none */
        A_NAME,      /* network name=     host name */
        A_OTHERS,    /* network others=   off, keep */
        A_IPV6,      /* network ipv6=     router, off, fixed */
        A_ADDRESS6,  /* network address6= IPv6/prefix, where it is fixed */
        A_GATEWAY6,  /* network gateway6= IPv6; "" for none */
        A_USE,       /* disks use=        list of serial, WWN, by-id or by-path names */
        A_ERASE,     /* disks erase=      list: those that hold data and may be erased */
        A_FAILING,   /* disks failing=    list: failing ones that are used all the same */
        A_LETGO,     /* disks letgo=      list: those whose mounts or swap may be taken down */
        A_KEEP,      /* array keep=       UUID of an array that is taken over with its files; then no disks use= */
        A_SLUG,      /* array name= */
        A_LEVEL,     /* array level=      raid0 raid1 raid5 raid6 raid10 */
        A_CHUNK,     /* array chunk=      size */
        A_SPARES,    /* array spares=     number */
        A_TYPE,      /* files type=       ext4, xfs, btrfs */
        A_MOUNT,     /* files mount=      folder */
        A_SHARE,     /* share name= */
        A_COMMENT,   /* share comment= */
        A_WORKGROUP, /* share workgroup= */
        A_ACCESS,    /* share access=     everyone; user: only who has the password */
        A_USER,      /* share user=       who comes in with a password; left out: nobody, unless something needs one */
        A_ANNOUNCE,  /* share announce=   yes, no: found by itself */
        A_FIREWALL,  /* share firewall=   leave, open: this computer's own */
        A_MACS,      /* share macs=       no, yes: with what Macs keep beside their files */
        A_TIMEMACHINE, /* share timemachine= size */
        A_GREET,     /* share greet=      yes, no: told on the login screen */
        A_SUMMARY,   /* share summary=    no, yes: how to reach it, as a text file in it */
        A_TEST,      /* speed test=       quick, full, none */
        A_ZONE,      /* system zone=      Europe/Berlin */
        A_KEYBOARD,  /* system keyboard=  de, us */
        A_SLEEP,     /* system sleep=     off, keep */
        A_DO,        /* change do=        network, share, speed, add, replace, start: a NAS that is there is changed */
        A_PASSWORD,  /* change password=  new: the user gets another one, which is asked for */
        A_OF,        /* change share=     which one, by its present name */
        A_ARRAY,     /* change array=     which one, UUID */
        A_AS,        /* change as=        grow, copy, mirror, level5, spare, size: what becomes of the array */
        A_OLD,       /* change old=       the member that is replaced */
        N_ANSWERS,
};

struct answers {
        char *v[N_ANSWERS];
};

void answers_set(struct answers *a, enum answer which, const char *value); /* NULL: as advised again */
const char *answer_word(enum answer which); /* "network" */
const char *answer_key(enum answer which);  /* "port" */
/* From records; on an unknown word or key, a key given twice: -EBADMSG with *ret_error. */
int answers_from_records(const struct records *rs, struct answers *ret, struct record_error *ret_error);
/* Only what was said, one record a word. */
void answers_records(const struct answers *a, struct records *ret);
bool answers_equal(const struct answers *a, const struct answers *b);
void answers_copy(const struct answers *a, struct answers *ret);
void answers_free(struct answers *a);
#define _cleanup_answers_ _cleanup_(answers_free)

/* Facts and answers together: every question settled, checked, and typed. This is the only place that advises and the
 * only one that says why an answer cannot be. Strings point into the facts and the answers or are owned here. */
#pragma once

#include "wizard/answers.h"
#include "wizard/capacity.h"

/* A set that can be taken over with all that is in it: an md array, whole, with one file system that Linux can serve. */
struct keepable {
        const struct set *set;
        const struct content *files;
};

/* What is done. All but the first change a NAS that is there: what is not said stays as it is today. */
enum job {
        JOB_SETUP,
        JOB_NETWORK, /* its address and name; who may use its shares follows */
        JOB_SHARE,   /* of one share: name, comment, access */
        JOB_SPEED,
        JOB_ADD,     /* disks to an array */
        JOB_REPLACE, /* a member of an array by another disk */
        JOB_START,   /* an array that does not start by itself */
        N_JOBS,
};

/* What the person should know about the chosen disks before anything is agreed to. */
enum warning_kind {
        WARN_WHOLE,    /* an old set that is whole will be lost; set */
        WARN_DEGRADED, /* an old set of which a disk is missing will be lost, and would perhaps come back; set */
        WARN_BROKEN,   /* an old set of which too many disks are missing; set */
        WARN_UNSURE,   /* an old set of which nobody knows whether it is whole; set */
        WARN_KEEPABLE, /* an old set will be lost that could be taken over; set (then not WARN_WHOLE too) */
        WARN_GIVEN,    /* the files of the array that is taken over are opened to everyone; set */
        WARN_LOCKED,   /* likewise to those who know the share's password; set */
        WARN_LEFT,     /* a disk that is not chosen keeps an outdated copy of a set's files; set, disk */
        WARN_FAILING,  /* disk */
        WARN_WORN,     /* disk */
        WARN_TWIN,     /* a disk that has the serial number of another one; disk */
        WARN_PARITY,   /* a parity level over USB */
        WARN_MEMORY,   /* the array's cache would need more memory than there is to spare, so it is small */
};

struct warning {
        enum warning_kind kind;
        const struct set *set;
        const struct disk *disk;
};

#define LITTLE_MEMORY (512 * MIB) /* below: no XFS, whose repair needs more */

struct choices {
        enum job job;
        /* of a job, records of the facts, or NULL: what is changed */
        const struct record *today;    /* share */
        const struct record *array;    /* array */
        const struct record *room;     /* the filesystem of today or array */
        const struct record *growth;   /* growth: what becomes of the array; when replacing, that which tells what a new disk needs */
        const struct record *old;      /* member that is replaced */
        unsigned devices;              /* places afterwards */
        uint64_t grown;                /* bytes that the array has afterwards */
        uint64_t member_least;         /* bytes that a partition of a new member needs; 0: a new array's */
        unsigned n_before;             /* members that the array has already */
        /* network; port is NULL where the box has no wired one */
        const struct port *port;
        char *address, *gateway, *dns; /* with prefix; "" for none; list */
        char *subnet;                  /* 192.168.1.0/24 */
        char *subnet_now;              /* the port's present network where the address is in another one, else NULL */
        char *gateway_proposed;        /* what would be right where the gateway is not, else NULL */
        bool gateway_guessed;          /* nobody told it: the usual address of a router */
        bool keeps_network;            /* the port and its address stay as they are: Wi-Fi's, where no cable can be had */
        bool is_offline;               /* no port at all: the disks alone are set up, and no share */
        char *domain;                  /* in which short names are looked up, "" for none */
        char *host;
        bool host_altered;             /* it is not quite what the computer is called now, which Windows could not show */
        bool prefix_taken;             /* the address was said without one, and has the network's */
        bool link_local;               /* the address is one that computers take where nobody gives them any */
        char *ipv6, *address6, *gateway6; /* router, off, fixed; "" where not fixed */
        bool others_off;
        char **off;                    /* MACs of the ports to switch off */
        /* disks, in the order of the facts */
        const struct disk **disks;
        unsigned n_disks, spares;
        const struct disk **erased;    /* those of them that hold something */
        unsigned n_erased;
        const struct disk **failing;   /* those that fail, which needs a consent of its own */
        unsigned n_failing;
        const struct disk **letgo;     /* those of which something is unmounted, likewise */
        unsigned n_letgo;
        const struct layer **release;  /* what runs on them and is taken down, top first */
        unsigned n_release;
        bool looking;                  /* advice waits for disks that are still being looked at */
        bool usb;                      /* one of them comes and goes with a plug: no parity is advised */
        struct warning *warnings;
        unsigned n_warnings;
        /* what could be taken over, whether it was chosen or not; keep is one of them or NULL: then the disks are its own,
         * nothing is erased, and level, sizes and type are what it has */
        struct keepable *keepable;
        unsigned n_keepable;
        const struct keepable *keep;
        /* array and files; level is NULL while no disk is chosen, or where that of a kept array is none of ours */
        const struct level *level;
        uint64_t chunk;
        struct capacity capacity;
        uint64_t files;                /* what df will say, bytes */
        const struct disk **better;    /* without these, the smallest ones, there are better_by bytes more room, under: */
        const struct level *better_level; /* the same level, or that which is advised for so few */
        unsigned n_better;
        uint64_t better_by;
        char *slug, *type, *mount;
        /* share */
        char *share, *comment, *workgroup, *netbios, *access;
        char *user;                    /* who comes in with a password, or "" */
        bool has_user;                 /* somebody does, though their name may still be missing */
        bool announces, greets, leaves_summary, for_macs;
        uint64_t backups;              /* bytes for Time Machine; 0: none */
        const char *firewall;          /* this computer's own that is at work: ufw, firewalld, rules; or "" */
        bool opens;                    /* which is told to let the subnet in */
        bool keeps_password;           /* of a job: the user has one, and no other was said */
        char *test;
        char *zone, *keyboard;         /* to be set; NULL: as they are */
        bool syncs, wakes;             /* the clock is made to follow the internet's; what puts it to sleep is switched off */
        char **needed, **wished;       /* packages that are missing: a NAS can't do without, would be better with */
};

/* Why it cannot be so: which answer, and a sentence (translated) that says what would be right. */
struct fault {
        enum answer which;
        char *text;
};
#define MAX_FAULTS N_ANSWERS

struct faults {
        struct fault v[MAX_FAULTS];
        unsigned n;
};

/* Fills in everything that can be filled in, also where there are faults. Success where there is none, else -EINVAL. */
int choices_make(const struct facts *f, const struct answers *a, struct choices *ret, struct faults *ret_faults);
/* Disks that need the person's consent (A_ERASE: they hold something, A_FAILING, A_LETGO) and are not named there: as a
 * list of disk keys, NULL for none. */
char **choices_unforgiven(const struct facts *f, const struct answers *a, const struct choices *c, enum answer which)
        _must_check_;
/* The packages that the share lacks and that are not installed by the plan; NULL for none. Samba itself is
 * also a fault (A_ACCESS) while it is missing. */
char **choices_share_packages(const struct facts *f, const struct choices *c) _must_check_;
/* The line of smb.conf that turns every guest away (a harm record), or NULL. */
const struct record *choices_no_guests(const struct facts *f);
/* Why the screens don't offer this level on these disks, translated ("needs 4 disks", …); NULL where they do. */
char *choices_why_not(const struct choices *c, const struct level *l) _must_check_;
/* One sentence or two, translated. */
char *warning_words(const struct facts *f, const struct warning *w) _must_check_;
/* Its name in quotes, or its kind and its disks where it has none: for sentences, translated. */
char *set_words(const struct set *set) _must_check_;
const char *array_name(const char *name); /* without the host that md puts before it */
void choices_free(struct choices *c);
void faults_free(struct faults *f);
const char *fault_of(const struct faults *f, enum answer which); /* its text or NULL */
#define _cleanup_choices_ _cleanup_(choices_free)
#define _cleanup_faults_ _cleanup_(faults_free)

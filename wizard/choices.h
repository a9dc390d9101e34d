/* Facts and answers together: every question settled, checked, and typed. This is the only place that advises and the
 * only one that says why an answer cannot be. Strings point into the facts and the answers or are owned here. */
#pragma once

#include "wizard/answers.h"
#include "wizard/capacity.h"

struct choices {
        /* network; port is NULL where the box has no wired one */
        const struct port *port;
        char *address, *gateway, *dns; /* with prefix; "" for none; list */
        char *subnet;                  /* 192.168.1.0/24 */
        char *subnet_now;              /* the port's present network where the address is in another one, else NULL */
        bool gateway_guessed;          /* nobody told it: the usual address of a router */
        char *host;
        bool others_off;
        char **off;                    /* MACs of the ports to switch off */
        /* disks, in the order of the facts */
        const struct disk **disks;
        unsigned n_disks, spares;
        const struct disk **erased;    /* those of them that hold something */
        unsigned n_erased;
        /* array and files; level is NULL while no disk is chosen */
        const struct level *level;
        uint64_t chunk;
        struct capacity capacity;
        uint64_t files;                /* what df will say, bytes */
        char *slug, *type, *mount;
        /* share */
        char *share, *comment, *workgroup, *netbios, *access;
        char *test;
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
/* Disks that hold something and are not named in erase=: as a list of disk keys, NULL for none. */
char **choices_unforgiven(const struct facts *f, const struct answers *a, const struct choices *c) _must_check_;
void choices_free(struct choices *c);
void faults_free(struct faults *f);
const char *fault_of(const struct faults *f, enum answer which); /* its text or NULL */
#define _cleanup_choices_ _cleanup_(choices_free)
#define _cleanup_faults_ _cleanup_(faults_free)

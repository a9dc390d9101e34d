/* What the parts of choices share. Each settles its part of m->c from facts and answers and adds what is wrong. */
#pragma once

#include "wizard/choices.h"

struct making {
        const struct facts *f;
        const struct answers *a;
        struct choices *c;
        struct faults *faults;
};

/* The first fault of an answer is the one that is told. */
void add_fault(struct making *m, enum answer which, const char *fmt, ...) _printf_(3, 4);
char *said_or(const struct making *m, enum answer which, const char *advice) _must_check_;
bool is_one_of(struct making *m, enum answer which, const char *value, char *const *allowed); /* else a fault */
void add_warning(struct making *m, enum warning_kind kind, const struct set *set, const struct disk *disk);

/* choices_later.c: all of a job. */
void make_later(struct making *m);
void make_share(struct making *m);   /* choices.c */
void make_network(struct making *m); /* choices_network.c */
void make_keep(struct making *m);    /* choices_keep.c: before the disks and the share */
void make_share(struct making *m);   /* choices_share.c */
void check_share_folder(struct making *m); /* once the folder is known */
void check_backups(struct making *m);      /* once the room is known */
void make_disks(struct making *m);   /* choices_disks.c */
void make_sets(struct making *m);    /* choices_sets.c: what else lies on the chosen disks */
void make_array(struct making *m);   /* choices_array.c */
void make_system(struct making *m);   /* choices_system.c: clock, keyboard, sleep */
void make_packages(struct making *m); /* after the file system and the share are known */

bool has_disk(const struct choices *c, const struct disk *d);
bool any_usb(const struct disk *const *disks, unsigned n); /* one of them comes and goes with a plug */

/* What is known of each disk and of what runs on them: a picture of sysfs that is taken anew as often as one likes, and
 * beside it what threads find out by opening. One thread reads a disk's contents and one asks for its health, so that a
 * disk which hangs in the kernel holds up nobody; what it says later is still taken. All of this is called by one thread.
 *
 * What was found out is kept as long as the disk is the same (kernel name, device number, size, diskseq) and nobody says
 * that it changed. */
#pragma once

#include "helpers/disk_layer.h"
#include "helpers/disk_probe.h"
#include "helpers/disk_smart.h"

/* What is known of one disk or running layer. */
struct look {
        bool is_known;   /* error and contents say what came of opening and reading; kept while it is read anew */
        bool is_silent;  /* it did not answer within the deadline */
        int error;       /* -errno of opening */
        struct contents contents;
        bool has_smart;  /* disks only */
        struct smart smart;
        struct looking *p; /* private */
};

struct looks;

/* Nothing is looked at yet. */
struct looks *looks_new(void) _must_check_;
/* What threads still use stays; they end when the kernel lets them. */
void looks_free(struct looks *ls);
void looks_freep(struct looks **ls);
#define _cleanup_looks_ _cleanup_(looks_freep)

/* Takes a new picture, keeps what is known of disks and layers that are the same, and with begin starts threads for all
 * that is not known or was said to have changed. -errno where sysfs or /proc cannot be read: the old picture stays. */
int looks_update(struct looks *ls, bool begin);

/* Starts the threads of one disk of the picture. */
void looks_begin(struct looks *ls, const struct disk *d);

/* The disk or layer of that kernel name is to be read anew at the next update. */
void looks_changed(struct looks *ls, const char *name);

/* Becomes readable when a thread is done. */
int looks_fd(const struct looks *ls);

/* Takes what threads have found out, and gives up those past the deadline of 12 s (a sleeping disk takes up to 10 s to
 * spin up; NAS_DISK_DEADLINE in the environment: milliseconds, for tests). True where anything became known. */
bool looks_take(struct looks *ls);

/* When looks_take is next due (now_ms) although no thread is done; 0 where none is to be waited for: all is known. */
uint64_t looks_due(const struct looks *ls);
/* Until then, again and again. */
void looks_wait(struct looks *ls);

/* The picture; valid until the next update. */
const struct disks *looks_disks(const struct looks *ls);
const struct layers *looks_layers(const struct looks *ls);
const struct look *looks_of_disk(const struct looks *ls, size_t i);
const struct look *looks_of_layer(const struct looks *ls, size_t i);

/* Whether a layer is ever looked into: a mount, swap space and what is suspended or closed are not. */
bool can_look(const struct layer *l);

/* silent or unreadable for a disk that is there and does not work; NULL otherwise. */
const char *look_broken(const struct look *l);

/* The parts of the screen Disks: the list (page_disks.c), what is marked (page_marks.c). */
#pragma once

#include "wizard/page.h"

/* Ids of its rows: a disk's place in the list, or from here on what can be kept. */
#define ID_KEEP 120

/* Those that may be chosen first, otherwise in the order of the facts; at most ID_KEEP. How many. */
size_t disks_ordered(const struct facts *f, const struct disk **ret);
const struct disk *disks_of_id(const struct session *s, int id);           /* or NULL */
const struct keepable *keepable_of_id(const struct session *s, int id);    /* or NULL */

/* Whether the disk has its mark: chosen or advised. The mark of a disk that went away and came back is still there. */
bool disks_is_marked(const struct session *s, const struct disk *d);
void disks_keep(struct session *s, const struct keepable *k); /* NULL: nothing is kept */
/* Space on a row: changes its mark; asks once where a yes is needed. */
void disks_choose(struct session *s, int id);
/* Enter: on to the next screen, unless something is not known yet, wrong, or to be asked. */
enum go disks_go_on(struct session *s);

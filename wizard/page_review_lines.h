/* What Review says: the answers as sentences, what is lost first. */
#pragma once

#include "wizard/page.h"

#define TEXT_X 15 /* where the sentences begin; what belongs to one stands further in */

struct line {
        enum role label_role, role;
        int x;
        const char *label;
        char *text;
};

struct lines {
        struct line *v;
        int n;
};

/* Fills in *l, which is empty; review_lines_free frees what is in it. An empty line (no text) parts groups. */
void review_lines_make(const struct session *s, struct lines *l);
void review_lines_free(struct lines *l);

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
/* page_review_later.c: of a job. */
void review_lines_later(const struct session *s, struct lines *l);
/* What it is made of. label may be NULL; text is taken over. */
void review_add(struct lines *l, const char *label, enum role role, char *text);
void review_add_blank(struct lines *l);
void review_add_losses(struct lines *l, const struct session *s);  /* what is stopped and erased */
void review_add_network(struct lines *l, const struct session *s);
void review_add_firewall(struct lines *l, const struct session *s); /* what it lets in, or keeps out */
void review_add_told(struct lines *l, const struct session *s);    /* the files that the helpers told they would write */
char *review_share_words(const struct choices *c) _must_check_; /* who may use it */
void review_lines_free(struct lines *l);

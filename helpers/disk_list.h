/* The verb that lists disks and what is on them, and the one that looks into an image. */
#pragma once

#include "helpers/disk_look.h"
#include "helpers/lib/helper.h"

extern const struct param list_params[], probe_params[];

/* What is known as of now, as records: disk, content, set, layer. */
void list_records(const struct looks *ls, struct records *out);
int say_no_look(int e); /* the error for looks_update's */
/* run_apart for what opens disks, so that one that hangs does not keep us from ending. */
int look_apart(int (*work)(const void *ctx), const void *ctx);

int run_list(const struct record *args);
int run_probe(const struct record *args);

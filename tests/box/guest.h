#pragma once

/* One box from the host's side: its folder, its processes. */

#include <sys/types.h>

#include "options.h"

struct guest {
	char *folder;        /* absolute: disks, system.cow, share, ctl */
	bool temporary;      /* the folder is removed at the end */
	bool tty;
	unsigned rows, cols;
	pid_t pid;           /* leads a process group of its own, that all of the guest's processes are in; 0: gone */
	int line_in;         /* the guest's first serial line, to it */
	int line_out;        /* … and from it */
	int console;         /* what its kernel prints */
	pid_t keeper;
	int keeper_pipe;
	int lock;
};

/* Makes the folder ready: disks, shared folder, command, nas-setup's files.  Needs the rights of whoever called box. */
int guest_prepare(struct guest *g, const struct options *o, const char *release);

/* Gives the folder to an ordinary user and becomes that user for good, if this is root; a guest could write as root through hostfs. */
int guest_drop_root(struct guest *g);

/* Starts the guest from IMAGE, and a keeper that ends it and removes what is temporary even when box itself is killed. */
int guest_start(struct guest *g, const struct options *o, const char *image);

/* Cuts the power: every process of the guest is killed.  Waits until they are gone. */
void guest_cut(struct guest *g);

/* Cuts the power if it is still on, waits for the keeper's cleaning. */
void guest_end(struct guest *g);

/* The bytes that the images take on the host's disk. */
uint64_t guest_room(const struct guest *g);

#pragma once

/* What box was asked for on its command line. */

#include <stdbool.h>
#include <stdint.h>

enum { DISKS_MAX = 20, NICS_MAX = 8 };

struct disk_option {
	uint64_t size;       /* bytes, a multiple of 4096 */
	unsigned sector;     /* 512 or 4096 */
	bool ssd;
	char serial[64];
	char model[32];
};

struct options {
	struct disk_option disks[DISKS_MAX];
	int n_disks;
	int n_nics;
	const char *dir;       /* NULL: temporary */
	const char *release;
	const char *variant;   /* of the image: nas, net (with all that can run a port), or build */
	const char *cut_on;
	const char *memory;
	const char *puts[16];
	int n_puts;
	unsigned seconds;
	uint64_t room;         /* bytes */
	unsigned sync_speed;   /* KiB/s */
	bool boot, tty, console, install, image_only;
	char **argv;           /* COMMAND */
};

/* Fills RET_OPTIONS, with the defaults where nothing was said; prints what is wrong with the command line and returns -EINVAL. */
int options_parse(int argc, char **argv, struct options *ret_options);

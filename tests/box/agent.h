#pragma once

/* The agent is box's hand in the guest: first program (before systemd, or PID 1 itself), then the one that runs COMMAND.
 * It finds what the host wants in /box/ctl. */

#include <stdbool.h>

struct conf {
	int disks;
	int nics;
	bool boot;         /* systemd is PID 1 */
	bool tty;          /* COMMAND gets a terminal, and one pair of eyes on the other side */
	unsigned rows, cols;
	unsigned sync_speed;   /* KiB/s that one md array may sync with */
};

/* Reads /box/ctl/conf; what is missing there is 0. */
int conf_read(struct conf *ret_conf);

/* Makes the SCSI disks sda, sdb … of /box/ctl/disks, in that order.  Needs the modules, /sys and configfs. */
int disks_up(void);

/* Names the ports eth0 …, and joins their cables to a bridge in the network namespace "lan", with 192.168.77.50 and a DHCP server. */
int nics_up(int n);

/* Says FRAME_READY, runs the program of /box/ctl/argv, carries its input and output, says FRAME_EXIT. */
int job_run(const struct conf *conf);

/* Stops everything, brings every file system to rest and switches the box off.  Does not return. */
void power_off(void) __attribute__((noreturn));

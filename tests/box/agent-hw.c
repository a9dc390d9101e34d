#include "agent.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "util.h"

#define TARGET "/sys/kernel/config/target"

struct disk {
	char file[64];
	uint64_t size;
	unsigned sector, ssd;
	char serial[64];
	char model[32];
};

static int set(const char *folder, const char *attribute, const char *value)
{
	_cleanup_free_ char *path = strf("%s/%s", folder, attribute);
	int r = write_file(path, value);

	return r < 0 ? complain(r, "%s: %s", path, strerror(-r)) : 0;
}

static void nap(long ms)
{
	nanosleep(&(struct timespec) { .tv_nsec = ms * 1000000 }, NULL);
}

static int wait_for(const char *path)
{
	for (int i = 0; i < 2000; i++) {
		if (access(path, F_OK) == 0)
			return 0;
		nap(5);
	}
	return complain(-ENODEV, "%s does not appear", path);
}

/* The backing store: a file on the host, buffered, so that it has a write cache that a power cut empties, as real disks do. */
static int disk_store(const struct disk *d, const char *store)
{
	_cleanup_free_ char *control = strf("fd_dev_name=%s,fd_dev_size=%llu,fd_buffered_io=1", d->file, (unsigned long long) d->size);
	_cleanup_free_ char *sector = strf("%u", d->sector);
	int r;

	r = mkdir_p(store, 0755);
	if (r < 0)
		return complain(r, "%s: %s", store, strerror(-r));
	if ((r = set(store, "control", control)) < 0 ||
	    (r = set(store, "wwn/vendor_id", "ATA")) < 0 ||
	    (r = set(store, "wwn/product_id", d->model)) < 0 ||
	    (r = set(store, "wwn/vpd_unit_serial", d->serial)) < 0 ||
	    (r = set(store, "enable", "1")) < 0 ||
	    (r = set(store, "attrib/block_size", sector)) < 0 ||
	    (r = set(store, "attrib/is_nonrot", d->ssd ? "1" : "0")) < 0)
		return r;
	return 0;
}

static int disk_up(const struct disk *d, int i)
{
	_cleanup_free_ char *store = strf(TARGET "/core/fileio_%d/disk%d", i, i);
	_cleanup_free_ char *port = strf(TARGET "/loopback/naa.50014ee2%08x/tpgt_1", i);
	_cleanup_free_ char *lun = strf("%s/lun/lun_0", port);
	_cleanup_free_ char *link = strf("%s/disk", lun);
	_cleanup_free_ char *nexus = strf("naa.60014ee2%08x", i);
	_cleanup_free_ char *block = strf("/sys/block/sd%c", 'a' + i);
	int r;

	r = disk_store(d, store);
	if (r < 0)
		return r;
	r = mkdir_p(lun, 0755);
	if (r < 0)
		return complain(r, "%s: %s", lun, strerror(-r));
	r = set(port, "nexus", nexus);
	if (r < 0)
		return r;
	if (symlink(store, link) < 0)
		return complain(-errno, "%s: %s", link, strerror(errno));
	return wait_for(block);
}

int disks_up(void)
{
	_cleanup_fclose_ FILE *f = fopen("/box/ctl/disks", "re");
	struct disk d;
	unsigned long long size;
	int r;

	if (!f)
		return errno == ENOENT ? 0 : -errno;
	for (int i = 0; fscanf(f, "%63s %llu %u %u %63s %31[^\n]", d.file, &size, &d.sector, &d.ssd, d.serial, d.model) == 6; i++) {
		d.size = size;
		r = disk_up(&d, i);
		if (r < 0)
			return r;
	}
	return 0;
}

static int ip_batch(const char *file, bool lan)
{
	char *here[] = { "ip", "-batch", (char *) file, NULL };
	char *there[] = { "ip", "-n", "lan", "-batch", (char *) file, NULL };

	return run(lan ? there : here, -1, -1) == 0 ? 0 : complain(-EIO, "the ports do not come up");
}

int nics_up(int n)
{
	const char *here = "/run/box-ports", *there = "/run/box-lan";
	_cleanup_fclose_ FILE *a = fopen(here, "we");
	_cleanup_fclose_ FILE *b = fopen(there, "we");
	char *dhcp[] = { "ip", "netns", "exec", "lan", "udhcpd", "-S", "/etc/box-udhcpd.conf", NULL };
	int r;

	if (!a || !b)
		return -errno;
	fputs("link set lo up\nnetns add lan\n", a);
	fputs("link set lo up\nlink add br0 type bridge stp_state 0 forward_delay 0\naddr add 192.168.77.50/24 dev br0\nlink set br0 up\n", b);
	for (int i = 0; i < n; i++) {
		fprintf(a, "link set vec%d name eth%d\nlink set vec%d netns lan\n", 2 * i, i, 2 * i + 1);
		fprintf(b, "link set vec%d master br0\nlink set vec%d up\n", 2 * i + 1, 2 * i + 1);
	}
	fflush(a);
	fflush(b);
	r = ip_batch(here, false);
	if (r >= 0)
		r = ip_batch(there, true);
	unlink(here);
	unlink(there);
	if (r >= 0 && n > 0)
		run(dhcp, -1, -1);
	return r;
}

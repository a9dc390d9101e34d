#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <string.h>

#include "util.h"

static const char usage[] =
	"usage: box [OPTION]... -- COMMAND [ARG...]\n"
	"  --disk SIZE[,model=M][,serial=S][,sector=4096][,ssd]   one more SCSI disk; 4T is 4*10^12 bytes, 4Ti is 4*2^40\n"
	"  --nic cable           one more network port, cabled to the LAN\n"
	"  --dir DIR             keep the system, the disks and the shared folder here\n"
	"  --boot                let systemd boot before COMMAND runs\n"
	"  --seconds N           cut the power after N seconds, exit status 124 (300)\n"
	"  --cut-on TEXT         cut the power when COMMAND prints TEXT, exit status 137\n"
	"  --room SIZE           most that the images may take on the host, else exit status 125 (4Gi)\n"
	"  --release NAME        Debian release of the box (the host's)\n"
	"  --put PATH            copy PATH into the shared folder, /box/share in the box\n"
	"  --sync-speed KIB      most that an array may sync in a second (2000)\n"
	"  --memory SIZE         the box's memory (1G)\n"
	"  --tty                 give COMMAND a terminal even when box has none\n"
	"  --console             print the kernel's and the services' console on standard error\n"
	"  --no-install          leave nas-setup out of the box\n"
	"  --image-only          make the system image, run nothing\n";

/* The decimal and the binary units that disks and files are counted in. */
static int size_parse(const char *text, uint64_t *ret_size)
{
	static const char units[] = "KMGTP";
	char *end;
	double value = strtod(text, &end);
	double factor = 1;
	const char *unit = *end ? strchr(units, toupper((unsigned char) *end)) : NULL;

	if (end == text || value < 0)
		return -EINVAL;
	if (unit) {
		double step = end[1] == 'i' ? 1024 : 1000;
		for (const char *u = units; u <= unit; u++)
			factor *= step;
		end += end[1] == 'i' ? 2 : 1;
	}
	if (*end == 'B')
		end++;
	if (*end)
		return -EINVAL;
	*ret_size = (uint64_t) (value * factor);
	return 0;
}

static int disk_word(struct disk_option *d, const char *word)
{
	const char *value = strchr(word, '=');
	size_t key = value ? (size_t) (value - word) : strlen(word);

	value = value ? value + 1 : "";
	if (strncmp(word, "model", key) == 0 && *value)
		snprintf(d->model, sizeof d->model, "%.16s", value);
	else if (strncmp(word, "serial", key) == 0 && *value)
		snprintf(d->serial, sizeof d->serial, "%.20s", value);
	else if (strcmp(word, "sector=4096") == 0 || strcmp(word, "sector=512") == 0)
		d->sector = (unsigned) atoi(value);
	else if (strcmp(word, "ssd") == 0)
		d->ssd = true;
	else
		return complain(-EINVAL, "--disk: %s is no property of a disk (model=, serial=, sector=512, sector=4096, ssd)", word);
	return 0;
}

static int disk_parse(struct options *o, const char *text)
{
	_cleanup_free_ char *copy = strf("%s", text);
	struct disk_option *d = &o->disks[o->n_disks];
	char *rest = copy, *word = strsep(&rest, ",");
	int r;

	if (o->n_disks == DISKS_MAX)
		return complain(-EINVAL, "at most %d disks", DISKS_MAX);
	*d = (struct disk_option) { .sector = 512 };
	snprintf(d->serial, sizeof d->serial, "WD-BOX%05d", o->n_disks + 1);
	snprintf(d->model, sizeof d->model, "%.16s", "WDC WD40EFRX-68N32N0");
	if (size_parse(word, &d->size) < 0 || d->size < 4096)
		return complain(-EINVAL, "--disk: %s is no size (for example 4T, 500G, 64M)", word);
	d->size -= d->size % 4096;
	while ((word = strsep(&rest, ","))) {
		r = disk_word(d, word);
		if (r < 0)
			return r;
	}
	if (strpbrk(d->serial, " \n") || strchr(d->model, '\n'))
		return complain(-EINVAL, "--disk: no spaces in a serial number");
	o->n_disks++;
	return 0;
}

enum { DISK = 256, NIC, DIRECTORY, SECONDS, CUT_ON, ROOM, RELEASE, BOOT, PUT, SYNC_SPEED, MEMORY, TTY, CONSOLE, NO_INSTALL,
       IMAGE_ONLY, VARIANT, HELP };

static const struct option table[] = {
	{ "disk", required_argument, NULL, DISK },
	{ "nic", required_argument, NULL, NIC },
	{ "dir", required_argument, NULL, DIRECTORY },
	{ "seconds", required_argument, NULL, SECONDS },
	{ "cut-on", required_argument, NULL, CUT_ON },
	{ "room", required_argument, NULL, ROOM },
	{ "release", required_argument, NULL, RELEASE },
	{ "boot", no_argument, NULL, BOOT },
	{ "put", required_argument, NULL, PUT },
	{ "sync-speed", required_argument, NULL, SYNC_SPEED },
	{ "memory", required_argument, NULL, MEMORY },
	{ "tty", no_argument, NULL, TTY },
	{ "console", no_argument, NULL, CONSOLE },
	{ "no-install", no_argument, NULL, NO_INSTALL },
	{ "image-only", no_argument, NULL, IMAGE_ONLY },
	{ "variant", required_argument, NULL, VARIANT },
	{ "help", no_argument, NULL, HELP },
	{ 0 },
};

static int number_parse(const char *option, const char *text, unsigned *ret_number)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (end == text || *end || n == 0 || n > 10000000)
		return complain(-EINVAL, "--%s: %s is no number above 0", option, text);
	*ret_number = (unsigned) n;
	return 0;
}

static int nic_parse(struct options *o, const char *text)
{
	if (strcmp(text, "cable") != 0)
		return complain(-EINVAL, "--nic: only \"cable\" is there");
	if (o->n_nics == NICS_MAX)
		return complain(-EINVAL, "at most %d ports", NICS_MAX);
	o->n_nics++;
	return 0;
}

static int put_parse(struct options *o, const char *path)
{
	if (o->n_puts == (int) ELEMENTSOF(o->puts))
		return complain(-EINVAL, "at most %zu --put", ELEMENTSOF(o->puts));
	o->puts[o->n_puts++] = path;
	return 0;
}

static int option_take(struct options *o, int option, const char *value)
{
	switch (option) {
	case DISK:       return disk_parse(o, value);
	case NIC:        return nic_parse(o, value);
	case PUT:        return put_parse(o, value);
	case SECONDS:    return number_parse("seconds", value, &o->seconds);
	case SYNC_SPEED: return number_parse("sync-speed", value, &o->sync_speed);
	case ROOM:       return size_parse(value, &o->room) < 0 ? complain(-EINVAL, "--room: %s is no size", value) : 0;
	case DIRECTORY:  o->dir = value; return 0;
	case CUT_ON:     o->cut_on = value; return *value && strlen(value) <= 256 ? 0 : complain(-EINVAL, "--cut-on: between 1 and 256 bytes");
	case RELEASE:    o->release = value; return 0;
	case VARIANT:    o->variant = value; return 0;
	case MEMORY:     o->memory = value; return 0;
	case BOOT:       o->boot = true; return 0;
	case TTY:        o->tty = true; return 0;
	case CONSOLE:    o->console = true; return 0;
	case NO_INSTALL: o->install = false; return 0;
	case IMAGE_ONLY: o->image_only = true; return 0;
	case HELP:       fputs(usage, stdout); exit(0);
	default:         return -EINVAL;   /* getopt has said what is wrong */
	}
}

/* The kernel makes a disk's WWN of the hexadecimal digits in its serial number, and udev's links must not meet. */
static void wwn_digits(const char *serial, char ret_digits[static 64])
{
	size_t n = 0;

	for (; *serial; serial++)
		if (isxdigit((unsigned char) *serial))
			ret_digits[n++] = (char) tolower((unsigned char) *serial);
	ret_digits[n] = 0;
}

static int serials_check(const struct options *o)
{
	char a[64], b[64];

	for (int i = 0; i < o->n_disks; i++)
		for (int k = 0; k < i; k++) {
			wwn_digits(o->disks[i].serial, a);
			wwn_digits(o->disks[k].serial, b);
			if (strcmp(a, b) == 0)
				return complain(-EINVAL, "--disk: the serial numbers %s and %s must differ in their digits or letters A to F",
						o->disks[k].serial, o->disks[i].serial);
		}
	return 0;
}

int options_parse(int argc, char **argv, struct options *ret_options)
{
	struct options o = { .variant = "nas", .memory = "1G", .seconds = 300, .room = 4ULL << 30, .sync_speed = 2000, .install = true };
	int option, r;

	while ((option = getopt_long(argc, argv, "+", table, NULL)) != -1) {
		r = option_take(&o, option, optarg);
		if (r < 0)
			return r;
	}
	o.argv = argv + optind;
	r = serials_check(&o);
	if (r < 0)
		return r;
	if (!o.argv[0] && !o.image_only) {
		fputs(usage, stderr);
		return -EINVAL;
	}
	if (o.release && (strchr(o.release, '/') || !*o.release))
		return complain(-EINVAL, "--release: %s is no name of a Debian release", o.release);
	if (strcmp(o.variant, "build") == 0)
		o.install = false;
	*ret_options = o;
	return 0;
}

/* box: runs a command as root of a small Debian in User-Mode Linux, with disks, network ports and a LAN of its own.  See README.md. */

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#include "guest.h"
#include "image.h"
#include "options.h"
#include "pump.h"
#include "util.h"

static void guest_endp(struct guest *g)
{
	guest_end(g);
}

static void terminal_find(struct guest *g, const struct options *o)
{
	struct winsize w;

	g->tty = o->tty || (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO));
	g->rows = 24;
	g->cols = 80;
	if (ioctl(STDIN_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_row > 0 && w.ws_col > 0) {
		g->rows = w.ws_row;
		g->cols = w.ws_col;
	}
}

int main(int argc, char **argv)
{
	_cleanup_(guest_endp) struct guest g = { .line_in = -1, .line_out = -1, .console = -1, .lock = -1, .keeper_pipe = -1 };
	_cleanup_free_ char *release = NULL, *image = NULL;
	struct options o;

	if (options_parse(argc, argv, &o) < 0)
		return STATUS_BROKE;
	if (o.release)
		release = strf("%s", o.release);
	else if (host_release(&release) < 0)
		return STATUS_BROKE;
	if (image_get(release, o.variant, &image) < 0)
		return STATUS_BROKE;
	if (o.image_only) {
		puts(image);
		return 0;
	}
	terminal_find(&g, &o);
	if (guest_prepare(&g, &o, release) < 0 || guest_drop_root(&g) < 0 || guest_start(&g, &o, image) < 0)
		return STATUS_BROKE;
	return pump_run(&g, &o);
}

/* What a terminal needs beside curses. Handlers set flags, except after a crash: then the terminal is put
 * back with plain writes, since nothing of curses may be called there. */
#include "wizard/ui_private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

#define KDGKBTYPE 0x4b33 /* <linux/kd.h>; answered by a virtual console only */
#define KLOG_CONSOLE_LEVEL 8
#define QUIET_LEVEL 3 /* errors and worse stay out of the way; as dmesg -n 3 */

static struct {
        int fd;
        struct termios before;
        bool has_termios, is_console, tuned;
        int printk; /* level to put back; 0: not changed */
        int saved_stderr, parked;
        volatile sig_atomic_t hangup, up;
        char last_words[512];
} term = {.fd = -1, .saved_stderr = -1, .parked = -1};

/* The palette of look.md, and the one that the kernel starts with (drivers/tty/vt/vt.c, default_red …). */
static const char tuned[] =
    "\033]P00b0f14\033]P1b3362f\033]P26fb56f\033]P3e0b050\033]P41b3a5c\033]P59d7c9c\033]P64fb0ae"
    "\033]P7c5cbd2\033]P87a8490\033]P9ff7b72\033]PA8fdc8f\033]PBf2cc60\033]PC6aa0d8\033]PDd0a8cf"
    "\033]PE7fdedb\033]PFffffff";
static const char stock_palette[] = "\033]R";
static const struct {
        const char *path, *value;
} stock[] = {
    {"/sys/module/vt/parameters/default_red", "0,170,0,170,0,170,0,170,85,255,85,255,85,255,85,255"},
    {"/sys/module/vt/parameters/default_grn", "0,0,170,85,0,0,170,170,85,85,255,255,85,85,255,255"},
    {"/sys/module/vt/parameters/default_blu", "0,0,0,0,170,170,170,170,85,85,85,85,255,255,255,255"},
};

static void put_raw(const char *s)
{
        size_t n = strlen(s);
        while (n > 0) {
                ssize_t w = write(term.fd, s, n);
                if (w <= 0)
                        return;
                s += w, n -= (size_t)w;
        }
}

static void on_hangup(int sig _unused_)
{
        term.hangup = 1;
}

static void on_crash(int sig)
{
        if (term.up) {
                put_raw("\033[0m\033[?25h\033[?1l\033>\033(B\017");
                put_raw(term.is_console ? "\033[2J\033[H" : "\033[?1049l\r\n");
                if (term.tuned)
                        put_raw(stock_palette);
                if (term.has_termios)
                        tcsetattr(term.fd, TCSANOW, &term.before);
                if (term.printk)
                        klogctl(KLOG_CONSOLE_LEVEL, NULL, term.printk);
                put_raw(term.last_words);
        }
        raise(sig); /* SA_RESETHAND: the default action */
}

static void set_handlers(void)
{
        static char stack[64 * 1024];
        stack_t st = {.ss_sp = stack, .ss_size = sizeof stack};
        static const int hangups[] = {SIGTERM, SIGHUP, SIGINT},
                         crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
        struct sigaction hangup = {.sa_handler = on_hangup};
        struct sigaction crash = {.sa_handler = on_crash, .sa_flags = SA_RESETHAND | SA_NODEFER | SA_ONSTACK};

        sigaltstack(&st, NULL);
        for (size_t i = 0; i < ELEMENTSOF(hangups); i++)
                sigaction(hangups[i], &hangup, NULL);
        for (size_t i = 0; i < ELEMENTSOF(crashes); i++)
                sigaction(crashes[i], &crash, NULL);
        signal(SIGPIPE, SIG_IGN);
        signal(SIGTSTP, SIG_IGN);
}

static bool is_stock(void)
{
        for (size_t i = 0; i < ELEMENTSOF(stock); i++) {
                _cleanup_free_ char *value = NULL;
                if (read_line(stock[i].path, &value) < 0 || !streq(value, stock[i].value))
                        return false;
        }
        return true;
}

/* Whatever writes to standard error while the screen is up would end in the middle of it. */
static void park_stderr(void)
{
        term.parked = memfd_create("stderr", MFD_CLOEXEC);
        term.saved_stderr = fcntl(2, F_DUPFD_CLOEXEC, 3);
        if (term.parked >= 0 && term.saved_stderr >= 0)
                dup2(term.parked, 2);
}

static void unpark_stderr(void)
{
        char buf[4096];
        if (term.parked < 0 || term.saved_stderr < 0)
                return;
        fflush(stderr);
        dup2(term.saved_stderr, 2);
        lseek(term.parked, 0, SEEK_SET);
        for (ssize_t n; (n = read(term.parked, buf, sizeof buf)) > 0;)
                if (write(2, buf, (size_t)n) < 0)
                        break;
        closep(&term.parked);
        closep(&term.saved_stderr);
        term.parked = term.saved_stderr = -1;
}

void term_before(int fd)
{
        char type = 0;

        term.fd = fd;
        term.hangup = 0;
        term.has_termios = tcgetattr(fd, &term.before) == 0;
        term.is_console = ioctl(fd, KDGKBTYPE, &type) == 0;
        set_handlers();
}

void term_started(const struct ui_options *o)
{
        _cleanup_free_ char *levels = NULL;

        snprintf(term.last_words, sizeof term.last_words, "%s\r\n", o->after_crash ? o->after_crash : "");
        term.up = 1;
        park_stderr();
        if (!term.is_console)
                return;
        if (!o->mono && !getenv("NO_COLOR") && is_stock()) {
                put_raw(tuned);
                term.tuned = true;
        }
        if (read_line("/proc/sys/kernel/printk", &levels) == 0 && atoi(levels) > QUIET_LEVEL &&
            klogctl(KLOG_CONSOLE_LEVEL, NULL, QUIET_LEVEL) == 0)
                term.printk = atoi(levels);
}

void term_after(void)
{
        if (!term.up)
                return;
        term.up = 0;
        if (term.tuned)
                put_raw(stock_palette);
        if (term.printk)
                klogctl(KLOG_CONSOLE_LEVEL, NULL, term.printk);
        if (term.has_termios)
                tcsetattr(term.fd, TCSADRAIN, &term.before);
        term.tuned = false;
        term.printk = 0;
        unpark_stderr();
}

bool term_is_console(void)
{
        return term.is_console;
}

bool term_has_hangup(void)
{
        return term.hangup;
}

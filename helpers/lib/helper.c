#include "helpers/lib/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "helpers/lib/log.h"

#define WRITE_LOCK "/run/nas-setup/write.lock"
#ifndef VERSION
#define VERSION "0"
#endif

static const struct helper *arg_helper;
static const struct verb *arg_verb;
static bool arg_dry_run;
static const char *arg_root;
static int arg_lock_fd = -1;
static bool changed;

bool helper_is_dry_run(void)
{
        return arg_dry_run;
}

bool helper_has_root(void)
{
        return arg_root != NULL;
}

bool has_systemd(void)
{
        return !helper_has_root() && access("/run/systemd/system", F_OK) == 0;
}

char *helper_path(const char *path)
{
        return arg_root ? path_join(arg_root, path) : xstrdup(path);
}

void helper_changed(void)
{
        changed = true;
}

static int say_error(int status, const char *code, const char *what, const char *raw, const char *fmt, va_list ap)
{
        _cleanup_record_ struct record *r = record_new("error");
        _cleanup_free_ char *text = xvasprintf(fmt, ap);

        record_set(r, "code", code);
        record_set(r, "what", what);
        record_set(r, "text", text);
        record_set(r, "raw", raw && *raw ? raw : NULL);
        record_print(r, stdout);
        defuse(text);
        fprintf(stderr, "%s: %s\n", arg_helper->name, text);
        log_line("error %s %s: %s %s", code, what ? what : "", text, raw ? raw : "");
        return status;
}

int helper_fail(const char *code, const char *what, const char *raw, const char *fmt, ...)
{
        va_list ap;

        va_start(ap, fmt);
        int status = say_error(HELPER_FAILED, code, what, raw, fmt, ap);
        va_end(ap);
        return status;
}

int helper_refuse(const char *code, const char *what, const char *fmt, ...)
{
        va_list ap;

        va_start(ap, fmt);
        int status = say_error(HELPER_REFUSED, code, what, NULL, fmt, ap);
        va_end(ap);
        return status;
}

int helper_usage(const char *what, const char *fmt, ...)
{
        va_list ap;

        va_start(ap, fmt);
        int status = say_error(HELPER_USAGE, "usage", what, NULL, fmt, ap);
        va_end(ap);
        return status;
}

void helper_progress(uint64_t done, uint64_t total, const char *what)
{
        _cleanup_record_ struct record *r = record_new("progress");

        record_set_u64(r, "done", done);
        record_set_u64(r, "total", total);
        record_set(r, "what", what);
        record_print(r, stdout);
}

static void would(const char *word, const char *key, const char *value, const char *text)
{
        _cleanup_record_ struct record *r = record_new(word);

        record_set(r, key, value);
        record_set(r, "text", text);
        record_print(r, stdout);
}

bool helper_would(const char *what)
{
        changed = true;
        if (arg_dry_run)
                would("would", "run", what, NULL);
        else
                log_line("%s", what);
        return arg_dry_run;
}

int helper_run(struct run *r)
{
        _cleanup_free_ char *text = run_text(r->argv);

        changed = true;
        if (arg_dry_run) {
                would("would", "run", text, NULL);
                buf_puts(&r->out, "");
                buf_puts(&r->err, "");
                return 0;
        }
        int e = run_one(r);
        buf_puts(&r->out, "");
        buf_puts(&r->err, "");
        log_line("%s → %d %.2000s %.2000s", text, r->status, r->out.buf, r->err.buf);
        return e < 0 ? e : r->status ? -EIO : 0;
}

int helper_exec(char *const *argv, char **ret_raw)
{
        _cleanup_(run_free) struct run r = {.argv = argv, .deadline_ms = 60000};
        int e = helper_run(&r);

        if (ret_raw)
                *ret_raw = xasprintf("%s%s", r.out.buf, r.err.buf);
        return e;
}

int helper_ask(char *const *argv, char **ret_out)
{
        _cleanup_(run_free) struct run r = {.argv = argv, .deadline_ms = 30000};
        int e = run_one(&r);

        if (e == 0 && r.status != 0)
                e = -EIO;
        if (e == 0)
                *ret_out = r.out.buf ? TAKE_PTR(r.out.buf) : xstrdup("");
        return e;
}

int helper_write(const char *path, const char *text, mode_t mode)
{
        _cleanup_free_ char *full = helper_path(path), *before = NULL, *diff = NULL;
        int r = file_text(full, &before);

        if (r < 0)
                return r;
        if (streq(before, text) && access(full, F_OK) == 0)
                return 0;
        changed = true;
        if (arg_dry_run) {
                r = text_diff(path, before, text, &diff);
                if (r == 0)
                        would("diff", "file", path, diff);
                return r;
        }
        r = file_replace(full, text, mode);
        log_line("wrote %s → %d", full, r);
        return r;
}

int helper_remove(const char *path)
{
        _cleanup_free_ char *full = helper_path(path), *before = NULL, *diff = NULL;

        if (access(full, F_OK) < 0)
                return 0;
        changed = true;
        if (arg_dry_run) {
                int r = file_text(full, &before);
                if (r == 0)
                        r = text_diff(path, before, "", &diff);
                if (r == 0)
                        would("diff", "file", path, diff);
                return r;
        }
        int r = file_remove(full);
        log_line("removed %s → %d", full, r);
        return r;
}

int helper_result(const struct record *more)
{
        _cleanup_record_ struct record *r = record_new("result");

        record_set(r, "changed", changed ? "yes" : "no");
        for (size_t i = 0; more && i < more->n; i++)
                record_set(r, more->fields[i].key, more->fields[i].value);
        record_print(r, stdout);
        return HELPER_DONE;
}

/* --- the command line --- */

static void help(FILE *f)
{
        fprintf(f, "%s: %s\n\nusage: %s [--dry-run] [--root DIR] VERB [key=value …]\n", arg_helper->name,
                arg_helper->help, arg_helper->name);
        for (const struct verb *v = arg_helper->verbs; v->name; v++) {
                fprintf(f, "\n  %-12s %s\n", v->name, v->help);
                for (const struct param *p = v->params; p && p->key; p++)
                        fprintf(f, "      %-10s %s%s\n", p->key, p->help, p->required ? "" : " (may be left out)");
        }
        fputs("\n  --dry-run    print what would be run and the difference to each file, change nothing\n"
              "  --root DIR   work on the files below DIR\n"
              "\nExit status: 0 done or already so, 1 failed, 2 wrong call, 3 refused with nothing touched.\n",
              f);
}

static const struct verb *find_verb(const char *name)
{
        for (const struct verb *v = arg_helper->verbs; v->name; v++)
                if (streq(v->name, name))
                        return v;
        return NULL;
}

static const struct param *find_param(const struct verb *v, const char *key)
{
        for (const struct param *p = v->params; p && p->key; p++)
                if (streq(p->key, key))
                        return p;
        return NULL;
}

static int check_params(const struct verb *v, const struct record *args)
{
        for (size_t i = 0; i < args->n; i++)
                if (!find_param(v, args->fields[i].key))
                        return helper_usage(args->fields[i].key, "'%s' takes no '%s'; see %s --help", v->name,
                                            args->fields[i].key, arg_helper->name);
        for (const struct param *p = v->params; p && p->key; p++)
                if (p->required && !*record_str(args, p->key))
                        return helper_usage(p->key, "'%s' needs %s= (%s)", v->name, p->key, p->help);
        return 0;
}

/* Values arrive unquoted by the shell that typed them, or as separate arguments from a plan: no grammar inside. */
static int parse_word(struct record *args, const char *word, const char **ret_verb)
{
        const char *eq = strchr(word, '=');

        if (!eq || (size_t)(eq - word) == 0) {
                if (*ret_verb)
                        return helper_usage(word, "'%s' is not of the form key=value", word);
                *ret_verb = word;
                return 0;
        }
        _cleanup_free_ char *key = xstrndup(word, (size_t)(eq - word));
        if (streq(key, "verb") && !*ret_verb)
                *ret_verb = eq + 1;
        else if (record_get(args, key))
                return helper_usage(key, "'%s' stands twice", key);
        else
                record_set(args, key, eq + 1);
        return 0;
}

static int parse_options(int argc, char **argv)
{
        static const struct option options[] = {{"dry-run", no_argument, NULL, 'n'},
                                                {"root", required_argument, NULL, 'r'},
                                                {"lock-fd", required_argument, NULL, 'l'},
                                                {"help", no_argument, NULL, 'h'},
                                                {"version", no_argument, NULL, 'v'},
                                                {0}};
        int c;
        unsigned fd;

        while ((c = getopt_long(argc, argv, "+", options, NULL)) >= 0)
                switch (c) {
                case 'n':
                        arg_dry_run = true;
                        break;
                case 'r':
                        arg_root = optarg;
                        break;
                case 'l':
                        if (parse_uint(optarg, 1023, &fd) < 0)
                                return helper_usage("lock-fd", "--lock-fd takes a number");
                        arg_lock_fd = (int)fd;
                        break;
                case 'h':
                        help(stdout);
                        exit(HELPER_DONE);
                case 'v':
                        printf("%s %s\n", arg_helper->name, VERSION);
                        exit(HELPER_DONE);
                default:
                        return HELPER_USAGE;
                }
        return 0;
}

/* What a helper started holds the lock too until it has become another program: just after a helper was killed that may
 * not be over yet. */
#define LOCK_WAIT_MS 3000
#define LOCK_POLL_MS 50

static int take_lock(void)
{
        _cleanup_free_ char *path = helper_path(WRITE_LOCK);

        if (arg_lock_fd >= 0 && is_lock_of(arg_lock_fd, path))
                return 0;
        int r;
        for (uint64_t until = now_ms() + LOCK_WAIT_MS;
             (r = lock_take(path, &arg_lock_fd)) == -EWOULDBLOCK && now_ms() < until;)
                usleep(LOCK_POLL_MS * 1000);
        if (r == -EWOULDBLOCK)
                return helper_refuse("locked", NULL,
                                     "nas-setup or one of its helpers is changing this computer right now; "
                                     "wait until it has finished and try again");
        if (r < 0)
                return helper_refuse("no-lock", path, "%s: %s (are you root?)", path, strerror(-r));
        return 0;
}

int helper_lock_fd(void)
{
        return arg_lock_fd;
}

void helper_log(void)
{
        _cleanup_free_ char *log = helper_path(LOG_FILE);
        static bool is_open;

        if (arg_dry_run || is_open)
                return;
        is_open = true;
        log_open(log, arg_helper->name);
        log_line("%s", arg_verb->name);
}

int helper_lock(void)
{
        int r = arg_dry_run ? 0 : take_lock();

        if (r == 0)
                helper_log();
        return r;
}

int helper_main(const struct helper *h, int argc, char **argv)
{
        _cleanup_record_ struct record *args = record_new("args");
        const char *name = NULL;

        arg_helper = h;
        begin_process();
        signal(SIGPIPE, SIG_IGN); /* whoever listens may go away; a step that was begun is finished */
        setvbuf(stdout, NULL, _IOLBF, 0);
        int r = parse_options(argc, argv);
        /* What a helper starts (a daemon, say) must not hold the lock for ever. */
        if (r == 0 && arg_lock_fd >= 0 && fcntl(arg_lock_fd, F_SETFD, FD_CLOEXEC) < 0)
                return helper_usage("lock-fd", "--lock-fd %d is not open", arg_lock_fd);
        for (int i = optind; i < argc && r == 0; i++)
                r = parse_word(args, argv[i], &name);
        if (r != 0)
                return r;
        if (!name)
                return helper_usage("verb", "say what to do; %s --help lists it", h->name);
        const struct verb *verb = find_verb(name);
        if (!verb)
                return helper_usage(name, "there is no '%s' in %s; %s --help lists what there is", name, h->name,
                                    h->name);
        r = check_params(verb, args);
        if (r != 0)
                return r;
        arg_verb = verb;
        r = verb->writes ? helper_lock() : 0;
        return r != 0 ? r : verb->run(args);
}

/* nas-setup: which of its ways of running was asked for, what must be so before it may begin, and the words for both. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"
#include "helpers/lib/log.h"
#include "helpers/lib/password.h"
#include "wizard/apply.h"
#include "wizard/i18n.h"
#include "wizard/journal.h"
#include "wizard/messages.h"
#include "wizard/start.h"
#include "wizard/plan_password.h"
#include "wizard/wizard.h"

enum mode { MODE_WIZARD, MODE_FACTS, MODE_PRINT_PLAN, MODE_APPLY, MODE_RESUME, MODE_FORGET };

static enum mode arg_mode = MODE_WIZARD;
static const char *arg_answers, *arg_apply, *arg_machine;
static struct wizard_options arg_wizard;
static uint64_t arg_seed;
static bool arg_first;
static int arg_password_fd = -1;

static const struct {
        const char *name, *value, *help;
        int key;
} options[] = {
        {"facts", NULL, N_("print what was found on this computer, and end"), 'f'},
        {"answers", N_("FILE"), N_("the answers, for --print-plan; what is left out is as advised"), 'a'},
        {"print-plan", NULL, N_("print what would be done, and end"), 'p'},
        {"apply", N_("FILE"), N_("do it without questions; FILE holds answers or a plan"), 'A'},
        {"resume", NULL, N_("go on with a set-up that was cut off"), 'R'},
        {"password-fd", N_("NUMBER"), N_("with --apply and --resume: the descriptor that gives the share's password"), 'P'},
        {"forget", NULL, N_("set a set-up that was cut off aside; what was done stays done"), 'F'},
        {"first", NULL, N_("end at once where this computer is a NAS already (for its own terminal at start)"), '1'},
        {"ascii", NULL, N_("draw with plain characters only"), 'c'},
        {"mono", NULL, N_("draw without colours"), 'm'},
        {"machine", N_("FILE"), N_("look at a recorded computer instead of this one; changes nothing"), 'M'},
        {"keys", N_("FILE"), N_("take the keys from a file and draw on no terminal (for tests)"), 'k'},
        {"dump", N_("FILE"), N_("where the key word \"dump\" writes the screen (for tests)"), 'd'},
        {"screen", N_("COLUMNSxLINES"), N_("size of that screen (for tests)"), 's'},
        {"seed", N_("NUMBER"), N_("the same identities each time (for tests)"), 'S'},
        {"help", NULL, N_("print this"), 'h'},
        {"version", NULL, N_("print the version"), 'v'},
};

static int _printf_(2, 3) complain(int status, const char *fmt, ...)
{
        va_list ap;

        va_start(ap, fmt);
        _cleanup_free_ char *text = xvasprintf(fmt, ap);
        va_end(ap);
        defuse(text);
        fprintf(stderr, "nas-setup: %s\n", text);
        return status;
}

static void help(void)
{
        printf("%s\n\n  nas-setup\n  nas-setup --facts\n  nas-setup --answers FILE --print-plan\n  nas-setup --apply "
               "FILE\n  nas-setup --resume\n\n",
               _("Turns this computer into a file server for your network."));
        for (size_t i = 0; i < ELEMENTSOF(options); i++) {
                const char *value = options[i].value ? _(options[i].value) : "";
                printf("  --%s %s%*s%s\n", options[i].name, value,
                       (int)MAX2(1, 24 - (int)strlen(options[i].name) - (int)strlen(value)), "", _(options[i].help));
        }
}

static int parse_screen(const char *text)
{
        unsigned columns, lines;
        char end;

        if (sscanf(text, "%3ux%3u%c", &columns, &lines, &end) != 2)
                return complain(HELPER_USAGE, _("--screen takes a size such as 80x25."));
        arg_wizard.columns = (int)columns;
        arg_wizard.lines = (int)lines;
        return 0;
}

static int parse_password_fd(const char *text)
{
        unsigned fd;

        if (parse_uint(text, 1023, &fd) < 0)
                return complain(HELPER_USAGE, _("--password-fd takes the number of a descriptor, such as 0."));
        arg_password_fd = (int)fd;
        return 0;
}

static int take_option(int key)
{
        switch (key) {
        case 'f':
                arg_mode = MODE_FACTS;
                return 0;
        case 'a':
                arg_answers = optarg;
                return 0;
        case 'p':
                arg_mode = MODE_PRINT_PLAN;
                return 0;
        case 'A':
                arg_mode = MODE_APPLY;
                arg_apply = optarg;
                return 0;
        case 'R':
                arg_mode = MODE_RESUME;
                return 0;
        case 'P':
                return parse_password_fd(optarg);
        case 'F':
                arg_mode = MODE_FORGET;
                return 0;
        case '1':
                arg_first = true;
                return 0;
        case 'c':
                arg_wizard.ascii = true;
                return 0;
        case 'm':
                arg_wizard.mono = true;
                return 0;
        case 'M':
                arg_machine = optarg;
                return 0;
        case 'k':
                arg_wizard.keys = optarg;
                return 0;
        case 'd':
                arg_wizard.dump = optarg;
                return 0;
        case 's':
                return parse_screen(optarg);
        case 'S':
                return parse_u64(optarg, &arg_seed) < 0 ? complain(HELPER_USAGE, _("--seed takes a number.")) : 0;
        case 'h':
                help();
                exit(HELPER_DONE);
        case 'v':
                printf("nas-setup %s\n", VERSION);
                exit(HELPER_DONE);
        default:
                return complain(HELPER_USAGE, _("nas-setup --help lists what can be asked for."));
        }
}

static int parse_options(int argc, char **argv)
{
        struct option longs[ELEMENTSOF(options) + 1] = {0};
        int c, r = 0;

        for (size_t i = 0; i < ELEMENTSOF(options); i++)
                longs[i] = (struct option){options[i].name, options[i].value ? required_argument : no_argument, NULL,
                                           options[i].key};
        while (r == 0 && (c = getopt_long(argc, argv, "h", longs, NULL)) >= 0)
                r = take_option(c);
        if (r == 0 && optind < argc)
                return complain(HELPER_USAGE, _("\"%s\" is not an option; nas-setup --help lists them."), argv[optind]);
        if (r == 0 && arg_answers && arg_mode != MODE_PRINT_PLAN)
                return complain(HELPER_USAGE, _("--answers goes with --print-plan; to do what they say, use --apply %s."),
                                arg_answers);
        if (r == 0 && arg_password_fd >= 0 && arg_mode != MODE_APPLY && arg_mode != MODE_RESUME)
                return complain(HELPER_USAGE, _("--password-fd goes with --apply and --resume."));
        if (r == 0 && arg_machine && arg_mode != MODE_PRINT_PLAN && arg_mode != MODE_WIZARD && arg_mode != MODE_FACTS)
                return complain(HELPER_USAGE, _("--machine only looks; it does not go with --apply or --resume."));
        return r;
}

/* --- reading --- */

static int complain_file(const char *path, int r, const struct record_error *error)
{
        if (r == -EBADMSG)
                return complain(HELPER_USAGE, _("%s, line %u, column %u: %s. Nothing was changed."), path, error->line,
                                error->column, *error->why ? _(error->why) : "");
        return complain(HELPER_USAGE, _("%s can't be read: %s. Nothing was changed."), path, strerror(-r));
}

static int get_facts(struct facts *ret)
{
        struct record_error error;

        if (!arg_machine)
                return facts_gather(ret) < 0 ? HELPER_FAILED : 0;
        int r = facts_read(arg_machine, ret, &error);
        return r < 0 ? complain_file(arg_machine, r, &error) : 0;
}

static int get_answers(const char *path, struct records *rs, struct answers *ret)
{
        struct record_error error;
        int r = answers_from_records(rs, ret, &error);

        return r < 0 ? complain_file(path, r, &error) : 0;
}

static int read_records(const char *path, struct records *ret)
{
        struct record_error error;
        int r = records_read(path, ret, &error);

        return r < 0 ? complain_file(path, r, &error) : 0;
}

static const struct {
        enum answer which;
        const char *words; /* the disks, then the same quoted */
} consents[] = {
        {A_ERASE, N_("These disks hold something that would be erased: %s. If it may be lost, say so in the answers: disks "
                     "erase=%s. Nothing was changed.")},
        {A_FAILING, N_("These disks are failing: %s. Files on them may get lost. If they are to be used all the same, say so in "
                       "the answers: disks failing=%s. Nothing was changed.")},
        {A_LETGO, N_("Something on these disks is mounted or swapped to: %s. If it may be taken down, say so in the answers: "
                     "disks letgo=%s. Nothing was changed.")},
};

/* Whoever writes answers is asked nothing, so what needs a word must stand there. */
static int ask_consent(const struct facts *f, const struct answers *a, const struct choices *c)
{
        int status = 0;

        for (size_t i = 0; i < ELEMENTSOF(consents); i++) {
                _cleanup_strv_ char **unforgiven = choices_unforgiven(f, a, c, consents[i].which);
                if (!unforgiven)
                        continue;
                _cleanup_free_ char *list = list_join(unforgiven);
                _cleanup_free_ char *quoted = quote(list);
                status = complain(HELPER_REFUSED, _(consents[i].words), list, quoted);
        }
        return status;
}

/* The plan for these answers here, or every reason why there is none. */
static int make_plan(const struct answers *answers, const char *path, struct plan *ret)
{
        _cleanup_facts_ struct facts facts = {0};
        _cleanup_choices_ struct choices choices = {0};
        _cleanup_faults_ struct faults faults = {0};
        int r = get_facts(&facts);

        if (r != 0)
                return r;
        if (choices_make(&facts, answers, &choices, &faults) < 0) {
                for (unsigned i = 0; i < faults.n; i++)
                        complain(0, "%s: %s %s=: %s", path ? path : _("the answers"), answer_word(faults.v[i].which),
                                 answer_key(faults.v[i].which), faults.v[i].text);
                return complain(HELPER_USAGE, _("Nothing was changed."));
        }
        r = ask_consent(&facts, answers, &choices);
        if (r == 0)
                plan_make(&facts, answers, &choices, arg_seed, ret);
        return r;
}

/* --- the ways to run --- */

static int print_facts(void)
{
        _cleanup_facts_ struct facts facts = {0};
        int r = get_facts(&facts);

        if (r == 0)
                facts_print(&facts, stdout);
        return r;
}

static int print_plan(void)
{
        _cleanup_records_ struct records rs = {0};
        _cleanup_answers_ struct answers answers = {0};
        _cleanup_plan_ struct plan plan = {0};
        int r = arg_answers ? read_records(arg_answers, &rs) : 0;

        if (r == 0)
                r = get_answers(arg_answers, &rs, &answers);
        if (r == 0)
                r = make_plan(&answers, arg_answers, &plan);
        if (r != 0)
                return r;
        _cleanup_free_ char *text = plan_text(&plan);
        fputs(text, stdout);
        return 0;
}

/* The password that the plan wants; is_kept: the plan is the one in the journal. */
static int get_password(const struct plan *p, bool is_kept, char **ret)
{
        _cleanup_free_ char *why = NULL;
        int r = plan_password(p, arg_password_fd, arg_mode == MODE_RESUME, is_kept, ret, &why);

        return r == HELPER_DONE ? r : complain(r, "%s", why);
}

static int complain_step(int status, const struct record *failed)
{
        _cleanup_free_ char *text = message_text(failed);

        return complain(status, "%s: %s", step_title(record_str(failed, "step")), text);
}

/* given: the password that the plan wants, where it was asked for already, and apply_ask has just found nothing against the
 * plan. */
static int run_kept(bool asked, const char *given)
{
        _cleanup_plan_ struct plan plan = {0};
        _cleanup_password_ char *own = NULL;
        _cleanup_record_ struct record *failed = NULL;
        struct record_error error;
        int fd, r = journal_plan(&plan, &error);

        if (r == -ENOENT)
                return complain(HELPER_REFUSED, _("There is no set-up to go on with. Start nas-setup without --resume."));
        if (r < 0)
                return complain_file(PLAN_FILE, r, &error);
        r = given ? 0 : get_password(&plan, true, &own);
        if (r != 0)
                return r;
        r = apply_lock(&fd);
        if (r == -EWOULDBLOCK)
                return complain(HELPER_REFUSED, _("A set-up is being carried out right now. nas-setup shows it."));
        if (r < 0)
                return complain(HELPER_FAILED, "%s: %s", APPLY_LOCK, strerror(-r));
        log_open(LOG_FILE, "nas-setup");
        int status = apply_plan(&plan, asked, given ? given : own, fd, stdout, &failed);
        return status == HELPER_DONE ? status : complain_step(status, failed);
}

static int resume(void)
{
        _cleanup_records_ struct records journal = {0};

        journal_read(&journal);
        if (!journal_is_finished(&journal))
                return run_kept(false, NULL);
        puts(_("The last set-up came to its end; there is nothing to go on with."));
        return 0;
}

static int keep_and_run(const struct plan *plan)
{
        _cleanup_record_ struct record *failed = NULL;
        _cleanup_password_ char *password = NULL;
        int r = apply_ask(plan, stdout, &failed);

        /* What is refused here leaves the plan that is kept, of the NAS that is there, in its place. */
        if (r != HELPER_DONE)
                return complain_step(r, failed);
        r = get_password(plan, false, &password);
        if (r != 0)
                return r;
        r = journal_begin(plan);
        if (r == -EBUSY)
                return complain(HELPER_REFUSED, _("A set-up is being carried out right now. nas-setup shows it."));
        if (r < 0)
                return complain(HELPER_FAILED, _("The plan can't be kept in %s: %s. Nothing was changed."), STATE_DIR,
                                strerror(-r));
        return run_kept(true, password);
}

static bool is_same_plan(const struct plan *a, const struct plan *b)
{
        _cleanup_free_ char *x = plan_text(a), *y = plan_text(b);

        return streq(x, y);
}

/* Whether the plan that is kept is the given one, or, where none is, was made from these answers: running it again is
 * the way to say them again. */
static int find_kept(const struct plan *given, const struct answers *answers, bool *ret_same, bool *ret_unfinished)
{
        _cleanup_plan_ struct plan plan = {0};
        _cleanup_answers_ struct answers old = {0};
        _cleanup_records_ struct records journal = {0};
        struct record_error error;
        int r = journal_plan(&plan, &error);

        *ret_same = *ret_unfinished = false;
        if (r < 0)
                return r == -ENOENT ? 0 : complain_file(PLAN_FILE, r, &error);
        plan_answers(&plan, &old);
        journal_read(&journal);
        *ret_same = given->records.n ? is_same_plan(given, &plan) : answers_equal(answers, &old);
        *ret_unfinished = !journal_is_finished(&journal);
        return 0;
}

static int apply_records(struct records *rs)
{
        _cleanup_answers_ struct answers answers = {0};
        _cleanup_plan_ struct plan plan = {0};
        struct record_error error;
        bool same, unfinished;
        int r;

        if (is_plan(rs)) {
                r = plan_from_records(rs, &plan, &error);
                if (r < 0)
                        return complain_file(arg_apply, r, &error);
        } else if ((r = get_answers(arg_apply, rs, &answers)) != 0) {
                return r;
        }
        r = find_kept(&plan, &answers, &same, &unfinished);
        if (r != 0)
                return r;
        if (same)
                return run_kept(false, NULL);
        if (unfinished)
                return complain(HELPER_REFUSED, _("An earlier set-up was cut off. Go on with it by nas-setup --resume, or "
                                                  "set it aside by nas-setup --forget. Nothing was changed."));
        if (plan.records.n == 0)
                r = make_plan(&answers, arg_apply, &plan);
        return r == 0 ? keep_and_run(&plan) : r;
}

static int apply_file(void)
{
        _cleanup_records_ struct records rs = {0};
        int r = read_records(arg_apply, &rs);

        if (r != 0)
                return r;
        if (is_apply_running())
                return complain(HELPER_REFUSED, _("A set-up is being carried out right now. nas-setup shows it."));
        return apply_records(&rs);
}

static int forget(void)
{
        int r = journal_forget();

        if (r == -EBUSY)
                return complain(HELPER_REFUSED, _("A set-up is being carried out right now. nas-setup shows it."));
        return r < 0 ? complain(HELPER_FAILED, "%s: %s", STATE_DIR, strerror(-r)) : 0;
}

/* --- the screens --- */

#define END_MS 3000
#define POLL_MS 50

/* Who is here first, for whoever comes second: "terminal, time" and a line with his number. */
static void write_holder(int fd)
{
        const char *tty = ttyname(STDIN_FILENO);
        char when[32];
        time_t now = time(NULL);
        struct tm tm;

        strftime(when, sizeof when, "%H:%M", localtime_r(&now, &tm));
        _cleanup_free_ char *who = xasprintf(_("%s, since %s"), tty ? tty : "?", when),
                            *text = xasprintf("%s\n%u\n", who, (unsigned)getpid());
        if (ftruncate(fd, 0) < 0 || write(fd, text, strlen(text)) < 0)
                log_line("%s can't be written", WIZARD_LOCK);
}

/* Over ssh it hangs once the address under it has changed, and who comes to the new one must be able to keep that. */
static int end_first(unsigned pid, int *ret_fd)
{
        static const int signals[] = {SIGTERM, SIGKILL}; /* the latter where it waits for its terminal */
        int r = -EWOULDBLOCK;

        for (size_t i = 0; i < ELEMENTSOF(signals) && r == -EWOULDBLOCK; i++) {
                kill((pid_t)pid, signals[i]);
                for (uint64_t until = now_ms() + END_MS; r == -EWOULDBLOCK && now_ms() < until; usleep(POLL_MS * 1000))
                        r = lock_take(WIZARD_LOCK, ret_fd);
        }
        return r;
}

/* What is being carried out goes on whoever watches: then who comes second is let in. */
static int take_wizard_lock(int *ret_fd)
{
        _cleanup_free_ char *holder = NULL;
        unsigned pid;
        int r = lock_take(WIZARD_LOCK, ret_fd);

        if (r == -EWOULDBLOCK) {
                if (file_text(WIZARD_LOCK, &holder) < 0 || !*holder)
                        holder = xstrdup("?");
                char *line = strchr(holder, '\n');
                if (line)
                        *line = '\0';
                if (line && sscanf(line + 1, "%u", &pid) == 1 && pid > 1 && is_apply_running())
                        r = end_first(pid, ret_fd);
        }
        if (r == -EWOULDBLOCK)
                return complain(HELPER_REFUSED, _("nas-setup is open already on %s. Use it there, or end it there first."),
                                holder);
        if (r < 0)
                return complain(HELPER_FAILED, "%s: %s", WIZARD_LOCK, strerror(-r));
        write_holder(*ret_fd);
        return 0;
}

#define BEGIN_ANEW (-1) /* no exit status: what was found is looked for once more */

static int show(struct facts *facts)
{
        static const int statuses[] = {[WIZARD_LEFT] = 0,
                                       [WIZARD_APPLYING] = 0,
                                       [WIZARD_FAILED] = HELPER_FAILED,
                                       [WIZARD_FINISHED] = 0,
                                       [WIZARD_ANEW] = BEGIN_ANEW};
        _cleanup_free_ char *words = NULL;
        int r = wizard_run(facts, &arg_wizard, &words);

        /* A recorded computer is the same when it is looked at again. */
        if (r == WIZARD_ANEW && arg_machine)
                r = WIZARD_LEFT;

        if (r == -EOPNOTSUPP)
                return complain(HELPER_FAILED,
                                _("This terminal can't show the screens. Use another one, or put the answers into a file "
                                  "and use --apply. Nothing was changed."));
        if (r < 0)
                return complain_file(arg_wizard.keys ? arg_wizard.keys : "nas-setup", r, &(struct record_error){.why = ""});
        if (words)
                puts(words);
        return statuses[r];
}

static int run_wizard(void)
{
        _cleanup_facts_ struct facts facts = {0};
        _cleanup_close_ int lock = -1;
        int r = 0;

        if (arg_first && !arg_machine && start_is_done())
                return 0;
        arg_wizard.machine = arg_machine != NULL;
        if (!arg_wizard.keys && (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)))
                return complain(HELPER_FAILED, _("The screens need a terminal. Without one, put the answers into a file and "
                                                 "use --apply. Nothing was changed."));
        if (!arg_machine) {
                r = take_wizard_lock(&lock);
                if (r == 0)
                        arg_wizard.start = start_where();
        }
        /* This computer is looked at beside the screens. */
        if (r == 0 && arg_machine)
                r = get_facts(&facts);
        while (r == 0 && (r = show(&facts)) == BEGIN_ANEW) {
                facts_free(&facts);
                arg_wizard.start = WIZARD_NEW;
                r = 0;
        }
        return r;
}

static int run(void)
{
        switch (arg_mode) {
        case MODE_FACTS:
                return print_facts();
        case MODE_PRINT_PLAN:
                return print_plan();
        case MODE_APPLY:
                return apply_file();
        case MODE_RESUME:
                return resume();
        case MODE_FORGET:
                return forget();
        case MODE_WIZARD:
                break;
        }
        return run_wizard();
}

/* Beside the program where it was built, else where "make install" puts messages. */
static char *locale_folder(void)
{
        _cleanup_free_ char *own = own_folder();
        char *built = path_join(own, "share/locale");

        if (access(built, F_OK) == 0)
                return built;
        free(built);
        return path_join(own, "../share/locale");
}

int main(int argc, char **argv)
{
        begin_process();

        _cleanup_free_ char *messages = locale_folder();

        i18n_start(messages);
        arg_wizard.locale_dir = messages;
        int r = parse_options(argc, argv);

        if (r != 0)
                return r;
        if (!arg_machine && geteuid() != 0)
                return complain(HELPER_REFUSED, _("Disks and network can only be set up by root. Type: sudo nas-setup"));
        return run();
}

/* The pages: one screen a file, each an entry of this kind. A page draws itself from facts, answers and choices each time
 * something has changed, and changes answers only. */
#pragma once

#include "helpers/lib/run.h"
#include "wizard/apply.h"
#include "wizard/choices.h"
#include "wizard/i18n.h"
#include "wizard/look.h"
#include "wizard/plan.h"
#include "wizard/ui.h"
#include "wizard/wizard.h"

enum go {
        GO_STAY,
        GO_NEXT,
        GO_BACK,
        GO_LEAVE, /* asks where something would be lost */
        GO_END,
};

enum item_kind {
        ITEM_RADIO,  /* a row; Space chooses */
        ITEM_CHECK,  /* a row; Space toggles */
        ITEM_FIELD,  /* a text */
        ITEM_ROW,    /* a row to look at; Space says why it can't be chosen */
        ITEM_VALUE,  /* a row; Left and Right change it */
        ITEM_BUTTON,
};

#define FIELD_MAX 200 /* bytes */
#define MAX_ITEMS 128

struct item {
        enum item_kind kind;
        int id, y, x, width;
        bool chosen; /* of a radio */
};

/* What can be focused on a page, in the order in which it was drawn. */
struct form {
        struct item items[MAX_ITEMS];
        int n, focus, cursor; /* cursor: byte in the field that has the focus */
        int kept;             /* id that has the focus when it is drawn next; with is_kept */
        bool is_kept;
        int shown;            /* first column of that field's text that is shown */
};

enum page_id {
        P_WELCOME,
        P_NETWORK,
        P_DISKS,
        P_PROTECTION,
        P_SHARE,
        P_REVIEW,
        P_APPLY,
        N_TABS,
        P_SPEED = N_TABS,
        P_ADVANCED,
        P_VIEW,
        P_LEAVE,
        P_LANGUAGE,
        P_RESUME,
        P_NAS,
        P_ANEW,
        P_IPV6,
        P_SHARE_MORE,
        P_ADD,
        P_REPLACE,
        N_PAGES,
};

struct session;

struct page {
        enum page_id id;
        const char *name;             /* in dumps */
        const char *help;             /* N_(); NULL: none */
        const struct ui_hint *hints;  /* N_(); ended by {0} */
        const struct ui_hint *(*hints_now)(struct session *s); /* where they change; else NULL */
        void (*open)(struct session *s);
        void (*draw)(struct session *s);
        void (*choose)(struct session *s, int id);           /* Space on an item; a radio the focus came to, if follows */
        enum go (*enter)(struct session *s, int id);         /* Enter; id of the focused item, or -1 */
        enum go (*key)(struct session *s, int key);          /* anything that was not used up otherwise */
        void (*tick)(struct session *s);                     /* every 100 ms */
        char *(*get)(struct session *s, int id) _must_check_; /* text of a field */
        void (*set)(struct session *s, int id, const char *text);
        bool follows;                                        /* moving to a radio chooses it */
};

extern const struct page page_welcome, page_network, page_disks, page_protection, page_share, page_review, page_apply,
        page_speed, page_advanced, page_view, page_leave, page_language, page_resume, page_nas, page_anew, page_ipv6, page_share_more,
        page_add, page_replace;

/* A level or spares that other answers have made impossible give way to what is advised; whether they did. */
bool protection_settle(struct session *s);
void protection_say(struct session *s); /* which level it is now */

/* The network's answers, asked beside the screens (page_check.c). */
struct check {
        struct run run;
        bool is_running;
        char *asked, **argv; /* what was asked last */
};

/* Asking each call of the plan what it would do (page_dry.c). */
struct dry {
        struct run *runs;
        const char **steps; /* the step of each; the plan's */
        size_t n;           /* 0: none is asked, or all have answered */
        char *text;         /* what they answered, to be read; NULL: nothing yet */
        char **made, **changed, **removed; /* files, as far as was told */
        struct record *fetch; /* the programs that would be installed (nas-system check); NULL: not told yet */
        bool no_programs;   /* what is missing can't be had: with it Review is not left */
        char *refused;      /* the first refusal that stands already, in words */
};

/* The lamps of disks or of a port (page_light.c). */
struct blink {
        struct run *runs;
        size_t n;
        char *key; /* the disks' (a list), or the port's MAC; NULL: none blinks */
};

/* What "This NAS" keeps (page_nas.c). */
struct nas {
        int chosen;          /* of the list of what can be done */
        bool is_fast;        /* synchronising takes all that the disks give, as far as was said here */
        struct run run;      /* what was said to a helper or the system, beside the screens */
        char **argv;         /* NULL: nothing was */
        struct answers back; /* the job that takes the last change back */
        bool has_back;
        uint64_t looked;     /* now_ms when arrays were listed last */
        unsigned looks;      /* how often */
};

/* What was said to a change of the network, as long as nas-net works on it (page_trial.c). */
struct saying {
        struct run run;
        enum apply_word word;
        bool is_running, is_undone; /* undone: the old settings are back after a step that failed */
};

/* Tests of the speed that are made from the screen, and what goes over the port meanwhile (page_speed_run.c). */
struct speeding {
        struct run test, live;
        char **test_argv, **live_argv;
        bool is_measuring, is_table, is_live, was_live; /* was_live: not begun again once it ended by itself */
        struct records records; /* of the latest test made here */
        struct records coming;  /* of the one that runs */
        struct records table;
        struct record *now;     /* the latest live record */
        uint64_t done, total;
        unsigned seconds;       /* that the table takes; 0: not known */
};

struct watch; /* following an apply (watch.h) */

struct session {
        struct facts *facts;
        const struct wizard_options *o;
        struct answers answers;
        struct choices choices;
        struct faults faults;
        struct form forms[N_PAGES];
        const struct page *stack[8];
        int depth;
        bool fresh;            /* the page on top has not been drawn yet */
        char *message;         /* said once, in place of the page's own */
        bool is_alarm, is_passing;
        char *view_title, *view_text;
        bool view_is_commands; /* the view shows the plan, and what each call would do */
        int view_top, view_lines;
        struct look *look;     /* NULL: the facts came from a file */
        unsigned sights;       /* how often something new was seen */
        char *advised_port;    /* likewise the MAC of the port */
        char *advised_use;     /* the disks that were advised when the person went on; NULL: advice is followed */
        unsigned presses;
        char *question;        /* asked once at the key before; the same key again is a yes */
        unsigned question_press;
        bool keep_offered;     /* what can be kept was chosen once for the person, who may have said no */
        struct blink blink;
        struct nas nas;
        struct answers ipv6_before; /* as the page IPv6 was opened with them */
        struct records typed;  /* "typed port=MAC address= …": what was typed for ports that are not chosen now */
        int port_focus;        /* what had the focus on the page Network */
        bool port_told;        /* what Enter and Space do on a port that is not chosen was said */
        int ports_top, disks_top, review_top;
        unsigned waiting_press; /* the press of Enter that waits for the network's answers; 0: none does */
        char erase_word[32];
        char *password;        /* of whoever comes in to the share with one: in no answer and no plan */
        bool changes_share;    /* only the share is asked for: all else of the plan was carried out */
        bool opens;            /* the yes to files that are opened to everyone */
        char *review_plan;     /* what Review was opened with: the plan with the same identities each time */
        unsigned review_sights; /* sights when it was last compared */
        bool is_outdated;
        struct plan plan;      /* made by Review, or the one that is gone on with */
        bool has_plan;
        struct check check;
        struct dry dry;
        struct saying saying;
        struct speeding speeding;
        struct watch *watch;
        const char *progress;  /* the file it follows */
        uint64_t last_news;    /* now_ms of the last sign of life from the apply */
        bool cut_off;          /* it ended without a word */
        int apply_stage;       /* which buttons Apply shows */
        int begin_error;       /* why it could not be started, -errno */
        struct watch *kept;    /* how far a set-up that stopped had come, by its journal */
        enum wizard_end end;
        bool over;
        bool gone;             /* the terminal went away */
};

/* wizard.c */
void session_go(struct session *s, enum go where);          /* as if a key had said so */
void session_changed(struct session *s);                    /* an answer was set: choices are made anew */
/* The facts as they are from now on; takes them over. Focus and marks stay with their disks; says what came and went. */
void session_see(struct session *s, struct facts *seen);
/* Whether this was asked at the key before this one, so that the key is a yes; else it is asked from now on. */
bool session_asked(struct session *s, const char *question);
const char *session_fault(const struct session *s);         /* the first that keeps the plan from being made, or NULL */
void session_load_plan(struct session *s);                  /* the plan that is kept; the session's where the computer is a recorded one */
void session_push(struct session *s, const struct page *p); /* shown until it goes back */
void session_show(struct session *s, const struct page *p); /* in place of all others of the flow */
void session_say(struct session *s, bool alarm, const char *fmt, ...) _printf_(3, 4);
void session_wait(struct session *s); /* what was just said holds until something new is seen */
struct form *session_form(struct session *s);
/* Shows a text to read; owns it. */
void session_view(struct session *s, const char *title, char *text);

/* page.c: what pages are drawn with */
/* Title bar; question and step; a line that explains, which may take two rows. No question: the title bar alone. */
void page_frame(struct session *s, enum page_id tab, const char *question, const char *explain);
void page_message(struct session *s, const char *text); /* the page's own line above the keys */
void page_warning(struct session *s, const char *text); /* the same, of something that may be a mistake */
/* Bytes of the first line when text is broken between words at width columns, as far as that can be. */
size_t page_line(const char *text, int width);
void page_more(int y, enum glyph g, int n);             /* so many rows of a list are out of sight there */
int page_body_end(void);                                /* first row of the pane */
char *page_address(const struct session *s) _must_check_; /* of the NAS, without prefix */
char *page_share_path(const char *host, const char *share) _must_check_;
char *page_share_url(const char *address, const char *share) _must_check_; /* smb://…, blanks and the like as %20 */
/* The ways to a share, each in a row of its own or, where it is long, in two; "" for an address or a host leaves its
 * ways out. The row behind them. */
int page_paths(int y, const char *address, const char *host, const char *share);
/* At x, and from there on in the next row where it is longer than width; never cut. How many rows. */
int page_path(int y, int x, int width, const char *path);
char *level_words(const struct level *l) _must_check_;  /* Parity (RAID 5) */
char *level_words_on(const struct level *l, unsigned members) _must_check_; /* a mirror of one disk is none yet */
char *duration_words(uint64_t seconds) _must_check_;    /* about: "40 s", "7 h", "5 days" */
unsigned estimate_setup(const struct choices *c);       /* s until it can be used */
uint64_t estimate_sync(const struct choices *c);        /* s until it is fully protected */

/* page_words.c: disks in words */
char *disk_words(const struct disk *d) _must_check_;    /* model, serial, size, turns */
char *disk_names(const struct disk *const *disks, unsigned n) _must_check_; /* sdb, sdc, sdd */
char *contents_words(const struct content *c) _must_check_; /* Windows "Photos" (NTFS), 1.2 TB of files on it */
const char *holds_word(const struct disk *d);           /* short, for the table */
char *holds_sentence(const struct facts *f, const struct disk *d) _must_check_;
const char *state_word(const struct disk *d, enum role *ret_role);
/* The verdict, the figure that led to it, temperature, and age unless that is more than width columns (0: any number). */
char *state_sentence(const struct disk *d, int width) _must_check_;
char *disk_note(const struct facts *f, const struct disk *d) _must_check_; /* a word of warning, or NULL */
const struct set *disk_set(const struct facts *f, const struct disk *d); /* the first it is in, or NULL */
/* RAID 1 "photos" with sdc: whole …; d: told beside that disk, NULL: on its own; inside: and what lies in it. */
char *set_sentence(const struct facts *f, const struct set *set, const struct disk *d, bool inside) _must_check_;

/* form.c: items; each returns whether it has the focus */
void form_begin(struct session *s);
bool form_radio(struct session *s, int id, int y, bool chosen);
bool form_check(struct session *s, int id, int y, int x, bool on);
bool form_value(struct session *s, int id, int y);
bool form_row(struct session *s, int id, int y); /* can have the focus, and nothing to choose */
bool form_field(struct session *s, int id, int y, int x, int width, const char *text);
int form_button(struct session *s, int id, int y, int x, const char *label); /* the column behind it */
void form_end(struct session *s);
void form_focus(struct session *s, int id);
void form_keep(struct session *s, int id); /* the same when it is drawn next, wherever it is then; the cursor stays */
int form_focused(struct session *s); /* id or -1 */
bool form_key(struct session *s, const struct page *p, int key);

/* page_share.c. The first fault of what is asked there and behind F4, or NULL; in *ret_id (may be NULL) its item, -1 for
 * one behind F4. */
const char *share_fault(const struct session *s, int *ret_id);
/* A row to type the password in; one is made where there is none yet. How many rows, with the one that says what to do. */
int share_draw_password(struct session *s, int id, int y, int x, const char *label);
char *share_get_password(const struct session *s) _must_check_;
void share_set_password(struct session *s, const char *text);
const char *share_password_fault(const struct session *s); /* NULL: it can be used */
/* Another share in place of the one that failed, in the folder that is there: from the plan in the session. */
void share_change(struct session *s);

/* page_dry.c: asks for the session's plan; a recorded machine answers by its diff, would and error records */
void dry_begin(struct session *s);
void dry_tick(struct session *s);
void dry_view(struct session *s); /* shows the plan, and the answers once they are there */
void dry_free(struct dry *d);

/* page_apply.c: follows the apply of the plan in the session, which it starts, or which was begun elsewhere */
void apply_follow(struct session *s, bool start);
bool apply_is_stopped(const struct session *s); /* a step failed, or it ended without a word */

/* page_trial.c: parts of the screen Apply. A new address that waits for a yes: the heading, and the words and buttons from
 * row y on. */
void trial_draw(struct session *s, int y);
/* Keep, or take back: also after a step that failed half way, where that is possible. */
void trial_say(struct session *s, enum apply_word word);
void trial_tick(struct session *s);
bool trial_can_undo(const struct session *s);
void trial_free(struct saying *t);
enum { ID_KEEP_IT = 20, ID_TAKE_BACK };

/* page_disks.c: what has the focus as a key that fits it in any facts, NULL: none; the focus goes to it */
char *disks_focused(struct session *s) _must_check_;
void disks_focus(struct session *s, const char *key);
/* What was agreed to of disks that are no longer chosen is agreed to no longer; what is erased is to be said anew. */
void disks_forget_consents(struct session *s);

/* page_ports.c: likewise the name of the port that has the focus, and the focus goes to that one */
char *port_kind_words(const struct port *p) _must_check_; /* of one that is none to choose, short: bond of eth0, eth1 */
char *ports_focused(struct session *s) _must_check_;
void ports_focus(struct session *s, const char *name);

/* page_light.c. F2: starts the lamp of that disk or port (what: "disk" or "port", by key), stops one that blinks. */
void blink_key(struct session *s, const char *helper, const char *what, const char *key);
void blink_tick(struct session *s);
void blink_free(struct blink *b);

/* Several at once, keys being a list. */
void blink_keys(struct session *s, const char *helper, const char *what, const char *keys);

/* page_leave.c: the computer is restarted or turned off, unless something must not be cut off, which is said. */
enum go page_power(struct session *s, bool off);

/* page_speed_run.c: parts of the screen Speed */
void speed_measure(struct session *s, bool table); /* begins it; the table after a yes to the time that it takes */
void speed_stop(struct session *s);
bool speed_is_measuring(const struct session *s);
void speed_tick(struct session *s);
char *speed_going_words(const struct session *s) _must_check_; /* how far it is; NULL: nothing runs */
char *speed_live_words(const struct session *s) _must_check_;  /* who copies how fast, or how to try it */
char *speed_table_words(const struct session *s) _must_check_; /* the table, "" where there is none */
void speeding_free(struct speeding *t);

/* page_nas.c: whether a share of ours is here already */
bool nas_is_here(const struct facts *f);
/* The list again, after a job that has no summary of its own; nothing of it is left to say. */
void nas_show(struct session *s);
void nas_free(struct nas *n);
/* page_nas_words.c: how an array is, translated, what is wrong first; R_WARN where a person should do something. */
char *nas_array_words(const struct facts *f, const struct record *array, enum role *ret_role) _must_check_;
/* Parity (RAID 5) on 3 disks, and how full it is. */
char *nas_kind_words(const struct facts *f, const struct record *array) _must_check_;
bool nas_is_syncing(const struct record *array);
/* The member of the array that has failed, is missing or is failing, or NULL. */
const struct record *nas_bad_member(const struct facts *f, const struct record *array);
/* The state of a member in a word or two, translated. */
const char *nas_member_word(const struct facts *f, const struct record *member, enum role *ret_role);
uint64_t estimate_later(const struct session *s); /* page_nas_disks.c: s that the background takes; 0: at once */
const char *nas_done_words(const char *step); /* of Apply, or NULL */

/* page_check.c */
void check_tick(struct session *s);
bool check_is_awaited(struct session *s); /* what is shown now was not answered yet */
/* Whether Enter has to wait for it, which is said; and later whether that is over and no other key came meanwhile: then it
 * is as if Enter were pressed again. */
bool check_wait(struct session *s);
bool check_is_over(struct session *s);
void check_again(struct session *s);      /* asks once more, even if it is the same question */
/* Why the address can't be: somebody else has it, translated; NULL: nobody was found. */
char *check_taken(const struct session *s) _must_check_;
void check_free(struct check *c);
/* What is known of an address or a list of servers: the check record that counts, or NULL. */
const struct record *check_record(const struct session *s, const char *what, const char *value);
/* What is known of it, in words, and how it is to be shown; NULL: nothing. */
const char *check_words(struct session *s, const char *what, const char *value, enum role *ret_role);

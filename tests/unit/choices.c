/* What is advised and allowed on the disks that people have: old arrays, failing disks, mixed sizes, every kind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "wizard/choices.h"

#define HEAD                                                                                                  \
        "host name=nas\nsamba version=4.17\nsystem memory=2147483648\n"                                       \
        "port name=eth0 mac=52:54:00:00:00:01 kind=wired speed=100 carrier=yes address=10.0.0.5/24 gateway=10.0.0.1\n"
#define DISK(name, more) "disk name=" name " serial=S-" name " size=4000787030016 kind=disk state=good " more "\n"

/* Facts, answers, and what they give. */
struct setup {
        struct facts f;
        struct answers a;
        struct choices c;
        struct faults faults;
        int r;
};

static void begin(struct setup *s, const char *facts, const char *answers)
{
        struct records rs;
        struct record_error e;
        _cleanup_free_ char *text = xasprintf(HEAD "%s", facts);

        *s = (struct setup){0};
        assert_int_equal(records_parse(text, &rs, &e), 0);
        facts_from_records(&rs, &s->f);
        assert_int_equal(records_parse(answers, &rs, &e), 0);
        assert_int_equal(answers_from_records(&rs, &s->a, &e), 0);
        records_free(&rs);
        s->r = choices_make(&s->f, &s->a, &s->c, &s->faults);
}

static void end(struct setup *s)
{
        choices_free(&s->c);
        faults_free(&s->faults);
        answers_free(&s->a);
        facts_free(&s->f);
}

static const char *fault(const struct setup *s, enum answer which)
{
        const char *text = fault_of(&s->faults, which);

        return text ? text : "";
}

static bool warns(const struct setup *s, enum warning_kind kind, const char *part)
{
        for (unsigned i = 0; i < s->c.n_warnings; i++) {
                _cleanup_free_ char *words = warning_words(&s->f, &s->c.warnings[i]);
                if (s->c.warnings[i].kind == kind && strstr(words, part))
                        return true;
        }
        return false;
}

/* --- every kind, from 1 to 12 disks --- */

static void every_kind_and_number(void **state _unused_)
{
        static const struct {
                const char *kinds[2]; /* in turn */
                bool advised;         /* without a word of the person */
                const char *levels[13];
        } rows[] = {
#define TURNING {"", "raid1", "raid1", "raid5", "raid6", "raid6", "raid6", "raid6", "raid6", "raid6", "raid6", "raid6", "raid6"}
#define PLUGGED {"", "raid1", "raid1", "raid1", "raid10", "raid10", "raid10", "raid10", "raid10", "raid10", "raid10", "raid10", "raid10"}
                {{"disk", "disk"}, true, TURNING},   {{"ssd", "ssd"}, true, TURNING},
                {{"nvme", "nvme"}, true, TURNING},   {{"virtual", "virtual"}, true, TURNING},
                {{"ssd", "nvme"}, true, TURNING},    {{"usb", "usb"}, false, PLUGGED},
                {{"sd", "sd"}, false, PLUGGED},      {{"usb", "disk"}, false, PLUGGED},
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++)
                for (unsigned n = 1; n <= 12; n++) {
                        _cleanup_buf_ struct buf disks = {0}, use = {0};
                        struct setup s;
                        buf_puts(&use, "disks use=");
                        for (unsigned k = 0; k < n; k++) {
                                buf_printf(&disks, "disk name=sd%c serial=S%u size=4000787030016 kind=%s state=good holds=blank\n",
                                           'a' + k, k, rows[i].kinds[k % 2]);
                                buf_printf(&use, "%sS%u", k ? "," : "", k);
                        }
                        begin(&s, disks.buf, rows[i].advised ? "" : use.buf);
                        if (s.r != 0 || s.c.n_disks != n || !streq(s.c.level->name, rows[i].levels[n]))
                                fail_msg("%u of %s and %s: %u disks, %s", n, rows[i].kinds[0], rows[i].kinds[1], s.c.n_disks,
                                         s.c.level ? s.c.level->name : "no level");
                        /* What is offered hangs on the number alone; less than that has a reason. */
                        for (const struct level *l = levels; l->name; l++) {
                                _cleanup_free_ char *why = choices_why_not(&s.c, l);
                                assert_true((why == NULL) == (n >= l->least));
                        }
                        end(&s);
                        if (rows[i].advised)
                                continue;
                        begin(&s, disks.buf, ""); /* what is plugged in is never taken without a word */
                        for (unsigned k = 0; k < s.c.n_disks; k++)
                                assert_string_equal(s.c.disks[k]->kind, "disk");
                        end(&s);
                }
}

static void fewer_disks_than_offered(void **state _unused_)
{
        struct setup s;

        begin(&s, DISK("sdb", "holds=blank") DISK("sdc", "holds=blank") DISK("sdd", "holds=blank"), "array level=raid10\n");
        assert_int_equal(s.r, 0);
        assert_int_equal(s.c.capacity.array, s.c.capacity.used / 65536 * 3 / 2 * 65536);
        _cleanup_free_ char *why = choices_why_not(&s.c, level_find("raid10"));
        assert_string_equal(why, "needs 4 disks");
        end(&s);
        begin(&s, DISK("sdb", "holds=blank"), "array level=raid0\n");
        assert_string_equal(fault(&s, A_LEVEL), "RAID 0 needs 2 disks.");
        end(&s);
}

/* --- mixed sizes --- */

/* Sizes in tenths of a TB. Why each is best stands beside it; the rule is in choices_disks.c. */
static void mixed_sizes(void **state _unused_)
{
        static const struct {
                unsigned sizes[16]; /* up to 0; from 1000 on they are SSDs of size - 1000 */
                unsigned taken, smallest;
                const char *level;
        } rows[] = {
                {{40, 40, 20}, 2, 40, "raid1"},     /* three give no more room than the mirror and waste half of two */
                {{40, 40, 30}, 3, 30, "raid5"},     /* 6 instead of 4 TB */
                {{40, 40, 21}, 2, 40, "raid1"},     /* 0.2 TB more would cost a disk of 2.1 */
                {{40, 40, 40, 10}, 3, 40, "raid5"}, /* 8 TB; with the small one 2 */
                {{40, 40, 40, 37}, 4, 37, "raid6"}, /* a little less room, and a second disk may fail */
                {{20, 20, 80}, 3, 20, "raid5"},     /* 4 TB that survive a disk; 8 alone would not */
                {{10, 20, 30, 40}, 3, 20, "raid5"}, /* 4 TB; all four 2, the largest two 3 */
                {{40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 1}, 12, 40, "raid6"},
                {{40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 35}, 11, 40, "raid6"}, /* 36 TB; all twelve 35 */
                {{40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 39}, 12, 39, "raid6"}, /* 39 instead of 36 */
                {{40, 20}, 2, 20, "raid1"},         /* one that is mirrored is better than the larger one alone */
                {{80, 80, 1005, 1005, 1005}, 2, 80, "raid1"}, /* two kinds are not mixed: where there is more room */
                {{5, 1020, 1020}, 2, 20, "raid1"},
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                _cleanup_buf_ struct buf disks = {0};
                struct setup s;
                for (unsigned k = 0; rows[i].sizes[k]; k++)
                        buf_printf(&disks, "disk name=sd%c serial=S%u size=%u00000000000 kind=%s state=good holds=blank\n", 'a' + k,
                                   k, rows[i].sizes[k] % 1000, rows[i].sizes[k] >= 1000 ? "ssd" : "disk");
                begin(&s, disks.buf, "");
                uint64_t least = UINT64_MAX;
                for (unsigned k = 0; k < s.c.n_disks; k++)
                        least = MIN2(least, s.c.disks[k]->size);
                if (s.r != 0 || s.c.n_disks != rows[i].taken || least != rows[i].smallest * UINT64_C(100000000000) ||
                    !streq(s.c.level->name, rows[i].level))
                        fail_msg("row %zu: %u disks, smallest %llu, %s", i, s.c.n_disks, (unsigned long long)least,
                                 s.c.level ? s.c.level->name : "none");
                /* What is advised can't be bettered by leaving one out at the same level. */
                if (s.c.n_better > 0 && s.c.better_by > s.c.capacity.array / 10)
                        fail_msg("row %zu: without %s there would be more room", i, s.c.better[0]->name);
                end(&s);
        }
}

static void leaving_small_ones_out(void **state _unused_)
{
        struct setup s;
        const char *four = DISK("sdb", "holds=blank") DISK("sdc", "holds=blank") DISK("sdd", "holds=blank")
                "disk name=sde serial=S-sde size=1000204886016 kind=disk state=good holds=blank\n";

        begin(&s, four, "disks use=S-sdb,S-sdc,S-sdd,S-sde\narray level=raid5\n");
        assert_int_equal(s.r, 0);
        assert_int_equal(s.c.n_better, 1);
        assert_string_equal(s.c.better[0]->name, "sde");
        struct capacity less;
        const uint64_t sizes[] = {4000787030016, 4000787030016, 4000787030016};
        assert_int_equal(capacity_of(s.c.level, s.c.chunk, sizes, 3, 0, &less), 0);
        assert_int_equal(s.c.capacity.array + s.c.better_by, less.array);
        assert_true(s.c.capacity.wasted > UINT64_C(8900000000000));
        end(&s);
        /* RAID 6 would be too few without it: what is advised for the rest counts. RAID 0 wastes nothing. */
        begin(&s, four, "disks use=S-sdb,S-sdc,S-sdd,S-sde\narray level=raid6\n");
        assert_int_equal(s.c.n_better, 1);
        assert_string_equal(s.c.better_level->name, "raid5");
        assert_int_equal(s.c.capacity.array + s.c.better_by, less.array);
        end(&s);
        begin(&s, four, "disks use=S-sdb,S-sdc,S-sdd,S-sde\narray level=raid0\n");
        assert_int_equal(s.c.n_better, 0);
        end(&s);
        /* No mirror is cut down to one disk. */
        begin(&s, four, "disks use=S-sdb,S-sde\narray level=raid1\n");
        assert_int_equal(s.c.n_better, 0);
        end(&s);
}

/* --- disks that are not fine --- */

static void failing_disks_need_a_word(void **state _unused_)
{
        struct setup s;
        const char *two = DISK("sdb", "holds=blank")
                "disk name=sdc serial=S-sdc size=4000787030016 kind=disk state=failing why=pending figure=12 holds=blank\n"
                "disk name=sdd serial=S-sdd size=4000787030016 kind=disk state=worn why=reallocated figure=3 holds=blank\n";

        begin(&s, two, "");
        assert_int_equal(s.c.n_disks, 1);
        assert_string_equal(s.c.disks[0]->name, "sdb");
        end(&s);
        begin(&s, two, "disks use=S-sdb,S-sdc,S-sdd\n");
        assert_int_equal(s.r, 0);
        _cleanup_strv_ char **missing = choices_unforgiven(&s.f, &s.a, &s.c, A_FAILING);
        assert_int_equal(strv_len(missing), 1);
        assert_string_equal(missing[0], "S-sdc");
        assert_null(choices_unforgiven(&s.f, &s.a, &s.c, A_ERASE));
        assert_true(warns(&s, WARN_FAILING, "sdc") && warns(&s, WARN_WORN, "sdd"));
        assert_int_equal(s.c.disks[1]->figure, 12);
        end(&s);
        begin(&s, two, "disks use=S-sdb,S-sdc failing=S-sdc\n");
        assert_null(choices_unforgiven(&s.f, &s.a, &s.c, A_FAILING));
        end(&s);
        begin(&s, two, "disks use=S-sdb failing=S-sdc\n");
        assert_non_null(strstr(fault(&s, A_FAILING), "not among the disks in use"));
        end(&s);
}

static void what_is_mounted_may_be_let_go(void **state _unused_)
{
        struct setup s;
        const char *disks = DISK("sdb", "holds=blank") DISK("sdc", "holds=data found=ext4@1080:U protected=mounted protectedby=/mnt "
                                                                  "letgo=yes")
                DISK("sdd", "holds=data found=ext4@1080:V protected=mounted protectedby=/srv/x")
                "layer name=/mnt type=mount on=sdc disks=sdc\n";

        begin(&s, disks, "disks use=S-sdb,S-sdc erase=S-sdc\n");
        assert_int_equal(s.r, 0);
        assert_int_equal(s.c.n_release, 1);
        _cleanup_strv_ char **missing = choices_unforgiven(&s.f, &s.a, &s.c, A_LETGO);
        assert_int_equal(strv_len(missing), 1);
        end(&s);
        begin(&s, disks, "disks use=S-sdb,S-sdc erase=S-sdc letgo=S-sdc\n");
        assert_null(choices_unforgiven(&s.f, &s.a, &s.c, A_LETGO));
        end(&s);
        begin(&s, disks, "disks use=S-sdb,S-sdd erase=S-sdd letgo=S-sdd\n");
        assert_non_null(strstr(fault(&s, A_USE), "sdd can't be chosen"));
        end(&s);
        /* Where a person can end the use, the words are there; a name that could not be typed is left out. */
        begin(&s, DISK("sdb", "holds=data protected=mounted protectedby=md0,/mnt/photos"), "disks use=S-sdb\n");
        assert_string_equal(fault(&s, A_USE), "sdb is in use (md0, /mnt/photos). To use or keep it: leave (F10), type  umount "
                                              "/mnt/photos , and start nas-setup again.");
        end(&s);
        begin(&s, DISK("sdb", "holds=data protected=mounted protectedby='/mnt/a;b'"), "disks use=S-sdb\n");
        assert_string_equal(fault(&s, A_USE), "sdb can't be chosen: it is in use (mounted) (/mnt/a;b).");
        end(&s);
}

static void spares_need_something_to_guard(void **state _unused_)
{
        struct setup s;
        const char *three = DISK("sdb", "holds=blank") DISK("sdc", "holds=blank") DISK("sdd", "holds=blank");

        begin(&s, three, "array level=raid0 spares=1\n");
        assert_non_null(strstr(fault(&s, A_SPARES), "A stripe has no use for a spare"));
        end(&s);
        begin(&s, three, "array spares=2\n");
        assert_non_null(strstr(fault(&s, A_SPARES), "at least two disks at work"));
        end(&s);
        begin(&s, three, "array spares=1\n");
        assert_int_equal(s.r, 0);
        _cleanup_free_ char *why = choices_why_not(&s.c, level_find("raid0"));
        assert_string_equal(why, "a stripe has no spares");
        end(&s);
}

static void too_small_is_never_taken(void **state _unused_)
{
        struct setup s;

        begin(&s, DISK("sdb", "holds=blank") "disk name=sdc serial=S-sdc size=1073741823 kind=disk state=good holds=blank\n",
              "disks use=S-sdb,S-sdc\n");
        assert_string_equal(fault(&s, A_USE), "sdc can't be chosen: it is too small.");
        end(&s);
}

static void what_gives_no_answer(void **state _unused_)
{
        struct setup s;

        begin(&s, DISK("sdb", "holds=blank") "disk name=sdc serial=S-sdc size=4000787030016 kind=disk state=failing why=silent\n",
              "disks use=S-sdb,S-sdc failing=S-sdc erase=S-sdc\n");
        assert_non_null(strstr(fault(&s, A_USE), "sdc can't be chosen: it gives no answer"));
        end(&s);
}

static void disks_of_one_serial(void **state _unused_)
{
        struct setup s;

        begin(&s, "disk name=sdb serial=X bypath=usb-1 size=4000787030016 kind=usb state=good holds=blank\n"
                  "disk name=sdc serial=X bypath=usb-2 size=4000787030016 kind=usb state=good holds=blank\n",
              "disks use=usb-1,usb-2\n");
        assert_int_equal(s.r, 0);
        assert_true(warns(&s, WARN_TWIN, "sdb has the serial number of another disk"));
        end(&s);
}

static void advice_waits(void **state _unused_)
{
        struct setup s;
        const char *disks = DISK("sdb", "holds=blank")
                "disk name=sdc serial=S-sdc size=4000787030016 kind=disk state=looking holds=looking\n";

        begin(&s, disks, "");
        assert_true(s.c.looking);
        assert_int_equal(s.c.n_disks, 0);
        assert_non_null(strstr(fault(&s, A_USE), "still being looked at"));
        end(&s);
        begin(&s, disks, "disks use=S-sdb,S-sdc\n");
        assert_non_null(strstr(fault(&s, A_USE), "sdc is still being looked at"));
        end(&s);
        begin(&s, disks, "disks use=S-sdb\n");
        assert_int_equal(s.r, 0);
        end(&s);
}

/* --- old sets --- */

#define MD "0aaa0000-0000-0000-0000-000000000001"
#define FS "0bbb0000-0000-0000-0000-000000000002"
#define RUNNING                                                                                                \
        DISK("sdb", "holds=member found=md@4096 usedby=md127") DISK("sdc", "holds=member found=md@4096 usedby=md127") \
        DISK("sdd", "holds=blank")                                                                             \
        "set type=md uuid=" MD " name=photos level=raid1 devices=2 members=sdb,sdc disks=sdb,sdc state=whole running=md127 " \
        "size=4000000000000\n"                                                                                 \
        "layer name=md127 type=md uuid=" MD " on=sdb,sdc disks=sdb,sdc\n"                                      \
        "content set=" MD " on=md127 type=ext4 label=photos uuid=" FS " size=4000000000000 used=1200000000000\n"

static void an_old_array_is_given_up_as_a_whole(void **state _unused_)
{
        struct setup s;

        begin(&s, RUNNING, "disks use=S-sdb,S-sdc,S-sdd erase=S-sdb,S-sdc\n");
        assert_int_equal(s.r, 0);
        assert_int_equal(s.c.n_release, 1);
        assert_string_equal(s.c.release[0]->name, "md127");
        assert_int_equal(s.c.n_keepable, 1);
        assert_true(warns(&s, WARN_KEEPABLE, "the array \"photos\" (ext4, 1.2 TB used)"));
        end(&s);
        begin(&s, RUNNING, "disks use=S-sdb,S-sdd erase=S-sdb\n");
        assert_string_equal(fault(&s, A_USE), "sdb belongs to the array \"photos\" together with sdc. Choose both or neither, or the "
                                              "array loses its protection.");
        end(&s);
        /* What nothing tells how to take down is left alone. */
        begin(&s, DISK("sdb", "holds=member usedby=bcache0") DISK("sdd", "holds=blank"), "disks use=S-sdb,S-sdd erase=S-sdb\n");
        assert_non_null(strstr(fault(&s, A_USE), "bcache0"));
        end(&s);
}

static void an_outdated_member_is_free(void **state _unused_)
{
        struct setup s;
        const char *disks = DISK("sdb", "holds=member found=md@4096") DISK("sdc", "holds=member found=md@4096")
                "set type=md uuid=" MD " name=photos level=raid1 devices=2 members=sdb stale=sdc1 disks=sdb,sdc state=degraded\n";

        begin(&s, disks, "disks use=S-sdc erase=S-sdc\n");
        assert_int_equal(s.r, 0);
        assert_int_equal(s.c.n_warnings, 0);
        end(&s);
        begin(&s, disks, "disks use=S-sdb erase=S-sdb\n");
        assert_int_equal(s.r, 0);
        assert_true(warns(&s, WARN_DEGRADED, "photos") && warns(&s, WARN_LEFT, "sdc is not chosen"));
        end(&s);
}

/* "It is whole" is said of what is whole. */
static void states_have_words(void **state _unused_)
{
        static const struct {
                const char *state, *words;
                enum warning_kind kind;
        } rows[] = {{"degraded", "Not all disks of", WARN_DEGRADED},
                    {"broken", "Not enough disks of", WARN_BROKEN},
                    {"unknown", "not known", WARN_UNSURE}};

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                struct setup s;
                _cleanup_free_ char *facts = xasprintf(DISK("sdb", "holds=member")
                        "set type=md uuid=" MD " name=photos level=raid5 devices=3 members=sdb disks=sdb state=%s\n", rows[i].state);
                begin(&s, facts, "disks use=S-sdb erase=S-sdb\n");
                assert_int_equal(s.c.n_warnings, 1);
                assert_true(warns(&s, rows[i].kind, rows[i].words));
                end(&s);
        }
}

/* A volume group over a chosen and another disk; its volumes run, on one of them each. */
static void what_spans_is_refused(void **state _unused_)
{
        struct setup s;
        const char *disks = DISK("sdb", "holds=member usedby=vg0-a") DISK("sdc", "holds=member usedby=vg0-b")
                "set type=lvm uuid=VGID name=vg0 members=sdb1,sdc1 disks=sdb,sdc state=whole running=vg0\n"
                "layer name=vg0-a type=lvm uuid=LVM-1 on=sdb1 disks=sdb\nlayer name=vg0-b type=lvm uuid=LVM-2 on=sdc1 disks=sdc\n";

        begin(&s, disks, "disks use=S-sdb erase=S-sdb\n");
        assert_non_null(strstr(fault(&s, A_USE), "the volume group \"vg0\" together with sdc"));
        end(&s);
        begin(&s, disks, "disks use=S-sdb,S-sdc erase=S-sdb,S-sdc\n");
        assert_int_equal(s.r, 0);
        assert_int_equal(s.c.n_release, 2);
        end(&s);
        /* Where no set tells, the layer does. */
        begin(&s, DISK("sdb", "holds=data usedby=x") DISK("sdc", "holds=blank") "layer name=x type=dm uuid=U on=sdb,sdz disks=sdb,sdz\n",
              "disks use=S-sdb erase=S-sdb\n");
        assert_non_null(strstr(fault(&s, A_USE), "sdz"));
        end(&s);
}

static void taking_over(void **state _unused_)
{
        struct setup s;

        begin(&s, RUNNING, "array keep=" MD "\n");
        assert_int_equal(s.r, 0);
        assert_non_null(s.c.keep);
        assert_int_equal(s.c.n_disks, 2);
        assert_int_equal(s.c.n_erased + s.c.n_release, 0);
        assert_int_equal(s.c.n_warnings, 1);
        assert_true(warns(&s, WARN_GIVEN, "without a password"));
        assert_string_equal(s.c.level->name, "raid1");
        assert_string_equal(s.c.type, "ext4");
        assert_int_equal(s.c.files, 4000000000000);
        end(&s);
        static const struct {
                enum answer which;
                const char *answers;
        } bad[] = {
                {A_USE, "disks use=S-sdd\n"},
                {A_ERASE, "disks erase=S-sdb\n"},
                {A_LEVEL, "array level=raid1\n"},
                {A_TYPE, "files type=xfs\n"},
        };
        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                begin(&s, RUNNING, bad[i].answers);
                choices_free(&s.c);
                faults_free(&s.faults);
                answers_set(&s.a, A_KEEP, MD);
                assert_int_equal(choices_make(&s.f, &s.a, &s.c, &s.faults), -22);
                assert_true(*fault(&s, bad[i].which));
                end(&s);
        }
        begin(&s, RUNNING, "array keep=" FS "\n");
        assert_non_null(strstr(fault(&s, A_KEEP), MD));
        assert_int_equal(s.c.n_disks, 0);
        end(&s);
}

/* A share of what is taken over is called as it was. */
static void a_kept_name(void **state _unused_)
{
        static const struct {
                const char *label, *more, *share;
        } rows[] = {{"holidays", "", "holidays"},  {"\"a/b\"", "", "photos"},  {"0", "", "photos"},
                    {"homes", "", "photos"},        {"$'\\xff'", "", "photos"}, {"holidays", "share name=Holidays path=/x\n", "photos"},
                    {"photos", "share name=photos path=/x\n", "public"}};
        const char *at = strstr(RUNNING, "label=photos");

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                struct setup s;
                _cleanup_free_ char *text = xasprintf("%.*slabel=%s%s%s", (int)(at - RUNNING), RUNNING, rows[i].label,
                                                      at + strlen("label=photos"), rows[i].more);
                begin(&s, text, "array keep=" MD "\n");
                assert_int_equal(s.r, 0);
                assert_string_equal(s.c.share, rows[i].share);
                end(&s);
                begin(&s, text, "array keep=" MD "\nshare name=mine\n");
                assert_string_equal(s.c.share, "mine");
                end(&s);
        }
}

/* Each of these is one thing away from RUNNING. */
static void not_everything_can_be_taken_over(void **state _unused_)
{
        static const struct {
                const char *from, *to;
        } rows[] = {
                {"state=whole", "state=degraded"}, {"running=md127", "x=y"},        {"type=ext4", "type=ntfs"},
                {"type=ext4", "type=LVM2_member"}, {"on=md127 type", "on=md127p1 type"}, {"level=raid1", "level=linear"},
                {"holds=member", "protected=mounted holds=member"}, {"type=md uuid", "type=imsm uuid"},
                {"holds=member", "holds=looking"}, {"members=sdb,sdc", "members=sdb,sdx"},
                {"state=whole", "state=whole reshape=yes"},
                {"layer name=md127", "array name=photos uuid=" MD " sync=reshape\nlayer name=md127"},
                {"layer name=md127", "layer name=v type=crypt on=md127 disks=sdb,sdc\nlayer name=md127"},
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                const char *at = strstr(RUNNING, rows[i].from);
                assert_non_null(at);
                _cleanup_free_ char *text = xasprintf("%.*s%s%s", (int)(at - RUNNING), RUNNING, rows[i].to, at + strlen(rows[i].from));
                struct setup s;
                begin(&s, text, "array keep=" MD "\n");
                if (s.r == 0 || s.c.n_keepable != 0)
                        fail_msg("%s instead of %s was taken over", rows[i].to, rows[i].from);
                end(&s);
        }
}

static void xfs_wants_memory(void **state _unused_)
{
        struct setup s;

        begin(&s, DISK("sdb", "holds=blank"), "files type=xfs\n");
        assert_int_equal(s.r, 0);
        choices_free(&s.c);
        s.f.memory = 256 * MIB;
        assert_int_equal(choices_make(&s.f, &s.a, &s.c, &s.faults), -22);
        assert_non_null(strstr(fault(&s, A_TYPE), "memory"));
        end(&s);
}

static void the_smallest_disk_holds_every_type(void **state _unused_)
{
        static const char *const types[] = {"ext4", "xfs", "btrfs"};

        for (size_t i = 0; i < ELEMENTSOF(types); i++) {
                _cleanup_free_ char *answers = xasprintf("files type=%s\n", types[i]);
                struct setup s;
                begin(&s, "disk name=sdb serial=S-sdb size=1073741824 kind=disk state=good holds=blank\n", answers);
                if (s.r != 0 || s.c.files == 0 || s.c.files > s.c.capacity.array)
                        fail_msg("%s: %s, %llu bytes", types[i], fault(&s, A_TYPE), (unsigned long long)s.c.files);
                end(&s);
        }
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(every_kind_and_number),
                cmocka_unit_test(fewer_disks_than_offered),
                cmocka_unit_test(mixed_sizes),
                cmocka_unit_test(leaving_small_ones_out),
                cmocka_unit_test(failing_disks_need_a_word),
                cmocka_unit_test(what_is_mounted_may_be_let_go),
                cmocka_unit_test(spares_need_something_to_guard),
                cmocka_unit_test(too_small_is_never_taken),
                cmocka_unit_test(what_gives_no_answer),
                cmocka_unit_test(disks_of_one_serial),
                cmocka_unit_test(advice_waits),
                cmocka_unit_test(an_old_array_is_given_up_as_a_whole),
                cmocka_unit_test(an_outdated_member_is_free),
                cmocka_unit_test(states_have_words),
                cmocka_unit_test(what_spans_is_refused),
                cmocka_unit_test(taking_over),
                cmocka_unit_test(a_kept_name),
                cmocka_unit_test(not_everything_can_be_taken_over),
                cmocka_unit_test(xfs_wants_memory),
                cmocka_unit_test(the_smallest_disk_holds_every_type),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}

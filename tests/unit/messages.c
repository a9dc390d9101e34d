/* The words for what helpers report. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "wizard/messages.h"

static void says(const char *line, const char *wanted)
{
        _cleanup_record_ struct record *r = NULL;
        struct record_error error;

        assert_int_equal(record_parse(line, &r, &error), 0);
        _cleanup_free_ char *text = message_text(r);
        assert_string_equal(text, wanted);
}

static void a_code_has_its_sentence(void **state _unused_)
{
        says("error code=address-taken what=192.168.1.10 text=x",
             "Another device in your network has the address 192.168.1.10. Choose another one.");
        says("failed step=disks code=protected what=sda text=x",
             "sda is in use by this computer and stays as it is. Nothing was changed on it. "
             "Start anew (nas-setup --forget) and choose again.");
}

static void steps_have_their_own(void **state _unused_)
{
        says("failed step=share code=name-taken what=public text=x",
             "There is a share \"public\" already, which was left as it is. Change the share: give it another name.");
        says("failed step=array code=name-taken what=public text=x",
             "Another array has the name public already. Nothing was changed. Start anew (nas-setup --forget) with another "
             "name.");
}

static void clearing_has_its_own(void **state _unused_)
{
        says("failed step=clear code=in-use what=smbd text=x",
             "What runs on the disks can't be stopped while it is in use (smbd). End what uses it, or restart the computer, and "
             "go on.");
        says("failed step=clear code=spans what=sdc text=x",
             "What runs on the disks lies also on sdc, which was not chosen. Nothing was changed. Start anew (nas-setup --forget) "
             "and choose again.");
}

static void what_is_not_known_is_said_as_it_came(void **state _unused_)
{
        says("error code=of-another-version what=sdb text=\"Its own words.\"", "Its own words.");
        says("error code=protected text=\"Nothing to name.\"", "Nothing to name.");
        says("missing helper=nas-disk why=\"not found\"", "not found");
        says("error code=address-taken what=$'%s%n\\x1b' text=x",
             "Another device in your network has the address %s%n\x1b. Choose another one.");
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_code_has_its_sentence),
                cmocka_unit_test(steps_have_their_own),
                cmocka_unit_test(clearing_has_its_own),
                cmocka_unit_test(what_is_not_known_is_said_as_it_came),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}

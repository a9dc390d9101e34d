#include "helpers/sys_list.h"

#include "helpers/lib/helper.h"
#include "helpers/sys_clock.h"
#include "helpers/sys_keyboard.h"
#include "helpers/sys_machine.h"
#include "helpers/sys_program.h"
#include "helpers/sys_sleep.h"

static void print_missing(void)
{
        const struct program *p;

        for (size_t i = 0; (p = program_at(i)); i++) {
                if (program_is_there(p))
                        continue;
                _cleanup_record_ struct record *r = record_new("package");
                record_set(r, "name", p->package);
                record_set(r, "purpose", p->purpose);
                record_set(r, "needed", p->needed ? "yes" : "no");
                record_print(r, stdout);
        }
}

int list_run(const struct record *args _unused_)
{
        if (!helper_has_root())
                print_missing();
        machine_print();
        clock_print();
        keyboard_print();
        sleep_print();
        return helper_result(NULL);
}

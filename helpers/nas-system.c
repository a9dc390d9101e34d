/* The computer itself: programs, clock, keyboard, sleep, power; see nas-helpers(8). */
#include "helpers/lib/helper.h"
#include "helpers/sys_clock.h"
#include "helpers/sys_install.h"
#include "helpers/sys_keyboard.h"
#include "helpers/sys_list.h"
#include "helpers/sys_power.h"
#include "helpers/sys_sleep.h"

static const struct verb verbs[] = {
        {"list", "missing programs, clock, keyboard, what puts this computer to sleep", NULL, false, list_run},
        {"check", "what installing would fetch, and whether it can be fetched", install_params, false, check_run},
        {"install", "programs are there", install_params, true, install_run},
        {"clock", "the clock, its zone, and that it follows the internet's time", clock_params, true, clock_run},
        {"keyboard", "the console's keyboard", keyboard_params, true, keyboard_run},
        {"sleep", "nothing puts this computer to sleep", sleep_params, true, sleep_run},
        {"restart", "restart this computer", NULL, true, restart_run},
        {"off", "turn this computer off", NULL, true, off_run},
        {0},
};

static const struct helper nas_system = {"nas-system", "programs, clock, keyboard, sleep and power of a NAS", verbs};

int main(int argc, char **argv)
{
        return helper_main(&nas_system, argc, argv);
}

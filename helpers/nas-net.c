/* Network ports and the fixed address; see nas-helpers(8). */
#include "helpers/lib/helper.h"
#include "helpers/net_blink.h"
#include "helpers/net_check.h"
#include "helpers/net_hold.h"
#include "helpers/net_list.h"
#include "helpers/net_static.h"
#include "helpers/net_trial.h"
#include "helpers/net_undo.h"
#include "helpers/net_watch.h"

static const struct verb verbs[] = {
        {"list", "the network ports of this computer", NULL, false, list_run},
        {"look", "the same, with the ports that are down brought up to see their cables", look_params, false, look_run},
        {"watch", "the same for as long as somebody listens", NULL, false, watch_run},
        {"blink", "the lamp of a port", blink_params, false, blink_run},
        {"check", "ask the network whether an address is free and a gateway and DNS servers answer", check_params, false,
         check_run},
        {"static", "one fixed address on a port, others off", static_params, true, static_run},
        {"confirm", "the change on trial stays", NULL, false, confirm_run},
        {"wait", "until the change on trial is confirmed or taken back", wait_params, false, wait_run},
        {"recover", "take back a change that nobody will any more", recover_params, false, recover_run},
        {"undo", "everything as before the last change", NULL, false, undo_run},
        {0},
};

static const struct helper nas_net = {"nas-net", "network ports and the fixed address of a NAS", verbs};

int main(int argc, char **argv)
{
        return helper_main(&nas_net, argc, argv);
}

/* The disks: what they are, what is on them, and one partition for an array on each. */
#include <blkid/blkid.h>

#include "helpers/disk_blink.h"
#include "helpers/disk_change.h"
#include "helpers/disk_list.h"
#include "helpers/disk_release.h"
#include "helpers/disk_watch.h"

static const struct param no_params[] = {{0}};

static const struct verb verbs[] = {
        {"list", "the disks of this computer and what is on them", list_params, false, run_list},
        {"watch", "the same for as long as somebody listens, anew whenever something changes", no_params, false, run_watch},
        {"blink", "shows which disk it is by its lamp", blink_params, false, run_blink},
        {"probe", "what is in an image file or on one block device", probe_params, false, run_probe},
        {"release", "an array, volume, mount or swap space on the disks runs no more", release_params, true, run_release},
        {"partition", "the disk has one partition for an array and nothing else", partition_params, true,
         run_partition},
        {"wipe", "the disk is empty", wipe_params, true, run_wipe},
        {0},
};

int main(int argc, char **argv)
{
        static const struct helper nas_disk = {"nas-disk", "the disks of this computer", verbs};

        blkid_init_debug(0); /* before there are threads */
        return helper_main(&nas_disk, argc, argv);
}

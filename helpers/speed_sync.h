/* A running sync takes the disks' time. For the seconds of a test it is slowed by the array's sync_speed_max (md.rst of the
 * kernel; never frozen: that would have to be undone by somebody), and what stood there is put back when the test ends, by
 * a guard when it dies, and by whatever is started next when the guard died too. */
#pragma once

#include "helpers/lib/util.h"

enum sync_state { SYNC_IDLE, SYNC_SLOWED, SYNC_RUNNING };

/* A test begins: all of these arrays ("md127") are slowed, and a guard waits for the test's end, who also clears away from
 * mount what it left there. SYNC_RUNNING: one syncs and could not be slowed, so that the figures are lower. */
enum sync_state sync_slow(char *const *arrays, const char *mount);
void sync_put_back(void);
/* What a dead test left is put back, and nothing else done; with wait, as soon as the one that runs now ends. */
void sync_recover(bool wait);
/* Whether ext4 still fills tables of new file systems in the background. */
bool is_lazy_init(void);

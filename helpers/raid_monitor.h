/* Being told: mdadm's monitor, what goes on at each start, the monthly check, smartd. */
#pragma once

/* mail NULL: as it is. Prints the result; an enum helper_status. */
int raid_monitor(const char *mail);

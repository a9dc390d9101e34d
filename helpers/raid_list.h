/* What nas-raid list prints. */
#pragma once

/* Every array, its members, what could become of it, and what was asked of it; an enum helper_status, told. */
int raid_list(void);

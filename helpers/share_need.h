/* What must be there before a share is set up. Each is an enum helper_status, the error told where it is not HELPER_DONE. */
#pragma once

int share_need_programs(void); /* Samba's, and systemd may start it */
int share_need_modules(void);  /* Samba's for Macs: where it lacks one that smb.conf names it lets nobody in */
int share_need_mount(const char *path, const char *uuid); /* this file system is mounted there, for writing */

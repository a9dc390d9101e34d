/* Coming in with a password. The password goes through pipes only: in no argument, environment, file or log. */
#pragma once

#include "helpers/lib/util.h"

/* Whether Samba's own list of passwords has this name. */
bool share_login_exists(const char *name);
/* Everybody who is in that list. */
char **share_login_names(void) _must_check_;
/* Signed, over SMB to address. -EACCES: Samba refuses this password; -EIO with what smbclient said in *ret_raw. */
int share_login_try(const char *address, const char *name, const char *password, char **ret_raw);
/* Puts it into Samba's list, or changes it there. */
int share_login_set(const char *name, const char *password, char **ret_raw);

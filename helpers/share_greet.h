/* The share's names on the login screen, so that nobody has to look for them. */
#pragma once

/* Writes /etc/issue.d/nas-setup.issue: \\HOST\SHARE, smb://HOST/SHARE and the address. agetty(8) shows it below /etc/issue;
 * where /etc has no issue.d it is made. */
int share_greet(const char *host, const char *share, const char *address);

/* What smb.conf was before we changed it. */
#pragma once

/* Keeps text, which smb.conf holds, as smb.conf.nas-setup-DATE-TIME beside it, with its mode. Once for each change: not where
 * a copy of this very text is there, from a run that was cut off say. */
int share_copy(const char *text);

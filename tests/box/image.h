#pragma once

/* The system images that boxes run from, and nas-setup's own files for them.  Both are made once and kept in a cache:
 * $NAS_BOX_CACHE, else /var/cache/nas-setup-box (root) or ~/.cache/nas-setup-box; an ordinary user takes root's if it is there. */

/* The folder that box's own files lie in. */
const char *box_folder(void);

/* The Debian release that this host runs, as its codename. */
int host_release(char **ret_release);

/* Finds or makes the image; two who come at once make it once.  RET_PATH is absolute. */
int image_get(const char *release, const char *variant, char **ret_path);

/* Installs nas-setup into the folder STAGE, by "make install", for RELEASE; does nothing while there is no Makefile. */
int stage_make(const char *release, const char *stage);

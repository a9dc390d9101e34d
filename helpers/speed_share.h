/* How fast the share is written and read by a client on this very computer: what its processor and Samba can do, which
 * the network then limits. Samba's own client does it; time counts from when the first bytes are seen at their goal. */
#pragma once

#include "helpers/speed_measure.h"

struct speed_share {
        const char *address, *share, *mount;
        uint64_t size;     /* bytes of the file */
        char *name;        /* of the file, a trial's (trial.h) */
        uint64_t login_ms; /* how long smbclient takes to be there */
        int memory;        /* a file of random data in memory, then of what came back */
};

/* Logs in once, and makes ready. -ENOPKG: no smbclient; -EIO: the share does not let a guest in; *ret_raw is what it
 * said. Close it in any case. */
int speed_share_open(struct speed_share *s, char **ret_raw);
/* Until the last byte is on the disks; what could not be done within ms after
 * the log-in counts as far as it came.
 * -ETIMEDOUT: that is nowhere. */
int speed_share_write(struct speed_share *s, uint64_t ms, struct rate *ret);
/* From the disks, not from memory. */
int speed_share_read(struct speed_share *s, uint64_t ms, struct rate *ret);
void speed_share_close(struct speed_share *s);

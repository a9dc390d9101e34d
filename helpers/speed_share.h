/* How fast the share is written and read by a client on this very computer: what its processor and Samba can do, which
 * the network then limits. Samba's own client does it; time counts from when the first bytes are seen at their goal. The
 * file has a name only from when one side makes it until the other has opened it. */
#pragma once

#include "helpers/speed_measure.h"

struct speed_share {
        const char *address, *share, *mount;
        uint64_t size;      /* bytes of the file */
        char *name;         /* of the file, a trial's (trial.h) */
        int memory;         /* a file of random data in memory, then of what came back */
        unsigned cpu, core; /* per cent of the processor, and of its busiest core, in the last transfer */
};

/* Makes ready. -ENOPKG: no smbclient. Close it in any case. */
int speed_share_open(struct speed_share *s);
/* Until the last byte is on the disks; what could not be done within ms after the log-in counts as far as it came.
 * -ETIMEDOUT: that is nowhere; -EACCES: the share does not let in. */
int speed_share_write(struct speed_share *s, uint64_t ms, struct rate *ret);
/* Of a file without a name on that file system that is not in memory; it is cut to size, and its first block is changed. */
int speed_share_read(struct speed_share *s, int file, uint64_t ms, struct rate *ret);
void speed_share_close(struct speed_share *s);

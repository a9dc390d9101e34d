#!/bin/bash
# Every level by --apply, a box each: the array is as large as Protection says to within 0.1 %, df says what the summary
# says to within 0.5 %, and a guest can use it. RAID 5 is main-keys'.
cd "$(dirname "$0")/.." || exit 1
rc=0
one() { # LEVEL DISKS
        ./box ${BOX_OPTIONS-} --disk 4T,serial=A --disk 4T,serial=B --disk 4T,serial=C --disk 4T,serial=D --disk 3T,serial=E --nic cable --nic cable \
                --put ../lib.sh --put nas.sh --put scenarios/inside/level.sh -- bash /box/share/level.sh "$@" || rc=1
}
one raid0 A,B,E
one raid1 A,E
one raid6 A,B,C,D
one raid10 A,B,C,D,E
one raid1 B
exit $rc

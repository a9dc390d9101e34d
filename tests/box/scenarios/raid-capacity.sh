#!/bin/bash
# The room that Protection shows is what the array then has, to the byte: some of what long/raid-capacity.sh tries.
cd "$(dirname "$0")/.." || exit 1
./box ${BOX_OPTIONS-} --disk 1Gi,serial=A0 --disk 10G,serial=B1 --disk 500G,serial=C2 --disk 4T,serial=D3 \
        --disk 1500M,sector=4096,serial=E4 --disk 40G,sector=4096,serial=F5 --disk 4T,sector=4096,serial=A6 --disk 8T,sector=4096,serial=B7 \
        --nic cable --sync-speed 100 --put ../lib.sh --put scenarios/inside/raid-capacity.sh -- bash /box/share/raid-capacity.sh <<'END'
A0 B1 C2 D3 E4 F5 A6 B7
raid1 - 0 D3
raid1 - 0 B7 A0
raid1 - 1 A6 D3 C2
raid0 64KiB 0 A0 D3
raid0 512KiB 0 B7 E4 F5
raid5 64KiB 0 D3 C2 B1
raid5 512KiB 0 A0 E4 D3 A6
raid5 64KiB 1 A6 B7 D3 C2
raid6 64KiB 0 A0 B1 C2 D3
raid6 512KiB 0 B7 A6 D3 C2 F5 B1 E4 A0
raid10 64KiB 0 C2 D3 A6 B7 B1
raid10 512KiB 1 B7 A6 F5 D3 C2
END

#!/bin/bash
# The room that Protection shows is what the array then has, to the byte: every level, 1 to 8 members and spares, from 1 GiB
# to 20 TB, sectors of 512 and 4096 bytes, mixed and in both orders. In memory: other file systems end at 16 TiB.
cd "$(dirname "$0")/.." || exit 1
dir=$(mktemp -d /dev/shm/nas-box.XXXXXX)
trap 'rm -rf "$dir"' EXIT
disks=()
for d in 1Gi,serial=A00 1500M,serial=A01 10G,serial=A02 32G,serial=A03 200Gi,serial=A04 500G,serial=A05 4T,serial=A06 20T,serial=A07; do
        disks+=(--disk "$d")
done
for d in 1Gi,serial=B08 9G,serial=B09 40G,serial=B10 128Gi,serial=B11 203Gi,serial=B12 4T,serial=B13 8T,serial=B14 20T,serial=B15; do
        disks+=(--disk "$d,sector=4096")
done
levels='raid0 2 0|raid0 3 0|raid0 5 0|raid0 8 0|raid1 1 0|raid1 2 0|raid1 3 0|raid1 8 0|raid5 3 0|raid5 4 0|raid5 5 0|raid5 8 0
raid6 4 0|raid6 5 0|raid6 6 0|raid6 8 0|raid10 4 0|raid10 5 0|raid10 7 0|raid10 8 0
raid1 3 1|raid5 4 1|raid5 6 2|raid6 6 1|raid10 6 1'
combinations() {
        local chunk order level n spares word
        echo "A00 A01 A02 A03 A04 A05 A06 A07 B08 B09 B10 B11 B12 B13 B14 B15"
        while read -r chunk order; do
                while read -r level n spares; do
                        [ "$level" = raid1 ] && word=- || word=$chunk
                        echo "$level $word $spares $(cut -d' ' -f1-"$n" <<<"$order")"
                done < <(tr '|' '\n' <<<"$levels")
        done <<'END'
64KiB A00 A01 A02 A03 A04 A05 A06 A07
512KiB B15 B14 B13 B12 B11 B10 B09 B08
64KiB A07 B15 A06 B13 A05 B12 A04 B11
512KiB B08 A07 A01 B14 B09 A06 B10 A03
END
        echo "raid5 4KiB 0 A06 A07 B15"
        echo "raid5 8MiB 0 B15 A00 A06"
        echo "raid10 4KiB 0 A00 A01 A02 A03"
        echo "raid0 8MiB 0 A00 B15"
}
combinations | ./box ${BOX_OPTIONS-} --dir "$dir" "${disks[@]}" --nic cable --sync-speed 100 --seconds 3600 --put ../lib.sh --put scenarios/inside/raid-capacity.sh -- \
        bash /box/share/raid-capacity.sh

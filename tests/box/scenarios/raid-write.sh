#!/bin/bash
# Whole stripes are written with no reading before, after the first sync and after a reboot, where udev sets the stripe cache.
cd "$(dirname "$0")/.." || exit 1
dir=$(mktemp -d /tmp/nas-box.XXXXXX)
trap 'rm -rf "$dir"' EXIT
disks=() rc=0
for i in $(seq 8); do disks+=(--disk "400Mi,serial=A$i"); done
for step in make again; do
        ./box ${BOX_OPTIONS-} --dir "$dir" --memory "${MEMORY:-3G}" "${disks[@]}" --sync-speed 2000000 --put ../lib.sh --put scenarios/inside/raid-write.sh -- \
                bash /box/share/raid-write.sh $step || rc=1
done
exit $rc

#!/bin/bash
# On a NAS with systemd: with its disks in another order everything is there; without any of them it starts all the same,
# with its address, and nobody can write to the empty folder; with them it is whole again.
cd "$(dirname "$0")/.." || exit 1
dir=$(mktemp -d /tmp/nas-box.XXXXXX)
trap 'rm -rf "$dir"' EXIT
rc=0
inside() { # SCRIPT [ARGUMENT…]
        ./box ${BOX_OPTIONS-} --dir "$dir" --boot "${disks[@]}" --nic cable --nic cable --seconds 400 --put ../lib.sh --put nas.sh \
                --put scenarios/inside/apply.sh --put scenarios/inside/there.sh --put scenarios/inside/fs-missing.sh -- bash "/box/share/$1" || rc=1
}

disks=(--disk 400G,serial=A --disk 400G,serial=B --disk 400G,serial=C)
inside apply.sh
disks=() # as they are in $dir/disks
cp "$dir/disks" "$dir/share/all"
tac "$dir/share/all" >"$dir/disks"
inside there.sh
: >"$dir/disks"
inside fs-missing.sh
cat "$dir/share/all" >"$dir/disks"
inside there.sh
exit $rc

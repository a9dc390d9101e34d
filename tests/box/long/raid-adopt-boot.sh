#!/bin/bash
# The disks of another computer: their array comes up under a strange name, is taken over, and has its name after a reboot
# although its superblocks say another, and although the computer was renamed.
cd "$(dirname "$0")/.." || exit 1
dir=$(mktemp -d /tmp/nas-box.XXXXXX)
trap 'rm -rf "$dir"' EXIT
box=(./box ${BOX_OPTIONS-} --dir "$dir" --disk 500G --disk 500G --disk 500G --put ../lib.sh --put scenarios/inside/raid-adopt.sh)
rc=0
"${box[@]}" -- bash /box/share/raid-adopt.sh foreign || rc=1
"${box[@]}" --boot -- bash /box/share/raid-adopt.sh adopt || rc=1
"${box[@]}" --boot -- bash /box/share/raid-adopt.sh there || rc=1
exit $rc

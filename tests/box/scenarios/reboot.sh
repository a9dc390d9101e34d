#!/bin/bash
# On a NAS with systemd: after a reboot, and after a power cut while a client writes, everything is there by itself.
cd "$(dirname "$0")/.." || exit 1
. ../lib.sh
dir=$(mktemp -d /tmp/nas-box.XXXXXX)
trap 'rm -rf "$dir"' EXIT
box=(./box ${BOX_OPTIONS-} --dir "$dir" --boot --disk 4T,serial=A --disk 4T,serial=B --disk 4T,serial=C --nic cable --nic cable --seconds 400
        --put ../lib.sh --put nas.sh)
for s in apply there write-on; do box+=(--put "scenarios/inside/$s.sh"); done
rc=0
inside() { "${box[@]}" -- bash "/box/share/$1.sh" || rc=1; }

inside apply
inside there
"${box[@]}" --cut-on "CUT NOW" -- bash /box/share/write-on.sh
is "the power was cut while a client wrote" $? 137
inside there
finish && exit $rc

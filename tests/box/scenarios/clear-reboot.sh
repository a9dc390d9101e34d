#!/bin/bash
# Disks of an old server in a NAS with systemd: what is on them starts by itself. It is released; the power is cut before a
# disk is written, and all starts again; the same plan then clears it, and after one more restart nothing comes back.
cd "$(dirname "$0")/.." || exit 1
. ../lib.sh
dir=$(mktemp -d /tmp/nas-box.XXXXXX)
trap 'rm -rf "$dir"' EXIT
box=(./box ${BOX_OPTIONS-} --dir "$dir" --disk 3G,serial=A --disk 3G,serial=B --nic cable --seconds 300 --put ../lib.sh --put nas.sh)
for s in make begin done gone; do box+=(--put "scenarios/inside/clear-$s.sh"); done
rc=0
inside() { "${box[@]}" --boot -- bash "/box/share/clear-$1.sh" || rc=1; }

"${box[@]}" -- bash /box/share/clear-make.sh || rc=1
"${box[@]}" --boot --cut-on "CUT NOW" -- bash /box/share/clear-begin.sh
is "the power was cut after the release" $? 137
inside done
inside gone
finish && exit $rc

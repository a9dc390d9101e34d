#!/bin/bash
# A power cut in the middle of making a RAID 5 and its file system, and while its first sync runs and somebody writes:
# the array starts again, the helpers finish what they began, no record that was stored is lost. The moments are drawn from
# SEED, or given: CUTS="create:300 format:1000 …"; the file system is ext4, or FS.
cd "$(dirname "$0")/.." || exit 1
. ../lib.sh
seed=${SEED:-$RANDOM}
echo "# SEED=$seed"
RANDOM=$seed
rc=0 fs=${FS:-ext4}

cut() { # STEP MS
        local dir status
        dir=$(mktemp -d /tmp/nas-box.XXXXXX)
        # shellcheck disable=SC2206 # options are words
        local box=(./box ${BOX_OPTIONS-} --dir "$dir" --disk 500G --disk 500G --disk 500G --put ../lib.sh --put scenarios/inside/raid-steps.sh)
        "${box[@]}" --cut-on "CUT NOW" -- bash /box/share/raid-steps.sh "$fs" "$1" "$2" >"$dir/log" 2>&1
        status=$?
        is "$fs, $1+$2: the power was cut" $status 137
        sed -n 's/^record //p' "$dir/log" | tail -n 1 >"$dir/last-record"
        "${box[@]}" --put "$dir/last-record" -- bash /box/share/raid-steps.sh "$fs" >"$dir/log2" 2>&1 || { rc=1; cat "$dir/log"; }
        sed "s/^\(ok\|not ok\) /\1 $fs, $1+$2: /" "$dir/log2"
        rm -rf "$dir"
}

for c in ${CUTS:-create:$((RANDOM % 1500)) format:$((RANDOM % 2000)) mount_it:$((RANDOM % 500)) write:$((RANDOM % 3000 + 500))}; do
        cut "${c%:*}" "${c#*:}"
done
[ $rc = 0 ] && finish

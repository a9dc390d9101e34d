#!/bin/bash
# A power cut in the middle of each change of an array, while somebody writes: it goes on and comes to its end, and nothing that was
# stored is lost. One cut each; the moments are drawn from SEED. OPS="grow5 mirror …" picks some, FS is the file system, CUTS how
# many of each.
cd "$(dirname "$0")/.." || exit 1
. ../lib.sh
seed=${SEED:-$RANDOM}
echo "# SEED=$seed"
RANDOM=$seed
rc=0 fs=${FS:-ext4}

cut() { # OPERATION MS
        local dir status d box after=100000
        dir=$(mktemp -d /tmp/nas-box.XXXXXX)
        # shellcheck disable=SC2206 # options are words
        box=(./box ${BOX_OPTIONS-} --dir "$dir" --seconds 400 --put ../lib.sh --put grow.sh --put scenarios/inside/grow-steps.sh)
        for d in 1 2 3 4; do box+=(--disk 500G); done
        "${box[@]}" --sync-speed 8000 --cut-on "CUT NOW" -- bash /box/share/grow-steps.sh "$1" "$fs" "$2" >"$dir/log" 2>&1
        status=$?
        is "$fs, $1+$2: the power was cut" $status 137
        [ "$1" = resize ] && after=100
        sed -n 's/^record //p' "$dir/log" | tail -n 1 >"$dir/last-record"
        "${box[@]}" --sync-speed $after --put "$dir/last-record" -- bash /box/share/grow-steps.sh "$1" "$fs" >"$dir/log2" 2>&1 ||
                { rc=1; echo "# ended with $?"; grep -v "^record" "$dir/log"; }
        sed "s/^\(ok\|not ok\) /\1 $fs, $1+$2: /" "$dir/log2"
        rm -rf "$dir"
}

for n in $(seq "${CUTS:-1}"); do
        for op in ${OPS:-grow5 rebuild resize}; do
                case $op in
                resize) ms=$((RANDOM % 250)) ;;
                *) ms=$((RANDOM % 9000 + 500)) ;;
                esac
                cut "$op" "$ms"
        done
done
[ $rc = 0 ] && finish

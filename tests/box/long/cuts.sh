#!/bin/bash
# A power cut at the begin and in the middle of each apply step; started again and resumed, the same NAS comes of it. The
# moment in the middle is drawn from SEED. Which cuts are tried: CUTS="step:begin …", by default one a step.
cd "$(dirname "$0")/.." || exit 1
. ../lib.sh
seed=${SEED:-$RANDOM}
echo "# SEED=$seed"
RANDOM=$seed
# About how long each step takes in the box, in milliseconds: the middle lies within.
declare -A long=([network]=4000 [disks]=1500 [array]=1500 [files]=2500 [mount]=600 [share]=4000)
steps=(network disks array files mount share)
rc=0

cut() { # STEP MS HOW
        local dir status
        dir=$(mktemp -d /tmp/nas-box.XXXXXX)
        local box=(./box ${BOX_OPTIONS-} --dir "$dir" --disk 4T,serial=A --disk 4T,serial=B --disk 4T,serial=C --nic cable --nic cable
                --put ../lib.sh --put nas.sh --put scenarios/inside/cut-apply.sh --put scenarios/inside/resume.sh)
        "${box[@]}" --cut-on "CUT NOW" -- bash /box/share/cut-apply.sh "$1" "$2" >"$dir/log" 2>&1
        status=$?
        is "cut $2 ms into $1" $status 137
        "${box[@]}" -- bash /box/share/resume.sh "$3" >"$dir/log2" 2>&1 || { rc=1; echo "not ok after the cut $2 ms into $1"; cat "$dir/log"; }
        sed "s/^\(ok\|not ok\) /\1 $1+$2: /" "$dir/log2"
        rm -rf "$dir"
}

default=()
for s in "${steps[@]}"; do default+=("$s:$((RANDOM % long[$s]))"); done
for c in ${CUTS:-${default[@]}}; do
        step=${c%:*} ms=${c#*:}
        [ "$ms" = begin ] && ms=0
        [ "$ms" = middle ] && ms=$((RANDOM % long[$step]))
        cut "$step" "$ms" "$([ $((RANDOM % 2)) = 0 ] && echo again)"
done
[ $rc = 0 ] && finish

#!/bin/bash
# The power is cut while a change of the network is on trial: the next start takes it back before the network begins.
cd "$(dirname "$0")/.." || exit 1
. ../lib.sh
dir=$(mktemp -d /tmp/nas-box.XXXXXX)
trap 'rm -rf "$dir"' EXIT
box=(./box ${BOX_OPTIONS-} --dir "$dir" --boot --disk 4T,serial=A --nic cable --nic cable --seconds 200
        --put ../lib.sh --put scenarios/inside/trial.sh)
"${box[@]}" --cut-on "CUT NOW" -- bash /box/share/trial.sh
is "the power was cut in the trial" $? 137
"${box[@]}" -- bash /box/share/trial.sh
rc=$?
finish && exit $rc

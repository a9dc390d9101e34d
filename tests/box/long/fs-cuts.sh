#!/bin/bash
# The power cuts of scenarios/raid-cut.sh while XFS and btrfs are made, between making and mounting, and while mounting.
seed=${SEED:-$RANDOM}
echo "# SEED=$seed"
RANDOM=$seed
rc=0
for fs in xfs btrfs; do
        cuts="format:0 format:$((RANDOM % 300)) format:$((RANDOM % 700 + 300)) mount_it:0 mount_it:$((RANDOM % 300)) write:$((RANDOM % 2000 + 500))"
        SEED=$seed FS=$fs CUTS=$cuts bash "$(dirname "$0")/../scenarios/raid-cut.sh" || rc=1
done
exit $rc

#!/bin/bash
# The power cuts of long/cuts.sh at the begin of every step and at three moments in the middle of each.
cuts=
for s in network disks array files mount share; do cuts+=" $s:begin $s:middle $s:middle $s:middle"; done
CUTS=$cuts exec bash "$(dirname "$0")/cuts.sh"

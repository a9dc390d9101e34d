#!/bin/bash
# Ten power cuts in each change of an array, and on XFS too.
cd "$(dirname "$0")/../scenarios" || exit 1
all="grow5 mirror level5 rebuild copy resize"
CUTS=${CUTS:-10} OPS=${OPS:-$all} bash grow-cut.sh
one=$?
CUTS=${CUTS:-10} FS=xfs OPS="grow5 level5" bash grow-cut.sh && [ $one = 0 ]

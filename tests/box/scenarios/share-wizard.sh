#!/bin/bash
# The password at the keyboard: made, typed, asked for again after a share that failed and was changed; and then no byte of the
# box's disks holds it, as ASCII or as SMB has it.
cd "$(dirname "$0")/.." || exit 1
. ../lib.sh
dir=$(mktemp -d /tmp/nas-box.XXXXXX)
trap 'rm -rf "$dir"' EXIT
export SEED=$RANDOM$RANDOM
rc=0

./box ${BOX_OPTIONS-} --dir "$dir" --disk 8G --disk 8G --nic cable --nic cable --seconds 500 --put ../lib.sh --put nas.sh \
        --put scenarios/inside/share-wizard.sh -- bash /box/share/share-wizard.sh || rc=1
# What was written, without the holes. SMB's letters have a zero byte behind each: without these both forms are the same.
tar -cS -C "$dir" --exclude=./share . | tr -d '\0' >"$dir/share/bytes"
is "what nas-setup wrote is found there" "$(grep -qaF 'nas-setup: this share' "$dir/share/bytes" && echo yes)" yes
is "no trace of a password" "$(grep -caF "Secret-$SEED" "$dir/share/bytes")" 0
finish && exit $rc

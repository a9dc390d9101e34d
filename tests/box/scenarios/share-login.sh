#!/bin/bash
# A user with a password, seen from inside; and then no byte of the box's disks holds the password, as ASCII or as SMB has it.
cd "$(dirname "$0")/.." || exit 1
. ../lib.sh
dir=$(mktemp -d /tmp/nas-box.XXXXXX)
trap 'rm -rf "$dir"' EXIT
export SEED=$RANDOM$RANDOM
rc=0

./box ${BOX_OPTIONS-} --dir "$dir" --disk 2G --nic cable --seconds 400 --put ../lib.sh --put scenarios/inside/share-login.sh -- \
        bash /box/share/share-login.sh || rc=1
# What was written, without the holes. SMB's letters have a zero byte behind each: without these both forms are the same.
tar -cS -C "$dir" --exclude=./share . | tr -d '\0' >"$dir/share/bytes"
is "what nas-setup wrote is found there" "$(grep -qaF 'nas-setup: this share' "$dir/share/bytes" && echo yes)" yes
is "no trace of a password" "$(grep -caF "Secret-$SEED" "$dir/share/bytes")" 0
finish && exit $rc

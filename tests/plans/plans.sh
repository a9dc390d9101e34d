#!/bin/bash
# Golden plans: each tests/plans/NAME.answers names its machine in the first line ("# machine: FILE"); NAME.plan is what
# --print-plan must print for them, or NAME.refused what it must say, with the exit status in its first line.
# UPDATE=1 writes them anew; read every line of the difference before it is committed.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
nas_setup=${BUILD:-build/plain}/nas-setup
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for answers in tests/plans/*.answers; do
        name=${answers%.answers}
        machine=$(sed -n '1s/^# machine: *//p' "$answers")
        LC_ALL=C.UTF-8 "$nas_setup" --machine "$machine" --answers "$answers" --print-plan --seed 1 \
                >"$work/out" 2>"$work/err"
        rc=$?
        if [ $rc = 0 ]; then want=$name.plan; else
                want=$name.refused
                { echo "status $rc"; cat "$work/err"; } >"$work/out"
        fi
        [ -n "${UPDATE-}" ] && cp "$work/out" "$want"
        t "plan ${name##*/}" diff -u "$want" "$work/out"
done
finish

#!/bin/bash
# A change of the network on trial, beside every program that can run a port: its terminal dies and nobody answers; it is
# killed; it is undone; the power is cut in it, and just after it was kept. STACKS chooses; each takes three starts.
cd "$(dirname "$0")/.." || exit 1
. ../lib.sh
work=$(mktemp -d /tmp/nas-net-trial.XXXXXX)
chmod 755 "$work" # the box runs as somebody else
trap 'rm -rf "$work"' EXIT

for setup in ${STACKS:-networkd-resolved networkmanager netplan-networkd netplan-name netplan-networkmanager ifupdown-mixed ifupdown}; do
        wanted=137 # the power is cut
        for part in first second third; do
                [ $part != third ] || wanted=0
                start=$SECONDS
                # shellcheck disable=SC2086 # options are words
                ./box ${BOX_OPTIONS-} --variant net --dir "$work/$setup" --boot --seconds 500 --cut-on "CUT NOW" --nic cable --nic cable \
                        --put ../lib.sh --put stacks.sh --put scenarios/inside/lan.py --put scenarios/inside/trial-stacks.sh -- \
                        bash /box/share/trial-stacks.sh "$setup" $part >"$work/log" 2>"$work/err" </dev/null
                status=$?
                sed -n "s/^\(ok\|not ok\|skip\|#\|    \)/\1/p" "$work/log"
                passed=$((passed + $(grep -c '^ok' "$work/log"))) failed=$((failed + $(grep -c '^not ok' "$work/log")))
                is "$setup $part: ended well" $status $wanted
                [ $status = $wanted ] || tail -n 20 "$work/err"
                echo "# $setup $part took $((SECONDS - start)) s"
        done
        rm -rf "${work:?}/$setup"
done
finish

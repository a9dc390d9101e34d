#!/bin/bash
# box: --nic cable --nic cable
# ifupdown: undo brings back every byte and the lease; killed at moments drawn from SEED, then run again.
. "$(dirname "$0")/lib.sh"
seed=${SEED:-$RANDOM}
echo "# SEED=$seed"
RANDOM=$seed

A=$(cat /sys/class/net/eth0/address)
sums() { find /etc/network /etc/hosts /etc/hostname -type f -exec sha256sum {} + | sort; }
static=(nas-net static "port=$A" address=192.168.77.10/24 gateway=192.168.77.50 name=nas others=off)
global() { ip -4 -o addr show dev "$1" | awk '{print $4}' | paste -sd' '; }
state() { echo "$(global eth0)|$(global eth1)|$(ip route show default | wc -l)|$(pgrep -c dhclient)|$(hostname)|$(cat /sys/class/net/eth1/flags)"; }
good='192.168.77.10/24||1|0|nas|0x1002'

ifup eth0 >/dev/null 2>&1
before=$(sums) name=$(hostname)
t "static" "${static[@]}"
after=$(sums)
t "undo" nas-net undo
is "every byte is back" "$(sums)" "$before"
is "so are the lease, its client and the name" "$(global eth0 | grep -c 192.168.77.1..) $(pgrep -c dhclient) $(hostname)" "1 1 $name"

ends='' files='' undone=''
# static asks the network for 3.5 s before it touches anything, and has ended after 6
times=${TIMES:-2}
cut() { timeout -s KILL "$(($1 + RANDOM % $2)).$((RANDOM % 10))" "${@:3}" >/dev/null 2>&1; } 2>/dev/null # FROM SECONDS COMMAND…
for ((i = 0; i < times; i++)); do
        cut 3 3 "${static[@]}"
        "${static[@]}" >/dev/null 2>&1
        ends+=" $(state)" files+=" $([ "$(sums)" = "$after" ] && echo same)"
        cut 0 4 nas-net undo
        nas-net undo >/dev/null 2>&1
        undone+=" $([ "$(sums)" = "$before" ] && echo same)"
done
all() { for ((k = 0; k < times; k++)); do echo -n " $1"; done; }
is "killed, run again: the same state" "$ends" "$(all "$good")"
is "the same files" "$files" "$(all same)"
is "undo, killed, run again: the first files" "$undone" "$(all same)"
finish

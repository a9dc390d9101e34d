#!/bin/bash
# box: --disk 1Gi,serial=A --disk 1Gi,serial=B --disk 2Gi,serial=C --disk 1Gi,serial=D --nic cable
# Disks of 1, 1, 2 and 1 GiB at each level: the room that Protection shows is what the plan will make (level 0 the sum, 1 the
# smallest, 5 three times, 6 and 10 twice the smallest); what stays unused is said. That md makes it: raid-capacity.sh.
# A RAID 0 of unequal disks once failed in the set-up: https://github.com/simpnas/simpnas/issues/37
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
export LC_ALL=C.UTF-8
bytes() { awk '{u["MB"] = 1e6; u["GB"] = 1e9; u["TB"] = 1e12; printf "%.0f", $1 * u[$2]}' <<<"$1"; } # "1.1 GB"
shown() { bytes "$(grep -F "RAID $1)" /tmp/protection | grep -oE '[0-9.]+ [MGT]B' | head -n 1)"; }                  # LEVEL

T -f /dev/null new-session -d -x 80 -y 25 'nas-setup; sleep 600'
for title in "becomes a file server" "Which port connects" "Which disks will hold"; do
        sees "$title"
        [ "$title" != "Which disks will hold" ] || wait_for 30 bash -c "[ \$(tmux -L nas capture-pane -p | grep -cF '[x]') = 4 ]"
        T send-keys Enter
done
sees "protect your files"
screen >/tmp/protection
t "what stays unused is said" grep -qE '1\.[01] GB of the larger disks stays unused' /tmp/protection
T kill-server
declare -A times=([1]=1 [5]=3 [6]=2 [10]=2)

for level in 0 1 5 6 10; do
        printf 'disks use=A,B,C,D\narray level=raid%s\nspeed test=none\n' $level >/tmp/answers
        t "level $level: the plan" bash -c 'nas-setup --answers /tmp/answers --print-plan >/tmp/plan'
        array=$(sed -n 's/^step name=array.* size=\([0-9]*\).*/\1/p' /tmp/plan)
        t "level $level: the screen says what the plan will make ($(shown $level), $array)" within "$(shown $level)" "$array" 0.05
        at() { sed -n "s/^nas-disk .*disk=$1 .* start=\([0-9]*\) end=\([0-9]*\).*/\1 \2/p" /tmp/plan; } # SERIAL → start and end of its partition
        least=$((1 << 62)) sum=0 offset=$(sed -n 's/^nas-raid .* offset=\([0-9]*\).*/\1/p' /tmp/plan)
        for d in A B C D; do
                read -r from to <<<"$(at $d)"
                size=$((to - from - offset)) sum=$((sum + size))
                [ $size -lt $least ] && least=$size
        done
        [ $level = 0 ] && want=$sum || want=$((least * times[$level]))
        t "level $level: that is what these disks give" within "$array" "$want" 0.005
done
printf 'disks use=A,B,C,D\narray level=raid0\nspeed test=none\n' >/tmp/answers
t "level 0 of unequal disks is made" nas-setup --apply /tmp/answers
t "the array has the room of all four" within "$(blockdev --getsize64 /dev/md/public)" "$(sed -n 's/^step name=array.* size=\([0-9]*\).*/\1/p' $plan)" 0.001
t "and df says what the plan said" within "$(df -B1 --output=size /srv/public | tail -n 1)" "$(sed -n 's/^step name=files.* size=\([0-9]*\).*/\1/p' $plan)" 0.005
finish

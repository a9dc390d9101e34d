#!/bin/bash
# box: --disk 3G --disk 3G
# Old arrays and a volume group are released and their disks partitioned; killed in each of that, udev puts together what is
# left of them, and the same plan is begun anew: in the end nothing of them is there, and nothing comes back.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
modprobe dm-mod 2>/dev/null

# Superblocks in the middle of the disk and at the ends of partitions
for d in sda sdb; do
        printf 'label: dos\nstart=2048,size=1000000,type=fd\nstart=1002048,type=fd\n' | sfdisk -q --wipe always /dev/$d
done
udevadm settle
old() { # NUMBER METADATA
        mdadm --create "/dev/md12$1" --run --level=1 --raid-devices=2 --metadata="$2" --bitmap=none --assume-clean \
                "/dev/sda$1" "/dev/sdb$1" >/dev/null 2>&1
}
old 1 0.90
old 2 1.0
vgcreate -qq old /dev/md122 >/dev/null
lvcreate -qq -y -L 100M -n photos old >/dev/null
udevadm settle
clear_plan /tmp/plan sda sdb
sed 's/ .*name=/ /; s/ disks=.*//' /tmp/plan | sed 's/^/# /'
is 'three layers run' "$(grep -c '^release' /tmp/plan)" 3

comes_back() { # everything that looks like a member is seen by udev anew, as after a restart
        udevadm trigger --subsystem-match=block --action=add
        udevadm settle
}
runs() { lsblk -nro NAME,TYPE | awk '$2 !~ /disk|part/ {print $1}' | sort -u | xargs; }

grep '^release' /tmp/plan >/tmp/releases
t 'released' carry_out /tmp/releases
is 'nothing runs' "$(runs)" ''
is 'and again' "$(while read -r line; do nas-disk $line | tail -n 1; done </tmp/releases | sort -u)" 'result changed=no'
comes_back
t 'udev puts the arrays together again' test -n "$(runs)"

# killed LINE SYSCALL:N: the plan up to the line of that number, which is killed there; then udev
killed() {
        head -n $(($1 - 1)) /tmp/plan >/tmp/before
        carry_out /tmp/before || return 1
        # shellcheck disable=SC2046 # a line is words
        { strace -qq -o /dev/null -e trace="${2%:*}" -e inject="${2%:*}:signal=KILL:when=${2#*:}" nas-disk $(sed -n "$1p" /tmp/plan) >/tmp/said; } 2>/dev/null
        if [ $? = 137 ]; then echo "# killed in line $1 at $2" >>/tmp/kills; else echo "# no kill in line $1 at $2: $(tail -n 1 /tmp/said)"; fi
        comes_back
}
for at in '1 clone:1' '2 clone:1' '4 pwrite64:1' '4 pwrite64:4' '4 fsync:3' '4 fsync:7' '5 fsync:1' '5 fsync:5'; do
        t "up to the kill at $at" killed ${at% *} ${at#* }
done
cat /tmp/kills
is 'killed each time' "$(wc -l </tmp/kills)" 8
t 'the whole plan once more' carry_out /tmp/plan
comes_back
t 'nothing but ours is on the disks' only_ours sda sdb
is 'nothing of the old runs' "$(runs)" ''

# What comes back just before the disk is opened is released by partition itself, as long as it is what was agreed to.
mdadm --create /dev/md/late --run --level=1 --raid-devices=2 --metadata=1.2 --bitmap=none --assume-clean /dev/sda1 /dev/sdb1 >/dev/null 2>&1
udevadm settle
clear_plan /tmp/plan sda sdb
grep '^partition' /tmp/plan >/tmp/partitions
t 'an array that is back is stopped by partition' carry_out /tmp/partitions
t 'nothing but ours is there' only_ours sda sdb
mdadm --create /dev/md/late --run --level=1 --raid-devices=2 --metadata=1.2 --bitmap=none --assume-clean /dev/sda1 /dev/sdb1 >/dev/null 2>&1
clear_plan /tmp/plan sda sdb
is 'one that was not agreed to is not' "$(nas-disk $(grep '^partition' /tmp/plan | head -n 1 | sed 's/after=[0-9a-f]*/after=00000000/') 2>/dev/null | sed -n 's/^error code=\([a-z-]*\).*/\1/p')" in-use
finish

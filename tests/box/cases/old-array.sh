#!/bin/bash
# box: --disk 2G,serial=A --disk 2G,serial=B --disk 2G,serial=C --nic cable
# The RAID 1 of an earlier computer runs as md127 when nas-setup comes (xcp-ng#588): half of it can't be taken, the whole of
# it only with consent, and then a NAS comes of its disks and nothing of the old array is left.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
export LC_ALL=C.UTF-8

mdadm --create /dev/md127 --run --level=1 --raid-devices=2 --metadata=1.2 --homehost=oldbox --name=photos /dev/sda /dev/sdb 2>/tmp/log ||
        cat /tmp/log
mke2fs -q -t ext4 -L photos /dev/md127
udevadm settle
old=$(mdadm --detail --export /dev/md127 | sed -n 's/^MD_UUID=//p' | tr -d :)
runs() { grep -q '^md127 : active' /proc/mdstat; }
left() { for d in sda sdb; do mdadm -E --export "/dev/$d" "/dev/${d}1" 2>/dev/null; done | tr -d : | grep -c "$old"; }

t "the old array runs" runs
nas-setup --facts >/tmp/facts
t "it is a set that is whole" grep -q '^set type=md .*state=whole.*running=md127' /tmp/facts
t "and a layer" grep -q '^layer name=md127 type=md' /tmp/facts

echo 'disks use=A,C erase=A' >/tmp/half
nas-setup --apply /tmp/half >/tmp/out 2>&1
is "half of it can't be chosen" "$?" 2
t "the other half is named" grep -q 'sda belongs to the array "photos" together with sdb' /tmp/out
printf 'disks use=A,B\nspeed test=none\n' >/tmp/answers
fails "nor both without consent" 3 nas-setup --apply /tmp/answers
printf 'disks use=A,B erase=A,B\nspeed test=none\n' >/tmp/answers
nas-setup --answers /tmp/answers --print-plan >/tmp/plan
t "the plan says what is stopped" grep -q '^# STOPS the array photos on A, B' /tmp/plan
sed 's/^nas-share verb=set /&colour=blue /' /tmp/plan >/tmp/edited
fails "a plan with a wrong later line is refused" 2 nas-setup --apply /tmp/edited
t "all that while the array runs on, untouched" runs
is "with both its members" "$(left)" 2

nas-setup --apply /tmp/answers >/tmp/out 2>&1
is "a NAS is made of its disks" "$?" 0 || cat /tmp/out
t "the old array was stopped in a step of its own" grep -q '^done step=clear .*changed=yes' /tmp/out
nas_is raid1 public
is "nothing of the old array is left" "$(left)" 0
nas-setup --apply /tmp/answers >/tmp/out 2>&1
is "the same again changes nothing" "$? $(grep '^done' /tmp/out | grep -vc 'changed=no')" "0 0"
finish

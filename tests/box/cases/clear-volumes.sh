#!/bin/bash
# box: --disk 3G --disk 3G
# Volume groups on chosen disks are released and erased by the lines of a plan; one that lies also on a disk that was not
# chosen stays whole (W07).
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"

for m in raid1 dm-mod dm-crypt; do modprobe $m 2>/dev/null; done
code() { "$@" 2>/dev/null | sed -n 's/^error code=\([a-z-]*\).*/\1/p'; }
what() { "$@" 2>/dev/null | sed -n 's/^error code=[a-z-]* what=\("[^"]*"\|[^ ]*\).*/\1/p'; }
runs() { look; what_runs "$@" | sed 's/|.*|/ /' | paste -sd';'; }
# cleared NAME DISK…: the whole of a plan
cleared() {
        local name=$1
        echo "# $SECONDS s"
        shift
        clear_plan /tmp/plan "$@"
        t "$name: a dry run finds nothing in the way" carry_out /tmp/plan --dry-run
        t "$name: cleared" carry_out /tmp/plan
        t "$name: nothing but ours is on the disks" only_ours "$@"
        is "$name: again nothing is changed" "$(while read -r line; do nas-disk $line | tail -n 1; done </tmp/plan | grep -vc 'changed=no')" 0
}
table() { printf 'label: gpt\nfirst-lba: 2048\nstart=2048,size=1000000\nstart=1002048,size=2000000\nstart=3002048\n' | sfdisk -q --wipe always "/dev/$1"; udevadm settle; }

# --- volume groups: one on a chosen disk, one across (W07) ---
printf 'label: dos\nstart=2048,size=3000000,type=8e\nstart=3002048,type=8e\n' | sfdisk -q --wipe always /dev/sda
udevadm settle
vgcreate -qq own /dev/sda1 >/dev/null; lvcreate -qq -y -L 100M -n a own >/dev/null; lvcreate -qq -y -L 100M -n b-c own >/dev/null
lvcreate -qq -y -s -L 50M -n snap own/a >/dev/null 2>&1
vgcreate -qq wide /dev/sda2 /dev/sdb >/dev/null
lvcreate -qq -y -L 100M -n here wide /dev/sda2 >/dev/null; lvcreate -qq -y -L 100M -n there wide /dev/sdb >/dev/null
udevadm settle
clear_plan /tmp/plan sda
sed '/^partition/d' /tmp/plan >/tmp/releases
is 'a volume that lies on it keeps the disk' "$(code nas-disk $(grep ^partition /tmp/plan | sed 's/ after=[^ ]*//'))" in-use
lvextend -qq -L +8M wide/here /dev/sdb >/dev/null
udevadm settle
is 'a volume across two disks is not for one to lose' "$(code nas-disk $(grep wide-here /tmp/plan))" spans
is 'and the other disk is named' "$(what nas-disk $(grep wide-here /tmp/plan))" sdb
t 'the volume still runs' test -e /dev/mapper/wide-here
lvreduce -qq -f -L -8M wide/here >/dev/null
udevadm settle
t 'what lies on the one disk alone is released' carry_out /tmp/releases
is 'yet its group runs on the other' "$(code nas-disk $(grep ^partition /tmp/plan))" spans
is 'which is named' "$(what nas-disk $(grep ^partition /tmp/plan))" sdb
t 'and nothing is written' blkid -p -t TYPE=LVM2_member /dev/sda2
cleared 'two volume groups with a snapshot' sda sdb
finish

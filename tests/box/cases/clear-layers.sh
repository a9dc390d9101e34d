#!/bin/bash
# box: --disk 3G --disk 3G
# Disks out of other computers, with all that runs on them by itself: released and partitioned by the lines of a plan; what
# lies on a disk that was not chosen, or is in use, stays.
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

# --- an array of partitions, LVM on it, LUKS in a volume, a file system in that, mounted (W01, W02) ---
table sda; table sdb
mdadm --create /dev/md127 --run --level=1 --raid-devices=2 --metadata=1.2 --bitmap=none --assume-clean /dev/sda2 /dev/sdb2 >/dev/null 2>&1
vgcreate -qq old /dev/md127 >/dev/null; lvcreate -qq -y -Wy -L 200M -n photos old >/dev/null; lvcreate -qq -y -L 100M -n music old >/dev/null
echo secret | cryptsetup luksFormat -q --type luks2 --pbkdf pbkdf2 --pbkdf-force-iterations 1000 /dev/old/photos -
echo secret | cryptsetup open /dev/old/photos opened -d -
mkfs.ext4 -qF /dev/mapper/opened
mkswap -q /dev/sda1; swapon /dev/sda1
mount /dev/mapper/opened /mnt
udevadm settle
is 'what runs is seen, top first' "$(runs sda)" 'mount /mnt;dm opened;dm old-photos;dm old-music;swap /dev/sda1;md md127'
clear_plan /tmp/all sda sdb
clear_plan /tmp/half sda
is 'without the release nothing is written' "$(code nas-disk $(grep '^partition' /tmp/all | head -n 1))" protected
is 'an array of two disks is not for one to lose' "$(code nas-disk $(grep md127 /tmp/half | head -n 1))" spans
is 'the other disk is named' "$(what nas-disk $(grep md127 /tmp/half | head -n 1))" sdb
is 'what lies on top comes first' "$(code nas-disk $(grep 'name=md127' /tmp/all))" in-use
echo word >/mnt/file
sleep 1000 </mnt/file &
is 'an open file holds the mount' "$(code nas-disk $(grep 'name=/mnt' /tmp/all))" in-use
is 'the program is named' "$(what nas-disk $(grep 'name=/mnt' /tmp/all))" "\"sleep ($!)\""
kill $!; wait 2>/dev/null
t 'it is still mounted' mountpoint -q /mnt
sleep 1000 </dev/mapper/old-music &
is 'so does an open volume' "$(what nas-disk $(grep 'name=old-music' /tmp/all))" "\"sleep ($!)\""
kill $!; wait 2>/dev/null
echo "/dev/disk/by-uuid/$(blkid -o value -s UUID /dev/sda1) none swap sw 0 0" >>/etc/fstab
is 'swap that fstab names stays' "$(code nas-disk $(grep 'what=swap' /tmp/all))" system
sed -i '$d' /etc/fstab
cleared 'LUKS on LVM on md, and swap' sda sdb

# --- what lay inside the old array is not inside a new one at the same place ---
uuid=cccccccc-1111-4222-8333-444444444444
offset=$((4 * 1048576))
mdadm --create /dev/md127 --run --level=1 --raid-devices=2 --metadata=1.2 --bitmap=none --assume-clean --data-offset=4M /dev/sda1 /dev/sdb1 >/dev/null 2>&1
vgcreate -qq again /dev/md127 >/dev/null; lvcreate -qq -y -L 200M -n lv again >/dev/null
udevadm settle
cleared 'LVM on an array in the place of ours' sda sdb
t 'an array is made there' nas-raid create uuid=$uuid name=public level=raid1 members="$(new_part $plan_n),$(new_part $((plan_n + 1)))" offset=$offset bitmap=none spares=0
udevadm settle
is 'the old volume group is not in it' "$(wipefs -n /dev/md/public)$(pvs --noheadings 2>/dev/null)" ''
mkfs.ext4 -qF /dev/md/public
mount /dev/md/public /srv
clear_plan /tmp/plan sda sdb
is 'what is mounted in a folder of the system stays' "$(code nas-disk $(grep what=mount /tmp/plan); code nas-disk $(grep what=md /tmp/plan))" $'system\nsystem'
umount /srv
clear_plan /tmp/plan sda sdb
before=$(runs sda)
is 'that a disk is another one is told before anything on it is stopped' \
        "$(code nas-disk $(grep '^partition' /tmp/plan | head -n 1 | sed 's/ size=[0-9]*/ size=5/')) $(runs sda)" "other-disk $before"
cleared 'our own array' sda sdb

finish

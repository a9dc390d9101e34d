#!/bin/bash
# box: --disk 2G,serial=A --disk 2G,serial=B --disk 2G,serial=C --nic cable
# A volume group over two disks with volumes that run, one of them mounted by hand: one of its disks alone can't be taken
# (harvester#2086), both only with a word for what is mounted, and then all of it is taken down and a NAS comes of them.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
export LC_ALL=C.UTF-8

pvcreate -qq /dev/sda /dev/sdb
vgcreate -qq data /dev/sda /dev/sdb
lvcreate -qq -n photos -L 1G data /dev/sda
lvcreate -qq -n films -L 1G data /dev/sdb
mke2fs -q -t ext4 -L photos /dev/data/photos
mkfs.xfs -q -L films /dev/data/films
mkdir /mnt/films
mount /dev/data/films /mnt/films
udevadm settle
is_there() { findmnt -rn /mnt/films >/dev/null && [ -e /dev/data/photos ]; }

t "both volumes run" is_there
nas-setup --facts | grep '^disk\|^set\|^layer'
echo 'disks use=A,C erase=A' >/tmp/answers
nas-setup --apply /tmp/answers >/tmp/out 2>&1
is "one of its disks alone can't be chosen" "$?" 2
t "the other one is named" grep -q 'sda belongs to the volume group "data" together with sdb' /tmp/out
printf 'disks use=A,B erase=A,B\nspeed test=none\n' >/tmp/answers
nas-setup --apply /tmp/answers >/tmp/out 2>&1
is "nor both without a word for what is mounted" "$?" 3
t "which names the disk" grep -q 'disks letgo=B' /tmp/out
t "all that while the volumes run on" is_there
printf 'disks use=A,B erase=A,B letgo=B\nspeed test=none\n' >/tmp/answers
nas-setup --apply /tmp/answers >/tmp/out 2>&1
is "a NAS is made of them" "$?" 0
[ "$failed" = 0 ] || cat /tmp/out
is "what was mounted, the volumes" "$(grep -c '^nas-disk verb=release' "$plan")" 3
nas_is raid1 public
is "no volume group is left" "$(vgs --noheadings 2>&1)" ""
finish

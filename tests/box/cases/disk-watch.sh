#!/bin/bash
# box: --disk 4T --disk 2G --disk 2G --disk 2G
# nas-disk watch: the first block at once, disks that are pulled and come back, and whatever changes on them.
. "$(dirname "$0")/lib.sh"

field() { sed -n "s/^disk name=$1 .* $2=\([^ ]*\).*/\1/p" | tail -n 1; }
block() { tac /tmp/out | sed '0,/^listed$/d' | sed '/^listed$/,$d' | tac; }
last_is() { [ "$(block | field "$1" "$2")" = "$3" ]; } # DISK KEY VALUE
last_has() { block | grep -q "$1"; }
name_of() { block | sed -n "s/^disk name=\([a-z0-9]*\) .* serial=$1 .*/\1/p"; } # SERIAL
is_gone() { [ -z "$(name_of "$1")" ]; }
is_there() { [ "$(block | field "$(name_of "$1")" holds)" = "$2" ]; } # SERIAL HOLDS
reads() { awk '{print $1}' "/sys/block/$1/stat"; }

sync
echo 3 >/proc/sys/vm/drop_caches
before=$(reads sda)
nas-disk list look=names >/tmp/names
is 'names alone: no disk is read' "$(reads sda)" "$before"
is 'all four are told' "$(grep -c '^disk name=sd.*holds=looking' /tmp/names)" 4

from=$(date +%s%3N)
first() { nas-disk watch | while read -r line && [ "$line" != listed ]; do :; done; }
first
echo "# four disks: the first block after $(($(date +%s%3N) - from)) ms; 'nas-disk' without a verb takes $(from=$(date +%s%3N); nas-disk >/dev/null 2>&1; echo $(($(date +%s%3N) - from)))"

nas-disk watch >/tmp/out &
pid=$!
t 'everything is known' wait_for 10 last_is sdd holds blank
t 'and how they are' wait_for 15 last_is sda why no-smart

# udev looks at a disk again after smartctl had it open for writing; then all is quiet
udevadm settle
quiet() { local n; n=$(wc -c </tmp/out); sleep 1; [ "$(wc -c </tmp/out)" = "$n" ]; }
wait_for 10 quiet
before=$(reads sda)
blocks=$(grep -c '^listed$' /tmp/out)

# --- pulled, and plugged in again ---
host=$(readlink -f /sys/block/sdb/device | sed 's|.*/\(host[0-9]*\)/.*|\1|')
from=$(date +%s%3N)
echo 1 >/sys/block/sdb/device/delete
t 'a disk that is pulled is seen' wait_for 5 is_gone WD-BOX00002
echo "# after $(($(date +%s%3N) - from)) ms"
echo 1 >/sys/block/sdc/device/delete
t 'two' wait_for 5 is_gone WD-BOX00003
host3=$(ls /sys/class/scsi_host)
for h in $host3; do echo '- - -' >"/sys/class/scsi_host/$h/scan"; done
t 'it is back, perhaps under another name' wait_for 10 is_there WD-BOX00002 blank
t 'both are' wait_for 10 is_there WD-BOX00003 blank
echo "# WD-BOX00002 is $(name_of WD-BOX00002) now, WD-BOX00003 is $(name_of WD-BOX00003) ($host)"
is 'what was read of the others is kept' "$(reads sda)" "$before"

# --- what changes on them ---
d=$(name_of WD-BOX00002)
mkfs.ext4 -qF -L Photos "/dev/$d"
t 'a file system comes' wait_for 10 last_has "^content disk=$d on=$d type=ext4 label=Photos "
mkdir -p /mnt/p
mount "/dev/$d" /mnt/p
t 'it is mounted' wait_for 5 last_is "$d" protected mounted
head -c 3000000 /dev/urandom >/mnt/p/photo
umount /mnt/p
t 'and no more' wait_for 5 last_is "$d" protected ''
t 'what was stored meanwhile is counted' wait_for 10 last_is "$d" found "$(nas-disk probe path="/dev/$d" | sed -n 's/^probe .* found=\([^ ]*\).*/\1/p')"
echo ',,fd' | sfdisk -q --label dos /dev/sdd >/dev/null 2>&1
t 'a partition comes' wait_for 10 last_is sdd holds data
mkfs.xfs -q /dev/sdd1
t 'what is in it too' wait_for 10 last_has '^content disk=sdd on=sdd1 type=xfs'
wipefs -qa /dev/sdd1 /dev/sdd 2>/dev/null
t 'and goes' wait_for 10 last_is sdd holds unknown

e=$(name_of WD-BOX00003)
mdadm --create /dev/md/try --run --level=1 --raid-devices=2 --bitmap=none --homehost=any /dev/sdd "/dev/$e" >/dev/null 2>&1
md=$(basename "$(readlink -f /dev/md/try)")
t 'an array comes' wait_for 10 last_is sdd usedby "$md"
t 'as a layer' wait_for 5 last_has "^layer name=$md type=md "
mkfs.ext4 -qF -L Inside "/dev/$md"
t 'what is in it is told' wait_for 10 last_has "^content on=$md type=ext4 label=Inside .* set="
mdadm --stop "/dev/$md" >/dev/null 2>&1
t 'it is stopped' wait_for 10 last_is sdd usedby ''
is 'sda was left in peace all the time' "$(reads sda)" "$before"
echo "# $(($(grep -c '^listed$' /tmp/out) - blocks)) blocks for all this"

kill $pid
wait $pid
is 'SIGTERM ends it' $? 143
t 'nobody is left' wait_for 5 bash -c '! pgrep -x nas-disk'
finish

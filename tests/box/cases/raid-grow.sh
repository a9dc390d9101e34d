#!/bin/bash
# box: --disk 500G --disk 500G --disk 500G --disk 500G --disk 500G --disk 500G,sector=4096 --sync-speed 60000 --put tests/box/grow.sh --seconds 300
# An array that runs is changed while somebody writes: RAID 5 with one more disk, a failed disk replaced, a readable one copied;
# the file system takes its new room. What cannot be done is refused before the new disk is touched.
. "${0%/*}/lib.sh"
. "${0%/*}/grow.sh"

t "a RAID 5 of three" make_array raid5 ext4 a b c
keep_file
wait_for 30 idle
write_on >/tmp/said 2>&1 &
writer=$!
is "list: what it could become" "$(list growth | sed 's/.* as=\([^ ]*\).* devices=\([0-9]*\) add=\([0-9]*\).*/\1 \2 \3/' | paste -sd,)" "grow 4 1,level6 4 1,spare 3 1,size 3 0"
is "list: RAID 6 in place is not offered" "$(growth level6 refused) $(growth grow refused)" "unsafe "
is "list: three members, by their disks" "$(list member | sed 's/.*place=\(.\) state=\([a-z]*\) name=\(...1\) disk=\(...\) partition=\([^ ]*\).*serial=\([^ ]*\).*/\1 \2 \3 \4 \5 \6/' | head -n 1)" "0 active sda1 sda $(guid a) WD-BOX00001"

# --- refused
needs=$(growth grow needs)
part d 280 && udevadm settle
is "too small: refused, and by how much" "$(raid grow devices=4 add="$(guid d)" 2>/dev/null | grep -o "code=too-small\|by $((needs - 280 * 1048576)) bytes" | xargs)" "code=too-small by $((needs - 280 * 1048576)) bytes"
sfdisk -q --delete /dev/sdd && wipefs -qa /dev/sdd && part f && udevadm settle
is "larger sectors: refused" "$(raid grow devices=4 add="$(guid f)" 2>&1 | code)" code=sector
is "RAID 6: refused" "$(raid grow level=raid6 devices=4 add="$(guid f)" 2>&1 | code)" code=unsafe
part d 320
part e
udevadm settle
mke2fs -q -F /dev/sde1
is "a disk with something on it: refused" "$(raid grow devices=4 add="$(guid e)" 2>&1 | code)" code=not-blank
blank e
is "more places than disks: refused" "$(raid grow devices=5 add="$(guid d)" 2>&1 | code)" code=no-member
is "after all that: as it was, and nothing on the new disk" "$(attr raid_disks) $(list array | value members) $(wipefs -n /dev/sdd1)" "3 sda1,sdb1,sdc1 "

# --- grow
size=$(growth grow size)
t "one more disk, slightly larger" raid grow devices=4 add="$(guid d)"
is "list: it is being reshaped, and the task is there" "$(list array | grep -c 'sync=reshape.*reshape=yes') $(list task | value what) $(list task | value step)" "1 grow reshape"
is "the file system grows only afterwards" "$(nas-fs grow array=$array 2>&1 | code)" code=reshaping
is "asked again: nothing to do" "$(raid grow devices=4 add="$(guid d)" | grep -o 'changed=.*' | cut -d' ' -f1)" changed=no
is "faster, and back" "$(raid pace rate=fast | grep -c changed=yes) $(attr sync_speed_min) $(raid pace rate=leave | grep -c changed=yes) $(attr sync_speed_min | cut -d' ' -f2)" "1 1000000 (local) 1 (system)"
raid pace rate=fast >/dev/null
wait_for 60 idle
is "its size is what was told" "$(list array | value size) $(list array | value devices)" "$size 4"
t "settle: the file system takes the room, and the task is done" settled
t "the file system fills the array" fills
is "it knows the wider stripe" "$(dumpe2fs -h /dev/md/public 2>/dev/null | sed -n 's/^RAID stri[a-z ]*: *//p' | xargs)" "64 192"
is "settle again: nothing" "$(raid settle | grep -o 'changed=[a-z]*')" changed=no

# --- a failed disk
mdadm -q --fail /dev/md/public /dev/sdb1
is "degraded: not grown" "$(raid grow devices=5 add="$(guid e)" 2>&1 | code)" code=degraded
is "the login screen tells it, by serial" "$(raid settle >/dev/null; grep -c 'public: A DISK IS MISSING OR HAS FAILED: sdb WD-BOX00002' /etc/issue.d/nas-setup-state.issue)" 1
is "a member with data cannot be taken out" "$(raid remove member="$(guid a)" 2>&1 | code)" code=in-use
t "it is replaced" raid replace new="$(guid e)"
is "list: the task" "$(list task | sed 's/.*what=\([a-z]*\) step=\([a-z]*\) old=\([^ ]*\) new=\(.*\)/\1 \3 \4/')" "replace $(guid b) $(guid e)"
raid pace rate=fast >/dev/null
wait_for 60 idle
t "settle: it is done" settled
is "the old disk is out and carries nothing of the array" "$(list member | grep -c sdb1) $(mdadm -E /dev/sdb1 2>&1 | grep -c 'No md superblock')" "0 1"
is "the login screen says nothing any more" "$(ls /etc/issue.d/nas-setup-state.issue 2>&1 | grep -c 'No such')" 1
is "asked again: nothing to do" "$(raid replace new="$(guid e)" | grep -o 'changed=[a-z]*')" changed=no

# --- a readable one
blank b
t "a readable one is copied" raid replace old="$(guid c)" new="$(guid b)"
is "list: copied, still protected" "$(list member | sed -n 's/.*state=\(replaced\|filling\) name=\([^ ]*\).*/\1 \2/p' | sort | paste -sd,) $(list array | value degraded)" "filling sdb1,replaced sdc1 0"
wait_for 60 idle
raid settle >/dev/null
is "then all parity is made right" "$(list task | value step) $(attr last_sync_action)" "repair repair"
wait_for 60 idle
t "settle: it is done" settled
is "the old disk is out" "$(list member | grep -c sdc1) $(list array | value members)" "0 sda1,sde1,sdb1,sdd1"
is "a spare" "$(blank c; raid grow add="$(guid c)" | grep -o 'changed=yes') $(list array | value spares)" "changed=yes sdc1"
is "and out again" "$(raid remove member="$(guid c)" | grep -o 'changed=yes') $(list array | grep -c spares)" "changed=yes 0"

kill $writer
wait $writer 2>/dev/null
last=$(sed -n 's/^record //p' /tmp/said | tail -n 1)
is "nothing was refused to whoever wrote" "$(grep -vc '^record' /tmp/said)" 0
is "all of the last of $last records are there" "$(records "${last:-0}")" 0
t "the file is the same" kept
t "all parity is right" parity_right
mkdir -p /var/lib/nas-setup/growing && touch /var/lib/nas-setup/growing/$fs
is "one whose growing was cut off is finished unmounted, and is back" "$(nas-fs grow array=$array | grep -o 'changed=[a-z]*') $(findmnt -rn -o TARGET /srv/public) $(ls /var/lib/nas-setup/growing)" "changed=yes /srv/public "
t "with its file" kept
umount /srv/public
t "the file system is sound" sound ext4
is "unmounted: it is not grown" "$(nas-fs grow array=$array 2>&1 | code)" code=not-mounted
is "check before mounting: sound" "$(nas-fs check array=$array | grep -o 'changed=[a-z]*')" changed=no
finish

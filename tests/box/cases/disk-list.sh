#!/bin/bash
# box: --disk 4T --disk 2G,sector=4096 --disk 3T,ssd,serial=SSD-BOX003 --disk 2G --disk 2G --disk 500M
# nas-disk list on real SCSI disks: identity, sizes, few reads on a blank disk, who uses what.
. "$(dirname "$0")/lib.sh"

field() { nas-disk list | grep "^disk name=$1 " | sed -n "s/.* $2=\(\"[^\"]*\"\|[^ ]*\).*/\1/p"; }

is 'model, serial, WWN' "$(field sda model) $(field sda serial) $(field sda wwn)" \
        "\"WDC WD40EFRX-68N\" WD-BOX00001 0x$(cut -d. -f2 /sys/block/sda/device/wwid)"
is 'the size is in bytes' "$(field sda size)" 4000000000000
is 'also with sectors of 4096' "$(field sdb size) $(field sdb sector)" "$(blockdev --getsize64 /dev/sdb) 4096"
is 'what turns and what does not' "$(field sda kind) $(field sdc kind)" 'disk ssd'
t 'the by-id name is there' test -e "/dev/disk/by-id/$(field sda id)"
is 'the system disk' "$(field ubda holds) $(field ubda protected) $(field ubda protectedby)" 'system system /'
is 'a small disk' "$(field sdf protected)" small

sync
echo 3 >/proc/sys/vm/drop_caches
before=$(awk '{ print $1, $3 }' /sys/block/sda/stat)
is 'a blank disk is blank' "$(nas-disk list | grep -o '^disk name=sda .* holds=.*' | sed 's/.* holds=/holds=/')" 'holds=blank found=""'
after=$(awk '{ print $1, $3 }' /sys/block/sda/stat)
read -r r0 s0 <<<"$before"
read -r r1 s1 <<<"$after"
echo "# reads of a blank disk: $((r1 - r0)), $(((s1 - s0) / 2)) KiB"
t 'and takes few reads' test $((r1 - r0)) -le 50

nas-disk list >/tmp/now
t 'looking opens nothing for writing' bash -c '! strace -f -e trace=openat nas-disk list 2>&1 | grep -E "/dev/(sd|ubd)" | grep -E "O_RDWR|O_WRONLY"'

mkfs.ext4 -qF -L Photos /dev/sdb
is 'ext4 on a disk with sectors of 4096' "$(field sdb holds) $(field sdb found | cut -d: -f1)" 'data ext4@1080'
mkdir -p /mnt/p
mount /dev/sdb /mnt/p
is 'mounted' "$(field sdb protected) $(field sdb protectedby)" 'mounted /mnt/p'
umount /mnt/p
mkswap -q /dev/sdb >/dev/null 2>&1 || mkswap /dev/sdb >/dev/null
swapon /dev/sdb && is 'swap' "$(field sdb protected)" swap
swapoff /dev/sdb
is 'what mkswap left is not told twice' "$(field sdb found | tr , '\n' | sed 's/@.*//' | xargs)" swap

for m in 1.2 1.0 0.90; do
        mdadm --create /dev/md/try --run --level=1 --raid-devices=2 --metadata=$m --bitmap=none --homehost=any /dev/sdd /dev/sde >/dev/null 2>&1
        md=$(basename "$(readlink -f /dev/md/try)")
        is "md $m: members, in use, not protected" "$(field sdd holds) $(field sdd usedby) $(field sdd protected)" "member $md "
        t "md $m: the superblock is found" bash -c "[[ '$(field sdd found)' == linux_raid_member@* ]]"
        [ $m = 0.90 ] || { mdadm --stop "/dev/$md"; mdadm --zero-superblock /dev/sdd /dev/sde; } >/dev/null 2>&1
done
mkfs.ext4 -qF "/dev/$md"
mount "/dev/$md" /mnt/p
is 'an array that is mounted' "$(field sde protected) $(field sde protectedby)" "array $md,/mnt/p"
is 'both of its signatures' "$(field sde found | tr , '\n' | sed 's/@.*//' | sort | xargs)" 'ext4 linux_raid_member'
umount /mnt/p
is 'is refused while it runs' "$(nas-disk wipe disk="$(field sde serial)" size="$(field sde size)" found="$(field sde found)" 2>/dev/null |
        sed -n 's/^error code=\([a-z-]*\) what=\([a-z0-9]*\).*/\1 \2/p')" "in-use $md"
mdadm --stop "/dev/$md" >/dev/null 2>&1

echo 0 2000000 linear /dev/sdd 0 | dmsetup create vol
is 'a mapped volume uses its disk' "$(field sdd usedby)" vol
dmsetup remove vol
finish

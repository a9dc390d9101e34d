#!/bin/bash
# box: --disk 50G --disk 50G --disk 50G
# nas-raid create again, after data were stored: no level is ever made anew. The kernel writes no superblock of a RAID 0,
# so that what it holds cannot be told from there.
. "${0%/*}/lib.sh"

array=6af70970-0de3-460c-8b2f-0c5b4f6f3c11 fs=22222222-2222-3333-4444-000000000001
guid() { echo "11111111-2222-3333-4444-00000000000$1"; }
part() { # DISK
        local end=$(($(blockdev --getsz "/dev/sd$1") / 2048 * 2048 - 4096))
        sfdisk -q -W always -w always "/dev/sd$1" <<EOF
label: gpt
first-lba: 2048
start=2048,size=$((end - 2048)),type=A19D880F-05FC-4D3B-A006-743F0F84911E,uuid=$(guid "$1")
EOF
}
members=$(guid a),$(guid b),$(guid c)
create() { nas-raid create uuid=$array name=public level="$1" $([ "$1" = raid1 ] || echo chunk=64KiB) members="$members" offset=129MiB bitmap="$([ "$1" = raid0 ] && echo none || echo internal)" 2>&1; }
stop() { udevadm settle; mdadm -q --stop "/dev/$(basename /sys/block/md*)"; }
erase() { for d in a b c; do dd if=/dev/zero of=/dev/sd${d}1 bs=1M count=1 status=none; done; cp /tmp/conf /etc/mdadm/mdadm.conf; } # it never was
stored() { mount /dev/md/public /mnt && md5sum -c /tmp/sums; local rc=$?; umount /mnt; return $rc; }

for d in a b c; do part $d; done
cp /etc/mdadm/mdadm.conf /tmp/conf
udevadm settle
for level in raid0 raid1 raid5 raid10; do
        create $level >/dev/null
        nas-fs format array=$array uuid=$fs label=public type=ext4 >/dev/null
        mount /dev/md/public /mnt && head -c 3M /dev/urandom >/mnt/photo && md5sum /mnt/photo >/tmp/sums && umount /mnt
        stop
        t "$level: stopped, and started again" create $level
        t "$level: what was stored is there" stored
        stop
        mdadm -q --incremental /dev/sdb1
        t "$level: half assembled, and started again" create $level
        t "$level: what was stored is there" stored
        stop
        dd if=/dev/zero of=/dev/sdc1 bs=1M count=1 conv=fsync status=none
        is "$level: a member's superblock is gone: refused" "$(create $level | grep -o 'code=[a-z-]*')" code=half-there
        erase
done

# Killed while it is made and before anything is stored, a RAID 0 is made anew or started, whatever is needed.
for ms in 050 150 300 450 600; do
        erase
        create raid0 >/dev/null &
        sleep 0.$ms
        pkill -9 -x 'nas-raid|mdadm'
        wait
        t "raid0: killed after $ms ms" create raid0
        stop
done
dd if=/dev/zero of=/dev/sdc1 bs=1M count=1 conv=fsync status=none
t "raid0: nothing stored, and a superblock that was not written: made" create raid0
finish

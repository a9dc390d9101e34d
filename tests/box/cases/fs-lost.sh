#!/bin/bash
# box: --disk 2G --disk 2G --disk 2G --seconds 300
# Two of three disks are lost in the middle of making, mounting and trying a file system: they are named, no file has a
# line of it, and when they are back the same calls mend it. The same where a disk is there but takes nothing, or cannot
# be read: md keeps the last disk of an array, whatever errors it reports.
. "${0%/*}/lib.sh"

array=6af70970-0de3-460c-8b2f-0c5b4f6f3c11 uuid=22222222-2222-3333-4444-000000000001 md=/dev/md/public
format() { nas-fs format array=$array uuid=$uuid label=public type="$type" 2>&1; }
mount_it() { nas-fs mount array=$array uuid=$uuid type="$type" mount=/srv/public 2>&1; }
told() { sed -n 's/^error code=\([a-z-]*\) what=\([^ ]*\).*/\1 \2/p'; }
changed() { grep -o 'changed=[a-z]*'; }
lose() { # WHEN PROGRAM: the program is held up before or after it did its work, and the disks go
        local real
        real=$(command -v "$2")
        mv "$real" "$real.real"
        printf '#!/bin/bash\n[ %s = before ] || "%s.real" "$@" || exit\nfor d in sdb sdc; do echo 1 >/sys/block/$d/device/delete; done\n[ %s = after ] || exec -a "${0##*/}" "%s.real" "$@"\n' \
                "$1" "$real" "$1" "$real" >"$real"
        chmod +x "$real"
        lost=$real
}
stop() { mdadm -q --stop --scan 2>/dev/null; [ -z "$(ls -d /sys/block/md*/md 2>/dev/null)" ]; }
start() {
        [ -b $md ] && return
        stop
        mdadm -q --assemble --force --run $md --uuid=$array /dev/sd[a-c] 2>/dev/null
        udevadm settle
        [ -b $md ]
}
back() { # the disks come back under their names, and the array is started as nas-raid create would
        mv "$lost.real" "$lost"
        wait_for 20 stop
        for h in /sys/class/scsi_host/host*; do echo '- - -' >"$h/scan"; done
        wait_for 20 test -b /dev/sdb -a -b /dev/sdc
        udevadm settle
        wait_for 30 start
}

mdadm -q --create $md --run --metadata=1.2 --homehost=any --name=public --uuid=$array --level=5 --force --bitmap=none --raid-devices=3 --chunk=64 --assume-clean /dev/sda /dev/sdb /dev/sdc
udevadm settle
cp /etc/fstab /tmp/fstab
for type in ext4 xfs btrfs; do
        dd if=/dev/zero of=$md bs=1M count=1 conv=fsync status=none
        case $type in
        ext4) lose before mke2fs ;;
        xfs) lose before mkfs.xfs ;;
        btrfs) lose before mkfs.btrfs ;;
        esac
        is "$type: lost while it is made: named" "$(format | told)" "disk-failed sdb,sdc"
        back
        is "$type: they are back: made" "$(format | changed)" changed=yes
done
t "with what is written on them" grep -q 'sdb ([^)]*WD-BOX00002)' /var/log/nas-setup.log
for when in before after; do
        lose $when mount
        is "lost $when mounting: named" "$(mount_it | told)" "disk-failed sdb,sdc"
        is "lost $when mounting: no line, not mounted" "$(cmp /etc/fstab /tmp/fstab)$(findmnt -rn /srv/public)" ""
        back
done
is "they are back: mounted" "$(mount_it | changed) $(grep -c /srv/public /etc/fstab)" "changed=yes 1"
umount /srv/public
mdadm -q --stop $md
cp /tmp/fstab /etc/fstab

# One disk of its own, as scsi_debug has it: wp refuses every write, medium errors are for reading (opts=2).
modprobe scsi_debug dev_size_mb=400 medium_error_start=4096 medium_error_count=400
bad() { lsblk -dnro NAME,MODEL | awk '/scsi_debug/ {print $1}'; }
t "a disk that can be made faulty" wait_for 10 sh -c 'lsblk -dnro MODEL | grep -q scsi_debug'
bad=$(bad) wp=/sys/module/scsi_debug/parameters/wp opts=/sys/bus/pseudo/drivers/scsi_debug/opts
serial=$(udevadm info -q property "/dev/$bad" | sed -n 's/^ID_SCSI_SERIAL=//p')
fault() { # PROGRAM FILE VALUE: from when that program begins
        local real
        real=$(command -v "$1")
        mv "$real" "$real.real"
        printf '#!/bin/bash\necho %s >%s\necho 3 >/proc/sys/vm/drop_caches\nexec -a "${0##*/}" "%s.real" "$@"\n' "$3" "$2" "$real" >"$real"
        chmod +x "$real"
        lost=$real
}
mend() { # FILE
        mv "$lost.real" "$lost"
        echo 0 >"$1"
        mdadm -q --stop $md
        mdadm -q --assemble --run $md --uuid=$array "/dev/$bad"
        udevadm settle
}
mdadm -q --create $md --run --metadata=1.2 --homehost=any --name=public --uuid=$array --level=1 --force --bitmap=none --raid-devices=1 --data-offset=2M "/dev/$bad"
udevadm settle
for type in ext4 xfs btrfs; do
        dd if=/dev/zero of=$md bs=1M count=1 conv=fsync status=none
        case $type in ext4) fault mke2fs $wp 1 ;; *) fault mkfs.$type $wp 1 ;; esac
        is "$type: the disk takes nothing while it is made: named" "$(format | told)" "disk-failed $bad"
        t "$type: with its serial number" sh -c "tail -n 20 /var/log/nas-setup.log | grep -q 'error.*disk-failed.*$serial'"
        mend $wp
        is "$type: it takes again what is written: made" "$(format | changed)" changed=yes
        fault mount $wp 1
        is "$type: it takes nothing while mounting: named" "$(mount_it | told)" "disk-failed $bad"
        is "$type: no line, not mounted" "$(cmp /etc/fstab /tmp/fstab)$(findmnt -rn /srv/public)" ""
        mend $wp
        fault mount $opts 2
        is "$type: it cannot be read while mounting: named" "$(mount_it | told)" "disk-failed $bad"
        echo 3 >/proc/sys/vm/drop_caches
        is "$type: nor before: named" "$(mount_it | told) $(format | told)" "disk-failed $bad disk-failed $bad"
        is "$type: no line, not mounted" "$(cmp /etc/fstab /tmp/fstab)$(findmnt -rn /srv/public)" ""
        mend $opts
        is "$type: it can be read again: mounted" "$(mount_it | changed)" changed=yes
        umount /srv/public
        cp /tmp/fstab /etc/fstab
done
finish

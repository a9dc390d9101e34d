#!/bin/bash
# box: --disk 2G --disk 2G --disk 2G --seconds 300
# Two of three disks are lost in the middle of making, mounting and trying a file system: they are named, no file has a
# line of it, and when they are back the same calls mend it.
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
finish

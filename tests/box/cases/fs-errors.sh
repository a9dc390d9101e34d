#!/bin/bash
# box: --disk 2G --seconds 300
# A disk that is there but takes nothing, or cannot be read, while its file system is made and mounted: md keeps the last disk
# of an array, whatever errors it reports. It is named, no file has a line of it, and when it works again the same calls mend it.
. "${0%/*}/lib.sh"

array=6af70970-0de3-460c-8b2f-0c5b4f6f3c11 uuid=22222222-2222-3333-4444-000000000001 md=/dev/md/public
format() { nas-fs format array=$array uuid=$uuid label=public type="$type" 2>&1; }
mount_it() { nas-fs mount array=$array uuid=$uuid type="$type" mount=/srv/public 2>&1; }
told() { sed -n 's/^error code=\([a-z-]*\) what=\([^ ]*\).*/\1 \2/p'; }
changed() { grep -o 'changed=[a-z]*'; }
# One disk of its own, as scsi_debug has it: wp refuses every write, medium errors are for reading (opts=2).
modprobe scsi_debug dev_size_mb=400 medium_error_start=4096 medium_error_count=400
cp /etc/fstab /tmp/fstab
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
        if [ $type != xfs ]; then # which tries each write for a while
                fault mount $wp 1
                is "$type: it takes nothing while mounting: named" "$(mount_it | told)" "disk-failed $bad"
                is "$type: no line, not mounted" "$(cmp /etc/fstab /tmp/fstab)$(findmnt -rn /srv/public)" ""
                mend $wp
        fi
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

#!/bin/bash
# box: --disk 40G --disk 40G --disk 40G --disk 2T --seconds 400
# XFS and btrfs on arrays: UUID, label, stripes, space; twice; what is there already; what is too small. ext4
# is fs-make's.
. "${0%/*}/lib.sh"

array=6af70970-0de3-460c-8b2f-0c5b4f6f3c11 uuid=22222222-2222-3333-4444-000000000001 md=/dev/md/public
format() { nas-fs format array=$array uuid="${id:-$uuid}" label=public type="$type" 2>&1; }
mount_it() { nas-fs mount array=$array uuid=$uuid type="$type" mount=/srv/public 2>&1; }
code() { grep -o 'code=[a-z-]*'; }
changed() { grep -o 'changed=[a-z]*'; }
raid() { # LEVEL OPTION…
        mdadm -q --create $md --run --metadata=1.2 --homehost=any --name=public --uuid=$array --level="$1" --bitmap=none --assume-clean "${@:2}" 2>/dev/null
        udevadm settle
        blank
}
blank() { dd if=/dev/zero of=$md bs=1M count=1 conv=fsync status=none; udevadm settle; }
stop() { mdadm -q --stop $md; for d in a b c d; do mdadm -q --zero-superblock /dev/sd$d 2>/dev/null; done; }
tag() { blkid -p -o value -s "$1" $md; }
sound() {
        case $type in
        xfs) xfs_repair -n $md ;;
        btrfs) btrfs check $md ;;
        esac
}

raid 5 --raid-devices=3 --chunk=64 --size=4G /dev/sda /dev/sdb /dev/sdc
for type in xfs btrfs; do
        out=$(format)
        is "$type: made" "$(changed <<<"$out")" changed=yes
        is "$type: UUID and label" "$(tag UUID) $(tag LABEL) $(tag TYPE)" "$uuid public $type"
        is "$type: again: nothing to do" "$(format | changed)" changed=no
        is "$type: another UUID: refused" "$(id=${uuid%1}9 format | code)" code=not-blank
        t "$type: sound" sound
        [ $type = btrfs ] || is "XFS: the stripes of the array" \
                "$(xfs_db -r -c 'sb 0' -c 'print unit width' $md | tr '\n' ' ')" "unit = 16 width = 32 "
        out=$(mount_it)
        is "$type: mounted" "$(changed <<<"$out") $(findmnt -rn -o SOURCE,FSTYPE /srv/public)" "changed=yes $(readlink -f $md) $type"
        is "$type: no program of it gets rights, no device works" "$(findmnt -rn -o OPTIONS /srv/public | grep -o 'nosuid\|nodev\|noatime' | xargs)" "nosuid nodev noatime"
        is "$type: fstab" "$(grep -o "$type.defaults.*" /etc/fstab | grep -o '[0-9].[0-9]$')" "0 0"
        is "$type: mounted again: nothing to do" "$(mount_it | changed) $(grep -c /srv/public /etc/fstab)" "changed=no 1"
        is "$type: formatting what is mounted: made already" "$(format | changed)" changed=no
        is "$type: listed as mounted" "$(nas-fs list | grep -o "uuid=$uuid.*mounted=[a-z]*" | grep -o 'type=[a-z]*\|mounted=.*' | xargs)" "type=$type mounted=yes"
        [ $type = btrfs ] || is "XFS: none is kept for reverse mappings" "$(xfs_info /srv/public | grep -o 'rmapbt=[01]')" rmapbt=0
        [ $type = xfs ] || is "btrfs: its records twice, files once" \
                "$(btrfs filesystem df /srv/public | sed -n 's/^\(Data\|Metadata\), \([A-Za-z]*\):.*/\1 \2/p' | xargs)" "Data single Metadata DUP"
        umount /srv/public
        fails "$type: not mounted: nobody writes there" 1 touch /srv/public/x
        sed -i '\|/srv/public|d' /etc/fstab
        blank
done

# What was there before is neither asked about nor written over (mkfs.xfs and mkfs.btrfs would ask, or refuse).
for type in ext4 xfs btrfs; do
        printf 'label: dos\n2048,100000\n' | sfdisk -q $md
        before=$(head -c 1M $md | md5sum)
        is "$type: a DOS table: refused at once" "$(timeout 20 nas-fs format array=$array uuid=$uuid label=public type=$type 2>/dev/null </dev/zero | code) $([ "$before" = "$(head -c 1M $md | md5sum)" ] && echo same)" "code=not-blank same"
        blank
        mkfs.xfs -q -f -K $md
        is "$type: somebody's XFS: refused at once" "$(timeout 20 nas-fs format array=$array uuid=$uuid label=public type=$type 2>/dev/null </dev/zero | code) $(tag TYPE)" "code=not-blank xfs"
        blank
done
stop

# A mirror has no stripes, whatever its disks report; chunks of every size that md makes.
type=xfs
raid 1 --raid-devices=2 --size=4G /dev/sda /dev/sdb
t "XFS on a mirror: made" format
is "without stripes" "$(xfs_db -r -c 'sb 0' -c 'print unit width' $md | tr '\n' ' ')" "unit = 0 width = 0 "
stop
for chunk in 4 4096; do
        raid 5 --raid-devices=3 --chunk=$chunk --size=4G /dev/sda /dev/sdb /dev/sdc
        is "XFS on chunks of $chunk KiB: made" "$(format | changed)" changed=yes
        stop
done

# The stripes of RAID 5, 6 and 10: how many disks' worth of data, as the file systems' own programs read it. btrfs has none.
for shape in 5:4:3 6:4:2 10:4:2 10:3:3; do
        IFS=: read -r level disks data <<<"$shape"
        # shellcheck disable=SC2046 # words
        raid $level --raid-devices=$disks --chunk=64 --size=1G $(printf '/dev/sd%s ' a b c d | cut -d ' ' -f "1-$disks")
        type=ext4
        t "ext4 on RAID $level of $disks: made" format
        is "its stripes" "$(dumpe2fs -h $md 2>/dev/null | sed -n 's/^RAID str.*: *//p' | xargs)" "16 $((16 * data))"
        blank
        type=xfs
        t "XFS on RAID $level of $disks: made" format
        is "its stripes" "$(xfs_db -r -c 'sb 0' -c 'print unit width' $md | xargs)" "unit = 16 width = $((16 * data))"
        blank
        type=btrfs
        t "btrfs on RAID $level of $disks: made, and sound" sh -c "nas-fs format array=$array uuid=$uuid label=public type=btrfs && btrfs check $md"
        stop
done

# Too small: refused before anything is written.
raid 1 --raid-devices=2 --size=100M /dev/sda /dev/sdb
for type in xfs btrfs; do
        is "$type: 100 MiB are too few" "$(format | code) $(tag TYPE)$(ls /var/lib/nas-setup/formatting 2>/dev/null)" "code=too-small "
done
stop
raid 5 --raid-devices=3 --chunk=64 --size=262144 /dev/sda /dev/sdb /dev/sdc
type=xfs
is "XFS: 512 MiB are too few for stripes" "$(format | code) $(tag TYPE)$(ls /var/lib/nas-setup/formatting 2>/dev/null)" "code=too-small "
stop
raid 5 --raid-devices=3 --chunk=64 --size=262656 /dev/sda /dev/sdb /dev/sdc
is "XFS: the smallest one with stripes" "$(format | changed)" changed=yes
stop
raid 1 --raid-devices=2 --size=307264 /dev/sda /dev/sdb
type=xfs
is "XFS: the smallest one" "$(format | changed)" changed=yes
stop
raid 1 --raid-devices=2 --size=111680 /dev/sda /dev/sdb
type=btrfs
is "btrfs: the smallest one" "$(format | changed)" changed=yes
finish

#!/bin/bash
# box: --disk 40G --disk 40G --disk 40G --seconds 400
# Making XFS and btrfs, killed at any moment with all it started, and run again. ext4 is fs-make's.
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
stop() { mdadm -q --stop $md; for d in a b c; do mdadm -q --zero-superblock /dev/sd$d 2>/dev/null; done; }
tag() { blkid -p -o value -s "$1" $md; }
sound() {
        case $type in
        xfs) xfs_repair -n $md ;;
        btrfs) btrfs check $md ;;
        esac
}

raid 5 --raid-devices=3 --chunk=64 --size=4G /dev/sda /dev/sdb /dev/sdc
for type in xfs btrfs; do
        for ms in 03 06 10 15 20 30 40; do
                blank
                format >/dev/null &
                sleep 0.$ms
                pkill -9 -x nas-fs
                pkill -9 'mkfs|xfs_db|btrfs$'
                wait
                state="$(tag TYPE) $(tag LABEL)"
                out=$(format)
                is "$type: killed after $ms hundredths ($state)" "$(changed <<<"$out" | sed 's/no$/yes/') $(tag UUID) $(tag LABEL) $(sound >/dev/null 2>&1 && echo sound)" "changed=yes $uuid public sound"
        done
        # Half made is what carries the label of that.
        case $type in
        xfs) xfs_db -x -c 'label nas-unready' $md ;;
        btrfs) btrfs filesystem label $md nas-unready ;;
        esac >/dev/null
        is "$type: half made: not mounted" "$(mount_it | code)" code=unfinished
        is "$type: half made: made anew" "$(format | changed) $(tag LABEL)" "changed=yes public"
        blank
done
is "no trace of it is left" "$(ls /var/lib/nas-setup/formatting 2>/dev/null)" ""
finish

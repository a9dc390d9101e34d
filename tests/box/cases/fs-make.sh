#!/bin/bash
# box: --disk 4T --disk 4T --disk 4T --disk 2T --seconds 200
# nas-fs format and mount on a RAID 5: shape, space, fstab, the folder below; twice; killed in the middle; refusals.
. "${0%/*}/lib.sh"

array=6af70970-0de3-460c-8b2f-0c5b4f6f3c11 uuid=22222222-2222-3333-4444-000000000001
format() { nas-fs format array=$array uuid=$uuid label=public type=ext4 2>&1; }
mount_it() { nas-fs mount array=$array uuid=$uuid type=ext4 mount=/srv/public 2>&1; }
code() { grep -o 'code=[a-z-]*'; }
changed() { grep -o 'changed=[a-z]*'; }
head_of() { dumpe2fs -h /dev/md/public 2>/dev/null | sed -n "s/^$1: *//p"; }
small() { mdadm -q --create /dev/md/public --run --metadata=1.2 --homehost=any --name=public --uuid=$array --force --level=5 --bitmap=none --raid-devices=3 --chunk=64 "$@" /dev/sda /dev/sdb /dev/sdc 2>/dev/null; udevadm settle; }

is "no array: refused" "$(format | code)" code=no-array
small
is "not below /srv: wrong call" "$(nas-fs mount array=$array uuid=$uuid type=ext4 mount=/etc 2>&1 | code)" code=usage
is "no file system yet: refused" "$(mount_it | code)" code=no-filesystem
mkswap -q /dev/md/public
is "something on it: refused" "$(format | code)" code=not-blank
t "and not touched" sh -c 'blkid -p /dev/md/public | grep -q swap'
wipefs -q -a /dev/md/public
dd if=/dev/zero of=/dev/md/public bs=1M count=1 status=none
printf x | dd of=/dev/md/public bs=1 seek=600000 conv=notrunc status=none
is "bytes that nobody knows: refused" "$(format | code)" code=not-blank
dd if=/dev/zero of=/dev/md/public bs=1M count=1 conv=fsync status=none

out=$(format)
is "made" "$(changed <<<"$out")" changed=yes
is "with progress" "$(grep -c '^progress done=[0-9]* total=[0-9]* what=writing-inode-tables' <<<"$out" | sed 's/[1-9][0-9]*/some/')" some
is "the stripes of the array" "$(head_of 'RAID stride') $(head_of 'RAID stripe width')" "16 32"
is "nothing kept for root" "$(head_of 'Reserved block count')" 0
is "UUID and label" "$(head_of 'Filesystem UUID') $(head_of 'Filesystem volume name')" "$uuid public"
made=$(head_of 'Filesystem created')
is "again: nothing to do" "$(format | changed)" changed=no
is "the same file system" "$(head_of 'Filesystem created')" "$made"
size=$((($(head_of 'Block count') - $(head_of 'Overhead clusters')) * 4096))

mkdir -p /srv/public
echo precious >/srv/public/file
is "files in the folder: refused" "$(mount_it | code)" code=not-empty
rm /srv/public/file
printf '# a comment\nUUID=1111 \t/srv/other  ext4\tnoauto,ro   0\t2   # mine\ntmpfs /srv/short tmpfs\n' >>/etc/fstab
cp /etc/fstab /tmp/fstab
out=$(mount_it)
is "mounted" "$(changed <<<"$out") $(findmnt -n -o SOURCE /srv/public)" "changed=yes $(readlink -f /dev/md/public)"
is "df's size is what was foretold" "$(grep -o 'size=[0-9]*' <<<"$out")" "size=$size"
is "and df says the same" "$(df -B1 --output=size /srv/public | tail -n 1)" "$size"
is "again: nothing to do" "$(mount_it | changed)" changed=no
is "fstab: one line more, the rest as it was" "$(head -n -1 /etc/fstab | cmp - /tmp/fstab 2>&1 && tail -n 1 /etc/fstab)" \
        "UUID=$uuid	/srv/public	ext4	defaults,noatime,nosuid,nodev,nofail,x-systemd.device-timeout=90s,errors=remount-ro	0 2"
is "no test file left" "$(ls -A /srv/public)" lost+found
listed() { nas-fs list | grep "uuid=$uuid type=ext4 label=public path=/dev/md/public mount=/srv/public mounted=yes size=$size"; }
# udev may just be making its links anew
wait_for 30 listed && ok "list" || { not_ok "list"; nas-fs list; ls -l /dev/md; udevadm info -q property "$(readlink -f /dev/md/public)"; }
is "mounted: made already" "$(format | changed)" changed=no
is "another UUID: refused" "$(nas-fs format array=$array uuid=22222222-2222-3333-4444-000000000009 label=public type=ext4 2>&1 | code)" code=not-blank
is "elsewhere, too: refused" "$(nas-fs mount array=$array uuid=$uuid type=ext4 mount=/srv/second 2>&1 | code)" code=fstab-other
umount /srv/public
dd if=/dev/md/public of=/tmp/head bs=1M count=1 status=none
dd if=/dev/zero of=/dev/md/public bs=1M count=1 conv=fsync status=none
is "its beginning is lost: not made anew" "$(format | code)" code=needs-repair
dd if=/tmp/head of=/dev/md/public bs=1M conv=fsync status=none
# A stick with the same UUID, and nothing of it on the array that is named.
mke2fs -q -F -t ext4 -U $uuid -L public /dev/sdd 1G 2>/dev/null
udevadm settle
is "another device has the same UUID: refused" "$(mount_it | code) $(findmnt -n /srv/public)" "code=ambiguous "
is "the array of another UUID: refused" "$(nas-fs mount array=${array%1}2 uuid=$uuid type=ext4 mount=/srv/public | code)" code=no-filesystem
wipefs -q -a /dev/sdd
udevadm settle
{ cat /tmp/fstab && echo 'UUID=1234-5678 /srv/public/ ext4 defaults 0 2'; } >/etc/fstab
is "somebody else's line for the folder: refused" "$(mount_it | code)" code=mount-taken
{ cat /tmp/fstab && echo 'UUID=1234-5678 /srv/public ext4 defaults,noatime,nofail,x-systemd.device-timeout=90s 0 2'; } >/etc/fstab
is "ours for a file system that may be unplugged: refused" "$(mount_it | code) $(grep -c /srv/public /etc/fstab)" "code=mount-taken 1"
cp /tmp/fstab /etc/fstab
mount_it >/dev/null
umount /srv/public
fails "not mounted: nobody writes there" 1 touch /srv/public/x
mdadm -q --stop /dev/md/public
is "the array is gone: says so" "$(mount_it | code)" code=no-filesystem
fails "still nobody writes there" 1 touch /srv/public/x
for d in a b c; do mdadm -q --zero-superblock /dev/sd$d; done

# Killed at any moment, with all it started, and run again; an array of 60 GB is soon made.
cp /tmp/fstab /etc/fstab
small --size=30G --assume-clean
rm -f /var/lib/nas-setup/formatting
for ms in 05 10 15 20 25 30 40 50 70; do
        dd if=/dev/zero of=/dev/md/public bs=1M count=1 conv=fsync status=none
        format >/dev/null &
        sleep 0.$ms
        pkill -9 -x 'nas-fs|mke2fs'
        wait
        state="$(head_of 'Filesystem volume name') $(head_of 'Filesystem state')"
        out=$(format)
        is "killed after $ms hundredths ($state)" "$(head_of 'Filesystem volume name') $(e2fsck -fn /dev/md/public >/dev/null 2>&1 && echo sound)" "public sound"
done
e2label /dev/md/public mine
is "relabelled by somebody: refused" "$(format | code)" code=other-label
mdadm -q --stop /dev/md/public
is "no trace of it is left" "$(ls /var/lib/nas-setup/formatting 2>/dev/null)" ""
for d in a b c; do mdadm -q --zero-superblock /dev/sd$d; done

# A mirror has no stripes, whatever its disks report.
mdadm -q --create /dev/md/public --run --metadata=1.2 --homehost=any --name=public --uuid=$array --level=1 --bitmap=none --raid-devices=2 --size=30G --assume-clean /dev/sda /dev/sdb
udevadm settle
dd if=/dev/zero of=/dev/md/public bs=1M count=1 conv=fsync status=none
t "a mirror: made" format
is "without stripes" "$(dumpe2fs -h /dev/md/public 2>/dev/null | grep -c '^RAID')" 0
finish

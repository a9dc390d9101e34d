#!/bin/bash
# box: --disk 2G --disk 2G --disk 2G --seconds 300
# nas-fs mount files=kept: what another computer left, also with a journal to play back, is mounted with all its files;
# what is damaged, or lies on other disks too, is refused and not touched; a hostile one gets no rights.
. "${0%/*}/lib.sh"

array=6af70970-0de3-460c-8b2f-0c5b4f6f3c11 uuid=22222222-2222-3333-4444-000000000001 md=/dev/md/fotos
keep() { nas-fs mount array=$array uuid=$uuid type="$type" mount=/srv/fotos "${1-files=kept}" 2>&1; } # [files=]
code() { grep -o 'code=[a-z-]*'; }
changed() { grep -o 'changed=[a-z]*'; }
make() { # TYPE LABEL
        type=$1
        wipefs -qa $md
        case $1 in
        ext4) mke2fs -q -F -t ext4 -U $uuid -L "$2" $md 2>/dev/null ;;
        xfs) mkfs.xfs -q -f -K -m uuid=$uuid -L "$2" $md ;;
        btrfs) mkfs.btrfs -q -f -K -U $uuid -L "$2" $md >/dev/null ;;
        esac
        udevadm settle
}
fill() { mount $md /mnt && mkdir -p /mnt/Anna && echo photo >/mnt/Anna/1.jpg; }
away() {
        umount /srv/fotos 2>/dev/null
        sed -i '\|/srv/fotos|d' /etc/fstab
}

mdadm -q --create $md --run --metadata=1.2 --homehost=arch --name=fotos --uuid=$array --level=1 --bitmap=none --assume-clean --size=400M --raid-devices=2 /dev/sda /dev/sdb
udevadm settle
cp /etc/fstab /tmp/fstab
for type in ext4 xfs btrfs; do
        label="Annas Fotos"
        make $type "$label"
        fill
        sync
        [ $type = btrfs ] || xfs_io -x -c 'shutdown -f' /mnt # as if the power had gone
        umount /mnt
        [ $type = ext4 ] && t "the journal waits" bash -c "dumpe2fs -h $md 2>/dev/null | grep -q needs_recovery"
        is "$type: mounted" "$(keep | changed) $(cat /srv/fotos/Anna/1.jpg)" "changed=yes photo"
        is "$type: its label stays" "$(blkid -p -o value -s LABEL $md)" "$label"
        is "$type: no program of it gets rights, no device works" "$(findmnt -rn -o OPTIONS /srv/fotos | grep -o 'nosuid\|nodev\|noatime' | xargs)" "nosuid nodev noatime"
        is "$type: again: nothing to do" "$(keep | changed) $(grep -c $uuid /etc/fstab)" "changed=no 1"
        is "$type: nothing but its files" "$(find /srv/fotos -mindepth 1 -not -name lost+found -printf '%P ')" "Anna Anna/1.jpg "
        away
done

make ext4 x
tune2fs -e panic $md >/dev/null
is "one that would stop the computer on an error: does not" "$(keep | changed) $(findmnt -rn -o OPTIONS /srv/fotos | grep -o 'errors=[a-z-]*')" "changed=yes errors=remount-ro"
umount /srv/fotos
mount -o ro,noload $md /srv/fotos
blockdev --setro $md
is "cut off while it was looked at: looked at again" "$(keep | changed) $(findmnt -rn -o OPTIONS /srv/fotos | grep -o '^r[ow]')" "changed=yes rw"
umount /srv/fotos
cp /tmp/fstab /etc/fstab
blockdev --setro $md
is "cut off there, and mounted without a look" "$(keep files= | changed) $(findmnt -rn -o OPTIONS /srv/fotos | grep -o '^r[ow]')" "changed=yes rw"
head -c 500M /dev/zero >/srv/fotos/full 2>/dev/null
umount /srv/fotos
is "a full one" "$(keep | changed)" changed=yes
away
for words in "$md" LABEL=x "UUID=$uuid"; do
        cp /tmp/fstab /etc/fstab
        echo "$words /srv/fotos ext4 defaults 0 2 # mine" >>/etc/fstab
        cp /etc/fstab /tmp/with
        is "somebody's own line $words: kept" "$(keep | changed) $(cmp /etc/fstab /tmp/with && findmnt -rn -o FSTYPE /srv/fotos)" "changed=yes ext4"
        away
done
cp /tmp/fstab /etc/fstab

sum() { blockdev --flushbufs $md && md5sum <$md; }
refused() { # NAME CODE
        sync
        sum=$(sum)
        is "$type, $1: refused" "$(keep | tee /tmp/out | code)" "code=$2"
        grep -q "code=$2" /tmp/out || cat /tmp/out
        is "$type, $1: not touched, not mounted, no line" "$([ "$sum" = "$(sum)" ] && echo same) $(blockdev --getro $md) $(findmnt -rn /srv/fotos)$(cmp /etc/fstab /tmp/fstab)" "same 0 "
}
make ext4 x
debugfs -w -R 'set_super_value state 3' $md 2>/dev/null
refused "errors were found" needs-repair
make ext4 x
tune2fs -O ^has_journal $md >/dev/null
debugfs -w -R 'set_super_value state 0' $md 2>/dev/null
refused "never unmounted, no journal" needs-repair
make xfs x
xfs_db -x -c 'sb 0' -c 'write -d rootino 5' $md >/dev/null 2>&1
refused "damaged" needs-repair
# Cut off, and damaged as well: its journal is not played back into what is then refused.
damage() { # the root folder, at a place that the journal does not name
        local at
        case $type in
        ext4) at=$(($(debugfs -R 'imap <2>' $md 2>/dev/null | sed -n 's/.*block \([0-9]*\), offset \(0x[0-9a-f]*\).*/\1 * 1024 + \2/p'))) ;;
        xfs) at=$(($(xfs_db -r -c 'sb 0' -c 'print rootino' $md | sed 's/.*= //') * 512)) ;;
        btrfs) at=$(($(btrfs inspect-internal dump-tree -t chunk $md | sed -n 's/^leaf \([0-9]*\) .*/\1/p' | head -n 1))) ;;
        esac
        case $type in
        btrfs) for at in $(btrfs-map-logical -l "$at" $md | sed -n 's/.* physical \([0-9]*\) .*/\1/p'); do printf '\377\377\377\377' | dd of=$md bs=1 seek=$((at + 100)) conv=notrunc status=none; done ;;
        *) printf '\377\377\377\377' | dd of=$md bs=1 seek=$((at)) conv=notrunc status=none ;;
        esac
}
for type in ext4 xfs btrfs; do
        make $type x
        mount $md /mnt && mkdir /mnt/Anna && echo photo >/mnt/Anna/1.jpg
        sync -f /mnt
        echo photo >/mnt/Anna/2.jpg
        xfs_io -c fsync /mnt/Anna/2.jpg
        [ $type = btrfs ] || xfs_io -x -c 'shutdown -f' /mnt
        umount /mnt
        damage
        refused "cut off and damaged" needs-repair
done
make xfs x
xfs_db -x -c 'agf 0' -c 'write -d magicnum 0' $md >/dev/null 2>&1
is "xfs, damaged where only writing finds it: refused, not mounted" "$(keep | code) $(findmnt -rn /srv/fotos)$(cmp /etc/fstab /tmp/fstab)" "code=needs-repair "
make btrfs x
wipefs -qa /dev/sdc
mount $md /mnt && btrfs device add -K /dev/sdc /mnt >/dev/null 2>&1
umount /mnt
refused "on another disk too" spans
wipefs -qa $md /dev/sdc
udevadm settle
make btrfs x
mount $md /mnt
btrfs subvolume create /mnt/home >/dev/null
touch /mnt/top /mnt/home/below
btrfs subvolume set-default /mnt/home
umount /mnt
is "btrfs: all of it, whatever is mounted by default" "$(keep | changed) $(ls /srv/fotos | xargs)" "changed=yes home top"
away
finish

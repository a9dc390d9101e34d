#!/bin/bash
# box: --disk 2G,serial=A --disk 2G,serial=B --disk 2G,serial=C --nic cable
# An array made elsewhere, with files of somebody's (openmediavault#143): it is taken over with all of them, and everyone on
# the network may read, change and delete them.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
export LC_ALL=C.UTF-8

mdadm --create /dev/md127 --run --level=1 --raid-devices=2 --homehost=arch --name=photos /dev/sda /dev/sdb 2>/tmp/log || cat /tmp/log
mke2fs -q -t ext4 -L holidays /dev/md127
mkdir /mnt/old
mount /dev/md127 /mnt/old
mkdir /mnt/old/2019
head -c 3000000 /dev/urandom >/mnt/old/2019/beach.jpg
ln -s /etc/shadow /mnt/old/2019/link
chown -R 1000:1000 /mnt/old/2019
chmod 700 /mnt/old/2019
sum=$(sha256sum </mnt/old/2019/beach.jpg)
shadow=$(stat -c '%U:%G %a' /etc/shadow)
umount /mnt/old
udevadm settle
uuid=$(blkid -s UUID -o value /dev/md127)
md=$(mdadm --detail --export /dev/md127 | sed -n 's/^MD_UUID=//p' | tr -d : | sed 's/\(........\)\(....\)\(....\)\(....\)/\1-\2-\3-\4-/')

nas-setup --facts >/tmp/facts
printf 'array keep=%s\nspeed test=none\n' "$md" >/tmp/answers
nas-setup --answers /tmp/answers --print-plan >/tmp/plan
t "no disk is in the plan" sh -c '! grep -q "^nas-disk\|format" /tmp/plan'
nas-setup --apply /tmp/answers >/tmp/out 2>&1
is "the array is taken over" "$?" 0
grep -v '^progress' /tmp/out
is "its file system is mounted" "$(findmnt -rn -o UUID /srv/holidays)" "$uuid"
is "the file is what it was" "$(sha256sum </srv/holidays/2019/beach.jpg)" "$sum"
is "one line in mdadm.conf" "$(tr -d ':-' <"/etc/mdadm/mdadm.conf" | grep -c "^ARRAY.*$(tr -d - <<<"$md")")" 1
address=$(field address "$(grep '^nas-net verb=static' "$plan")")
t "a guest reads it" lan smbclient -N "//${address%/*}/holidays" -c "get 2019/beach.jpg /tmp/beach"
is "byte for byte" "$(sha256sum </tmp/beach)" "$sum"
t "and deletes it" lan smbclient -N "//${address%/*}/holidays" -c "del 2019/beach.jpg"
is "it is gone" "$(ls /srv/holidays/2019)" link
is "what a link leads to was not given away" "$(stat -c '%U:%G %a' /etc/shadow)" "$shadow"
t "a guest on the LAN writes, lists, reads, deletes" guest "${address%/*}" holidays
is "the third disk was left alone" "$(blkid /dev/sdc; wipefs /dev/sdc)" ""

nas-setup --apply /tmp/answers >/tmp/out 2>&1
is "the same again changes nothing" "$? $(grep '^done' /tmp/out | grep -vc 'changed=no')" "0 0"
finish

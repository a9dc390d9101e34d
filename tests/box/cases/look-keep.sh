#!/bin/bash
# box: --disk 1200M --disk 1200M --disk 1200M --nic cable
# Two disks with the array of another computer, whole, with files in it: it is taken over, but not by Enter alone, since all its
# files are opened to everyone; nothing is erased, and the files are on the network.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
T() { tmux -L keep "$@"; }
screen() { T capture-pane -p; }
shows() { screen | grep -qF -- "$1"; }
seen() { wait_for "${3:-30}" shows "$1" && ok "the screen: $1" || { not_ok "the screen: $1"; screen; }; [ -z "$2" ] || T send-keys "$2"; }

mdadm --create /dev/md/photos --homehost=arch --name=photos --metadata=1.2 --level=1 --raid-devices=2 --run --bitmap=internal /dev/sda /dev/sdb >/dev/null 2>&1
mke2fs -q -t ext4 -L photos /dev/md/photos
mkdir -p /mnt/old
mount /dev/md/photos /mnt/old
mkdir "/mnt/old/summer 2019"
head -c 5000000 /dev/urandom >"/mnt/old/summer 2019/beach.jpg"
sum=$(md5sum <"/mnt/old/summer 2019/beach.jpg")
uuid=$(blkid -p -s UUID -o value /dev/md/photos)
umount /mnt/old
udevadm settle

T -f /dev/null new-session -d -x 80 -y 25 'LC_ALL=C.UTF-8 nas-setup; echo "left with $?"; sleep 600'
seen "[ Begin ]" Enter
seen "Which port connects" Enter
seen "Keep the old array \"photos\": RAID 1 on sda sdb" ""
seen "Nothing is erased." ""
screen
T send-keys Enter
seen "What should people see" Enter
seen "an old array is taken over with its files" ""
t "that everyone will read them stands there" shows "OPENED TO EVERYONE"
screen
T send-keys Down Down Down Down Down Down
seen "/etc/samba/smb.conf" ""
is "each changed file is named once" "$(screen | grep -o '/etc/mdadm/mdadm.conf' | wc -l)" 1
T send-keys Enter
seen "[ ] Open these files to everyone" Space
seen "[x] Open these files to everyone" Enter
seen "Your NAS is ready" "" 150
screen
T send-keys Enter
seen "left with 0" ""
mount=$(findmnt -n -o TARGET -S "UUID=$uuid" | head -1)
t "the old file system is mounted" test -n "$mount"
is "the files are as they were" "$(md5sum <"$mount/summer 2019/beach.jpg")" "$sum"
is "the third disk was left alone" "$(blkid -p /dev/sdc)" ""
address=$(ip -4 -o addr show eth0 | awk '{sub("/.*", "", $4); print $4; exit}')
share=$(sed -n 's/^\[\(.*\)\]$/\1/p' /etc/samba/smb.conf | tail -1)
lan smbclient -N "//$address/$share" -c "get \"summer 2019\\beach.jpg\" /tmp/beach.jpg" >/tmp/smb 2>&1
is "a guest on the LAN reads them" "$(md5sum </tmp/beach.jpg)" "$sum"
t "and may change them" lan smbclient -N "//$address/$share" -c "put /etc/hostname \"summer 2019\\new.txt\""
finish

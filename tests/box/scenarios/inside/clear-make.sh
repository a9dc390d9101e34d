# clear-make.sh: two disks as an old server had them: an array of their second partitions, LVM on it, a file system in that; a
# volume group beside it; swap.
. /box/share/lib.sh
for d in sda sdb; do
        printf 'label: gpt\nfirst-lba: 2048\nstart=2048,size=1000000\nstart=1002048,size=2000000\nstart=3002048\n' | sfdisk -q --wipe always /dev/$d
done
udevadm settle
mdadm --create /dev/md/elder --homehost=elder --run --level=1 --raid-devices=2 --metadata=1.2 --bitmap=none --assume-clean /dev/sda2 /dev/sdb2 >/dev/null 2>&1
vgcreate -qq photos /dev/md/elder >/dev/null && lvcreate -qq -y -L 200M -n all photos >/dev/null
vgcreate -qq beside /dev/sda3 /dev/sdb3 >/dev/null && lvcreate -qq -y -i 2 -L 200M -n wide beside >/dev/null
mkfs.ext4 -qF /dev/photos/all
mkswap -q /dev/sda1
sync
t 'two disks of an old server' blkid -p -t TYPE=ext4 /dev/photos/all
finish

#!/bin/bash
# box: --disk 2G --disk 2G --disk 2G --disk 2G --disk 2G --disk 2G --disk 2G --disk 2G
# nas-disk list knows who uses a disk through every layer, and what could be let go.
. "$(dirname "$0")/lib.sh"

list() { nas-disk list look=names >/tmp/now; }
key() { sed -n "s/.* $1=\(\"[^\"]*\"\|[^ ]*\).*/\1/p" <<<"$2" | tr -d '"' | head -n 1; }
use() { # DISK: protected, protectedby, letgo, usedby
        local r
        r=$(grep "^disk name=$1 " /tmp/now)
        echo "$(key protected "$r") $(key protectedby "$r") $(key letgo "$r") $(key usedby "$r")"
}
layers() { grep '^layer ' /tmp/now | grep -E "disks=[^ ]*$1" | sed 's/^layer name="\{0,1\}\([^ "]*\)"\{0,1\} type=\([a-z]*\).*/\2:\1/' | xargs; }
pv() { pvcreate -qq -y "$@" >/dev/null; }

rm -f "$(command -v smartctl)"
for rules in 64-md-raid-assembly 69-lvm; do ln -s /dev/null /etc/udev/rules.d/$rules.rules; done
udevadm control --reload
mkdir -p /mnt/a /mnt/b /mnt/c /usr-like /media/user/stick

list
is 'the disk that this computer runs from' "$(use ubda)" 'system /  '
is 'a disk that nobody uses' "$(use sda)" '   '

# --- a stick that was mounted by hand ---
printf 'label: dos\nsize=1G,type=83\n' | sfdisk -q /dev/sda
udevadm settle
mkfs.ext4 -qF /dev/sda1
mount /dev/sda1 /media/user/stick
list
is 'mounted by hand: may be let go' "$(use sda)" 'mounted /media/user/stick yes '
mount --bind /media/user/stick /mnt/b
list
is 'a bind mount counts too' "$(key protectedby "$(grep '^disk name=sda ' /tmp/now)" | tr , '\n' | sort | xargs)" '/media/user/stick /mnt/b'
is 'both are layers' "$(layers sda | tr ' ' '\n' | sort | xargs)" 'mount:/media/user/stick mount:/mnt/b'
umount /mnt/b
echo "UUID=$(blkid -s UUID -o value /dev/sda1) /media/elsewhere ext4 noauto 0 0" >>/etc/fstab
list
is 'named by fstab, even for another place: not' "$(use sda)" 'mounted /media/user/stick  '
sed -i '$d' /etc/fstab
mount --bind /media/user/stick /srv
list
is 'a folder of the system: not' "$(key letgo "$(grep '^disk name=sda ' /tmp/now)")" ''
umount /srv
echo "/dev/sda1 /boot/efi ext4 noauto 0 0" >>/etc/fstab
list
is 'what fstab mounts for the system, sometime' "$(key protected "$(grep '^disk name=sda ' /tmp/now)")" system
sed -i '$d' /etc/fstab

# --- a loop file on it, with a file system in it ---
truncate -s 64M /media/user/stick/image
mkfs.ext4 -qF /media/user/stick/image
modprobe loop
if loop=$(losetup -f --show /media/user/stick/image) && mount "$loop" /mnt/c; then
        list
        is 'a file on a disk' "$(key protectedby "$(grep '^disk name=sda ' /tmp/now)" | tr , '\n' | sort | xargs)" '/media/user/stick /mnt/c'
        is 'and its layers from the top' "$(layers sda)" "mount:/mnt/c loop:${loop##*/} mount:/media/user/stick"
        is 'is not let go' "$(key letgo "$(grep '^disk name=sda ' /tmp/now)")" ''
        umount /mnt/c
        losetup -d "$loop"
else
        skip 'no loop devices in this kernel'
fi

# --- overlay on it ---
mkdir -p /media/user/stick/{low,up,work}
if mount -t overlay -o lowerdir=/media/user/stick/low,upperdir=/media/user/stick/up,workdir=/media/user/stick/work overlay /mnt/c; then
        list
        is 'an overlay on a disk' "$(layers sda)" 'mount:/mnt/c mount:/media/user/stick'
        umount /mnt/c
else
        skip 'no overlay in this kernel'
fi
umount /media/user/stick

# --- mounted where only another mount namespace sees it, as a container does ---
unshare --mount --propagation private sh -c 'mount /dev/sda1 /mnt/b && touch /tmp/up && exec sleep 1000' &
wait_for 10 test -e /tmp/up
list
is 'a container has it mounted' "$(key protected "$(grep '^disk name=sda ' /tmp/now)") $(key letgo "$(grep '^disk name=sda ' /tmp/now)") $(grep -c '^disk name=sda .*protectedby="/mnt/b (sleep [0-9]*)"' /tmp/now)" 'mounted  1'
kill $!
wait $! 2>/dev/null
list
is 'and no more' "$(use sda)" '   '

# --- a loop of the disk itself, and a program that could write to it any moment, such as a virtual machine ---
wipe_sdb() { nas-disk wipe disk="$(key id "$(grep '^disk name=sdb ' /tmp/now)")" size="$(blockdev --getsize64 /dev/sdb)" 2>/dev/null | sed -n 's/^error code=\([a-z-]*\) what=\("[^"]*"\|[^ ]*\).*/\1 \2/p'; }
loop=$(losetup -f --show /dev/sdb)
mkfs.ext4 -qF "$loop"
mount "$loop" /mnt/c
list
is 'a disk that is mounted through a loop' "$(use sdb)" "mounted /mnt/c  ${loop##*/}"
is 'is not wiped' "$(wipe_sdb)" 'protected sdb'
umount /mnt/c
losetup -d "$loop"
wipefs -qa /dev/sdb
list
sleep 1000 <>/dev/sdb &
is 'nor is one that a program can write to, which is named' "$(wipe_sdb)" "in-use \"sleep ($!)\""
kill $!

# --- swap: a partition, a file ---
mkswap /dev/sdb >/dev/null
swapon /dev/sdb
list
is 'swap on a disk' "$(use sdb)" 'swap /dev/sdb yes '
is 'is a layer' "$(layers sdb)" 'swap:/dev/sdb'
swapoff /dev/sdb
mkfs.ext4 -qF /dev/sdb
mount /dev/sdb /mnt/a
dd if=/dev/zero of=/mnt/a/swap bs=1M count=16 status=none
chmod 600 /mnt/a/swap
mkswap /mnt/a/swap >/dev/null
if swapon /mnt/a/swap; then
        list
        is 'a swap file' "$(layers sdb)" 'swap:/mnt/a/swap mount:/mnt/a'
        swapoff /mnt/a/swap
else
        skip 'this kernel takes no swap file there'
fi
umount /mnt/a

# --- md, LVM and LUKS on top of each other, with /var on top ---
mdadm --create /dev/md/one --run --level=1 --raid-devices=2 --assume-clean --bitmap=none /dev/sdc /dev/sdd >/dev/null 2>&1
udevadm settle
md=$(basename "$(readlink -f /dev/md/one)")
list
is 'an array that nobody uses protects not' "$(use sdc)" "   $md"
pv /dev/md/one /dev/sde
vgcreate -qq house /dev/md/one /dev/sde
lvcreate -qq -y -l 100%FREE -n big house
printf secret | cryptsetup luksFormat -q --pbkdf pbkdf2 --pbkdf-force-iterations 1000 --key-file - /dev/house/big
printf secret | cryptsetup open --key-file - /dev/house/big vault
mkfs.ext4 -qF /dev/mapper/vault
mount /dev/mapper/vault /mnt/a
list
is 'a mount on LUKS on LVM on md: the array' "$(use sdc)" "array $md,/mnt/a  $md,house-big,vault"
is 'and the disk beside the array, through LVM' "$(use sde | cut -d' ' -f1)" array
is 'the layers from the top' "$(layers sdc)" "mount:/mnt/a crypt:vault lvm:house-big md:$md"
is 'each with all its disks' "$(key disks "$(grep '^layer name=vault ' /tmp/now)" | tr , '\n' | sort | xargs)" 'sdc sdd sde'
is 'what is directly below' "$(key on "$(grep '^layer name=vault ' /tmp/now)")" "$(basename "$(readlink -f /dev/house/big)")"
mkdir /mnt/a/data
mount --bind /mnt/a/data /var/tmp
list
is 'not let go while /var needs it' "$(key letgo "$(grep '^disk name=sde ' /tmp/now)")" ''
umount /var/tmp
cp -a /var/. /mnt/a/data/ 2>/dev/null
mount --bind /mnt/a/data /var
list
is '/var on it: all three are the system'"'"'s' "$(for d in sdc sdd sde; do use $d | cut -d' ' -f1; done | xargs)" 'system system system'
nas-disk wipe disk="$(key id "$(grep '^disk name=sdd ' /tmp/now)")" size="$(blockdev --getsize64 /dev/sdd)" >/tmp/said 2>/dev/null
is 'and is refused' "$(sed -n 's/^error code=\([a-z-]*\).*/\1/p' /tmp/said)" protected
umount /var
umount /mnt/a
mkswap /dev/mapper/vault >/dev/null
swapon /dev/mapper/vault
list
is 'swap through all of it' "$(use sdd | cut -d' ' -f1)" swap
swapoff /dev/mapper/vault
cryptsetup close vault
vgchange -qq -an house

# --- btrfs on two disks: /proc tells one ---
mkfs.btrfs -qf /dev/sdf /dev/sdg >/dev/null
mount /dev/sdf /mnt/a
list
is 'both disks of a btrfs' "$(use sdf) / $(use sdg)" 'mounted /mnt/a yes  / mounted /mnt/a yes '
is 'a mount on both' "$(key on "$(grep '^layer name=/mnt/a ' /tmp/now)")" 'sdf,sdg'
umount /mnt/a

finish

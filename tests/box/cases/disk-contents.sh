#!/bin/bash
# box: --disk 2G --disk 2G --disk 2G --disk 2G --disk 2G --disk 2G --disk 2G --disk 4T
# nas-disk list tells what is on disks, made by the real tools: types, labels, how full; arrays, groups and pools.
. "$(dirname "$0")/lib.sh"

list() { nas-disk list >/tmp/now; }
record() { grep "^$1 " /tmp/now | grep -E "$2" | head -n 1; } # WORD PATTERN
key() { sed -n "s/.* $1=\(\"[^\"]*\"\|[^ ]*\).*/\1/p" <<<"$2" | tr -d '"' | head -n 1; }
content() { record content " on=$1 .*type=$2( |\$)"; }
# about A B WHOLE PERCENT
about() { [ -n "$1" ] && [ -n "$2" ] && awk -v a="$1" -v b="$2" -v all="$3" -v p="$4" 'BEGIN { d = a > b ? a - b : b - a; exit !(d * 100 <= all * p) }'; }
seven() { printf 'label: gpt\nsize=250M\nsize=250M\nsize=200M\nsize=200M\nsize=200M\nsize=400M\nsize=50M\n' | sfdisk -q --wipe always "/dev/$1"; udevadm settle; }

rm -f "$(command -v smartctl)" # of no interest here, and slow
# Only what is asked for runs.
for rules in 64-md-raid-assembly 69-lvm; do ln -s /dev/null /etc/udev/rules.d/$rules.rules; done
udevadm control --reload

# --- how full file systems are, against what df says of the mounted ones ---
seven sda
mkfs.ext4 -qF -L Photos /dev/sda1
mkfs.btrfs -qf -L 'My btrfs' /dev/sda2 >/dev/null
LC_ALL=C.UTF-8 mkfs.ntfs -qfF -L 'Größe' /dev/sda3 >/dev/null 2>&1
mkfs.vfat -F 32 -s 1 -n CAMERA /dev/sda4 >/dev/null
mkfs.exfat -L Stick /dev/sda5 >/dev/null 2>&1
mkfs.xfs -qf -L movies /dev/sda6
mkfs.vfat -F 16 -n OLD /dev/sda7 >/dev/null
mkdir -p /mnt/f
declare -A df_size df_used
mounting() { if [ "$1" = 3 ]; then ntfs-3g /dev/sda3 /mnt/f; else mount "/dev/sda$1" /mnt/f; fi 2>/tmp/said; } # NUMBER
for n in 1 2 3 4 5 6 7; do
        if mounting $n; then
                head -c $((n * 5000000)) /dev/urandom >/mnt/f/file
                sync -f /mnt/f
                df_size[$n]=$(df -B1 --output=size /mnt/f | tail -n 1)
                df_used[$n]=$(df -B1 --output=used /mnt/f | tail -n 1)
                umount /mnt/f
        else
                skip "sda$n: this kernel cannot mount it: $(head -n 1 /tmp/said)"
        fi
done
udevadm settle
list
for what in '1 ext4 Photos' '2 btrfs My btrfs' '3 ntfs Größe' '4 vfat CAMERA' '5 exfat Stick' '6 xfs movies' '7 vfat OLD'; do
        read -r n type label <<<"$what"
        c=$(content "sda$n" "$type")
        is "$type: its label" "$(key label "$c")" "$label"
        [ -z "${df_used[$n]}" ] && continue
        # df leaves out what ext4 takes for itself, and XFS keeps a part of a small one in reserve
        case $type in ext4 | xfs) percent=10 ;; *) percent=3 ;; esac
        t "$type: $(key size "$c") bytes in all, df says ${df_size[$n]}" about "$(key size "$c")" "${df_size[$n]}" "${df_size[$n]}" $percent
        t "$type: $(key used "$c") bytes in use, df says ${df_used[$n]}" about "$(key used "$c")" "${df_used[$n]}" "${df_size[$n]}" $percent
done
used=$(key used "$(content sda5 exfat)")
t "exFAT tells that it is nearly empty ($used)" test "$used" -lt 40000000

# --- what was agreed to be lost: being mounted alone is no news, a file is ---
used() { # NUMBER of the partition
        sed -n 's/^disk name=sda .* found=\([^ ]*\).*/\1/p' /tmp/now | tr , '\n' |
                awk -F '[@:]' -v start=$(($(cat "/sys/class/block/sda$1/start") * 512)) '$1 == "used" && $2 >= start && $2 < start + 70000'
}
list
for n in 1 2 3 6; do
        said=$(used $n)
        mounting $n && ls -R /mnt/f >/dev/null && umount /mnt/f && mounting $n && umount /mnt/f
        list
        is "sda$n: mounted, twice" "$(used $n)" "$said"
        mounting $n && head -c 20000 /dev/urandom >/mnt/f/new && umount /mnt/f
        list
        t "sda$n: a new file ($(used $n))" test "$(used $n)" != "$said"
done

# --- encrypted, swap, several things at once ---
seven sdb
printf secret | cryptsetup luksFormat -q --pbkdf pbkdf2 --pbkdf-force-iterations 1000 --label Vault --key-file - /dev/sdb1
mkswap -L Swap /dev/sdb2 >/dev/null
mkfs.ext4 -qF -L Lost /dev/sdb3
mdadm --create /dev/md/lost --run --level=1 --raid-devices=2 --metadata=1.0 --homehost=old /dev/sdb4 missing >/dev/null 2>&1
mdadm --stop /dev/md/lost 2>/dev/null
udevadm settle
list
is 'LUKS' "$(key label "$(content sdb1 crypto_LUKS)")" Vault
is 'swap' "$(key label "$(content sdb2 swap)")" Swap
t 'md 1.0 at the end of a partition' test -n "$(content sdb4 linux_raid_member)"
mdadm --zero-superblock /dev/sdb4
sfdisk -q --delete /dev/sdb 3
list
is 'a partition that was deleted is no content' "$(content sdb3 ext4)" ''
printf secret | cryptsetup open --key-file - /dev/sdb1 vault
mkfs.ext4 -qF -L Inside /dev/mapper/vault
udevadm settle
list
is 'what is inside an open LUKS' "$(key label "$(record content ' on=vault ')")" Inside
is 'and which layer that is' "$(key type "$(record layer ' name=vault ')") $(key disks "$(record layer ' name=vault ')")" 'crypt sdb'
dmsetup suspend --noflush vault
t 'a suspended one is left alone' timeout 10 nas-disk list
dmsetup resume vault
cryptsetup close vault

# --- arrays ---
for d in c d e; do wipefs -qa /dev/sd$d; done
md() { mdadm --create "/dev/md/$1" --run --homehost=old --bitmap=none --assume-clean "${@:2}" >/dev/null 2>&1; udevadm settle; }
stop() { mdadm --stop --scan >/dev/null 2>&1; udevadm settle; }
set_of() { record set " type=$1 "; }
md five --level=5 --raid-devices=3 /dev/sdc /dev/sdd /dev/sde
mkfs.ext4 -qF -L Family /dev/md/five
uuid=$(mdadm --detail --export /dev/md/five | sed -n 's/^MD_UUID=//p' | tr -d :)
size=$(blockdev --getsize64 /dev/md/five)
list
s=$(set_of md)
is 'an array: whole' "$(key name "$s") $(key level "$s") $(key devices "$s") $(key members "$s") $(key state "$s")" 'five raid5 3 sdc,sdd,sde whole'
is 'its UUID is mdadm'"'"'s' "$(key uuid "$s" | tr -d -)" "$uuid"
is 'its size' "$(key size "$s")" "$size"
t 'it runs' grep -q '^md' <<<"$(key running "$s")"
is 'what is inside' "$(key label "$(record content " set=$(key uuid "$s") .*type=ext4")")" ''
c=$(grep '^content on=' /tmp/now | grep 'type=ext4' | grep " set=$(key uuid "$s")")
is 'the file system inside a running array' "$(key label "$c") $(key disk "$c")" 'Family '
stop
list
is 'stopped: not running' "$(key running "$(set_of md)") $(key state "$(set_of md)")" ' whole'
mdadm --assemble --run /dev/md/five /dev/sdc /dev/sdd >/dev/null 2>&1
mount /dev/md/five /mnt/f && touch /mnt/f/later && umount /mnt/f
stop
list
s=$(set_of md)
is 'a disk that stayed behind is stale' "$(key members "$s") $(key stale "$s") $(key state "$s")" 'sdc,sdd sde degraded'
mdadm --zero-superblock /dev/sdd
list
is 'two gone are too many' "$(key state "$(set_of md)")" broken
for d in c d e; do wipefs -qa /dev/sd$d; done
for v in 0.90 1.0 1.1 1.2; do
        md old --level=1 --raid-devices=2 --metadata=$v /dev/sdc /dev/sdd
        kernel=$(basename "$(readlink -f /dev/md/old)")
        list
        s=$(set_of md)
        is "superblock $v" "$(key level "$s") $(key members "$s") $(key state "$s") $(key running "$s")" "raid1 sdc,sdd whole $kernel"
        is "superblock $v: UUID" "$(key uuid "$s" | tr -d -)" "$(mdadm --detail --export "/dev/$kernel" | sed -n 's/^MD_UUID=//p' | tr -d :)"
        stop
        mdadm --zero-superblock /dev/sdc /dev/sdd
done
md ten --level=10 --layout=n2 --raid-devices=4 /dev/sdc /dev/sdd /dev/sde /dev/sdf
stop
mdadm --zero-superblock /dev/sdd
list
is 'RAID 10 without one' "$(key state "$(set_of md)")" degraded
mdadm --zero-superblock /dev/sde
list
is 'without one of each pair (told as the worse)' "$(key state "$(set_of md)")" broken
for d in c d e f; do wipefs -qa /dev/sd$d; done

# --- a copied disk ---
md pair --level=1 --raid-devices=2 /dev/sdc /dev/sdd
stop
dd if=/dev/sdc of=/dev/sde bs=1M count=4 status=none
list
is 'a copy makes an array doubtful' "$(key state "$(set_of md)")" unknown
for d in c d e; do wipefs -qa /dev/sd$d; done

# --- LVM, also on an array ---
md base --level=1 --raid-devices=2 /dev/sdc /dev/sdd
pvcreate -y /dev/md/base /dev/sde >/tmp/said 2>&1 || cat /tmp/said
pvcreate -qq -y --metadatacopies 0 /dev/sdf >/dev/null
vgcreate house /dev/md/base /dev/sde /dev/sdf >/tmp/said 2>&1 || cat /tmp/said
lvcreate -qq -y -n photos -L 100M house >/dev/null
mkfs.ext4 -qF -L InLvm /dev/house/photos
udevadm settle
list
s=$(set_of lvm)
base=$(basename "$(readlink -f /dev/md/base)")
is 'a volume group' "$(key name "$s") $(key devices "$s") $(key state "$s") $(key disks "$s" | tr , '\n' | sort | xargs)" \
        'house 3 whole sdc sdd sde sdf'
is 'its members, one on an array and one without metadata' "$(key members "$s" | tr , '\n' | sort | xargs)" "$base sde sdf"
is 'its UUID is LVM'"'"'s' "$(key uuid "$s")" "$(vgs --noheadings -o vg_uuid house | xargs)"
is 'what is inside the volume' "$(key label "$(record content ' on=house-photos ')")" InLvm
is 'layers come from the top' "$(grep '^layer ' /tmp/now | grep -E "house-photos|name=$base" | sed 's/.*name=\([^ ]*\).*/\1/' | xargs)" "house-photos $base"
vgchange -qq -an house
stop
list
t 'without its array a volume group is not whole' test "$(key state "$(set_of lvm)")" = broken
wipefs -qa /dev/sde /dev/sdf
mdadm --zero-superblock /dev/sdc /dev/sdd

# --- btrfs on several devices ---
wipefs -qa /dev/sdc /dev/sdd
mkfs.btrfs -qf -L Pool -d raid1 -m raid1 /dev/sdc /dev/sdd >/dev/null
list
s=$(set_of btrfs)
is 'btrfs on two disks' "$(key name "$s") $(key devices "$s") $(key members "$s") $(key state "$s")" 'Pool 2 sdc,sdd whole'
is 'each content names it' "$(key set "$(content sdc btrfs)")" "$(key uuid "$s")"
wipefs -qa /dev/sdd
list
is 'one gone' "$(key state "$(set_of btrfs)") $(key members "$(set_of btrfs)")" 'unknown sdc'
wipefs -qa /dev/sdc

# --- leftovers ---
dd if=/dev/zero of=/dev/sdc bs=1M count=4 status=none
printf 'label: gpt\nsize=500M\n' | sfdisk -q /dev/sdc
dd if=/dev/zero of=/dev/sdc bs=1M count=1 status=none
list
t 'the second copy of a GPT' grep -q '^disk name=sdc .*found=.*gpt@' /tmp/now

# --- a table that goes on where nothing can be read ---
printf 'label: dos\nsize=10M\nstart=40960,size=800000,type=5\nstart=43008,size=20480\nstart=400000,size=20480\n' | sfdisk -q /dev/sdg
udevadm settle
list
is 'logical partitions' "$(nas-disk probe path=/dev/sdg | sed -n 's/^probe .*holds=\([a-z]*\).*/\1/p')" data
modprobe dm-dust
far=$((40960 + $(od -An -tu4 -j $((40960 * 512 + 446 + 16 + 8)) -N 4 /dev/sdg))) # where the second logical one is told
dmsetup create dust --table "0 $(blockdev --getsz /dev/sdg) dust /dev/sdg 0 512"
dmsetup message dust 0 addbadblock "$far" >/dev/null 2>&1
dmsetup message dust 0 enable
is 'a table that cannot be read to its end is an error' "$(nas-disk probe path=/dev/mapper/dust 2>/dev/null | sed -n 's/^error code=\([a-z-]*\).*/\1/p')" unreadable
dmsetup remove dust

finish

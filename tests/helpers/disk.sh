#!/bin/bash
# nas-disk on image files and made-up trees: contents, identity, protection, partition, wipe, and being killed. No root.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
export PATH="$PATH:/usr/sbin:/sbin"
# Debian's libparted runs dmidecode when it is loaded and reads past the end of an empty answer (ped_disk_gpt_init).
export ASAN_OPTIONS=intercept_strchr=0
nas=$PWD/${BUILD-build/plain}/nas-disk
work=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root

GUID=aaaaaaaa-1111-4222-8333-444444444444
PART=bbbbbbbb-1111-4222-8333-444444444444
MIB=1048576

# disk NAME MAJ:MIN BYTES SERIAL [SECTOR]: a disk of the made-up tree, its contents a sparse image
disk() {
        local dir=$root/sys/devices/$1
        mkdir -p "$dir"/{queue,device,holders,slaves} "$root"/{dev,sys/block,sys/class/block,sys/dev/block}
        ln -sfn "../devices/$1" "$root/sys/block/$1"
        ln -sfn "../../devices/$1" "$root/sys/class/block/$1"
        ln -sfn "../../devices/$1" "$root/sys/dev/block/$2"
        echo "$2" >"$dir/dev"
        echo $(($3 / 512)) >"$dir/size"
        echo "${5-512}" >"$dir/queue/logical_block_size"
        echo 4096 >"$dir/queue/physical_block_size"
        echo 1 >"$dir/queue/rotational"
        [ -z "$4" ] || echo "$4" >"$dir/device/serial"
        echo "Model $1" >"$dir/device/model"
        rm -f "$root/dev/$1"
        truncate -s "$3" "$root/dev/$1"
}

# part DISK NUMBER MAJ:MIN
part() {
        mkdir -p "$root/sys/devices/$1/$1$2/holders"
        echo "$2" >"$root/sys/devices/$1/$1$2/partition"
        ln -sfn "../../devices/$1/$1$2" "$root/sys/class/block/$1$2"
        ln -sfn "../../devices/$1/$1$2" "$root/sys/dev/block/$3"
}

# over NAME MAJ:MIN LOWER…: an md or dm device made of others
over() {
        local name=$1 low
        mkdir -p "$root/sys/devices/$name/slaves" "$root/sys/devices/$name/holders"
        ln -sfn "../../devices/$name" "$root/sys/class/block/$name"
        ln -sfn "../../devices/$name" "$root/sys/dev/block/$2"
        shift 2
        for low; do
                mkdir -p "$(readlink -f "$root/sys/class/block/$low")/holders/$name" "$root/sys/devices/$name/slaves/$low"
        done
}

tree() {
        rm -rf "$root"
        mkdir -p "$root/proc/self"
        disk sda 8:0 $((1040 * MIB)) SYSTEM
        part sda 1 8:1
        echo "20 1 8:1 / / rw - ext4 /dev/sda1 rw" >"$root/proc/self/mountinfo"
        disk sdb 8:16 $((1040 * MIB)) SER-B "${1-512}"
}

mount_line() { echo "$1 20 $2 / $3 rw - $4 $5 rw" >>"$root/proc/self/mountinfo"; }
nas() { "$nas" --root "$root" "$@"; }
field() { nas list | grep "^disk name=$1 " | tr ' ' '\n' | sed -n "s/^$2=//p"; }
partition() { nas partition disk=SER-B serial=SER-B size=$((1040 * MIB)) guid=$GUID part=$PART name=nas-public-1 \
        start=$MIB end=$((1024 * MIB)) "$@"; }
# sum: of all places that a test here writes to (reading the holes between takes long)
sum() {
        local at
        for at in 0 62 199 300 1038; do dd if="$root/dev/sdb" bs=1M skip=$at count=3 status=none; done | md5sum
}
refusal() { "$@" 2>/dev/null | sed -n 's/^error code=\([a-z-]*\).*/\1/p'; }
found() { nas probe path=/dev/sdb | sed -n 's/.* found=//p'; }

# --- contents ---
tree
is 'a blank disk is blank' "$(field sdb holds)" blank
is 'and nothing is found on it' "$(field sdb found)" '""'
mke2fs -qF -U 11111111-2222-4333-8444-555555555555 -L Photos -t ext4 "$root/dev/sdb"
is 'ext4 on the whole disk' "$(field sdb found | sed 's/:[0-9]*$/:N/')" ext4@1080:11111111-2222-4333-8444-555555555555,used@1080:N
t 'its label and size are told' bash -c "'$nas' --root $root list | grep -q '^content disk=sdb on=sdb type=ext4 label=Photos .*size=1090519040 used=[0-9]\{1,7\}\( \|$\)'"
debugfs -w -R 'feature needs_recovery' "$root/dev/sdb" >/dev/null 2>&1
is 'how full one is that was not unmounted is not known' "$(nas list | sed -n 's/^content disk=sdb .*label=Photos .*size=1090519040\(.*\)/said\1/p')" said
mke2fs -qF -t ext4 -O bigalloc -C 65536 -i 65536 "$root/dev/sdb" 2>/dev/null
t 'where it counts in clusters, too' bash -c "'$nas' --root $root list | grep -q '^content disk=sdb on=sdb type=ext4 .*used=[0-9]\{1,6\}\( \|$\)'"
tree
printf '\1' | dd of="$root/dev/sdb" bs=1 seek=300000 conv=notrunc status=none
is 'a byte without a name is not blank' "$(field sdb holds) $(field sdb found | cut -d: -f1)" 'unknown unknown@300000'
tree
printf '\1' | dd of="$root/dev/sdb" bs=1 seek=$((1040 * MIB - 7)) conv=notrunc status=none
is 'nor is one near the end' "$(field sdb holds)" unknown
tree
printf 'label: gpt\nlabel-id: %s\nstart=2048,size=200M,type=linux\nsize=100M,type=linux\n' $GUID | sfdisk -q "$root/dev/sdb" 2>/dev/null
mke2fs -qF -U 11111111-2222-4333-8444-555555555555 -E offset=$MIB "$root/dev/sdb" 100m 2>/dev/null
is 'a table, both copies, and what is in its partitions' "$(field sdb found)" \
        "gpt@512:$GUID,gpt@1090518528:$GUID,PMBR@510,ext2@1049656:11111111-2222-4333-8444-555555555555,used@1049656:14336"
is 'the same places as wipefs sees on the disk' \
        "$(found | tr , '\n' | sed -n 's/^[a-zA-Z]*@\([0-9]*\).*/\1/p' | head -n 3)" \
        "$(wipefs -n -p "$root/dev/sdb" | sed -n 's/^\(0x[0-9a-f]*\),.*/\1/p' | while read -r x; do echo $((x)); done)"
dd if=/dev/zero of="$root/dev/sdb" bs=1k count=17 conv=notrunc status=none
is 'the copy at the end alone still tells' "$(field sdb found)" \
        "gpt@1090518528:$GUID,ext2@1049656:11111111-2222-4333-8444-555555555555,used@1049656:14336"

tree
echo start=2048,type=83 | sfdisk -q --label gpt "$root/dev/sdb" 2>/dev/null
mke2fs -qF -b 4096 -E offset=$MIB "$root/dev/sdb" 250000 2>/dev/null
dd if=/dev/zero of="$root/dev/sdb" bs=1M count=2 conv=notrunc status=none
dd if=/dev/zero of="$root/dev/sdb" bs=1M seek=1039 count=1 conv=notrunc status=none
is 'nor is a file system whose beginning was erased' "$(field sdb holds)" unknown
tree
dd if=/dev/urandom of="$root/dev/sdb" bs=1M seek=660 count=70 conv=notrunc status=none
is 'nor are remains in the middle' "$(field sdb holds)" unknown

# Both ends zeroed, as Windows's "clean" does it (1 MiB each), and one more: what is left must still not be blank.
# ends_gone FILE
ends_gone() {
        dd if=/dev/zero of="$1" bs=1M count=2 conv=notrunc status=none
        dd if=/dev/zero of="$1" bs=1M seek=$(($(stat -c %s "$1") / MIB - 2)) count=2 conv=notrunc status=none
        nas probe path="/dev/${1##*/}" | sed -n 's/.* holds=\([a-z]*\).*/\1/p'
}
disk sdc 8:32 $((5000 * MIB)) SER-C
for place in 2 3 16 17 101 117 129 200 351 513 1025 1250 2500 3072 3750 4608; do
        truncate -s 0 "$root/dev/sdc"; truncate -s $((5000 * MIB)) "$root/dev/sdc"
        head -c 100000 /dev/urandom | dd of="$root/dev/sdc" bs=1M seek=$place conv=notrunc status=none
        is "something at $place MiB alone" "$(ends_gone "$root/dev/sdc")" unknown
done
if command -v mkfs.xfs >/dev/null; then
        for size in 5 6000; do
                rm "$root/dev/sdc"; truncate -s ${size}G "$root/dev/sdc"
                mkfs.xfs -qf "$root/dev/sdc"
                is "XFS of $size GiB without its ends" "$(ends_gone "$root/dev/sdc")" unknown
        done
else
        skip 'XFS without its ends: no mkfs.xfs here'
fi
rm -rf "$root/dev/sdc" "$root"/sys/{devices,block,class/block}/sdc "$root/sys/dev/block/8:32"

# --- sets and layers: of a made-up computer (two disks, and what a live system, an automount and a pool look like) ---
if command -v mkfs.btrfs >/dev/null; then
        tree
        disk sdc 8:32 $((1040 * MIB)) SER-C
        mkfs.btrfs -qf -L Pool -d raid1 -m raid1 "$root/dev/sdb" "$root/dev/sdc" >/dev/null 2>&1
        is 'a file system on two disks' "$(nas list | sed -n 's/^set type=btrfs uuid=[^ ]* //p')" \
                'name=Pool devices=2 members=sdb,sdc disks=sdb,sdc state=whole size=2181038080'
        truncate -s 0 "$root/dev/sdc"
        truncate -s $((1040 * MIB)) "$root/dev/sdc"
        mkfs.btrfs -qf -d single -m single "$root/dev/sdb" "$root/dev/sdc" >/dev/null 2>&1
        truncate -s 0 "$root/dev/sdc"
        truncate -s $((1040 * MIB)) "$root/dev/sdc"
        is 'without one of them' "$(nas list | grep -o '^set.*' | grep -o 'members=.*state=[a-z]*')" 'members=sdb disks=sdb state=broken'
        rm "$root/dev/sdc"
        is 'with one that cannot be read nothing is known' "$(nas list | grep -o '^set.*' | grep -o 'members=.*state=[a-z]*')" \
                'members=sdb disks=sdb state=unknown'
else
        skip 'a file system on two disks: no mkfs.btrfs here'
fi
tree
part sdb 1 8:17
mount_line 21 0:70 /boot autofs systemd-1
is 'an automount of the system that waits' "$(field sdb protected)" ''
mount_line 22 8:17 /run/up ext4 /dev/sdb1
echo '23 20 0:71 / /mnt/over rw - overlay overlay rw,lowerdir+=/run/up/a,lowerdir+=/run/up/b' >>"$root/proc/self/mountinfo"
is 'an overlay as Linux 6.5 tells it' "$(nas list | sed -n 's/^layer //p' | grep sdb)" \
        'name=/mnt/over type=mount on=/run/up disks=sdb
name=/run/up type=mount on=sdb1 disks=sdb'
tree
mkdir -p "$root/etc"
part sdb 1 8:17
echo '/dev/sdb1 /boot/efi vfat noauto 0 0' >"$root/etc/fstab"
is 'a system folder that is not mounted just now' "$(field sdb protected)" system

# --- partition ---
tree
library=$(ldconfig -p | sed -n 's|.*libparted\.so\.2 .*=> ||p' | head -n 1)
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null && [ -n "$library" ]; then
        before=$(sum)
        export -f nas partition
        export nas root GUID PART MIB
        is 'without libparted it is refused' "$(unshare -m bash -c 'mount --bind /dev/null "$0" && partition' "$library" 2>/dev/null | sed -n 's/^error code=\([a-z-]*\).*/\1/p') $(sum)" "no-program $before"
else
        skip 'without libparted it is refused' 'hiding it takes root and a mount namespace'
fi
for sector in 512 4096; do
        tree $sector
        is "$sector: a blank disk gets its partition" "$(partition | tail -n 1)" 'result changed=yes on=sdb1'
        is "$sector: again, nothing is changed" "$(partition | tail -n 1)" 'result changed=no on=sdb1'
        sum=$(sum)
        [ $sector = 512 ] && {
                t 'sfdisk finds it sound' bash -c "sfdisk --verify $root/dev/sdb | grep -q '^No errors detected'"
                is 'sfdisk reads what was asked for' "$(sfdisk -d "$root/dev/sdb" | sed -n 's/^label-id: //p;s/.*: start= *//p')" \
                        "${GUID^^}
2048, size=     2095104, type=A19D880F-05FC-4D3B-A006-743F0F84911E, uuid=${PART^^}, name=\"nas-public-1\""
        }
        is "$sector: what is in it does not count then" \
                "$(mke2fs -qF -E offset=$MIB "$root/dev/sdb" 100m 2>/dev/null; partition | tail -n 1)" 'result changed=no on=sdb1'
        tree $sector
        is "$sector: the same wish gives the same bytes" "$(partition >/dev/null; sum)" "$sum"
done

tree
mke2fs -qF -U 11111111-2222-4333-8444-555555555555 -t ext4 "$root/dev/sdb"
sum=$(sum)
is 'contents that were not named are kept' "$(refusal partition)" changed-contents
fails 'as a refusal' 3 partition
is 'nor do other names help' "$(refusal partition found=ext4@1080:99999999-2222-4333-8444-555555555555)" changed-contents
is 'a dry run tells what would be done' "$(nas --dry-run partition disk=SER-B size=$((1040 * MIB)) guid=$GUID part=$PART name=x start=$MIB end=$((1024 * MIB)) \
        found="$(field sdb found)" | cut -d: -f1)" 'would run="wipe sdb
would run="partition sdb
result changed=yes on=sdb1'
is 'nothing was written till here' "$(sum)" "$sum"
is 'with the right names it is done' "$(partition found="$(field sdb found)" | tail -n 1)" 'result changed=yes on=sdb1'
is 'and only the table is left' "$(found)" "gpt@512:$GUID,gpt@1090518528:$GUID,PMBR@510"

# A second file system under the first, inside old partitions, and at the place of the new one
tree
printf 'label: dos\nstart=63,size=800000,type=83\nstart=900000,size=800000,type=5\nstart=900063,size=400000,type=83\n' | sfdisk -q "$root/dev/sdb" 2>/dev/null
mke2fs -qF -E offset=$((63 * 512)) "$root/dev/sdb" 200m 2>/dev/null
mke2fs -qF -E offset=$((900063 * 512)) "$root/dev/sdb" 100m 2>/dev/null
is 'old logical partitions are looked into' "$(found | tr , '\n' | grep -c ext2)" 2
is 'everything in them is wiped' "$(partition found="$(found)" | tail -n 1)" 'result changed=yes on=sdb1'
is 'their places hold no signature' "$(for at in 63 900063; do
        dd if="$root/dev/sdb" of="$work/x" bs=512 skip=$at count=400000 status=none; wipefs -n "$work/x"; done)" ''

# --- wrong calls and wrong disks ---
tree
is 'another size' "$(refusal nas wipe disk=SER-B size=5)" other-disk
is 'another serial' "$(refusal nas wipe disk=SER-B size=$((1040 * MIB)) serial=X)" other-disk
is 'no such disk' "$(refusal nas wipe disk=NOPE size=5)" no-disk
is 'the kernel name is no name where there is a better one' "$(refusal nas wipe disk=sdb size=$((1040 * MIB)))" no-disk
is 'the system disk' "$(refusal nas wipe disk=SYSTEM size=$((1040 * MIB)))" protected
fails 'a crooked start' 2 partition start=1000000
fails 'no GUID' 2 nas partition disk=SER-B size=$((1040 * MIB)) guid=x part=$PART name=x start=$MIB end=$((2 * MIB))
fails 'an end past the end' 2 nas partition disk=SER-B size=$((1040 * MIB)) guid=$GUID part=$PART name=x start=$MIB end=$((1040 * MIB))
disk sdc 8:32 $((1040 * MIB)) SER-B
is 'two disks with one serial number' "$(refusal nas wipe disk=SER-B size=$((1040 * MIB)))" ambiguous
mkdir -p "$root/run/udev/data"
printf 'S:disk/by-path/pci-1-usb-0:1\nS:disk/by-id/usb-Dock-0:0\nE:ID_PATH=pci-1-usb-0:1\nE:ID_BUS=usb\n' >"$root/run/udev/data/b8:16"
printf 'S:disk/by-path/pci-1-usb-0:2\nS:disk/by-id/usb-Dock-0:0\nE:ID_PATH=pci-1-usb-0:2\nE:ID_BUS=usb\n' >"$root/run/udev/data/b8:32"
t 'the places that tell them apart are named' bash -c "'$nas' --root $root wipe disk=SER-B size=5 | grep -q 'pci-1-usb-0:1, pci-1-usb-0:2'"
is 'a name of both is no name' "$(refusal nas wipe disk=usb-Dock-0:0 size=5)" ambiguous
is 'by its place it is found' "$(nas wipe disk=pci-1-usb-0:2 size=$((1040 * MIB)))" 'result changed=no'
is 'kind and bus come from udev' "$(field sdc kind) $(field sdc bus)" 'usb usb'

# --- who uses it ---
tree
is 'the disk of the root file system' "$(field sda holds) $(field sda protected) $(field sda protectedby)" 'system system /'
part sdb 1 8:17
mount_line 21 8:17 /media/my\\040disk ext4 /dev/sdb1
is 'how much is used may change any moment there' "$(mke2fs -qF -t ext4 "$root/dev/sdb" && field sdb found | grep -c used@)" 0
is 'a mounted partition' "$(nas list | grep -o 'protected=mounted.*')" 'protected=mounted protectedby="/media/my disk" letgo=yes'
echo 1 >"$root/sys/devices/sdb/ro"
is 'one that can only be read gains nothing by being let go' "$(field sdb protected) $(field sdb letgo)" 'mounted '
tree
part sdb 1 8:17
over md127 9:127 sdb1
is 'an array that nobody uses protects not' "$(field sdb protected) $(field sdb usedby)" ' md127'
is 'but keeps the disk from being written' "$(refusal partition)" in-use
over dm-0 253:0 md127
mount_line 21 253:0 /srv/public ext4 /dev/mapper/vg-data
is 'an array below a mounted volume does' "$(field sdb protected) $(field sdb protectedby)" 'array md127,/srv/public'
tree
part sdb 1 8:17
printf 'Filename\tType\tSize\tUsed\tPriority\n/dev/sdb1\tpartition\t1\t0\t-2\n' >"$root/proc/swaps"
is 'swap space' "$(field sdb protected)" swap
tree
echo '20 1 0:55 / / rw - btrfs /dev/sda1 rw' >"$root/proc/self/mountinfo"
part sdb 1 8:17
mkdir -p "$root"/sys/fs/btrfs/some-uuid/devices/{sda1,sdb1}
is 'every device of a btrfs' "$(field sda protected) $(field sdb protected)" 'system system'
tree
echo '20 1 0:55 / / rw - overlay overlay rw,lowerdir=/run/live/rootfs,upperdir=/run/up/rw' >"$root/proc/self/mountinfo"
mkdir -p "$root/sys/devices/loop0/loop"
ln -sfn ../../devices/loop0 "$root/sys/dev/block/7:0"
echo /run/live/medium/live/filesystem.squashfs >"$root/sys/devices/loop0/loop/backing_file"
part sdb 1 8:17
mount_line 21 7:0 /run/live/rootfs squashfs /dev/loop0
mount_line 22 8:17 /run/live/medium vfat /dev/sdb1
mount_line 23 0:60 /run/up tmpfs tmpfs
is 'the stick of a live system' "$(field sda protected) $(field sdb protected)" ' system'
tree
mkdir -p "$root/sys/devices/loop0/loop"
ln -sfn ../../devices/loop0 "$root/sys/dev/block/7:0"
echo /dev/sdb >"$root/sys/devices/loop0/loop/backing_file"
mount_line 21 0:6 /dev devtmpfs udev
mount_line 22 7:0 /mnt ext4 /dev/loop0
is 'a loop of a disk itself, mounted' "$(field sda protected) $(field sdb protected) $(field sdb protectedby)" 'system mounted /mnt'
echo '20 1 0:55 / / rw - strangefs pool rw' >"$root/proc/self/mountinfo"
is 'a root that cannot be followed protects all' "$(field sda protected) $(field sdb protected)" 'unresolved unresolved'
: >"$root/proc/self/mountinfo"
is 'so does none' "$(field sda protected) $(field sdb protected)" 'unresolved unresolved'
tree
echo 1 >"$root/sys/devices/sdb/ro"
disk sdc 8:32 $((1023 * MIB)) SER-C
disk sdd 8:48 $((1040 * MIB)) SER-D
echo 1 >"$root/sys/devices/sdd/hidden"
disk sdaa 65:160 $((1040 * MIB)) SER-AA
for other in loop0 md0 dm-1 sr0 zram0 mmcblk0boot0; do disk $other 99:1 $((1040 * MIB)) X; done
is 'read-only, small, hidden and other things' "$(nas list | sed -n 's/^disk name=\([a-z0-9]*\).*protected=\([a-z]*\).*/\1:\2/p;t;s/^disk name=\([a-z0-9]*\) .*/\1/p' | xargs)" \
        'sda:system sdb:readonly sdc:small sdaa'
tree
printf 'A\033[2J\n\377"' >"$root/sys/devices/sdb/device/model"
is 'a hostile model stays one line of plain text' "$(nas list | LC_ALL=C grep -c '[^ -~]')" 0

# A container (invented): its mounts are told by its processes alone.
tree
part sdb 1 8:17
mkdir -p "$root"/proc/{1,77,78}/ns "$root/proc/self/ns"
for p in self:1 1:1 77:2 78:2; do ln -s "mnt:[402653184${p#*:}]" "$root/proc/${p%:*}/ns/mnt"; done
cp "$root/proc/self/mountinfo" "$root/proc/1/"
echo database >"$root/proc/77/comm"
cp "$root/proc/self/mountinfo" "$root/proc/77/"
is 'what a container shares with us is no use of its own' "$(field sdb protected)" ''
echo '40 20 8:17 / /data rw - ext4 /dev/sdb1 rw' >>"$root/proc/77/mountinfo"
is 'a disk that only a container has mounted' "$(nas list | sed -n 's/^disk name=sdb .*\(protected=.*\)/\1/p')" 'protected=mounted protectedby="/data (database 77)"'
is 'is not written to' "$(refusal partition)" protected
is 'nor is it a layer that could be released' "$(nas list | grep -c '^layer .*disks=sdb')" 0

# --- wipe ---
tree
mke2fs -qF "$root/dev/sdb"
is 'wiped' "$(nas wipe disk=SER-B size=$((1040 * MIB)) found="$(found)" | tail -n 1)" 'result changed=yes'
is 'again, nothing is changed' "$(nas wipe disk=SER-B size=$((1040 * MIB)) | tail -n 1)" 'result changed=no'

# --- release, as far as a recorded tree goes ---
release() { nas "${dry[@]}" release what="$1" name="$2" disks="$3" ${4+uuid=$4}; }
dry=(--dry-run)
tree
part sdb 1 8:17
disk sdc 8:32 $((1040 * MIB)) SER-C
over dm-0 253:0 sdb1 sdc
mkdir "$root/sys/devices/dm-0/dm"
echo hall >"$root/sys/devices/dm-0/dm/name"
echo CRYPT-LUKS2-1-hall >"$root/sys/devices/dm-0/dm/uuid"
is 'what does not run need not be released' "$(release dm hall SER-B,SER-C CRYPT-LUKS2-2-other)" 'result changed=no'
is 'a volume that does' "$(release dm hall SER-B,SER-C CRYPT-LUKS2-1-hall)" $'would run="release dm hall"\nresult changed=yes'
is 'not one that lies on another disk too' "$(release dm hall SER-B CRYPT-LUKS2-1-hall 2>/dev/null | cut -d' ' -f1-3)" 'error code=spans what=sdc'
is 'nor by an unknown disk' "$(refusal release dm hall SER-B,SER-D CRYPT-LUKS2-1-hall)" no-disk
dry=()
is 'and never one of another computer' "$(refusal release dm hall SER-B,SER-C CRYPT-LUKS2-1-hall)" not-released
dry=(--dry-run)
mount_line 21 253:0 /mnt/old ext4 /dev/mapper/hall
is 'a dry run does not mind what is released before' "$(release dm hall SER-B,SER-C CRYPT-LUKS2-1-hall | tail -n 1)" 'result changed=yes'
is 'the mount itself' "$(release mount /mnt/old SER-B,SER-C | tail -n 1)" 'result changed=yes'
is 'partition counts both as gone' "$(nas --dry-run partition disk=SER-B size=$((1040 * MIB)) guid=$GUID part=$PART name=x start=$MIB end=$((1024 * MIB)) \
        after=CRYPT-LUKS2-1-hall,mount:/mnt/old disks=SER-B,SER-C | tail -n 1)" 'result changed=yes on=sdb1'
is 'but not without them' "$(refusal nas --dry-run partition disk=SER-B size=$((1040 * MIB)) guid=$GUID part=$PART name=x start=$MIB end=$((1024 * MIB)))" protected
is 'one of that name on other disks is another' "$(disk sdd 8:48 $((1040 * MIB)) SER-D; release mount /mnt/old SER-D)" 'result changed=no'
mount_line 22 8:48 /mnt/old ext4 /dev/sdd
is 'a mount with another over it stays' "$(release mount /mnt/old SER-B,SER-C 2>/dev/null | cut -d' ' -f1-3)" 'error code=spans what=sdd'
sed -i '$d' "$root/proc/self/mountinfo"
mkdir -p "$root/etc"
echo '/dev/mapper/hall /mnt/old ext4 defaults 0 2' >"$root/etc/fstab"
is 'a mount that fstab names stays' "$(refusal release mount /mnt/old SER-B,SER-C)" system
is 'and what it is on' "$(refusal release dm hall SER-B,SER-C CRYPT-LUKS2-1-hall)" system
echo mpath-36001405abc >"$root/sys/devices/dm-0/dm/uuid"
rm "$root/etc/fstab"
is 'the ways to one disk are no layers of their own' "$(refusal release dm hall SER-B,SER-C mpath-36001405abc)" system
is 'nor are they let go of' "$(field sdb protected) $(field sdb letgo)" 'array '
sed -i '2,$d' "$root/proc/self/mountinfo"
is 'and each is told to be no disk to choose' "$(field sdb protected) $(field sdb protectedby) $(field sdc protected)" 'array hall array'
# What list calls a mount, release finds, whatever bytes are in it.
tree
part sdb 1 8:17
odd=('/mnt/a'$'\xff''b' '/mnt/line\012feed' '/mnt/a\040b' '/mnt/"q'"'" '/mnt/a\134b' '/mnt/a,b' '/mnt/gone//deleted' '/mnt/gone\040(deleted)' \
        '/mnt/'$'\x1b' '/mnt/'$'\xe2\x80\xae''rtl' '/mnt/end/' '/mnt/#x' '/mnt/$x`y')
for name in "${odd[@]}"; do
        sed -i '2,$d' "$root/proc/self/mountinfo"
        mount_line 30 8:17 "$name" ext4 /dev/sdb1
        eval "$(nas list | sed -n 's/^layer \(name=.*\) type=mount .*disks=sdb$/\1/p')"
        is "$(printf 'a mount at %q' "$name")" "$(release mount "$name" SER-B | tail -n 1)" 'result changed=yes'
done

# --- what a disk holds when it changed since it was looked at ---
random() { dd if=/dev/urandom of="$root/dev/sdb" bs=64k seek="$1" count="$2" conv=notrunc status=none; }
tree
mke2fs -qF -t ext4 "$root/dev/sdb"
said=$(found)
random 0 40
is 'an encrypted container in the place of a file system that was agreed to be lost' "$(refusal partition found="$said")" changed-contents
mke2fs -qF -t ext4 "$root/dev/sdb"
said=$(found)
dd if=/dev/zero of="$root/dev/sdb" bs=4096 count=1 conv=notrunc status=none
is 'remains of one whose signature was zeroed are no news' "$(partition found="$said" | tail -n 1)" 'result changed=yes on=sdb1'
tree
random 0 40
said=$(found)
random 0 1
is 'others in their place' "$(refusal partition found="$said")" changed-contents
tree
random 9 1
is 'who agreed to lose what could not be read agreed to nothing that can' "$(refusal partition found=unknown@0)" changed-contents
tree
random 0 1
random 5546 1
said=$(found)
random 5546 1
is 'also where only what stands in the middle is another' "$(refusal partition found="$said")" changed-contents
is 'with a name for the first alone' "$(refusal partition found="$(found | cut -d, -f1)")" changed-contents
is 'and with none' "$(refusal partition found=unknown@0)" changed-contents
is 'bytes without a name that were agreed to' "$(partition found="$(found)" | tail -n 1)" 'result changed=yes on=sdb1'
tree
mke2fs -qF -t ext4 "$root/dev/sdb"
said=$(found)
head -c 50000 /dev/urandom >"$work/photo"
debugfs -w -R "write $work/photo photo" "$root/dev/sdb" >/dev/null 2>&1
is 'a file that was put there since' "$(refusal partition found="$said")" changed-contents
is 'and it is told what is another' "$(partition found="$said" 2>/dev/null | sed -n 's/.* what=\(used@1080\):[0-9]* .*/\1/p')" 'used@1080'
debugfs -w -R 'feature needs_recovery' "$root/dev/sdb" >/dev/null 2>&1
is 'what may have been put there, too' "$(refusal partition found="$said")" changed-contents
tree
mkfs.vfat -i 00000000 "$root/dev/sdb" >/dev/null
said=$(found)
mkfs.vfat -i 12345678 "$root/dev/sdb" >/dev/null
is 'one without a UUID stands for no other' "$(refusal partition found="${said%:*}")" changed-contents
tree
partition >/dev/null
printf 'label: gpt\nlabel-id: %s\nstart=2048,size=100M,uuid=%s\n' $GUID $PART | sfdisk -q --wipe never "$root/dev/sdb" 2>/dev/null
random 17 40
is "our table with other partitions is somebody's" "$(refusal partition)" changed-contents

# ZFS: four labels, each with a ring of uberblocks (ZFS On-Disk Specification, 1.3)
zfs() { # START SIZE in KiB
        local label slot
        for label in 0 256 $(($2 / 256 * 256 - 512)) $(($2 / 256 * 256 - 256)); do
                for slot in 0 1 2 3 4 5 6 7; do
                        printf '\x0c\xb1\xba\0\0\0\0\0\x88\x13\0\0\0\0\0\0\x0'"$slot"'\0\0\0\0\0\0\0' |
                                dd of="$root/dev/sdb" bs=1k seek=$(($1 + label + 128 + slot)) conv=notrunc status=none
                done
        done
}
tree
zfs 0 $((1040 * 1024))
is 'four labels of ZFS are one thing each' "$(found | tr , '\n' | grep -c zfs_member)" 4
is 'all of them are wiped' "$(partition found="$(found)" | tail -n 1) $(found | tr , '\n' | sed 's/@.*//' | xargs)" 'result changed=yes on=sdb1 gpt gpt PMBR'
if command -v mkfs.btrfs >/dev/null; then
        tree
        mkfs.btrfs -qf "$root/dev/sdb" >/dev/null 2>&1
        is 'the second superblock of btrfs too' "$(partition found="$(found)" | tail -n 1) $(dd if="$root/dev/sdb" bs=1M skip=64 count=1 status=none | grep -c _BHRfS_M)" \
                'result changed=yes on=sdb1 0'
else
        skip 'the second superblock of btrfs: no mkfs.btrfs here'
fi

# --- killed at every write ---
if command -v strace >/dev/null && strace -qq true 2>/dev/null; then
        killed() { # WHAT PREPARATION…
                local what=$1 n seen=0 bad='' tokens after
                shift
                tree
                "$@"
                cp --sparse=always "$root/dev/sdb" "$work/before"
                tokens=$(found)
                partition found="$tokens" >/dev/null
                after=$(sum)
                for n in $(seq 1 40); do
                        cp --sparse=always "$work/before" "$root/dev/sdb"
                        { strace -qq -o /dev/null -e trace=pwrite64 -e inject=pwrite64:signal=KILL:when=$n "$nas" --root "$root" \
                                partition disk=SER-B size=$((1040 * MIB)) guid=$GUID part=$PART name=nas-public-1 start=$MIB \
                                end=$((1024 * MIB)) found="$tokens" >/dev/null; } 2>/dev/null && break
                        seen=$n
                        partition found="$tokens" >"$work/said" 2>&1 || bad+=" $n:$(cat "$work/said")"
                        [ "$(sum)" = "$after" ] || bad+=" $n:other-bytes"
                done
                is "killed at each of $seen writes ($what), done at the next try with the same bytes" "$bad" ''
        }
        killed 'blank disk' true
        killed 'ext4' mke2fs -qF "$root/dev/sdb"
        old() {
                printf 'label: gpt\nstart=2048,size=200M\nsize=100M\n' | sfdisk -q "$root/dev/sdb" 2>/dev/null
                mke2fs -qF -E offset=$MIB "$root/dev/sdb" 100m 2>/dev/null
        }
        killed 'old partitions' old
        nameless() {
                local at
                for at in 0 3 19 1040 1057 9600 16639; do random $at 1; done
        }
        killed 'bytes without a name' nameless
        killed 'FAT and its count of free places' mkfs.vfat -F 32 "$root/dev/sdb"
        killed 'ZFS' zfs 0 $((1040 * 1024))
else
        skip 'killed at every write: no strace here'
fi

# --- torn by a power cut: any sectors of the new table may be missing ---
tree
partition >/dev/null
cp --sparse=always "$root/dev/sdb" "$work/after"
after=$(sum)
bad=''
for lost in 0 1 2 '0 1' '0 1 2' 2129919 2129887 '2129919 2129887' '1 2129919' '0 2 2129887'; do
        cp --sparse=always "$work/after" "$root/dev/sdb"
        for s in $lost; do dd if=/dev/zero of="$root/dev/sdb" bs=512 seek="$s" count=1 conv=notrunc status=none; done
        partition >"$work/said" 2>&1 || bad+=" $lost:$(cat "$work/said")"
        [ "$(sum)" = "$after" ] || bad+=" $lost:other-bytes"
done
is 'half a table of ours is finished' "$bad" ''
dd if=/dev/zero of="$root/dev/sdb" bs=512 seek=1 count=1 conv=notrunc status=none
printf '\1' | dd of="$root/dev/sdb" bs=1 seek=900000 conv=notrunc status=none
is 'but not where something else has come' "$(refusal partition)" changed-contents

finish

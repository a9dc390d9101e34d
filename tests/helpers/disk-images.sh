#!/bin/bash
# nas-disk on disks that other systems made: none of them is blank, and each is told for what it is. No root.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
export ASAN_OPTIONS=intercept_strchr=0 # see disk.sh
build=$PWD/${BUILD-build/plain}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What probe says of a file: how it is held, the type of the first content, its label.
said() {
        "$build/nas-disk" probe path="$1" | sed -n 's/^probe .*holds=\([^ ]*\).*/\1/p
                s/^content .* type=\([^ ]*\) label=\([^ ]*\).*/\1 \2/p; s/^content .* type=\([^ ]*\).*/\1/p' | head -n 2 | xargs
}

while read -r image wanted; do
        tar -xzOf "tests/machines/images/$image.tar.gz" >"$work/disk"
        is "$image is told for what it is" "$(said "$work/disk")" "$wanted"
        case $image in
        isw-raid | jmicron-raid | nvidia-raid | promise-raid) # these write at the end: found there on a larger disk whose begin was zeroed
                truncate -s 1G "$work/large"
                dd if="$work/disk" of="$work/large" bs=1M conv=notrunc,sparse oflag=seek_bytes \
                        seek=$(((1 << 30) - $(stat -c %s "$work/disk"))) status=none
                is "$image is found at the end of a zeroed disk" "$(said "$work/large")" "$wanted"
                rm "$work/large"
                ;;
        esac
done <<'END'
bitlk-aes-xts-128 data BitLocker
bitlk-togo-aes-xts-128 data BitLocker
zfs data zfs_member tank
ddf-raid member ddf_raid_member
isw-raid member isw_raid_member
jmicron-raid member jmicron_raid_member
nvidia-raid member nvidia_raid_member
promise-raid member promise_fasttrack_raid_member
lvm2 member LVM2_member
vmfs_volume member VMFS_volume_member
bcache-B data bcache
hfs data hfs BBB
hfsplus data hfsplus 123456789ABCDE
iso data iso9660 IsoVolumeName
jfs data jfs test-jfs
reiser3 data reiserfs TESTREISER
END

# A set is told with what its members say of it.
set_of() { # IMAGE: the set record's keys but for the uuid
        tar -xzOf "tests/machines/images/$1.tar.gz" >"$work/disk"
        "$build/nas-disk" probe path="$work/disk" | sed -n "s/^set //p" | sed "s/ uuid=\('[^']*'\|[^ ]*\)//"
}
is 'a ZFS pool by its name' "$(set_of zfs)" 'type=zfs name=tank members=image disks=image state=unknown'
is 'an Intel container by its number of disks' "$(set_of isw-raid)" 'type=imsm devices=2 members=image disks=image state=unknown'
is 'a DDF container' "$(set_of ddf-raid | cut -d ' ' -f 1)" 'type=ddf'
finish

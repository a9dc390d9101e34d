#!/bin/bash
# box: --disk 4T --disk 2G,sector=4096 --disk 2G --disk 2G
# nas-disk partition and wipe on real SCSI disks: sound tables that kernel, udev, parted and sfdisk agree on; again;
# killed in the middle; refusals.
. "$(dirname "$0")/lib.sh"

MIB=1048576
field() { nas-disk list | grep "^disk name=$1 " | sed -n "s/.* $2=\(\"[^\"]*\"\|[^ ]*\).*/\1/p"; }
guid() { echo "aaaaaaaa-1111-4222-8333-44444444444$1"; }
part() { echo "bbbbbbbb-1111-4222-8333-44444444444$1"; }
# partition DISK NUMBER FOUND
partition() {
        local size
        size=$(blockdev --getsize64 "/dev/$1")
        nas-disk partition disk="$(field "$1" serial)" size="$size" guid="$(guid "$2")" part="$(part "$2")" name="nas-public-$2" \
                start=$MIB end=$(((size / MIB - 20) * MIB)) found="$3"
}
code() { "$@" 2>/dev/null | sed -n 's/^error code=\([a-z-]*\).*/\1/p'; }
node() { readlink -f "/dev/disk/by-partuuid/$(part "$1")"; }

for d in 'sda 1' 'sdb 2'; do
        read -r disk n <<<"$d"
        start=$SECONDS
        is "$disk: partitioned" "$(partition $disk $n '' | tail -n 1)" "result changed=yes on=${disk}1"
        echo "# $((SECONDS - start)) s"
        is "$disk: by-partuuid leads to it" "$(node $n)" "/dev/${disk}1"
        is "$disk: again" "$(partition $disk $n '' | tail -n 1)" "result changed=no on=${disk}1"
        t "$disk: sfdisk finds it sound" sfdisk --verify /dev/$disk
        is "$disk: parted reads it and the flag" "$(parted -sm /dev/$disk unit MiB print 2>&1 | sed -n 's/^1:\(1.00MiB\):.*:\([^:]*\):raid;$/\1 \2/p')" "1.00MiB nas-public-$n"
        is "$disk: nothing else on it" "$(field $disk found | tr , '\n' | sed 's/@.*//' | xargs)" 'gpt gpt PMBR'
done

mkfs.ext4 -qF /dev/sdc
is 'a file system that was not named' "$(code partition sdc 3 '')" changed-contents
t 'is still there' blkid -p -t TYPE=ext4 /dev/sdc
exec 9</dev/sdc
is 'one that others only read is no matter' "$(partition sdc 3 "$(field sdc found)" | tail -n 1)" 'result changed=yes on=sdc1'
exec 9>&-
is 'no trace of it is left' "$(wipefs -n /dev/sdc1)" ''

# Old partitions, one with an array that runs
printf 'label: dos\nstart=2048,size=1000000,type=fd\nstart=1002048,type=83\n' | sfdisk -q --wipe always /dev/sdd
udevadm settle
mdadm --create /dev/md/old --run --force --level=1 --raid-devices=1 --metadata=1.0 --bitmap=none /dev/sdd1 >/dev/null 2>&1 ||
        mdadm --create /dev/md/old --run --level=1 --force --raid-devices=1 --metadata=1.0 /dev/sdd1 >/dev/null 2>&1
mkfs.ext4 -qF /dev/md/old
mkfs.ext4 -qF /dev/sdd2
old=$(field sdd found)
is 'a running array is refused' "$(code partition sdd 4 "$old")" in-use
mdadm --stop /dev/md/old >/dev/null 2>&1
mount /dev/sdd2 /mnt
is 'a mounted partition too' "$(code partition sdd 4 "$old")" protected
umount /mnt
dd if=/dev/sdd of=/tmp/head bs=1M count=1 status=none

# Killed at moments from the first write to the kernel's being told; each time from where the last one stopped
killed=0
exec 8>&2 2>/dev/null
for at in pwrite64:2 fsync:1 pwrite64:12 fsync:2 fsync:3 fsync:4 fsync:5 fsync:6 ioctl:9 ioctl:14 ioctl:20; do
        size=$(blockdev --getsize64 /dev/sdd)
        strace -qq -o /dev/null -e trace=${at%:*} -e inject=${at%:*}:signal=KILL:when=${at#*:} \
                nas-disk partition disk="$(field sdd serial)" size="$size" guid="$(guid 4)" part="$(part 4)" name=nas-public-4 \
                start=$MIB end=$(((size / MIB - 20) * MIB)) found="$old" >/tmp/said 2>&1
        if [ $? = 137 ]; then killed=$((killed + 1)); else echo "# not killed at $at: $(tail -n 1 /tmp/said)"; fi
done
exec 2>&8
echo "# killed $killed times"
t 'killed at least eight times' test $killed -ge 8
is 'and then it is done' "$(partition sdd 4 "$old" | tail -n 1 | sed 's/changed=[a-z]*/changed=/')" 'result changed= on=sdd1'
is 'and the partition is there' "$(node 4)" /dev/sdd1
t 'sound' sfdisk --verify /dev/sdd
is 'nothing of the array came back' "$(udevadm settle; cat /proc/mdstat | grep -c sdd1) $(wipefs -n /dev/sdd1)" '0 '
dd if=/dev/sdd skip=$((1002048 / 2048)) bs=1M of=/tmp/old2 count=2 status=none
is 'nor of the old second partition' "$(wipefs -n /tmp/old2)" ''

# It serves
mdadm --create /dev/md/new --run --level=1 --raid-devices=2 --metadata=1.2 --bitmap=none "$(node 3)" "$(node 4)" >/dev/null 2>&1
t 'an array can be made of them' test -e /sys/block/"$(basename "$(readlink -f /dev/md/new)")"/md/level
is 'and then nothing is changed any more' "$(partition sdd 4 '' | tail -n 1)" 'result changed=no on=sdd1'
is 'other wishes are refused' "$(code partition sdd 5 "$(field sdd found)")" in-use
mdadm --stop /dev/md/new >/dev/null 2>&1

is 'wiped' "$(nas-disk wipe disk="$(field sdd serial)" size="$(field sdd size)" found="$(field sdd found)" | tail -n 1)" 'result changed=yes'
is 'no signature is on it' "$(field sdd found | grep -v ^unknown@) $(wipefs -n /dev/sdd)" ' '
t 'its partition has gone' bash -c 'udevadm settle; ! test -e /dev/sdd1'
finish

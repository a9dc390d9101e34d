#!/bin/bash
# What all helpers have in common: open streams, modes, what goes to a terminal. By nas-disk on a made-up disk. No root.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
export PATH="$PATH:/usr/sbin:/sbin" ASAN_OPTIONS=intercept_strchr=0
nas=$PWD/${BUILD-build/plain}/nas-disk
work=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
trap 'rm -rf "$work"' EXIT

# tree: one blank disk, and a root file system on another
tree() {
        root=$work/root
        rm -rf "$root"
        mkdir -p "$root"/{dev,var/log,proc/self,sys/block,sys/dev/block,sys/class/block} "$root"/sys/devices/sd{a,b}/{queue,device}
        for d in sda:8:0 sdb:8:16; do
                ln -s "../devices/${d%%:*}" "$root/sys/block/${d%%:*}"
                ln -s "../../devices/${d%%:*}" "$root/sys/class/block/${d%%:*}"
                ln -s "../../devices/${d%%:*}" "$root/sys/dev/block/${d#*:}"
                echo "${d#*:}" >"$root/sys/devices/${d%%:*}/dev"
                echo $((1040 * 2048)) >"$root/sys/devices/${d%%:*}/size"
                truncate -s 1040M "$root/dev/${d%%:*}"
        done
        echo SER-B >"$root/sys/devices/sdb/device/serial"
        echo "20 1 8:0 / / rw - ext4 /dev/sda rw" >"$root/proc/self/mountinfo"
}
partition() {
        "$nas" --root "$root" partition disk=SER-B size=$((1040 << 20)) name=nas-1 start=1048576 end=$((1024 << 20)) \
                guid=aaaaaaaa-1111-4222-8333-444444444444 part=bbbbbbbb-1111-4222-8333-444444444444
}

# What a program opens first takes the place of a stream that was closed.
tree
partition <&- >&- 2>&-
is 'without standard output nothing goes astray' "$(grep -c '^result' "$root/var/log/nas-setup.log")" 0
is 'and what was asked for is done' "$(partition)" 'result changed=no on=sdb1'

tree
(umask 077; partition >/dev/null)
is 'folders are for all whatever the mask' "$(stat -c %a "$root/run/nas-setup")" 755
is 'locks are for root alone' "$(stat -c %a "$root/run/nas-setup/write.lock")" 600
is 'so is the log' "$(stat -c %a "$root/var/log/nas-setup.log")" 600

tree
hostile=$(printf 'x\033[2J\302\233y\a')
is 'nothing that a terminal would obey goes to it' \
        "$("$nas" --root "$root" wipe disk="$hostile" size=5 2>&1 | LC_ALL=C grep -c '[^ -~]')" 0
partition >/dev/null
"$nas" --root "$root" wipe disk="$hostile" size=5 >/dev/null 2>&1
is 'nor into the log' "$(LC_ALL=C grep -c $'[\033\233\a]' "$root/var/log/nas-setup.log")" 0

finish

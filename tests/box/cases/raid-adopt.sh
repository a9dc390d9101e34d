#!/bin/bash
# box: --disk 4T --disk 4T --disk 4T --disk 4T --seconds 200
# nas-raid adopt: arrays of another computer, however they are found, run whole and under our name, or are left as they were.
# After a reboot: scenarios/raid-adopt.sh.
. "${0%/*}/lib.sh"
for d in a b c d; do sfdisk -q -X gpt -W always -w always "/dev/sd$d" <<<'type=A19D880F-05FC-4D3B-A006-743F0F84911E'; done
udevadm settle
code() { grep -o 'code=[a-z-]*\|changed=[a-z]*' | head -n 1; }
adopt() { nas-raid adopt "uuid=$uuid" "name=${1-photos}" 2>/dev/null; }
stop() { # also what udev puts together again, as soon as somebody closes a member
        local md
        for _ in 1 2 3; do
                udevadm settle
                for md in /sys/block/md*; do [ -e "$md" ] && mdadm -q --stop "/dev/${md##*/}" 2>/dev/null; done
        done
}
begin() { # LEVEL PARTITION…: an array of the computer arch with something in it, stopped
        local level=$1 meta=${META-1.2}
        shift
        mdadm -q --create /dev/md/arch --run "--metadata=$meta" --homehost=arch --name=photos "--level=$level" --force "--raid-devices=$#" \
                $([ "$level" = 0 ] || echo --bitmap=internal) "$@" </dev/null 2>/dev/null
        head -c 1M /dev/urandom >/tmp/photo
        dd if=/tmp/photo of=/dev/md/arch bs=1M conv=fsync status=none
        uuid=$(mdadm --detail --export /dev/md/arch | sed -n 's/^MD_UUID=//p')
        stop
}
stored() { dd if="$1" bs=1M count=1 status=none | cmp - /tmp/photo; }
whole() { [ "$(cat "/sys/block/$(basename "$(readlink -f "$1")")/md/degraded")" = 0 ]; }
supers() { for p in "$@"; do dd if="$p" bs=4096 count=2 skip=1 iflag=direct status=none; done | md5sum; }
erase() { stop; for p in "$@"; do mdadm -q --zero-superblock "$p"; done; udevadm settle; : >/etc/mdadm/mdadm.conf; }

: >/etc/mdadm/mdadm.conf
begin 5 /dev/sda1 /dev/sdb1 /dev/sdc1
is "dry run: starts nothing" "$(nas-raid --dry-run adopt "uuid=$uuid" name=photos | grep -c 'would run=.*mdadm --assemble') $(ls -d /sys/block/md* 2>/dev/null)" "1 "
out=$(adopt)
is "stopped: runs" "$(code <<<"$out") $(grep -o 'path=[^ ]*' <<<"$out")" "changed=yes path=/dev/md/photos"
t "with what is in it" stored /dev/md/photos
t "and can be written to" dd if=/tmp/photo of=/dev/md/photos bs=1M conv=fsync
is "again: nothing to do" "$(adopt | code)" changed=no
is "the name in it stays" "$(mdadm --examine --export /dev/sda1 | grep MD_NAME)" MD_NAME=arch:photos
is "list: ours, of host arch" "$(nas-raid list | grep -o 'host=arch\|ours=yes' | xargs)" "host=arch ours=yes"
is "one line, of its UUID alone" "$(grep -c . /etc/mdadm/mdadm.conf) $(tr -d ':-' </etc/mdadm/mdadm.conf | grep -c "^ARRAY /dev/md/photos UUID=$(tr -d ':-' <<<"$uuid")$")" "2 1"
stop
for p in a b c; do mdadm -q --incremental /dev/sd${p}1; done
udevadm settle
is "put together by udev: under this name" "$(readlink -f /dev/md/photos) $(nas-raid list | grep -o 'path=[^ ]*')" "/dev/md127 path=/dev/md/photos"

stop
: >/etc/mdadm/mdadm.conf
for p in a b c; do mdadm -q --incremental /dev/sd${p}1; done
udevadm settle
is "runs as arch:photos: taken as it runs" "$(nas-raid list | grep -o 'path=[^ ]*') $(adopt films | code) $(grep -c '/dev/md/films' /etc/mdadm/mdadm.conf)" "path=/dev/md/arch:photos changed=yes 1"
stop
mdadm -q --incremental /dev/sdb1
udevadm settle
is "half put together: runs" "$(adopt | code)" changed=yes
t "whole" whole /dev/md/photos
stop
mdadm -q --assemble --readonly /dev/md/photos /dev/sd[abc]1
is "read-only: can be written to" "$(adopt | code) $(dd if=/tmp/photo of=/dev/md/photos bs=1M conv=fsync 2>/dev/null && echo written)" "changed=yes written"

# Not whole: left as it was found, to the byte.
stop
: >/etc/mdadm/mdadm.conf
dd if=/dev/sdc1 of=/tmp/c bs=4096 count=2 status=none && dd if=/dev/zero of=/dev/sdc1 bs=4096 seek=1 count=1 conv=fsync,notrunc status=none
stop
before=$(supers /dev/sda1 /dev/sdb1)
is "a member gone: refused" "$(adopt | code)" code=not-whole
is "nothing runs, nothing is written" "$(grep -s . /sys/block/md*/md/array_state | grep -v inactive)$(cat /etc/mdadm/mdadm.conf)$(supers /dev/sda1 /dev/sdb1)" "$before"
mdadm -q --incremental /dev/sda1
is "and half put together: refused" "$(adopt | code)" code=not-whole
is "nothing is written, again" "$(supers /dev/sda1 /dev/sdb1)" "$before"
stop
mdadm -q --assemble --run --force /dev/md/arch /dev/sda1 /dev/sdb1
is "runs degraded: refused" "$(adopt | code)" code=not-whole
t "and runs on" stored /dev/md/arch
mdadm -q /dev/md/arch --add /dev/sdd1
is "being filled by another disk: taken" "$(adopt | code)" changed=yes
mdadm -q /dev/md/arch --fail /dev/sdd1
is "that one fails: refused" "$(adopt | code)" code=not-whole
erase /dev/sd[abcd]1
is "no such array: refused" "$(adopt | code)" code=no-array

# Other shapes and metadata, and whole disks.
begin 0 /dev/sda1 /dev/sdb1
is "RAID 0: runs" "$(adopt | code) $(stored /dev/md/photos && echo stored)" "changed=yes stored"
erase /dev/sda1 /dev/sdb1
for META in 0.90 1.0; do
        begin 1 /dev/sda1 /dev/sdb1
        is "metadata $META: runs" "$(adopt | code) $(stored /dev/md/photos && echo stored) $(adopt | code)" "changed=yes stored changed=no"
        erase /dev/sda1 /dev/sdb1
done
unset META
begin 1 /dev/sda1
other=$uuid
begin 1 /dev/sdb1
is "one is taken" "$(adopt | code)" changed=yes
uuid=$other
is "another by the same name: refused" "$(adopt | code)" code=name-taken
: >/etc/mdadm/mdadm.conf
is "also where only the running one has it" "$(adopt | code)" code=name-taken
is "by another name: runs" "$(adopt films | code)" changed=yes
erase /dev/sda1 /dev/sdb1
for d in a b; do sfdisk -q --delete /dev/sd$d; wipefs -q -a /dev/sd$d; done
udevadm settle
begin 1 /dev/sda /dev/sdb
is "whole disks: run" "$(adopt | code) $(stored /dev/md/photos && echo stored)" "changed=yes stored"

# Killed at any moment and run again.
for ms in 02 05 10 20 40; do
        stop
        : >/etc/mdadm/mdadm.conf
        adopt >/dev/null &
        sleep 0.$ms
        pkill -9 -x 'nas-raid|mdadm'
        wait
        out=$(adopt)
        is "killed after ${ms}0 ms" "$(code <<<"$out" | cut -d= -f1) $(stored /dev/md/photos && echo stored) $(grep -c ^ARRAY /etc/mdadm/mdadm.conf)" "changed stored 1"
done
finish

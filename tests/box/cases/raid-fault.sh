#!/bin/bash
# box: --disk 4T --disk 4T --disk 4T --disk 1Gi --seconds 200
# nas-raid with disks that fail while an array is made or in its first sync: said, with the disk's name, and nothing is
# half done or lost. And two arrays on the same disks, of which one waits.
. "${0%/*}/lib.sh"
guid() { echo "11111111-2222-3333-4444-00000000000$1"; }
part() { # DISK NUMBER-OF-PARTITIONS
        local i
        { echo "label: gpt" && for i in $(seq "$2"); do
                echo "size=$([ "$2" = 1 ] && echo $(($(blockdev --getsize64 "/dev/$1") / 1048576 - 8)) || echo 500000)MiB,type=A19D880F-05FC-4D3B-A006-743F0F84911E,uuid=$(guid "${1#sd}" | sed "s/^./$i/")"
        done; } | sfdisk -q -W always -w always "/dev/$1"
        udevadm settle
}
clean() {
        local md p
        for _ in 1 2; do
                udevadm settle
                for md in /sys/block/md*; do [ -e "$md" ] && mdadm -q --stop "/dev/${md##*/}" 2>/dev/null; done
        done
        for p in "$@"; do dd if=/dev/zero of="$p" bs=1M count=1 conv=fsync status=none; done
        : >/etc/mdadm/mdadm.conf
}
code() { grep -o 'code=[a-z-]*\|changed=[a-z]*' | head -n 1; }
what() { sed -n 's/^error .*what=\([^ ]*\) text.*/\1/p'; }
uuid=6af70970-0de3-460c-8b2f-0c5b4f6f3c11
offset=offset=129MiB
raid5() { nas-raid create uuid=$uuid name=public level=raid5 chunk=64KiB "members=$(guid a),$(guid b),$(guid c)" $offset bitmap=internal 2>/dev/null; }
state() { echo "$2" >"/sys/block/$1/device/state"; } # DISK running|offline
list() { nas-raid list | grep "^array.*uuid=${1-$uuid}"; }

: >/etc/mdadm/mdadm.conf
for d in a b; do part sd$d 2; done
for n in 1 2; do
        nas-raid create uuid=${uuid%?}$n name=m$n level=raid1 "members=$(guid a | sed "s/^./$n/"),$(guid b | sed "s/^./$n/")" $offset bitmap=internal >/dev/null
done
is "two arrays on the same disks: the second waits, and says so" "$(list ${uuid%?}1 | grep -o ' sync=[a-z]*')$(list ${uuid%?}2 | grep -o ' sync=[a-z]*')" " sync=resync sync=delayed"
is "watch: it waits" "$(timeout 1 nas-raid watch uuid=${uuid%?}2 | head -n 1)" "progress done=0 total=0 what=delayed"
clean /dev/sd[ab][12]

# A disk that answers no more before, in the middle of it, and in the first sync.
for d in a b c; do part sd$d 1; done
state sdb offline
out=$(raid5)
is "a disk does not answer: nothing is begun" "$(code <<<"$out" | grep -cx 'code=\(no-member\|unreadable\)') $(list | grep -c active) $(cat /etc/mdadm/mdadm.conf)" "1 0 "
state sdb running
is "nothing was written to the others" "$(mdadm --examine --export /dev/sda1 /dev/sdc1 2>/dev/null)" ""
for ms in 15 40; do
        { sleep 0.$ms; state sdb offline; } &
        out=$(raid5)
        wait
        now=$(list)
        case $(code <<<"$out") in
        changed=yes) ok "dies after ${ms}0 ms: made just before" ;;
        *) is "dies after ${ms}0 ms: said, not called done ($out)" "$(code <<<"$out" | grep -c '^code=') $(what <<<"$out" | grep -c .) $(grep -c public /etc/mdadm/mdadm.conf)" "1 1 0" ;;
        esac
        state sdb running
        clean /dev/sd[abc]1
done
t "made" raid5
mke2fs -q -F -t ext4 /dev/md/public 20G
mkdir -p /srv/public && mount /dev/md/public /srv/public
head -c 40M /dev/urandom >/srv/public/photo && md5sum /srv/public/photo >/tmp/sum && sync
state sda offline
head -c 10M /dev/urandom >/srv/public/more && md5sum /srv/public/more >>/tmp/sum && sync
wait_for 20 sh -c 'nas-raid list | grep -q missing=1'
is "dies in the first sync: listed by name" "$(list | grep -o 'missing=1\|faulty=[^ ]*' | xargs)" "missing=1 faulty=sda1"
is "watch: said, with its name" "$(nas-raid watch uuid=$uuid 2>/dev/null | grep -o 'code=[a-z]* what=[a-z0-9]*')" "code=degraded what=sda1"
is "create again: said, with its name" "$(raid5 | grep -o 'code=degraded what=[^ ]*')" "code=degraded what=$(guid a)"
echo 3 >/proc/sys/vm/drop_caches
t "what was stored before and after is there" md5sum -c --quiet /tmp/sum
umount /srv/public
t "and sound" e2fsck -fn /dev/md/public
state sda running
clean /dev/sd[abc]1

# A disk of which some sectors cannot be read, where the array's data will begin (scsi_debug, medium_error_start).
part sdd 1
if modprobe scsi_debug dev_size_mb=128 medium_error_start=6200 medium_error_count=8 2>/dev/null && wait_for 10 sh -c 'lsblk -dno MODEL | grep -q scsi_debug'; then
        offset=offset=2MiB
        bad=$(lsblk -dnro NAME,MODEL | awk '/scsi_debug/ {print $1}')
        part "$bad" 1
        echo 2 >/sys/bus/pseudo/drivers/scsi_debug/opts
        for i in 1 2; do
                out=$(nas-raid create uuid=$uuid name=public level=raid1 "members=$(guid d),$(guid "${bad#sd}")" $offset bitmap=internal 2>/dev/null)
                is "unreadable sectors: the disk is named" "$(code <<<"$out") $(what <<<"$out")" "code=write-failed /dev/${bad}1"
        done
        is "and no array is begun" "$(mdadm --examine --export /dev/sdd1 "/dev/${bad}1" 2>/dev/null)$(list)$(cat /etc/mdadm/mdadm.conf)" ""
else
        skip "unreadable sectors" "no scsi_debug in this kernel"
fi

# mdadm asks nothing, also where it could.
clean /dev/sd[abc]1
offset=offset=129MiB
is "on a terminal nothing is asked" "$(timeout 60 script -qec "nas-raid create uuid=$uuid name=public level=raid1 members=$(guid a),$(guid b) $offset bitmap=internal" /dev/null </dev/null | code)" changed=yes
finish

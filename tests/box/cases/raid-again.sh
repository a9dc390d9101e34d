#!/bin/bash
# box: --disk 4T --disk 4T --disk 4T --disk 4T --seconds 200
# nas-raid create after everything that may have happened before: stopped, half assembled, killed, foreign things.
. "${0%/*}/lib.sh"

guid() { echo "11111111-2222-3333-4444-00000000000$1"; }
part() { # DISK
        local end=$(($(blockdev --getsz "/dev/sd$1") / 2048 * 2048 - 4096))
        sfdisk -q -W always -w always "/dev/sd$1" <<EOF
label: gpt
first-lba: 2048
start=2048,size=$((end - 2048)),type=A19D880F-05FC-4D3B-A006-743F0F84911E,uuid=$(guid "$1")
EOF
}
uuid=6af70970-0de3-460c-8b2f-0c5b4f6f3c11
members=$(guid a),$(guid b),$(guid c)
create() { nas-raid create uuid=$uuid name=public level=raid5 chunk=64KiB "members=$members" offset=129MiB bitmap=internal "$@" 2>&1; }
born() { mdadm --examine /dev/sda1 | sed -n 's/.*Creation Time : //p'; }
runs() { [ "$(nas-raid list | grep -c "uuid=$uuid.*state=active.*degraded=0")" = 1 ]; }
stop() { udevadm settle; mdadm -q --stop "/dev/$(basename /sys/block/md*)" 2>/dev/null; }

# As nas-disk leaves a partition.
blank() { # DISK…
        local d
        for d in "$@"; do
                dd if=/dev/zero of="/dev/sd${d}1" bs=1M count=1 conv=notrunc,fsync status=none
                dd if=/dev/zero of="/dev/sd${d}1" bs=512 count=2048 seek=$(($(blockdev --getsz "/dev/sd${d}1") - 2048)) conv=notrunc,fsync status=none
        done
}

for d in a b c d; do part $d; done
udevadm settle
cp /etc/mdadm/mdadm.conf /tmp/conf

t "dry run succeeds" nas-raid --dry-run create uuid=$uuid name=public level=raid5 chunk=64KiB members="$members" offset=129MiB bitmap=internal
fails "dry run makes nothing" 1 mdadm --examine /dev/sda1
t "dry run leaves mdadm.conf" cmp /tmp/conf /etc/mdadm/mdadm.conf

mke2fs -q -F -t ext4 /dev/sdb1 1G >/dev/null
fails "a file system on a member: refused" 3 create
t "and nothing was touched" sh -c '[ ! -e /sys/block/md127 ] && cmp /tmp/conf /etc/mdadm/mdadm.conf && blkid -p /dev/sdb1 | grep -q ext4'
wipefs -q -a /dev/sdb1
mdadm -q --create /dev/md/old --run --metadata=1.2 --level=1 --bitmap=none --raid-devices=2 /dev/sdc1 /dev/sdd1 2>/dev/null
is "a member of another array: refused" "$(create | grep -o 'code=[a-z-]*')" code=not-blank
mdadm -q --stop /dev/md/old
dd if=/dev/zero of=/dev/sdd1 bs=4096 seek=1 count=1 conv=notrunc,fsync status=none
is "also while that one does not run" "$(create | grep -o 'code=[a-z-]*')" code=not-blank
blank c d
is "bytes at the beginning that mean nothing: refused" "$(printf x | dd of=/dev/sdb1 bs=1 seek=700000 conv=notrunc status=none; create | grep -o 'code=[a-z-]*')" code=not-blank
blank b
is "and at the end" "$(printf x | dd of=/dev/sdb1 bs=1 seek=$(($(blockdev --getsize64 /dev/sdb1) - 5000)) conv=notrunc status=none; create | grep -o 'code=[a-z-]*')" code=not-blank
blank b
udevadm settle

# What lay in the data area before must not shine through: an ext4 superblock where the array's first bytes will be.
printf '\123\357' | dd of=/dev/sda1 bs=1 seek=$((129 * 1024 * 1024 + 1080)) conv=notrunc status=none
t "made" create
is "nothing shines through" "$(wipefs --no-act --parsable /dev/md/public)" ""
born=$(born)
udevadm settle
is "again: nothing to do" "$(create | grep -o 'changed=[a-z]*')" changed=no
is "the same array" "$(born)" "$born"
is "ours" "$(nas-raid list | grep -o 'ours=yes')" ours=yes

stop
is "stopped: started again" "$(create | grep -o 'changed=[a-z]*')" changed=yes
is "and not made anew" "$(born)" "$born"
stop
mdadm -q --incremental /dev/sda1
t "half assembled: started whole" create
t "with all disks" runs
is "and not made anew, too" "$(born)" "$born"
stop
for d in a b c; do mdadm -q --incremental /dev/sd${d}1; done
udevadm settle
is "assembled by udev under any node: fine" "$(create | grep -o 'changed=[a-z]*')" changed=no

# Damaged superblocks (linux/raid/md_p.h, mdp_superblock_1): super_offset, so that nobody knows them; events, so that
# they look as if nothing had ever been stored.
stop
while read -r at byte n code; do
        for d in a b c; do
                dd if=/dev/sd${d}1 of=/tmp/head$d bs=4096 count=2 status=none
                for i in $(seq "$n"); do printf "\\$byte"; done | dd of=/dev/sd${d}1 bs=1 seek="$at" conv=notrunc,fsync status=none
        done
        stop
        is "all superblocks damaged at $at: not made anew" "$(create | grep -o 'code=[a-z-]*')" "code=$code"
        for d in a b c; do dd if=/tmp/head$d of=/dev/sd${d}1 conv=notrunc,fsync status=none; done
        stop
done <<EOF
4240 125 1 not-blank
4296 000 8 assemble-failed
EOF
is "mended: started, not made anew" "$(create | grep -o 'changed=[a-z]*') $(born)" "changed=yes $born"

# A copy of a disk, of which udev's link may name the original or not.
stop
dd if=/dev/sda bs=1M count=3 status=none | dd of=/dev/sdd conv=notrunc,fsync status=none
stop
blockdev --rereadpt /dev/sdd
stop
is "a copy of a disk is there: refused" "$(create | grep -o 'code=[a-z-]*')" code=ambiguous
blank d
stop
part d

stop
blank c
is "a member erased: refused, not made anew" "$(create | grep -o 'code=[a-z-]*')" code=half-there
is "and nothing was touched, again" "$(born)" "$born"
stop
for d in a b c; do dd if="/dev/sd${d}1" of=/tmp/head$d bs=1M count=1 status=none; done
blank a b c
is "all members erased: refused, not made anew" "$(create | grep -o 'code=[a-z-]*')" code=half-there
is "and nothing was touched in the array" "$(for d in a b; do dd if=/tmp/head$d of=/dev/sd${d}1 bs=1M conv=notrunc,fsync status=none; done; born)" "$born"
stop
mdadm -q --assemble --run --force /dev/md/public /dev/sda1 /dev/sdb1
is "degraded: says so" "$(create | grep -o 'code=[a-z-]*')" code=degraded
stop

# A sound superblock that says that nothing was ever stored: made anew. What mdadm leaves when it is killed early.
word() { od -An -tu4 -j "$2" -N4 "/dev/sd${1}1" | tr -d ' '; } # DISK OFFSET
put() { printf "$(printf '\\%03o' $(($3 & 255)) $(($3 >> 8 & 255)) $(($3 >> 16 & 255)) $(($3 >> 24 & 255)))" | dd of="/dev/sd${1}1" bs=1 seek="$2" conv=notrunc,fsync status=none; }
fresh() { # the superblocks say that nothing was ever stored
        stop
        for d in a b c; do
                put $d 4312 $(($(word $d 4312) - $(word $d 4296)))
                put $d 4296 0
        done
        stop
}
blank a b c
cp /tmp/conf /etc/mdadm/mdadm.conf # it never was
create >/dev/null
born=$(born)
# udev would start it, and a started one is not made anew.
ln -s /dev/null /etc/udev/rules.d/64-md-raid-assembly.rules
udevadm control --reload
fresh
t "never started: made" create
is "and made anew" "$([ "$(born)" != "$born" ] && echo anew)" anew
rm /etc/udev/rules.d/64-md-raid-assembly.rules
udevadm control --reload
printf '\123\357' | dd of=/dev/md/public bs=1 seek=1080 conv=notrunc,fsync status=none
fresh
create >/dev/null 2>&1
stop
mdadm -q --assemble /dev/md/public /dev/sda1 /dev/sdb1 /dev/sdc1
udevadm settle
is "something is in it all the same: kept" "$(wipefs --no-act --parsable /dev/md/public | grep -c ext2)" 1
stop

# Killed at any moment, with all it started, and run again.
for ms in 050 150 300 450 600 900; do
        blank a b c
        cp /tmp/conf /etc/mdadm/mdadm.conf
        create >/dev/null &
        sleep 0.$ms
        pkill -9 -x 'nas-raid|mdadm'
        wait
        out=$(create)
        if runs && grep -q "^ARRAY /dev/md/public .*$uuid" /etc/mdadm/mdadm.conf; then ok "killed after $ms ms"; else not_ok "killed after $ms ms: $out"; fi
        stop
done
is "one line in mdadm.conf" "$(grep -c '^ARRAY' /etc/mdadm/mdadm.conf)" 1
is "the rest of it is as it was" "$(grep -v -e '^ARRAY' -e 'by nas-setup' /etc/mdadm/mdadm.conf | cmp - /tmp/conf && echo same)" same
echo 'ARRAY metadata=1.2 UUID=00000000-1111-2222-3333-444444444444' >>/etc/mdadm/mdadm.conf
taken=$(mdadm --assemble --scan 2>&1 | grep -v 'has been started with 3 drives')
udevadm settle
is "mdadm takes a line without a name" "$taken $(mdadm --detail --export /dev/md/public | grep -c MD_NAME=any:public)" " 1"
finish

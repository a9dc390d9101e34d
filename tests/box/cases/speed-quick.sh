#!/bin/bash
# box: --disk 4T --disk 4T --disk 4T --nic cable
# The speed test on a real array and a real share: a throttled disk reads what it can and is named, a running sync is slowed
# for the seconds of the test, limits are kept, and nothing is left behind however it ends.
. "$(dirname "$0")/lib.sh"

[ -e /dev/fd ] || ln -s /proc/self/fd /dev/fd
uuid=5f1b6c1e-7a55-4c9e-9a0c-2f4f3c1d7e01 ip=192.168.77.10
port=$(ls /sys/class/net | grep -v '^lo$' | head -1)
ip addr add $ip/24 dev "$port"
ip link set "$port" up
# 50 ms for each read, 1 MiB at a time: 20 MiB/s, and 20 seeks a second
dmsetup create slow --table "0 $(blockdev --getsz /dev/sdc) delay /dev/sdc 0 50 /dev/sdc 0 0"
mdadm --create /dev/md/public --run --force --level=5 --raid-devices=3 --size=2G --bitmap=none /dev/sda /dev/sdb /dev/mapper/slow >/dev/null 2>&1
md=/sys/block/$(basename "$(readlink -f /dev/md/public)")/md
mke2fs -q -t ext4 -U $uuid -m 0 -E lazy_itable_init=0 /dev/md/public
mkdir -p /srv/public
mount /dev/md/public /srv/public
t "share" nas-share set name=public path=/srv/public uuid=$uuid workgroup=HOME netbios=NAS
free() { sync; stat -f -c %f /srv/public; }
value() { sed -n "s/^$1 .*$2=\([^ ]*\).*/\1/p" /tmp/out | head -1; } # RECORD KEY
left() { # what a test may have left: files, slowed arrays, programs
        ls -A /srv/public | grep -v 'lost+found\|^big$'
        grep -l '^1000 ' $md/sync_speed_max
        ls /run/nas-setup | grep '^speed-smbd\|^speed.sync$'
        pgrep -x smbclient
        pgrep -x nas-speed
}
nothing_left() { [ -z "$(left)" ]; }

was=$(cat $md/sync_speed_max)
before=$(free) begin=$SECONDS
nas-speed run mount=/srv/public share=public address=$ip test=full >/tmp/out &
t "the sync is slowed" wait_for 5 grep -q '^1000 (local)' $md/sync_speed_max
wait
sed 's/^/    /' /tmp/out | grep -v progress
t "in time, as far as a busy machine can be" [ $((SECONDS - begin)) -le 25 ]
is "put back" "$(cat $md/sync_speed_max)" "$was"
is "each was measured" "$(sed -n 's/^speed what=\([a-z-]*\) .*\(rate\|us\)=[1-9].*/\1/p' /tmp/out | sort | uniq -c | xargs)" \
	"1 array-read 1 array-write 3 disk-inner 3 disk-middle 3 disk-outer 3 disk-seek 3 disk-together 1 share-read 1 share-write"
# A busy machine makes it slower than it is, and the box's clock has ticks of 10 ms; never faster.
between() { [ -n "$1" ] && [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]; }
for zone in outer middle inner; do
        rate=$(value "speed what=disk-$zone name=dm-0" rate)
        t "a disk of 20 MiB/s never reads faster: $zone $rate" between "$rate" 3000000 22020096
done
us=$(value "speed what=disk-seek name=dm-0" us)
t "and finds 20 blocks a second: $us" between "$us" 47500 150000
t "the slow disk is named with its serial number" grep -q "^slow name=dm-0 serial=WD-BOX00003 " /tmp/out
is "and no other" "$(grep -c ^slow /tmp/out)" 1
t "with what to do" grep -q '^verdict .*advice=.*disk="Disk dm-0 (WD-BOX00003) reads ' /tmp/out
is "a sync that waits is said" "$(grep -c '^speed.*note=.*slowed' /tmp/out)" "$(grep -c ^speed /tmp/out)"
is "block, depth and how far it may be off" "$(grep -c '^speed.* error=[0-9]* block=[0-9]* depth=[0-9]*' /tmp/out)" "$(grep -c '^speed.* \(rate\|us\)=' /tmp/out)"
is "the processor's load" "$(grep -c '^speed what=share.* cpu=[0-9]* core=[0-9]' /tmp/out)" "$(grep -c '^speed what=share.* rate=' /tmp/out)"
t "how far it is was told" [ "$(grep -c ^progress /tmp/out)" -ge 10 ]
is "the last record" "$(tail -1 /tmp/out)" "result changed=no"
t "nothing is left" wait_for 5 nothing_left
is "no room is taken" "$(free)" "$before"
is "saved, with its date" "$(grep -c '^tested at=20.* mount=/srv/public test=full' /var/lib/nas-setup/speed)" 1

# What an earlier test found is beside it.
sed -i '/what=disk-outer name=sda/s/rate=[0-9]* error=[0-9]*/rate=9000000000 error=5/; s/^tested at=[0-9-]*/tested at=2026-03-01/' /var/lib/nas-setup/speed
nas-speed --plain --quick >/tmp/plain 2>/dev/null
sed 's/^/    /' /tmp/plain
t "a plain table" grep -q '^sda  *outer tracks .* MB/s +-.* %  1 MiB x 1 ' /tmp/plain
t "what changed" grep -q '^sda reads [0-9]* % slower than on 2026-03-01' /tmp/plain

(wait_for 20 grep -q what=share-write /tmp/out2; pkill -TERM -x nas-speed) &
nas-speed run mount=/srv/public share=public test=quick >/tmp/out2 2>&1
is "stopped by SIGTERM" "$? $(grep -o 'code=[a-z]*' /tmp/out2)" "1 code=cancelled"
t "nothing is left of that either" wait_for 5 nothing_left

# Killed at once after the file got its name; the guard puts back and clears away.
nas-speed run mount=/srv/public share=public test=full >/tmp/out3 2>&1 &
wait_for 20 grep -q what=share-write /tmp/out3
kill -KILL $!
t "nothing is left after SIGKILL" wait_for 5 nothing_left
left

# With the guard killed too, whatever is started next puts it back.
nas-speed run mount=/srv/public share=public test=quick >/tmp/out4 2>&1 &
wait_for 5 grep -q '^1000 (local)' $md/sync_speed_max
pkill -KILL -f 'nas-speed recover'
kill -KILL $!
wait
is "slowed still, with nobody left" "$(cat $md/sync_speed_max)" "1000 (local)"
nas-speed list >/dev/null
is "the next start puts it back" "$(cat $md/sync_speed_max)" "$was"

# As many files as there are moments to look: nobody on the share sees one.
(while pgrep -x nas-speed; do ls -A /srv/public; done >/tmp/seen 2>&1) &
nas-speed run mount=/srv/public test=quick >/tmp/out5
wait
is "no file of the disks' test has a name" "$(grep -c nas-setup-test /tmp/seen)" 0

fallocate -l $(($(stat -f -c '%f * %S' /srv/public) - 300 * 1048576)) /srv/public/big
nas-speed run mount=/srv/public share=public seconds=4 >/tmp/out6
is "a full file system is left alone" "$(grep -c '^speed what=\(array\|share\)-write .*note=[a-z,]*full' /tmp/out6)" 2
rm /srv/public/big
mkdir -p /srv/none /tmp/t
fails "nothing mounted" 3 nas-speed run mount=/srv/none
fails "no such test" 2 nas-speed run mount=/srv/public test=slow
mount -t tmpfs -o size=200m none /tmp/t
nas-speed run mount=/tmp/t seconds=4 >/tmp/out7
is "without O_DIRECT it says so" "$(grep -c 'array-write.*note=cached' /tmp/out7)" 1

# Live: a computer on the LAN writes, and who it is, is told.
head -c 60000000 /dev/urandom >/tmp/big
nas-speed live address=$ip seconds=60 >/tmp/live &
lan smbclient -N //$ip/public -c "put /tmp/big a; put /tmp/big a; put /tmp/big a; del a" >/dev/null 2>&1
t "who writes, and how fast" wait_for 10 grep -q '^live name=eth0 rx=[0-9]\{7,\} tx=[0-9]* client=192.168.77.50 user=' /tmp/live
sed 's/^/    /' /tmp/live
kill %?live 2>/dev/null
wait
finish

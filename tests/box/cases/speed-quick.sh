#!/bin/bash
# box: --disk 4T --disk 4T --disk 4T --nic cable
# The speed test on a real array and a real share: figures, notes, limits, and nothing left behind however it ends.
. "$(dirname "$0")/lib.sh"

[ -e /dev/fd ] || ln -s /proc/self/fd /dev/fd
uuid=5f1b6c1e-7a55-4c9e-9a0c-2f4f3c1d7e01 ip=192.168.77.10
port=$(ls /sys/class/net | grep -v '^lo$' | head -1)
ip addr add $ip/24 dev "$port"
ip link set "$port" up
mdadm --create /dev/md/public --run --force --level=5 --raid-devices=3 --size=2G --bitmap=none /dev/sd[a-c] >/dev/null 2>&1
mke2fs -q -t ext4 -U $uuid -m 0 /dev/md/public
mkdir -p /srv/public
mount /dev/md/public /srv/public
t "share" nas-share set name=public path=/srv/public uuid=$uuid workgroup=HOME netbios=NAS
free() { sync; stat -f -c %f /srv/public; }
rate() { sed -n "s/^speed what=$1 .*rate=\([0-9]*\).*/\1/p" /tmp/out | head -1; }

before=$(free) begin=$SECONDS
nas-speed run mount=/srv/public share=public address=$ip test=quick >/tmp/out
is "done" $? 0
sed 's/^/    /' /tmp/out | grep speed
t "in time" [ $((SECONDS - begin)) -le 20 ]
is "each was measured" "$(sed -n 's/^speed what=\([a-z-]*\) .*rate=[1-9].*/\1/p' /tmp/out | sort | uniq -c | xargs)" \
	"1 array-read 1 array-write 3 disk-inner 3 disk-outer 1 share-read 1 share-write"
is "a running sync is said" "$(grep -c '^speed.*note=.*sync' /tmp/out)" "$(grep -c ^speed /tmp/out)"
t "how far it is was told" [ "$(grep -c ^progress /tmp/out)" -ge 10 ]
is "the last record" "$(tail -1 /tmp/out)" "result changed=no"
is "nothing is left" "$(ls -A /srv/public)" lost+found
is "no room is taken" "$(free)" "$before"

(wait_for 20 grep -q what=share-write /tmp/out2; pkill -TERM -x nas-speed) &
nas-speed run mount=/srv/public share=public test=quick >/tmp/out2 2>&1
is "stopped by SIGTERM" "$? $(grep -o 'code=[a-z]*' /tmp/out2)" "1 code=cancelled"
is "nothing is left of that either" "$(ls -A /srv/public)" lost+found

(wait_for 20 grep -q what=share-write /tmp/out3; pkill -KILL -x nas-speed; pkill -KILL -x smbclient) &
nas-speed run mount=/srv/public share=public test=quick >/tmp/out3 2>&1
wait_for 5 bash -c '! pgrep -x smbclient'
nas-speed run mount=/srv/public seconds=4 >/tmp/out4
is "the next run clears away after SIGKILL" "$(ls -A /srv/public)" lost+found

fallocate -l $(($(stat -f -c '%f * %S' /srv/public) - 300 * 1048576)) /srv/public/big
nas-speed run mount=/srv/public share=public seconds=4 >/tmp/out5
is "a full file system is left alone" "$(grep -c '^speed what=\(array\|share\)-write .*note=[a-z,]*full' /tmp/out5)" 2
rm /srv/public/big
mkdir -p /srv/none /tmp/t
fails "nothing mounted" 3 nas-speed run mount=/srv/none
fails "no such test" 2 nas-speed run mount=/srv/public test=slow
mount -t tmpfs -o size=200m none /tmp/t
nas-speed run mount=/tmp/t seconds=4 >/tmp/out6
is "without O_DIRECT it says so" "$(grep -c 'array-write.*note=cached' /tmp/out6)" 1
finish

#!/bin/bash
# box: --disk 4T,serial=A --disk 4T,serial=B --disk 4T,serial=C --nic cable
# Two whole disks are in an array with a mounted file system: both are shown as in use, by which array and where it is mounted,
# and cannot be chosen, on the screen and by answers.
# Elsewhere such disks were offered as free: https://github.com/webmin/webmin/issues/269
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
export LC_ALL=C.UTF-8

mdadm -q --create /dev/md0 --run --level=1 --raid-devices=2 --assume-clean --bitmap=none --size=4G /dev/sdb /dev/sdc
mke2fs -q -t ext4 -L photos -U 11111111-2222-4333-8444-555555555555 /dev/md0
echo 'UUID=11111111-2222-4333-8444-555555555555 /mnt ext4 defaults 0 2' >>/etc/fstab
mount /mnt && head -c 3M /dev/urandom >/mnt/photo && sync
md5sum /mnt/photo >/tmp/sums
udevadm settle

T -f /dev/null new-session -d -x 80 -y 25 'nas-setup; echo "left with $?"; sleep 600'
sees "becomes a file server"
T send-keys Enter
sees "Which port connects"
T send-keys Enter
sees "Which disks will hold"
wait_for 30 shows "sda"
wait_for 30 bash -c "! tmux -L nas capture-pane -p | grep -q ooking"
for d in sdb sdc; do
        t "$d has no box to mark" grep -qE "^ +- +$d " <<<"$(row $d)"
        t "$d: by which array, where it is mounted, and what to type" bash -c "tmux -L nas capture-pane -p | tr -s ' \n' ' ' | grep -qE '$d is in use \([^)]*(md0|/mnt).*umount /mnt'"
done
t "the third can be chosen" grep -qF '[x] sda' <<<"$(row sda)"
T send-keys F10 Enter
wait_for 10 shows "left with"
T kill-server
for keys in B A,B,C; do
        printf 'disks use=%s erase=%s\nspeed test=none\n' $keys $keys >/tmp/answers
        out=$(nas-setup --apply /tmp/answers 2>&1)
        is "use=$keys erase=$keys: refused" $? 2
        t "and says why" grep -qE "/mnt|md0" <<<"$out"
done
t "what is on it is whole" md5sum -c /tmp/sums
is "the array runs with both" "$(cat /sys/block/md0/md/degraded)" 0
finish

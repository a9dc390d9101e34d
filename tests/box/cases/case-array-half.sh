#!/bin/bash
# box: --disk 2G,serial=A --disk 2G,serial=B --disk 2G,serial=C --nic cable
# A mirror with files has lost one of its two disks, and a blank disk is there: the old array is named, 1 of 2 disks; it is not
# forgotten and not overwritten. What is chosen beforehand erases nothing; a new array on its disk needs the word.
# Elsewhere the array was forgotten: https://github.com/siderolabs/talos/issues/14311
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
export LC_ALL=C.UTF-8

mdadm -q --create /dev/md127 --run --level=1 --raid-devices=2 --homehost=nas --name=photos --bitmap=none --assume-clean /dev/sda /dev/sdb
mke2fs -q -t ext4 -L photos /dev/md127
mount /dev/md127 /mnt && head -c 3M /dev/urandom >/mnt/photo && md5sum /mnt/photo >/tmp/sums && umount /mnt
udevadm settle
mdadm -q --stop /dev/md127
echo 1 >/sys/block/sdb/device/delete
mdadm -q --assemble --run /dev/md127 /dev/sda
udevadm settle
writes() { awk '{print $5, $7}' /sys/block/sda/stat; }
sync
before=$(writes)

nas-disk list >/tmp/list
is "the array is known, and that half of it is missing" "$(sed -n 's/^set .*name=\([^ ]*\) .*/\1/p' /tmp/list) $(grep '^set' /tmp/list | grep -oE '(devices|members|state)=[^ ]*' | sort | xargs)" \
        "photos devices=2 members=sda state=degraded"
T -f /dev/null new-session -d -x 80 -y 25 'nas-setup; echo "left with $?"; sleep 600'
sees "becomes a file server"
T send-keys Enter
sees "Which port connects"
T send-keys Enter
sees "Which disks will hold"
wait_for 30 bash -c "! tmux -L nas capture-pane -p | grep -q ooking"
t "the old array is named, and that one of its two disks is missing" shows '"photos": 1 of its 2 disks IS MISSING'
t "its disk is not chosen to be erased" bash -c "! tmux -L nas capture-pane -p | grep -qF '[x] sda'"
T send-keys F10 Enter
wait_for 10 shows "left with"
T kill-server
printf 'disks use=A,C\nspeed test=none\n' >/tmp/answers
out=$(nas-setup --apply /tmp/answers 2>&1)
t "a new array on its disk is refused without the word" grep -q 'erase=' <<<"$out"
is "nothing was written to it" "$(writes)" "$before"
t "the files are whole" sh -c 'mount -o ro /dev/md127 /mnt && md5sum -c /tmp/sums; rc=$?; umount /mnt; exit $rc'
finish

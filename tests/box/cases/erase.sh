#!/bin/bash
# box: --disk 4T,serial=A --disk 4T,serial=B --nic cable --nic cable
# A disk with somebody's files on it: without the word nothing is touched, with it the files are gone and the NAS is there.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
export LC_ALL=C.UTF-8
T() { tmux -L erase "$@"; }
screen() { T capture-pane -p; }
shows() { screen | grep -qF -- "$1"; }

echo ',,L' | sfdisk -q /dev/sdb
udevadm settle
mke2fs -q -t ext4 -L photos -U 11111111-2222-4333-8444-555555555555 /dev/sdb1 4000000
mkdir /mnt/p && mount /dev/sdb1 /mnt/p && echo "the only copy" >/mnt/p/photo && umount /mnt/p
sync
writes() { awk '{print $5}' /sys/block/sda/stat /sys/block/sdb/stat | tr '\n' ' '; }
before=$(writes)

printf 'disks use=A,B\nspeed test=none\n' >/tmp/answers
out=$(nas-setup --apply /tmp/answers 2>&1)
is "data that may not be erased: status" $? 3
is "it names the disk and the word" "$(grep -c 'erase=B' <<<"$out")" 1
is "A, which is blank, is not named" "$(grep -c 'erase=A' <<<"$out")" 0
is "nothing was written to a disk" "$(writes)" "$before"
t "and nothing is kept" test ! -e /var/lib/nas-setup/plan

# A plan from before the files came must not erase them.
printf 'disks use=A,B erase=B\nspeed test=none\n' >/tmp/erase
nas-setup --answers /tmp/erase --print-plan | sed 's/ found=[^ ]*//' >/tmp/old.plan
nas-setup --apply /tmp/old.plan >/tmp/out 2>&1
is "a plan that did not know of the files: status" $? 3
is "and nothing was written to any disk" "$(writes)" "$before"
is "the network is as it was" "$(ip -o -4 addr show eth0 | grep -c dynamic)" 1
t "the files are still there" sh -c 'mount -o ro /dev/sdb1 /mnt/p && grep -q "the only copy" /mnt/p/photo && umount /mnt/p'
t "and the refused plan is not kept" test ! -e /var/lib/nas-setup/plan

T -f /dev/null new-session -d -x 80 -y 25 'nas-setup; echo "left with $?"; sleep 600'
wait_for 30 shows "becomes a file server" && T send-keys Enter
wait_for 30 shows "Which port connects" && T send-keys Enter
wait_for 30 shows "Which disks will hold"
is "the disk with files is not chosen by itself" "$(screen | grep -cE '\[ \] sdb')" 1
T send-keys Down Space
wait_for 10 shows "[x] sdb"
T send-keys Enter
wait_for 30 shows "protect your files" && T send-keys Enter
wait_for 30 shows "What should people see" && T send-keys Enter
t "Review says what is lost" wait_for 30 shows "ERASED"
screen
T send-keys Enter
T send-keys -l "eras"
T send-keys Enter
t "a wrong word starts nothing" shows "ERASED"
is "and nothing was written to a disk" "$(mount | grep -c /dev/sd)" 0
T send-keys -l "e"
wait_for 5 shows "erase"
T send-keys Enter
t "the word starts it" wait_for 30 shows "Setting up your NAS"
t "and it ends well" wait_for 200 shows "Your NAS is ready"
T send-keys Enter
nas_is raid1 public
is "nothing of the old is left" "$(blkid -o value -s UUID | grep -c 11111111-2222)" 0
finish

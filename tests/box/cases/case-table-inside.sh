#!/bin/bash
# box: --disk 4T,serial=A --disk 4T,serial=B --nic cable
# A partition that has a partition table of its own inside, and an XFS on another disk: no program asks "Proceed anyway?", nothing
# hangs, with a terminal there to ask on and without, and no trace of the old is left.
# Elsewhere mkfs asked and nobody could answer: https://github.com/openmediavault/openmediavault/issues/311
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
export LC_ALL=C.UTF-8
T() { tmux -L inside "$@"; }
screen() { T capture-pane -p -S -; }
shows() { screen | grep -qF -- "$1"; }

echo 'size=6000000,type=L' | sfdisk -q -W always --label gpt /dev/sda
udevadm settle
echo 'size=40960,type=7' | sfdisk -q --no-reread --no-tell-kernel -W always --label dos /dev/sda1
mkfs.xfs -qf -m uuid=11111111-2222-4333-8444-555555555555 /dev/sdb
sync
udevadm settle
is "the table is inside" "$(sfdisk -d /dev/sda1 | grep -c 'label: dos\|size= *40960')" 2
t "the XFS is there" blkid -p -t TYPE=xfs /dev/sdb

printf 'disks use=A,B erase=A,B\nspeed test=none\n' >/tmp/answers
T -f /dev/null new-session -d -x 80 -y 25 'nas-setup --apply /tmp/answers; echo "left with $?"; sleep 600'
t "with a terminal: it ends by itself" wait_for 200 shows "left with"
t "with a terminal: and well" shows "left with 0"
is "nothing was asked" "$(screen | grep -ciE 'proceed|continue|\(y|\[y')" 0
T kill-server
is "the second time, without input: nothing to do" "$(nas-setup --apply /tmp/answers </dev/null | grep '^done' | grep -vc 'changed=no')" 0
nas_is raid1 public
is "nothing of the old is left" "$(od -An -tx1 -j510 -N2 /dev/sda1 | tr -d ' ') $(blkid -o value -s UUID | grep -c 11111111-2222)" "0000 0"
finish

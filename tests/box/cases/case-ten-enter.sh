#!/bin/bash
# box: --disk 1200M,serial=A --disk 1200M,serial=B --nic cable
# Ten Enter at once: what was typed before a screen was seen does not answer it. Nothing is begun and nothing wiped, at the
# start, at the disks and before Review; where something is erased, a word must be typed.
# A double Enter once fell through the choice and wiped sda: https://github.com/OpenELEC/OpenELEC.tv/issues/1626
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
export LC_ALL=C.UTF-8
ten() { T send-keys Enter Enter Enter Enter Enter Enter Enter Enter Enter Enter; }
# goes_no_further SCREEN NEXT: all keys were read (the help opens for the one behind them), and the next screen did not come
goes_no_further() {
        sees "$1"
        T send-keys F1
        wait_for 10 shows "Help" || wait_for 10 shows "Esc back" || { not_ok "the help opens"; screen; }
        T send-keys Escape
        wait_for 10 shows "$1" && ! shows "$2" && ok "ten Enter: it stays at: $1" || { not_ok "ten Enter: it stays at: $1"; screen; }
}
writes() { awk '{print $5, $7}' /sys/block/sd[ab]/stat | xargs; }

mke2fs -q -t ext4 -L photos /dev/sdb
sync
udevadm settle
before=$(writes)

T -f /dev/null new-session -d -x 80 -y 25 'nas-setup; echo "left with $?"; sleep 600'
ten # before anything is drawn
goes_no_further "becomes a file server" "Which port connects"
T send-keys Enter
sees "Which port connects"
ten
goes_no_further "Which disks will hold" "protect your files"
is "the disk with files is not chosen" "$(screen | grep -c '\[ \] sdb')" 1
T send-keys Down Space
wait_for 10 shows "[x] sdb"
ten
goes_no_further "protect your files" "What should people see"
T send-keys Enter
sees "What should people see"
ten
sees "ERASED"
t "ten Enter: Review waits for the word" wait_for 10 shows "erase"
ten
wait_for 3 shows "Setting up" && not_ok "ten Enter at Review start nothing" || ok "ten Enter at Review start nothing"
is "nothing was written to a disk" "$(writes)" "$before"
t "no plan was kept" test ! -e "$plan"
t "the files are there" sh -c 'e2fsck -fn /dev/sdb'
T kill-server
finish

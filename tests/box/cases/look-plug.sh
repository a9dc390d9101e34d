#!/bin/bash
# box: --disk 1200M --disk 1200M --disk 1200M --nic cable
# Disks that are pulled and put in while the wizard is open: it says so, marks stay with their disks, a plan for a disk that is
# gone can't be started, and the watch ends with the wizard.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
T() { tmux -L plug "$@"; }
screen() { T capture-pane -p; }
shows() { screen | grep -qF -- "$1"; }
expect() { wait_for 15 shows "$2" && ok "$1" || { not_ok "$1"; screen; }; }
pull() { echo 1 >/sys/block/"$1"/device/delete; }
put_in() { for h in /sys/class/scsi_host/host*/scan; do echo "- - -" >"$h"; done; }
serial() { udevadm info -q property -n "$1" | sed -n 's/^ID_SERIAL_SHORT=//p;s/^SCSI_IDENT_SERIAL=//p' | head -1; }

T -f /dev/null new-session -d -x 80 -y 25 'LC_ALL=C.UTF-8 nas-setup; echo "left with $?"; sleep 600'
expect "Welcome" "[ Begin ]"; T send-keys Enter
expect "Network" "Which port connects"; T send-keys Enter
expect "three blank disks are marked" "3 disks chosen"
screen
T send-keys Down Space
expect "the person takes one out" "2 disks chosen"
screen >/tmp/marks
pull sdc
expect "a pulled one is said" "sdc was unplugged"
expect "and chosen no more" "1 disk chosen"
T send-keys Enter
expect "without it only with a yes" "is gone. Plug it in again"
put_in
expect "put in again it has its mark" "2 disks chosen"
screen
T send-keys Space
expect "all three" "3 disks chosen"
for title in "protect your files" "What should people see" "Nothing has been changed yet"; do
        T send-keys Enter
        expect "$title" "$title"
done
pull sda
expect "Review: a disk is gone" "This no longer fits this computer"
screen
T send-keys Enter
expect "leads back to the disks" "Which disks will hold"
t "nothing was started" test ! -e /run/nas-setup/progress
t "no plan was kept" test ! -e /var/lib/nas-setup/plan
T send-keys F10; wait_for 2 shows "Leave NAS setup?" && T send-keys Right Enter
expect "left" "left with 0"
t "no watch is left" wait_for 5 bash -c '! pgrep -x nas-disk'
finish

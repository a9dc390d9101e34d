#!/bin/bash
# box: --disk 4T,serial=A --nic cable
# The system's disk and exactly one other: the screen that chooses still appears, with name, model, size and what is on it. Only
# a blank disk is chosen beforehand, never one with anything on it, and Enter does not go past a choice that was not made.
# A screen that was left out cost somebody an external disk: https://github.com/xcp-ng/xcp/issues/442
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
export LC_ALL=C.UTF-8
writes() { awk '{print $5, $7}' /sys/block/sda/stat; }
open_disks() { # the wizard, at its disk screen, when it has looked
        T -f /dev/null new-session -d -x 80 -y 25 'nas-setup; echo "left with $?"; sleep 600'
        sees "becomes a file server"
        T send-keys Enter
        sees "Which port connects"
        T send-keys Enter
        sees "Which disks will hold"
        wait_for 30 bash -c "! tmux -L nas capture-pane -p | grep -q ooking"
}
leave() { T send-keys F10 Enter; wait_for 10 shows "left with" || { not_ok "it is left"; screen; }; T kill-server; }

before=$(writes)
open_disks
t "blank: it says name, model, size and that nothing is on it" grep -qE 'sda +WDC WD40EFRX-68N.* 4\.0 TB .* blank' <<<"$(row sda)"
t "blank: it is chosen beforehand" grep -qF '[x] sda' <<<"$(row sda)"
t "the system's disk can't be chosen" grep -qE '^ +- +ubda .* system' <<<"$(row ubda)"
leave
is "nothing was written to it" "$(writes)" "$before"

mke2fs -q -t ext4 -L photos /dev/sda 4000000
sync
udevadm settle
before=$(writes)
open_disks
t "files: it says name, model, size and that there are files" grep -qE 'sda +WDC WD40EFRX-68N.* 4\.0 TB .* files' <<<"$(row sda)"
t "files: it is not chosen beforehand" grep -qF '[ ] sda' <<<"$(row sda)"
t "files: it says which" shows photos
T send-keys Enter
sees "No disk is chosen. Mark at least one"
t "Enter does not go on" shows "Which disks will hold"
leave
is "nothing was written to the disk with files" "$(writes)" "$before"
fails "and without a screen it is refused" 2 nas-setup --apply /dev/null
is "nothing was written to it then either" "$(writes)" "$before"
finish
